package commands_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/testdata"
)

var update = flag.Bool("update", false, "write the golden rows of the sample anew")

// TestSample compares the rows of every session of the sample home, oldest first.
func TestSample(t *testing.T) {
	var got bytes.Buffer
	for _, s := range sample(t) {
		fmt.Fprintf(&got, "== %s %s\n", s.Created.Format("2006-01-02"), s.ID)
		for _, c := range commands.Of(&s) {
			end := ""
			if c.Failed {
				end = " FAILED"
			}
			if c.Exit != nil {
				end += fmt.Sprint(" ", *c.Exit)
			}
			fmt.Fprintf(&got, "%d%s %s: %s\n", c.Turn, end, c.Description, c.Line)
		}
		for _, w := range commands.Worked(&s) {
			fmt.Fprintf(&got, "%d worked %s: %s\n", w.Turn, w.Kind, w.Line)
		}
		for _, f := range commands.Fixes(&s) {
			fmt.Fprintf(&got, "%d error %s\n", f.Turn, f.Text)
			fmt.Fprintf(&got, "  fixed by %s\n", f.By())
		}
	}
	golden := filepath.Join("testdata", "sample.txt")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the rows changed, %v:\n%s", err, got.String())
	}
}

// sample reads the sessions of the built-in sample.
func sample(t *testing.T) (out []sources.Session) {
	t.Helper()
	dir, ctx := t.TempDir(), context.Background()
	if err := testdata.WriteCopilotHome(dir); err != nil {
		t.Fatal(err)
	}
	src := copilotcli.New(copilotcli.Config{Homes: []string{dir}})
	defer src.Close()
	listing, err := src.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range listing.Items {
		if item.Kind != sources.KindSession || item.Scaffold {
			continue
		}
		reading, err := src.Read(ctx, item)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, session.Merge(reading.Layers).Session)
	}
	slices.SortFunc(out, func(a, b sources.Session) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	return out
}
