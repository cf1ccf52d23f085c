package decisions_test

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

	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/vscode"
	"github.com/sessionloom/sessionloom/testdata"
)

var update = flag.Bool("update", false, "write the golden decisions of the sample anew")

// TestSample compares the decisions of every session of the sample, oldest first.
func TestSample(t *testing.T) {
	var got bytes.Buffer
	for _, s := range sample(t) {
		found := decisions.Of(&s)
		if len(found) > 0 {
			fmt.Fprintf(&got, "== %s %s\n", s.Created.Format("2006-01-02"), s.ID)
		}
		for _, d := range found {
			where := fmt.Sprint("turn ", d.Turn)
			if d.Checkpoint > 0 {
				where = fmt.Sprint("checkpoint ", d.Checkpoint)
			}
			fmt.Fprintf(&got, "%s, %s: %s\n", where, d.Kind, d.Text)
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
		t.Errorf("the decisions changed, %v:\n%s", err, got.String())
	}
}

// sample reads the sessions of the built-in sample, each as its source tells it.
func sample(t *testing.T) (out []sources.Session) {
	t.Helper()
	home, user := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "user")
	if err := cmp.Or(testdata.WriteCopilotHome(home), testdata.WriteVSCodeUser(user)); err != nil {
		t.Fatal(err)
	}
	cli, chats := copilotcli.New(copilotcli.Config{Homes: []string{home}}), vscode.New(vscode.Config{UserDirs: []string{user}})
	defer cli.Close()
	for _, src := range []sources.Source{cli, chats} {
		listing, err := src.List(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range listing.Items {
			if item.Kind != sources.KindSession || item.Scaffold {
				continue
			}
			reading, err := src.Read(context.Background(), item)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, session.Merge(reading.Layers).Session)
		}
	}
	slices.SortStableFunc(out, func(a, b sources.Session) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	return out
}
