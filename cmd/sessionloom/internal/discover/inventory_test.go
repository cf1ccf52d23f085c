package discover

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
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

func takeAll(t *testing.T, s sources.Source) *present.Inventory {
	t.Helper()
	inv, err := Examine(t.Context(), []sources.Source{s}, redact.Options{})
	must(t, err)
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
	must(t, err)
	table := strings.Join(inv.Table("/home"), "\n")
	for where, got := range map[string]string{"JSON": string(text), "table": table} {
		if strings.Contains(got, token) || strings.ContainsAny(got, "\x1b\u202e") || !strings.Contains(got, "レイテンシ") {
			t.Errorf("%s: %q", where, got)
		}
	}
	if !strings.Contains(table, "\n      - レイテンシ") {
		t.Errorf("no line of its own: %q", table)
	}
}

// What could be read is shown, and the rest is named.
func TestDetailsThatFailAreAProblem(t *testing.T) {
	inv := takeAll(t, telling{lines: []string{"one"}, err: errors.New("the index is locked")})
	if len(inv.Sources[0].Details) != 1 || !inv.Failed || len(inv.Problems) != 1 || inv.Problems[0].Error != "the index is locked" {
		t.Errorf("got %+v", inv)
	}
}
