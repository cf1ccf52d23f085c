package main

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// checked runs check on a vault whose state folder is beside it.
func checked(t testing.TB, config, dir string, flags ...string) []extract.Finding {
	t.Helper()
	args := append([]string{"check", "--json", "--vault", dir, "--state", dir + ".state"}, flags...)
	stdout, stderr, code := runProgram(t, config, args...)
	var r extract.CheckReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("check printed no report (%v), exit code %d: %s%s", err, code, stdout, stderr)
	}
	if want := len(r.Findings) > 0; want != (code == exitFound) || code != exitDone && code != exitFound {
		t.Errorf("%d findings, exit code %d: %s", len(r.Findings), code, stderr)
	}
	return r.Findings
}

// Every link of the generated sample leads somewhere, and nothing else is wrong
// with it.
func TestSampleIsSound(t *testing.T) {
	t.Parallel()
	dir, _ := weaveSample(t)
	if found := checked(t, "", dir, "--full"); len(found) > 0 {
		t.Error(found)
	}
}

// What the ledger tells of a note must be so where size and times say that
// nothing changed.
func TestCheckComparesTheLedger(t *testing.T) {
	t.Parallel()
	dir, _ := weaveSample(t)
	states, err := filepath.Glob(filepath.Join(dir+".state", "*"))
	if err != nil || len(states) != 1 {
		t.Fatal(states, err)
	}
	l := expect.Value(ledger.Open(states[0], ledger.Options{}))(t)
	row, _ := l.Note("home")
	row.Hash, row.Facts = "0123456789abcdef", []byte("{")
	l.PutNote(row, true)
	expect.OK(t, l.Commit())
	expect.OK(t, l.Close())
	found := checked(t, "", dir)
	if len(found) != 2 || found[0].Kind != "ledger" || found[0].Note != "Agents/Home.md" || found[1].Kind != "ledger" {
		t.Error(found)
	}
}

// sound runs check after a step: nothing is wrong but what the scenario allows.
func (s *scenario) sound(happened string) {
	s.t.Helper()
	for _, f := range checked(s.t, s.config, s.vault, "--folder", cmp.Or(s.folder, "Agents")) {
		if !slices.Contains(s.unsound, f.Kind) {
			s.t.Errorf("%s: check finds %+v", happened, f)
		}
	}
}
