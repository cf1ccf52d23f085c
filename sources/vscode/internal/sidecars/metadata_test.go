package sidecars_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
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
