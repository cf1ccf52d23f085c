package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/vault"
)

func failingSince() time.Time { return time.Date(2026, 11, 18, 9, 30, 0, 0, time.UTC) }

// afterScheduled has Home.md tell of the scheduled runs of a machine, and returns it.
func (s *scene) afterScheduled(host string, failing int) string {
	s.t.Helper()
	a := &app{print: &printer{out: new(strings.Builder), err: new(strings.Builder), bar: &progress{}}, env: os.Getenv, home: s.t.TempDir()}
	cmd := newSync(a)
	cmd.SetContext(s.t.Context())
	s.check(cmd.ParseFlags(s.flags(s.vault)))
	s.check(a.tellTrouble(cmd, host, failing, failingSince()))
	text, err := os.ReadFile(filepath.Join(s.vault, "Agents", "Home.md"))
	s.check(err)
	return string(text)
}

// A callout stands on Home.md from the third failed run in a row to the next one
// that succeeds, where the vault wants it, and it is committed like a tombstone.
func TestCalloutOfScheduledRuns(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.begins(alpha, widget).asks("Is it here?").says("It is.")
	s.pass(s.vault)
	after := s.afterScheduled
	home := filepath.Join(s.vault, "Agents", "Home.md")
	const callout, one, two = "[!warning] Scheduled runs fail", "On 1 machine, since 18 Nov 2026.", "On 2 machines"
	if strings.Contains(after("loom", 7), callout) {
		t.Error("it is told although nobody asked for it")
	}
	set := func(value string) {
		t.Helper()
		v, err := vault.Open(s.vault, s.folder, vault.Options{})
		s.check(err)
		s.check(v.SetSettings(map[string]string{"home_callout": value}))
		s.check(v.Close())
		s.pass(s.vault)
	}
	set("true")
	plain := after("loom", failingRuns-1)
	if strings.Contains(plain, callout) {
		t.Error("it is told too early")
	}
	if text := after("loom", failingRuns); !strings.Contains(text, one) {
		t.Errorf("it is not told:\n%s", text)
	}
	set("false")
	if text := after("loom", failingRuns); text != plain {
		t.Errorf("it is told although it was switched off:\n%s", text)
	}
	set("true")
	after("loom", failingRuns)
	info, err := os.Stat(home)
	s.check(err)
	after("loom", failingRuns+1)
	if now, err := os.Stat(home); err != nil || !now.ModTime().Equal(info.ModTime()) {
		t.Errorf("the page is written again: %v", err)
	}
	if text := after("spindle", failingRuns); !strings.Contains(text, two) {
		t.Errorf("the other machine is not told:\n%s", text)
	}
	if text := after("loom", 0); !strings.Contains(text, one) {
		t.Errorf("the other machine still fails:\n%s", text)
	}
	if text := after("spindle", 0); text != plain {
		t.Errorf("something is left:\n%s", text)
	}
	if names, err := os.ReadDir(filepath.Join(s.vault, "Agents", ".sessionloom", "trouble")); err != nil || len(names) > 0 {
		t.Errorf("left in the vault: %v %v", names, err)
	}
	s.check(os.Rename(s.vault, s.vault+".away"))
	a := &app{print: &printer{}, env: os.Getenv, home: t.TempDir()}
	cmd := newSync(a)
	s.check(cmd.ParseFlags(s.flags(s.vault)))
	if err := a.tellTrouble(cmd, "loom", 9, failingSince()); err != nil {
		t.Errorf("a vault that is gone: %v", err)
	}
	if _, err := os.Stat(s.vault); err == nil {
		t.Error("the vault is made anew")
	}
}

// While git is stopped in the middle of something nothing is put into the vault.
func TestNoCalloutInAMerge(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.begins(alpha, widget).asks("Is it here?").says("It is.")
	s.settingOfVault("home_callout", "true")
	s.pass(s.vault)
	if out, err := exec.Command("git", "-C", s.vault, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.check(os.WriteFile(filepath.Join(s.vault, ".git", "MERGE_HEAD"), []byte(strings.Repeat("0", 40)+"\n"), 0o600))
	before := walk(t, s.vault)
	s.afterScheduled("loom", failingRuns)
	if now := walk(t, s.vault); !maps.Equal(before, now) {
		t.Error("the vault is touched")
	}
}
