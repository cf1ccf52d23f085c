package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const aLine = "[[Agents/journal/2026-11-03|Agents: 4 sessions]]"

// putLine puts a line into a daily note with the given text, and gives what it
// says then.
func putLine(t *testing.T, v *Vault, dir, was, line string) (Result, string) {
	t.Helper()
	file := filepath.Join(filepath.Dir(dir), "Daily", "2026-11-03.md")
	writeFile(t, file, was)
	r, err := v.PutLine(t.Context(), "Daily/2026-11-03.md", "daily-2026-11-03", line)
	if err != nil {
		t.Fatal(err)
	}
	return r, readFile(t, file)
}

// Every byte of the human's stays, whatever the note looks like.
func TestLineIsAddedAtTheEnd(t *testing.T) {
	ours := managedLine("daily-2026-11-03", aLine)
	for was, gap := range map[string]string{
		"# Tuesday\n\nCoffee.\n":                  "\n",
		"# Tuesday\n\n":                           "",
		"no line end":                             "\n\n",
		"# Tuesday\r\n\r\nCoffee.\r\n":            "\r\n",
		"# Tuesday\r\n\r\nCoffee.":                "\r\n\r\n",
		"\ufeff---\ntags: [day]\n---\n- a list\n": "\n",
		"%% a comment at the end %%\n":            "\n",
		"```\nnever closed\n":                     "\n",
	} {
		v, dir := newVault(t, Options{})
		end := "\n"
		if strings.Contains(was, "\r\n") {
			end = "\r\n"
		}
		want := was + gap + ours + end
		r, got := putLine(t, v, dir, was, aLine)
		if got != want || r.Outcome != Updated {
			t.Errorf("%s, got %q, want %q", r.Outcome, got, want)
		}
		if r, again := putLine(t, v, dir, got, aLine); again != got || r.Outcome != Unchanged {
			t.Errorf("the second time %s, got %q", r.Outcome, again)
		}
	}
}

func TestLineIsRenewedWhereItStands(t *testing.T) {
	const next = "[[Agents/journal/2026-11-03|Agents: 5 sessions]]"
	key := "daily-2026-11-03"
	was, is := managedLine(key, aLine), managedLine(key, next)
	edited := strings.Replace(was, "4 sessions", "a good day", 1)
	for note, want := range map[string]string{
		"# Day\n\n" + was + "\nAfter.\n":               "# Day\n\n" + is + "\nAfter.\n",
		"  - " + was + "\r\n> x\r\n":                   "  - " + is + "\r\n> x\r\n",
		was:                                            is,
		"> " + was + "  \n":                            "> " + is + "  \n",
		"x\n" + edited + "\n":                          "x\n" + edited + "\n",
		"Look: " + was + "\n":                          "Look: " + was + "\n",
		was + "\n" + was + "\n":                        was + "\n" + was + "\n",
		"---\nbroken: [\n---\n" + was + "\n":           "---\nbroken: [\n---\n" + is + "\n",
		strings.Replace(was, "-03 ", "-04 ", 1) + "\n": strings.Replace(was, "-03 ", "-04 ", 1) + "\n\n" + is + "\n",
	} {
		v, dir := newVault(t, Options{})
		if _, got := putLine(t, v, dir, note, next); got != want {
			t.Errorf("of %q\ngot  %q\nwant %q", note, got, want)
		}
	}
}

// A line that its user took out comes back for nobody, with or without this
// process knowing that it was there.
func TestRemovedLineStaysRemoved(t *testing.T) {
	v, dir := newVault(t, Options{})
	_, got := putLine(t, v, dir, "Mine.\n", aLine)
	if !strings.Contains(got, aLine) {
		t.Fatal("no line")
	}
	v = reopen(t, filepath.Dir(dir), Options{})
	r, got := putLine(t, v, dir, "Mine.\n", aLine)
	if r.Outcome != Removed || got != "Mine.\n" {
		t.Errorf("%s: %q", r.Outcome, got)
	}
	if err := v.ForgetLine("daily-2026-11-03"); err != nil {
		t.Fatal(err)
	}
	if r, got := putLine(t, v, dir, "Mine.\n", aLine); r.Outcome != Updated || !strings.Contains(got, aLine) {
		t.Errorf("not placed again: %s %q", r.Outcome, got)
	}
}

// A line of a page that is gone goes too, unless its user made it theirs.
func TestLineIsTakenAway(t *testing.T) {
	v, dir := newVault(t, Options{})
	_, got := putLine(t, v, dir, "Mine.\n", aLine)
	if r, left := putLine(t, v, dir, got+"More.\n", ""); left != "Mine.\n\nMore.\n" || r.Outcome != Updated {
		t.Errorf("%s: %q", r.Outcome, left)
	}
	if keys, err := v.Lines(); err != nil || len(keys) > 0 {
		t.Errorf("still known as placed: %v, %v", keys, err)
	}
	mine := strings.Replace(got, "4 sessions", "all of it", 1)
	if _, left := putLine(t, v, dir, mine, ""); left != mine {
		t.Errorf("an edited line went: %q", left)
	}
}

// Nothing is created, no note of ours is written into, and no way that is no real
// folder is taken.
func TestLineWantsANote(t *testing.T) {
	v, dir := newVault(t, Options{})
	outer := filepath.Dir(dir)
	if _, err := v.PutLine(t.Context(), "Daily/2026-11-03.md", "daily-2026-11-03", aLine); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing note: %v", err)
	}
	for _, p := range []string{".obsidian/x.md", "../x.md", "Daily/x.txt", "Daily/.hidden.md", "/x.md"} {
		if _, err := v.PutLine(t.Context(), p, "daily-2026-11-03", aLine); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", p, err)
		}
	}
	at := mustPut(t, v, firstDraft()).Path
	before := readFile(t, filepath.Join(dir, filepath.FromSlash(at)))
	if r, err := v.PutLine(t.Context(), "Agents/"+at, "daily-2026-11-03", aLine); err != nil || r.Outcome != Unchanged {
		t.Errorf("a note of ours: %s, %v", r.Outcome, err)
	}
	if after := readFile(t, filepath.Join(dir, filepath.FromSlash(at))); after != before {
		t.Error("a note of ours was written into")
	}
	away := t.TempDir()
	writeFile(t, filepath.Join(away, "2026-11-03.md"), "theirs\n")
	if err := os.Symlink(away, filepath.Join(outer, "Linked")); err == nil {
		if _, err := v.PutLine(t.Context(), "Linked/2026-11-03.md", "daily-2026-11-03", aLine); err == nil {
			t.Error("a linked folder was taken")
		}
	}
	for text, outcome := range map[string]Outcome{"": Unchanged, "---\nopen: 1\nno end\n": Kept, "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n": Kept} {
		if r, got := putLine(t, v, dir, text, aLine); got != text || r.Outcome != outcome {
			t.Errorf("%q: %s, %q", text, r.Outcome, got)
		}
	}
}

// A human who saves the note just then finds both in it.
func TestLineWhileAHumanSaves(t *testing.T) {
	for _, plain := range []bool{false, true} {
		v, dir := newVault(t, Options{})
		v.testOnlyPlain = plain
		file := filepath.Join(filepath.Dir(dir), "Daily", "2026-11-03.md")
		times := 0
		v.testOnlyStep = func(s step) {
			if times++; times == 1 && s == stepSwap {
				writeFile(t, file, "Mine.\nSaved just now.\n")
			}
		}
		r, got := putLine(t, v, dir, "Mine.\n", aLine)
		if want := "Mine.\nSaved just now.\n\n" + managedLine("daily-2026-11-03", aLine) + "\n"; got != want || r.Outcome != Updated {
			t.Errorf("%s, got %q", r.Outcome, got)
		}
		onlyFiles(t, filepath.Dir(file), "2026-11-03.md")
	}
}

// What a run left that was killed between two steps is cleared away by the next,
// and a text that is the human's alone is put aside.
func TestLineAfterAKill(t *testing.T) {
	v, dir := newVault(t, Options{})
	daily := filepath.Join(filepath.Dir(dir), "Daily")
	func() {
		defer func() { _ = recover() }()
		v.testOnlyStep = func(s step) {
			if s == stepLook {
				panic("killed")
			}
		}
		putLine(t, v, dir, "Mine.\n", aLine)
	}()
	v = reopen(t, filepath.Dir(dir), Options{})
	writeFile(t, filepath.Join(daily, ".tmp-00000000-0000000000000000-1111111111111111"), "a text of a human's")
	if _, err := v.PutLine(t.Context(), "Daily/2026-11-03.md", "daily-2026-11-03", aLine); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, daily, "2026-11-03.md")
	rescued, err := v.Rescued(t.Context())
	if err != nil || len(rescued) != 1 {
		t.Errorf("rescued %v, %v", rescued, err)
	}
}
