package sourcetest

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/inmemory"
	"github.com/sessionloom/sessionloom/vault"
)

func init() { inmemory.TempDirs() }

// managed is the managed folder of a vault.
const managed = "Agents"

// Vault is a vault that the engine makes of sources, with its state.
type Vault struct {
	Dir, State string           // the folders of both
	Now        func() time.Time // the engine's clock

	t testing.TB
}

// NewVault makes an empty vault. Without Now, the engine uses the clock.
func NewVault(t testing.TB) *Vault {
	t.Helper()
	v := &Vault{Dir: t.TempDir(), State: t.TempDir(), Now: time.Now, t: t}
	Must(t, vault.Create(v.Dir, managed, vault.Marker{ID: "0123456789abcdef", Layout: 1}))
	return v
}

// Sync runs a pass that must report no problem, and returns the notes.
func (v *Vault) Sync(s sources.Source) Notes {
	v.t.Helper()
	notes, r := v.Run(s)
	for _, p := range r.Problems {
		v.t.Errorf("problem: %+v", p)
	}
	return notes
}

// Run runs a pass, and returns the notes and the engine's report.
func (v *Vault) Run(s sources.Source) (Notes, extract.Report) {
	v.t.Helper()
	state, err := ledger.Open(v.State, ledger.Options{})
	Must(v.t, err)
	defer func() { Must(v.t, state.Close()) }()
	opened := v.open()
	defer func() { Must(v.t, opened.Close()) }()
	pages, err := templates.Embedded()
	Must(v.t, err)
	masker, err := redact.New([]byte("masks of this vault"), redact.Options{})
	Must(v.t, err)
	engine := &extract.Engine{Sources: []sources.Source{s}, Ledger: state, Vault: opened, Folder: managed, Pages: pages, Masker: masker,
		Settings: extract.DefaultSettings(), Now: v.Now}
	r, err := engine.Run(context.Background())
	Must(v.t, err)
	return v.Notes(), r
}

func (v *Vault) open() *vault.Vault {
	v.t.Helper()
	opened, err := vault.Open(v.Dir, managed, vault.Options{})
	Must(v.t, err)
	return opened
}

// SyncAsFresh is Sync of a changed history: a second pass must change nothing, and an empty vault must become
// the same. what names the change.
func (v *Vault) SyncAsFresh(what string, open func() sources.Source) Notes {
	v.t.Helper()
	now := v.Sync(open())
	if diff := v.Sync(open()).Differ(now); diff != "" {
		v.t.Fatalf("%s: a second pass changed something:\n%s", what, diff)
	}
	fresh := NewVault(v.t)
	all := fresh.Sync(open())
	if fresh.nameAs(all, now) {
		all = fresh.Sync(open())
	}
	if diff := now.named().Differ(all.named()); diff != "" {
		v.t.Fatalf("%s: an empty vault becomes another one:\n%s", what, diff)
	}
	return now
}

var sessionNote = regexp.MustCompile(`(?m)^id: "((?:session|checkpoint|memory):.*)"$`)

// nameAs gives the notes of sessions their names in another vault, and reports whether any differed: a note
// keeps its first name, and no source has the data of that time.
func (v *Vault) nameAs(have, want Notes) (renamed bool) {
	v.t.Helper()
	at := map[string]string{}
	for p, text := range want {
		if m := sessionNote.FindStringSubmatch(text); m != nil {
			at[m[1]] = p
		}
	}
	for p, text := range have {
		m := sessionNote.FindStringSubmatch(text)
		if m == nil || at[m[1]] == "" || at[m[1]] == p || path.Dir(at[m[1]]) != path.Dir(p) {
			continue
		}
		Must(v.t, os.Rename(filepath.Join(v.Dir, filepath.FromSlash(p)), filepath.Join(v.Dir, filepath.FromSlash(at[m[1]]))))
		renamed = true
	}
	return renamed
}

// named returns the notes without the mark that they wait for a title, which nameAs makes obsolete.
func (n Notes) named() Notes {
	out := Notes{}
	for p, text := range n {
		out[p] = testdata.Settled(text)
	}
	return out
}

// Notes returns the notes in the vault.
func (v *Vault) Notes() Notes {
	v.t.Helper()
	all := Notes{}
	Must(v.t, filepath.WalkDir(v.Dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			rel, _ := filepath.Rel(v.Dir, path) // path is below it
			all[filepath.ToSlash(rel)] = string(Read(v.t, path))
		}
		return err
	}))
	return all
}
