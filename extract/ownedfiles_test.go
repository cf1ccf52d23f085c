package extract

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// olderBase makes a vault look as an older version left it: with another text of
// the base of sessions, in the file and in the ledger.
func olderBase(t *testing.T, b *bench) (old, now string) {
	t.Helper()
	now = expect.Value(b.set.Page(templates.SessionsBase{Folder: "Agents"}))(t)
	old = strings.Replace(now, "    limit: 100\n", "    limit: 50\n", 1)
	l := expect.Value(ledger.Open(b.state, ledger.Options{}))(t)
	defer func() { _ = l.Close() }()
	l.PutOwned(ledger.OwnedFile{ID: names.SessionsBaseID, Path: names.SessionsBasePath, Ours: texts.Digest(old, 16)})
	l.SetValue(ledger.Bases, []byte("templates of that version"))
	must(t, l.Commit())
	writeBase(t, b, sealed(old))
	return old, now
}

func sealed(text string) string {
	return "# sessionloom:file v=1 sha256=" + texts.Digest(text, 16) + "\n" + text
}

func writeBase(t *testing.T, b *bench, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(b.vault, "Agents", names.SessionsBasePath), []byte(text), 0o644))
}

// A new version brings its views into a base that its user left alone; another one is theirs, and no news.
func TestBaseOfAnOlderVersion(t *testing.T) {
	const mine = "  - type: cards\n    name: Mine\n"
	tests := map[string]struct {
		edit func(old string) string
		lost bool // the ledger
		ours bool
	}{
		"untouched":              {edit: sealed, ours: true},
		"untouched, no state":    {edit: sealed, lost: true, ours: true},
		"a view added":           {edit: func(old string) string { return sealed(old) + mine }},
		"a view added, no state": {edit: func(old string) string { return sealed(old) + mine }, lost: true},
		"saved by Obsidian":      {edit: func(old string) string { return old + mine }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, w := newBench(t), newFakeSource()
			operations[0].do(b, w, rand.New(rand.NewPCG(1, 7)))
			b.mustSync(w)
			old, now := olderBase(t, b)
			want := tt.edit(old)
			writeBase(t, b, want)
			if tt.lost {
				must(t, os.RemoveAll(b.state))
			}
			if tt.ours {
				want = sealed(now)
			}
			for pass, first := range []bool{true, false} {
				r := b.mustSync(w)
				if got := tree(t, b.vault)["Agents/"+names.SessionsBasePath]; got != want {
					t.Fatalf("pass %d: the base holds\n%s", pass+1, got)
				}
				if wrote := len(r.Changed) == 1; wrote != (tt.ours && first) || len(r.Kept) > 0 {
					t.Errorf("pass %d: changed %v, kept %v", pass+1, r.Changed, r.Kept)
				}
			}
		})
	}
}

// An edited base that a new version left alone is known again where its user moves it.
func TestEditedBaseIsMoved(t *testing.T) {
	b, w := newBench(t), newFakeSource()
	operations[0].do(b, w, rand.New(rand.NewPCG(1, 7)))
	b.mustSync(w)
	old, _ := olderBase(t, b)
	edited := sealed(old) + "  - type: cards\n    name: Mine\n"
	writeBase(t, b, edited)
	b.mustSync(w)
	at := filepath.Join(b.vault, "Agents")
	must(t, os.Rename(filepath.Join(at, names.SessionsBasePath), filepath.Join(at, "Mine.base")))
	if r := b.mustSync(w); r.Files.Moved != 1 || r.Notes.Tombstoned > 0 {
		t.Errorf("files %+v, notes %+v", r.Files, r.Notes)
	}
	expect.Has(t, tree(t, b.vault)["Agents/"+names.HomePath], "![[Agents/Mine.base#", "Home does not follow")
}

// A file that cannot be written is named, the others are, and it is tried again.
func TestCanvasThatCannotBeWritten(t *testing.T) {
	b, w := newBench(t), newFakeSource()
	for i := range 8 {
		operations[0].do(b, w, rand.New(rand.NewPCG(uint64(i), 7)))
	}
	b.mustSync(w)
	files := b.views(".canvas")
	if len(files) == 0 {
		t.Fatal("no project has a canvas")
	}
	empty := newBench(t)
	blocked := filepath.Join(empty.vault, filepath.FromSlash(files[0]))
	must(t, os.MkdirAll(blocked, 0o755))
	r := empty.mustSync(w)
	if r.Files.Failed != 1 || !r.Part() {
		t.Fatalf("%+v, problems %+v", r.Notes, r.Problems)
	}
	must(t, os.Remove(blocked))
	if r := empty.mustSync(w); r.Notes.Failed != 0 || r.Files.Created != 1 {
		t.Errorf("%+v, problems %+v", r.Notes, r.Problems)
	}
	expect.Is(t, differences(tree(t, b.vault), tree(t, empty.vault)), "", "the vaults differ")
}
