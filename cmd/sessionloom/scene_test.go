package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
)

// scene is a vault over a history that changes step by step. After each step the
// promises hold: the second pass opens and writes nothing, what was remembered
// does not matter, the sources are untouched, and the vault is the golden one.
type scene struct {
	*history
	vault   string
	config  string // of the user
	lasting bool   // the vault holds what the sources alone no longer give
	golden  txtar.Archive
	last    contents
}

func newScene(t *testing.T) *scene {
	t.Helper()
	t.Parallel()
	s := &scene{history: newHistory(t), vault: filepath.Join(t.TempDir(), "vault")}
	s.check(os.MkdirAll(s.home, 0o700))
	createFixedVault(t, s.vault)
	t.Cleanup(func() { compareGolden(t, "scenarios/"+strings.ToLower(strings.TrimPrefix(t.Name(), "Test")), s.golden) })
	return s
}

// createFixedVault makes a vault whose id does not vary.
func createFixedVault(t testing.TB, dir string) {
	t.Helper()
	if err := vault.Create(dir, "Agents", vault.Marker{ID: "00c0ffee00c0ffee", Layout: 1}); err != nil {
		t.Fatal(err)
	}
}

// loomRun runs the command in this process with a configuration.
func loomRun(t testing.TB, config string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	p := &printer{out: &out, err: &errs, bar: &progress{}}
	root, err := newRoot(p)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	root.SetArgs(append(args, "--config", file))
	root.SetOut(&out)
	root.SetErr(&errs)
	code = finish(t.Context(), p, root.ExecuteContext(t.Context()))
	return out.String(), errs.String(), code
}

// pass runs sync on a vault with the state folder beside it.
func (s *scene) pass(dir string, flags ...string) (r extract.Report, stderr string, code int) {
	s.t.Helper()
	args := []string{"sync", "--json", "--vault", dir, "--state", dir + ".state", "--copilot-home", s.home}
	stdout, stderr, code := loomRun(s.t, s.config, append(args, flags...)...)
	if err := json.Unmarshal([]byte(stdout), &r); err != nil && code != exitFailed {
		s.t.Fatalf("sync printed no report (%v), exit code %d: %s%s", err, code, stdout, stderr)
	}
	return r, stderr, code
}

// sync is a step of the story: what happened since, and then a pass.
func (s *scene) sync(happened string, flags ...string) extract.Report {
	s.t.Helper()
	return s.syncEnds(exitDone, happened, flags...)
}

// syncEnds is a step whose pass ends with the given exit code.
func (s *scene) syncEnds(want int, happened string, flags ...string) extract.Report {
	s.t.Helper()
	s.later(time.Minute)
	before := walk(s.t, s.home)
	r, stderr, code := s.pass(s.vault, flags...)
	if code != want {
		s.t.Errorf("%s: exit code %d, want %d: %s", happened, code, want, stderr)
	}
	now := walk(s.t, s.vault)
	s.record(happened, r, code, now)
	s.staysTheSame(happened, s.vault, code, now)
	lost := s.vault + " without ledger"
	copyTree(s.t, s.vault, lost)
	keepTimes(s.t, s.vault, lost)
	s.staysTheSame(happened+", ledger lost", lost, code, now)
	s.check(os.RemoveAll(lost))
	s.check(os.RemoveAll(lost + ".state"))
	if !s.lasting {
		s.fresh(happened, code, now)
	}
	if d := differences(before, walk(s.t, s.home), true); d != "" {
		s.t.Errorf("%s: the sources changed:\n%s", happened, d)
	}
	return r
}

// staysTheSame runs a pass that has nothing to do, and sees it do nothing.
func (s *scene) staysTheSame(happened, dir string, want int, now contents) {
	s.t.Helper()
	r, stderr, code := s.pass(dir)
	if code != want {
		s.t.Errorf("%s: the second pass ends with %d, want %d: %s", happened, code, want, stderr)
	}
	if len(r.Changed) > 0 || r.Notes.Tombstoned > 0 {
		s.t.Errorf("%s: the second pass changes %v, buries %d", happened, r.Changed, r.Notes.Tombstoned)
	}
	if d := differences(now, walk(s.t, dir), true); d != "" {
		s.t.Errorf("%s: the second pass writes:\n%s", happened, d)
	}
	for _, src := range r.Sources {
		if dir == s.vault && want == exitDone && src.Read+int(src.BytesRead) > 0 {
			s.t.Errorf("%s: the second pass opens %d items, %d bytes", happened, src.Read, src.BytesRead)
		}
	}
}

// fresh weaves the same sources into an empty vault.
func (s *scene) fresh(happened string, want int, now contents) {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "fresh")
	createFixedVault(s.t, dir)
	// The vault's settings are part of what a pass is given.
	marker := filepath.Join("Agents", ".sessionloom", "vault.yaml")
	text, err := os.ReadFile(filepath.Join(s.vault, marker))
	s.check(err)
	s.check(os.WriteFile(filepath.Join(dir, marker), text, 0o600))
	if _, stderr, code := s.pass(dir); code != want {
		s.t.Errorf("%s: a fresh pass ends with %d, want %d: %s", happened, code, want, stderr)
	}
	if d := differences(now, walk(s.t, dir), false); d != "" {
		s.t.Errorf("%s: incremental (-) is not fresh (+):\n%s", happened, d)
	}
}

// record adds a step to the golden archive: the report in words, then each new
// file of the vault and what changed in the others.
func (s *scene) record(happened string, r extract.Report, code int, now contents) {
	step := fmt.Sprintf("%02d %s/", 1+strings.Count(string(s.golden.Comment), "\n"), happened)
	s.golden.Comment = append(s.golden.Comment, step+"\n"...)
	var b strings.Builder
	fmt.Fprintf(&b, "exit code %d\n", code)
	n, c := r.Notes, r.Sessions
	for _, count := range []struct {
		word string
		n    int
	}{
		{"sessions new", c.New}, {"sessions changed", c.Changed}, {"sessions empty", c.Empty}, {"sessions vanished", c.Vanished},
		{"sessions failed", c.Failed}, {"sessions of rows only", r.StoreOnly}, {"notes created", n.Created}, {"notes updated", n.Updated},
		{"notes merged", n.Merged}, {"notes moved", n.Moved}, {"notes removed", n.Removed}, {"notes tombstoned", n.Tombstoned},
	} {
		if count.n > 0 {
			fmt.Fprintf(&b, "%s: %d\n", count.word, count.n)
		}
	}
	for _, k := range r.Kept {
		fmt.Fprintf(&b, "kept %s: %s\n", k.Note, k.Reason)
	}
	for _, p := range r.Partial {
		fmt.Fprintf(&b, "partial %s: %s\n", p.Session, strings.Join(p.Damage, "; "))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "problem: %s\n", strings.NewReplacer(s.home, "~/.copilot", s.vault, "~/Vault").Replace(filepath.ToSlash(p.Error)))
	}
	var files []txtar.File
	for _, path := range slices.Sorted(maps.Keys(now)) {
		then, ok := s.last[path]
		switch {
		case !ok:
			files = append(files, txtar.File{Name: step + path, Data: []byte(now[path].text)})
		case then.text != now[path].text:
			files = append(files, txtar.File{Name: step + path, Data: []byte(hunks(s.t, then.text, now[path].text))})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(s.last)) {
		if _, ok := now[path]; !ok {
			fmt.Fprintf(&b, "gone %s\n", path)
		}
	}
	s.golden.Files = append(s.golden.Files, txtar.File{Name: step + "report", Data: []byte(b.String())})
	s.golden.Files = append(s.golden.Files, files...)
	s.last = now
}

// hunks are the changed lines of a text, each with the one before and after.
func hunks(t testing.TB, old, now string) string {
	t.Helper()
	text, err := udiff.ToUnified("", "", old, udiff.Lines(old, now), 1)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = strings.Cut(text, "\n+++ \n")
	return text
}

// compareGolden compares an archive with the one in testdata, or writes it.
func compareGolden(t testing.TB, name string, a txtar.Archive) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", filepath.FromSlash(name)+".txtar")
	got := txtar.Format(&a)
	if *update && !t.Failed() {
		if err := cmp.Or(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, got, 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; make it with -update", err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("the vault is not the golden one; -update rewrites it:\n%s", udiff.Unified("golden", "now", string(want), string(got)))
	}
}

// contents are the files of a folder by path with slashes.
type contents map[string]content

type content struct {
	text  string // a hash where it is no short text
	mtime time.Time
}

func walk(t testing.TB, dir string) contents {
	t.Helper()
	out := contents{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := content{mtime: info.ModTime()}
		if d.Type()&fs.ModeSymlink != 0 {
			f.text, err = os.Readlink(path)
		} else if text, rerr := os.ReadFile(path); rerr != nil {
			err = rerr
		} else if f.text = string(text); len(text) > 1<<16 || bytes.IndexByte(text, 0) >= 0 {
			f.text = fmt.Sprintf("sha256 %x", sha256.Sum256(text))
		}
		out[filepath.ToSlash(rel)] = f
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// differences tells in a unified diff what b has otherwise than a, times too where
// they matter.
func differences(a, b contents, times bool) string {
	var out strings.Builder
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		x, inA := a[path]
		y, inB := b[path]
		switch {
		case !inA:
			fmt.Fprintf(&out, "+ %s\n", path)
		case !inB:
			fmt.Fprintf(&out, "- %s\n", path)
		case x.text != y.text:
			out.WriteString(udiff.Unified(path, path, x.text, y.text))
		case times && !x.mtime.Equal(y.mtime):
			fmt.Fprintf(&out, "written again: %s\n", path)
		}
	}
	return out.String()
}

// keepTimes gives the files of a copy the times of the original.
func keepTimes(t testing.TB, from, to string) {
	t.Helper()
	for path, f := range walk(t, from) {
		if err := os.Chtimes(filepath.Join(to, filepath.FromSlash(path)), f.mtime, f.mtime); err != nil {
			t.Fatal(err)
		}
	}
}

// note finds a note of ours by its id, or by that of its session.
func (s *scene) note(id string) string {
	s.t.Helper()
	for path, f := range walk(s.t, s.vault) {
		if strings.HasPrefix(f.text, "---\nid: \""+id+"\"\n") || strings.HasPrefix(f.text, "---\nid: \"session:"+id+"\"\n") {
			return path
		}
	}
	s.t.Fatalf("no note %s", id)
	return ""
}

func (s *scene) noteText(id string) string {
	s.t.Helper()
	return walk(s.t, s.vault)[s.note(id)].text
}

// says expects words in a note.
func (s *scene) says(id string, words ...string) {
	s.t.Helper()
	text := s.noteText(id)
	for _, w := range words {
		if !strings.Contains(text, w) {
			s.t.Errorf("the note %s does not say %q", id, w)
		}
	}
}

// saysNot expects that words are not in a note.
func (s *scene) saysNot(id string, words ...string) {
	s.t.Helper()
	text := s.noteText(id)
	for _, w := range words {
		if strings.Contains(text, w) {
			s.t.Errorf("the note %s says %q", id, w)
		}
	}
}
