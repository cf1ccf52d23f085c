package sourcetest

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// The checks of this file have the engine make a vault of what is read, again and
// again: no reading that is poorer than one before takes anything out of a note, but
// for what the user took back.

func storedFails(t *testing.T, b *bench) {
	v, all := newVault(b), turns(3)
	b.write(ids[0], all[:2])
	v.sync(b.source).shows(all[:2])
	b.append(ids[0], 2, all[2:])
	b.change(func() { v.failing(vanishing{b.source, b.log(ids[0])}).shows(all[:2]) })
	v.sync(b.source).shows(all)
	v.settled(b.source)
}

func storedTorn(t *testing.T, b *bench) {
	v, all := newVault(b), turns(3)
	b.write(ids[0], all)
	v.sync(b.source)
	b.change(func() { b.suite.History.Tear(t, b.dir, ids[0]) })
	v.sync(b.source).shows(all[:2])
	v.settled(b.source)
	b.write(ids[0], all)
	v.sync(b.source).shows(all)
}

func storedEmptied(t *testing.T, b *bench) {
	v, all := newVault(b), turns(3)
	b.write(ids[0], all[:2])
	before := v.sync(b.source)
	b.change(func() { write(t, b.log(ids[0]), nil) })
	v.sync(b.source).same(before)
	v.settled(b.source)
	b.write(ids[0], all)
	v.sync(b.source).shows(all)
}

func storedBeheaded(t *testing.T, b *bench) {
	logs, able := b.suite.History.(Beheader)
	if !able {
		t.Skip("its logs have no start to lose")
	}
	v, all := newVault(b), turns(4)
	b.write(ids[0], all[:3])
	v.sync(b.source)
	b.change(func() { logs.Behead(t, b.dir, ids[0]) })
	v.sync(b.source).shows(all[:3])
	b.append(ids[0], 3, all[3:])
	v.sync(b.source).shows(all)
	v.settled(b.source)
}

func storedRewound(_ *testing.T, b *bench) {
	v, all := newVault(b), turns(4)
	b.write(ids[0], all)
	v.sync(b.source)
	b.write(ids[0], all[:2])
	v.sync(b.source).shows(all[:2]).hides(all[2:])
	v.settled(b.source)
}

func storedExpires(t *testing.T, b *bench) {
	agent, able := b.suite.History.(Expirer)
	if !able {
		t.Skip("it deletes nothing by itself")
	}
	v, all := newVault(b), turns(3)
	var files []string
	b.write(ids[0], all[:2])
	b.change(func() { files = agent.Expiring(t, b.dir, ids[0], start, all[:2]) })
	with := v.sync(b.source)
	for _, file := range files {
		b.change(func() { remove(t, file) })
		v.sync(b.source).same(with)
	}
	b.append(ids[0], 2, all[2:])
	v.sync(b.source).shows(all)
	b.change(func() { remove(t, b.log(ids[0])) })
	v.sync(b.source).shows(all)
}

// log is the file that holds what was said in a session.
func (b *bench) log(id string) string { return b.suite.History.Log(b.dir, id) }

// notes is a vault that the engine keeps, with its state.
type notes struct {
	t          *testing.T
	dir, state string
	text       map[string]string // of each note, as the last pass left it
}

func newVault(b *bench) *notes {
	v := &notes{t: b.t, dir: b.t.TempDir(), state: b.t.TempDir()}
	if err := vault.Create(v.dir, "Agents", vault.Marker{ID: "0123456789abcdef", Layout: 1}); err != nil {
		b.t.Fatal(err)
	}
	return v
}

// sync runs a pass in which everything can be read.
func (v *notes) sync(s sources.Source) *notes {
	v.t.Helper()
	return v.pass(s, false)
}

// failing runs a pass that reads a part only, and says so.
func (v *notes) failing(s sources.Source) *notes {
	v.t.Helper()
	return v.pass(s, true)
}

func (v *notes) pass(s sources.Source, part bool) *notes {
	v.t.Helper()
	r := v.run(s)
	if r.Part() != part {
		v.t.Errorf("done in part: %v, want %v; problems %v", r.Part(), part, r.Problems)
	}
	return &notes{t: v.t, dir: v.dir, state: v.state, text: v.read()}
}

// settled demands that a further pass changes nothing.
func (v *notes) settled(s sources.Source) {
	v.t.Helper()
	before := v.read()
	v.run(s)
	(&notes{t: v.t, text: v.read()}).same(&notes{text: before})
}

func (v *notes) run(s sources.Source) extract.Report {
	v.t.Helper()
	must := func(err error) {
		if err != nil {
			v.t.Helper()
			v.t.Fatal(err)
		}
	}
	state, err := ledger.Open(v.state, ledger.Options{})
	must(err)
	defer func() { must(state.Close()) }()
	opened, err := vault.Open(v.dir, "Agents", vault.Options{})
	must(err)
	defer func() { must(opened.Close()) }()
	pages, err := templates.Embedded()
	must(err)
	masker, err := redact.New([]byte("masks of this vault"), redact.Options{})
	must(err)
	engine := &extract.Engine{Sources: []sources.Source{s}, Ledger: state, Vault: opened, Folder: "Agents", Pages: pages, Masker: masker,
		Settings: extract.DefaultSettings(), Now: time.Now}
	r, err := engine.Run(context.Background())
	must(err)
	return r
}

// read gives the text of each note by its path.
func (v *notes) read() map[string]string {
	v.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(v.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return all
}

// shows demands that the vault tells these turns.
func (v *notes) shows(turns []Turn) *notes {
	v.t.Helper()
	v.tells(turns, true)
	return v
}

// hides demands that the vault tells none of these turns.
func (v *notes) hides(turns []Turn) { v.t.Helper(); v.tells(turns, false) }

func (v *notes) tells(turns []Turn, want bool) {
	v.t.Helper()
	all := strings.Join(slices.Collect(maps.Values(v.text)), "\n")
	for _, turn := range turns {
		for _, text := range []string{turn.User, turn.Answer} {
			if strings.Contains(all, text) != want {
				v.t.Errorf("the vault tells %q: %v, want %v", text, !want, want)
			}
		}
	}
}

// same demands the notes of before, byte for byte.
func (v *notes) same(before *notes) {
	v.t.Helper()
	for path, text := range v.text {
		if before.text[path] != text {
			v.t.Errorf("%s is\n%s\nwas\n%s", filepath.Base(path), text, before.text[path])
		}
	}
	if len(v.text) != len(before.text) {
		v.t.Errorf("%d notes, were %d", len(v.text), len(before.text))
	}
}

// vanishing is a source of which a file is away while it is read.
type vanishing struct {
	sources.Source
	file string
}

func (s vanishing) Read(ctx context.Context, it sources.Item) (sources.Reading, error) {
	if err := os.Rename(s.file, s.file+"-away"); err != nil {
		return sources.Reading{}, err
	}
	r, err := s.Source.Read(ctx, it)
	if back := os.Rename(s.file+"-away", s.file); back != nil {
		return r, back
	}
	return r, err
}

func write(t *testing.T, path string, body []byte) {
	t.Helper()
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
