package vault

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/note"
)

// planned creates the first draft, lets a human have a hand in it, and returns
// what a plan says of the second draft.
func planned(t *testing.T, edit func(string) string) (v *Vault, file string, target Target) {
	t.Helper()
	v, dir := newVault(t, Options{})
	r := mustPut(t, v, firstDraft())
	file = filepath.Join(dir, filepath.FromSlash(r.Path))
	writeFile(t, file, edit(readFile(t, file)))
	dry := reopen(t, filepath.Dir(dir), Options{DryRun: true})
	d := secondDraft()
	d.At = r.Path
	mustPut(t, dry, d)
	return v, file, onlyTarget(t, dry)
}

func onlyTarget(t *testing.T, v *Vault) Target {
	t.Helper()
	all, err := v.Changes()
	if err != nil || len(all.Targets) != 1 {
		t.Fatalf("%v, %d targets", err, len(all.Targets))
	}
	return all.Targets[0]
}

func byHand(s string) string {
	s = strings.Replace(s, "tags:\n", "tags:\n  - mine\n", 1)
	return strings.Replace(s, "id: ", "rating: 5\nid: ", 1) + "\nMy words.\n"
}

// A dry run sees what it would have written: several steps give one target, and
// that is what the same steps write.
func TestChangesAreWhatWouldBeWritten(t *testing.T) {
	steps := func(v *Vault, at string) {
		d := firstDraft()
		d.At, d.Body = at, text("# Once\n")
		mustPut(t, v, d)
		if _, err := v.Move(t.Context(), d.ID, at, "moved/to/n.md"); err != nil {
			t.Fatal(err)
		}
		d = secondDraft()
		d.At = "moved/to/n.md"
		mustPut(t, v, d)
		other := firstDraft()
		other.ID, other.Path = "session:2", "new/o.md"
		other.Props = append([]Property{{Key: "id", Value: "session:2"}}, other.Props[1:]...)
		mustPut(t, v, other)
		if _, err := v.Move(t.Context(), other.ID, "new/o.md", "new/p.md"); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Attach(t.Context(), "new/a.png", []byte("png")); err != nil {
			t.Fatal(err)
		}
		must(t, errors.Join(v.AddTombstone("gone"), v.Flush()))
	}
	for _, way := range []string{"steps", "plan"} {
		v, dir := newVault(t, Options{})
		at := mustPut(t, v, firstDraft()).Path
		if way == "plan" {
			before := snapshot(t, dir)
			dry := reopen(t, filepath.Dir(dir), Options{DryRun: true})
			steps(dry, at)
			if snapshot(t, dir) != before {
				t.Fatal("a dry run wrote")
			}
			all, err := dry.Changes()
			if err != nil || len(all.Targets) != 3 || len(all.AddTombstone) != 1 {
				t.Fatalf("%v %+v", err, all)
			}
			for _, target := range all.Targets {
				if _, err := v.Apply(t.Context(), target); err != nil {
					t.Fatal(err)
				}
			}
		} else {
			steps(v, at)
		}
		want := secondDraft()
		expect.Is(t, readFile(t, filepath.Join(dir, "moved/to/n.md")), string(note.Render(want.Content())), way)
		if readFile(t, filepath.Join(dir, "new/p.md")) == "" || readFile(t, filepath.Join(dir, "new/a.png")) != "png" {
			t.Errorf("%s: a file is missing", way)
		}
		for _, gone := range []string{filepath.FromSlash(at), "new/o.md"} {
			if _, err := os.Lstat(filepath.Join(dir, gone)); err == nil {
				t.Errorf("%s: %s is still there", way, gone)
			}
		}
	}
}

func TestApplyKeepsWhatAHumanWrote(t *testing.T) {
	v, file, target := planned(t, byHand)
	r, err := v.Apply(t.Context(), target)
	if err != nil || r.Outcome != target.Outcome {
		t.Fatal(r.Outcome, err)
	}
	got := readFile(t, file)
	for _, part := range []string{"rating: 5\n", "  - mine\n", "\nMy words.\n", "# One and two"} {
		expect.Has(t, got, part, "missing in")
	}
	if r, err := v.Apply(t.Context(), target); err != nil || r.Outcome != Unchanged {
		t.Errorf("once more: %v %v", r.Outcome, err)
	}
}

// What a person saves between plan and apply, or while it is applied, survives.
func TestApplyLeavesAloneWhatChanged(t *testing.T) {
	const mine = "all mine now\n"
	for name, change := range map[string]func(v *Vault, file string){
		"edited": func(_ *Vault, file string) { writeFile(t, file, mine) },
		"edited in the last moment": func(v *Vault, file string) {
			worldOf(v).step = func(s step) {
				if s == stepSwap {
					writeFile(t, file, mine)
				}
			}
		},
	} {
		v, file, target := planned(t, byHand)
		change(v, file)
		if _, err := v.Apply(t.Context(), target); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
		expect.Is(t, readFile(t, file), mine, name)
	}
	v, file, target := planned(t, byHand)
	must(t, os.Remove(file))
	if _, err := v.Apply(t.Context(), target); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	if _, err := os.Lstat(file); err == nil {
		t.Error("a note that was deleted came back")
	}
}

// Words that a human put into our text since are in no plan: only the hash of what
// was there tells of them.
func TestApplyKeepsWordsInOurText(t *testing.T) {
	v, file, target := planned(t, func(s string) string { return s })
	writeFile(t, file, strings.Replace(readFile(t, file), "# One\n", "# Mine\n", 1))
	if _, err := v.Apply(t.Context(), target); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	expect.Has(t, readFile(t, file), "# Mine\n", "the words are gone")
}

// A target reaches nothing but visible files in the managed folder.
func TestApplyStaysInItsFolder(t *testing.T) {
	for name, change := range map[string]func(target *Target){
		"up and out":       func(p *Target) { p.Path, p.Expect = "../out.md", "" },
		"absolute":         func(p *Target) { p.Path, p.Expect = "/tmp/out.md", "" },
		"our records":      func(p *Target) { p.Path, p.Expect = ".sessionloom/vault.yaml", "" },
		"a note in them":   func(p *Target) { p.Path, p.Expect = ".sessionloom/n.md", "" },
		"hidden":           func(p *Target) { p.Path, p.Expect = ".obsidian/n.md", "" },
		"backslashes":      func(p *Target) { p.Path, p.Expect = `..\out.md`, "" },
		"from outside":     func(p *Target) { p.From, p.Path = "../x.md", "in.md" },
		"a hidden file":    func(p *Target) { p.ID, p.Path, p.Expect = "", ".obsidian/x.png", "" },
		"outside, no note": func(p *Target) { p.ID, p.Path, p.Expect = "", "../x.png", "" },
	} {
		v, file, target := planned(t, byHand)
		dir := strings.TrimSuffix(file, filepath.FromSlash(target.Path))
		change(&target)
		before := snapshot(t, filepath.Dir(filepath.Clean(dir)))
		if r, err := v.Apply(t.Context(), target); err == nil {
			t.Errorf("%s: %v", name, r.Outcome)
		}
		if after := snapshot(t, filepath.Dir(filepath.Clean(dir))); withoutFolderTimes(after) != withoutFolderTimes(before) {
			t.Errorf("%s: something was written:\n%s\n%s", name, before, after)
		}
	}
}

// withoutFolderTimes drops the lines of folders: a temporary file that was
// removed again moves their times.
func withoutFolderTimes(snapshot string) string {
	var out []string
	for line := range strings.Lines(snapshot) {
		if !strings.HasSuffix(line, " drwxr-xr-x\n") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
