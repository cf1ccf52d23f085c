package sidecars_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

// metadata reads a file of the given text.
func metadata(t *testing.T, text string) (map[string]*sources.Session, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copilotcli.session.metadata.json")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return sidecars.Metadata(path)
}

func TestMetadataOfASample(t *testing.T) {
	all, err := sidecars.Metadata(filepath.Join("testdata", "copilotcli.session.metadata.json"))
	must(t, err)
	want := &sources.Session{ID: idB, Title: "errors.Is in internal/auth", TitleFrom: sources.TrustCustom, Place: sources.Place{Cwd: "/home/dev/src/widget"}}
	if len(all) != 1 || !reflect.DeepEqual(all[idB], want) {
		t.Errorf("%+v", all[idB])
	}
}

func TestMetadata(t *testing.T) {
	all, err := metadata(t, `{
		"`+strings.ToUpper(idA)+`": {"workspaceFolder":{"folderPath":"/home/dev/src/widget","timestamp":1},"customTitle":7,
			"worktreeProperties":{"version":2,"baseCommit":"abc","branchName":"copilot/x","baseBranchName":"main","repositoryPath":"/home/dev/src/widget","worktreePath":"/home/dev/src/widget.worktrees/x"}},
		"only-repo": {"repositoryProperties":{"repositoryPath":"c:\\src\\widget","branchName":"main"}},
		"says-nothing": {"writtenToDisc":true},
		"untitled-9": {"customTitle":"not begun"},
		"wrong": [], "worse": null,
		"`+idB+`": {"customTitle":" two\nlines "}}`)
	must(t, err)
	if len(all) != 3 {
		t.Errorf("%d sessions: %v", len(all), all)
	}
	want := sources.Place{Cwd: "/home/dev/src/widget.worktrees/x", GitRoot: "/home/dev/src/widget", Branch: "copilot/x", BaseBranch: "main"}
	if got := all[idA]; got == nil || !reflect.DeepEqual(got.Place, want) || got.TitleFrom != sources.TrustNone {
		t.Errorf("worktree: %+v", got)
	}
	if got := all["only-repo"]; got == nil || got.Place.GitRoot != `c:\src\widget` || got.Place.Branch != "main" {
		t.Errorf("repository: %+v", got)
	}
	if got := all[idB]; got == nil || got.Title != "two lines" {
		t.Errorf("title: %+v", got)
	}
}

func TestMetadataThatIsDamaged(t *testing.T) {
	if all, err := metadata(t, `{"`+idA+`":{"customTitle":"kept"},"`+idB+`":{"custom`); err == nil {
		t.Errorf("torn: %v", all)
	}
	if all, err := metadata(t, "a,b,c"); err == nil || len(all) != 0 {
		t.Errorf("no JSON: %v, %v", all, err)
	}
	if _, err := sidecars.Metadata(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}
