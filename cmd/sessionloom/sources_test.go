package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// telling is a source with one root and something to say of it.
type telling struct {
	lines []string
	err   error
}

func (telling) Name() string { return "telling" }

func (telling) List(context.Context) (sources.Listing, error) {
	return sources.Listing{Roots: []sources.Root{{Path: "/t", Found: true}, {Path: "/u", Why: "not there"}}}, nil
}

func (telling) Read(context.Context, sources.Item) (sources.Reading, error) {
	return sources.Reading{}, errors.New("nothing may be read")
}

func (s telling) Details(context.Context) (map[string][]string, error) {
	return map[string][]string{"/t": s.lines}, s.err
}

func plainMasker(t *testing.T) *redact.Masker {
	t.Helper()
	masker, err := maskerOf(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return masker
}

func takeAll(t *testing.T, s sources.Source) *inventory {
	t.Helper()
	inv, err := takeInventory(t.Context(), []sources.Source{s})
	if err == nil {
		err = inv.detail(t.Context(), []sources.Source{s}, plainMasker(t))
	}
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// Titles are text of a transcript: they neither tell a secret nor speak to a
// terminal, in the table as in the JSON.
func TestDetailsOfSourcesAreMaskedAndHarmless(t *testing.T) {
	const token = "ghp_SYNTHETIC0example0token0for0tests000"
	inv := takeAll(t, telling{lines: []string{"push with " + token + "\x1b[2J", "right\u202eto left\nagain " + token, "レイテンシ"}})
	want := []string{`push with [redacted:github-token#1]\u001b[2J`, `right\u202eto left again [redacted:github-token#1]`, "レイテンシ"}
	if got := inv.Sources[0].Details; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := inv.Sources[1].Details; len(got) > 0 {
		t.Errorf("another root tells %q", got)
	}
	text, err := json.Marshal(inv)
	if err != nil {
		t.Fatal(err)
	}
	table := strings.Join(inv.table("/home"), "\n")
	for where, got := range map[string]string{"JSON": string(text), "table": table} {
		if strings.Contains(got, token) || strings.ContainsAny(got, "\x1b\u202e") || !strings.Contains(got, "レイテンシ") {
			t.Errorf("%s: %q", where, got)
		}
	}
	if !strings.Contains(table, "\n      - レイテンシ") {
		t.Errorf("no line of its own: %q", table)
	}
}

// A session that only an index names makes no note, and is told of here.
func TestSourcesTellOfSessionsOfAnIndexAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	w := s.edition("Code").opens(widget)
	w.chat(alpha).asks("Is it here?").says("It is.")
	w.others = []fields{entry(beta, "Long gone\u202e, ghp_SYNTHETIC0example0token0for0tests000", w.clock, w.clock)}
	w.indexes()
	stdout, stderr, code := loomRun(t, "", "sources", "--no-defaults", "--vscode-user", w.user)
	if code != exitDone || !strings.Contains(stdout, "      - "+beta+" Long gone") || strings.Contains(stdout, alpha) {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	if strings.ContainsAny(stdout, "\u202e") || strings.Contains(stdout, "ghp_") {
		t.Errorf("it is told as it is: %q", stdout)
	}
	s.pass(s.vault)
	if s.has(beta) {
		t.Error("it has a note")
	}
}

// What could be told is told, and the rest named.
func TestDetailsThatFailAreAProblem(t *testing.T) {
	inv := takeAll(t, telling{lines: []string{"one"}, err: errors.New("the index is locked")})
	if len(inv.Sources[0].Details) != 1 || !inv.failed || len(inv.Problems) != 1 || inv.Problems[0].Error != "the index is locked" {
		t.Errorf("got %+v", inv)
	}
}

// The table fits a terminal, but for paths, which are never cut.
func TestSourcesReadWellOnEightyColumns(t *testing.T) {
	inv := &inventory{Sources: []lookedAt{
		{Name: "copilot-cli", Root: "/home/dev/.copilot", Found: true, Items: 2310, Bytes: 318e6, Newest: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
			Unknown: map[string]int{"session.hologram": 2, "assistant.unheard_of_event": 1204, "tool.execution_of_another_kind": 7, "session.telemetry_v2": 33}},
		{Name: "copilot-cli", Root: "/home/dev/.local/state/.copilot", Why: "not there"},
		{Name: "vscode", Root: "/home/dev/.var/app/com.visualstudio.code.with.a.long.name/config/Code - Insiders/User", Found: true, Items: 118, Bytes: 2e9, Expiring: 31,
			Newest: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Notes: []string{"12 scaffolds without a request, of which no note is made because there is nothing to tell"},
			Details: []string{alpha + " Long gone, and its title is one of those that do not end before the line does (no chat on this disk)"}},
		{Name: "vscode", Root: "/mnt/c/Users/dev/AppData/Roaming/Code/User", Why: "permission denied: another user's folder, which is not looked at"},
	}}
	text := strings.Join(inv.table("/home/dev"), "\n") + "\n"
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); lipgloss.Width(line) > screen && !strings.Contains(line, "/") {
			t.Errorf("%q is wider than the screen", line)
		}
	}
	compareGolden(t, "words/sources", txtar.Archive{Files: []txtar.File{{Name: "sources", Data: []byte(text)}}})
}

// With --details everything is read; what cannot be is a problem beside the rest.
func TestWhatCannotBeReadIsAProblem(t *testing.T) {
	inv := takeAll(t, telling{})
	must := inv.readAll(t.Context(), []sources.Source{unreadable{}}, plainMasker(t))
	if must != nil || !inv.failed || len(inv.Problems) != 1 || inv.Problems[0].Path != "/t/one" || strings.Contains(inv.Problems[0].Error, "ghp_") {
		t.Errorf("%v %+v", must, inv.Problems)
	}
}

// unreadable has an item that cannot be read, and says so with a secret.
type unreadable struct{ telling }

func (unreadable) List(context.Context) (sources.Listing, error) {
	return sources.Listing{Items: []sources.Item{{Source: "telling", Key: "one", Root: "/t", Path: "/t/one"}}}, nil
}

func (unreadable) Read(context.Context, sources.Item) (sources.Reading, error) {
	return sources.Reading{}, errors.New("bad line: ghp_SYNTHETIC0example0token0for0tests000")
}
