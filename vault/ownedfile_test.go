package vault

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/vault/merge"
)

const (
	baseOne = "filters:\n  and:\n    - type == \"session\"\nviews:\n  - type: table\n    name: Latest\n    limit: 50\n  - type: table\n    name: Open\n"
	mine    = "  - type: cards\n    name: Mine\n"
)

func putFile(t *testing.T, v *Vault, d OwnedFile) Result {
	t.Helper()
	r, err := v.PutFile(context.Background(), d)
	must(t, err)
	must(t, v.Flush())
	return r
}

// A base is written again while it is as we wrote it. Whatever else is there is its user's and no news.
func TestBaseIsItsUsersOnceTouched(t *testing.T) {
	const at = "Sessions.base"
	baseTwo := strings.Replace(baseOne, "limit: 50", "limit: 100", 1)
	tests := map[string]struct {
		edit func(string) string
		ours bool
	}{
		"untouched":                 {same, true},
		"windows line ends":         {crlf, true},
		"a mark at the start":       {func(s string) string { return "\uFEFF" + s }, true},
		"a view added":              {func(s string) string { return s + mine }, false},
		"our first line dropped":    {bare, false},
		"a view in other line ends": {func(s string) string { return s + crlf(mine) }, false},
		"the same line changed":     {func(s string) string { return strings.Replace(s, "limit: 50", "limit: 7", 1) }, false},
		"no YAML any more":          {func(s string) string { return s + "\t: [" }, false},
		"a merge left open":         {func(s string) string { return s + "<<<<<<< ours\n=======\n>>>>>>> theirs\n" }, false},
		"of a newer version":        {func(s string) string { return strings.Replace(s, "v=1", "v=9", 1) }, false},
		"emptied":                   {func(string) string { return "" }, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t, Options{})
			file := filepath.Join(dir, at)
			putFile(t, v, OwnedFile{Path: at, Text: baseOne})
			edited := tt.edit(readFile(t, file))
			writeFile(t, file, edited)
			if r := putFile(t, v, OwnedFile{Path: at, Text: baseOne}); r.Outcome != Unchanged || readFile(t, file) != edited {
				t.Errorf("without news: %q\n%s", r.Outcome, readFile(t, file))
			}
			want, outcome := edited, Unchanged
			if tt.ours {
				want, outcome = tt.edit(string(merge.NewFile(at, baseTwo))), Updated
			}
			for range 2 {
				r := putFile(t, v, OwnedFile{Path: at, Text: baseTwo})
				if r.Outcome != outcome || r.Reason != "" || readFile(t, file) != want {
					t.Errorf("outcome %q (%s):\n%s", r.Outcome, r.Reason, readFile(t, file))
				}
				outcome = Unchanged
			}
		})
	}
}

func same(s string) string { return s }

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// bare is a text as a program leaves it that knows no comments.
func bare(s string) string {
	_, rest, _ := strings.Cut(s, "\n")
	return rest
}

// A canvas is drawn again while it is as we wrote it. Whatever else is there is its user's and
// no news, also where the base is not known: what was written is told by the file alone.
func TestCanvasIsItsUsersOnceTouched(t *testing.T) {
	const at, one, two = "projects/w/w.canvas", "{\n\t\"nodes\":[],\n\t\"edges\":[]\n}\n", "{\n\t\"nodes\":[\n\t\t{}\n\t],\n\t\"edges\":[]\n}\n"
	written := func(text string) string { return string(merge.NewFile(at, text)) }
	if text := written(one); !strings.HasPrefix(text, "{\"sessionloom\":\"v=1 sha256=") || !json.Valid([]byte(text)) {
		t.Fatalf("a canvas begins with\n%s", text)
	}
	tests := map[string]struct {
		edit func(string) string
		ours bool
	}{
		"untouched":         {same, true},
		"windows line ends": {crlf, true},
		"a card moved":      {func(s string) string { return strings.Replace(s, "[]", "[ ]", 1) }, false},
		"our key dropped":   {func(s string) string { return "{\n" + bare(s) }, false},
		"saved in one line": {func(s string) string { return strings.ReplaceAll(s, "\n", "") }, false},
		"a line at the end": {func(s string) string { return s + "\n" }, false},
		"emptied":           {func(string) string { return "" }, false},
		"the hash of another": {func(s string) string {
			line, _, _ := strings.Cut(s, "\n")
			return line + "\n\t\"nodes\":[ ],\n\t\"edges\":[]\n}\n"
		}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t, Options{})
			file := filepath.Join(dir, filepath.FromSlash(at))
			if r := putFile(t, v, OwnedFile{Path: at, Text: one}); r.Outcome != Created || readFile(t, file) != written(one) {
				t.Fatalf("outcome %q:\n%s", r.Outcome, readFile(t, file))
			}
			edited := tt.edit(written(one))
			writeFile(t, file, edited)
			want, outcome := edited, Unchanged
			if tt.ours {
				want, outcome = tt.edit(written(two)), Updated
			}
			if r := putFile(t, v, OwnedFile{Path: at, Text: two}); r.Outcome != outcome || r.Reason != "" || readFile(t, file) != want {
				t.Errorf("outcome %q (%s):\n%s", r.Outcome, r.Reason, readFile(t, file))
			}
		})
	}
}

// A file that its user deletes while a run is at work is not created again.
func TestFileDeletedMeanwhileStaysSo(t *testing.T) {
	v, dir := newVault(t, Options{})
	if r := putFile(t, v, OwnedFile{Path: "Sessions.base", Text: baseOne, Stands: true}); r.Outcome != Unchanged {
		t.Errorf("outcome %q", r.Outcome)
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml")
}

// TestHumanSavesAFileMeanwhile: what they save is there afterwards, and theirs.
func TestHumanSavesAFileMeanwhile(t *testing.T) {
	for name, plain := range map[string]bool{"swap": false, "no swap": true} {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t, Options{})
			worldOf(v).plain = plain
			file := filepath.Join(dir, "Sessions.base")
			putFile(t, v, OwnedFile{Path: "Sessions.base", Text: baseOne})
			times := 0
			worldOf(v).step = func(s step) {
				if times++; times == 1 && s == stepSwap {
					writeFile(t, file, readFile(t, file)+mine)
				}
			}
			news := strings.Replace(baseOne, "limit: 50", "limit: 100", 1)
			r := putFile(t, v, OwnedFile{Path: "Sessions.base", Text: news})
			if got := readFile(t, file); r.Outcome != Unchanged || got != string(merge.NewFile("a.base", baseOne))+mine {
				t.Errorf("outcome %q:\n%s", r.Outcome, got)
			}
			onlyFiles(t, dir, ".sessionloom/vault.yaml", "Sessions.base")
		})
	}
}

func TestFileOfADryRunIsNotWritten(t *testing.T) {
	v, dir := newVault(t, Options{DryRun: true, Texts: true})
	for _, p := range []string{"Sessions.base", "projects/w/w.canvas"} {
		r := putFile(t, v, OwnedFile{Path: p, Text: baseOne})
		if r.Outcome != Created || !strings.HasSuffix(string(r.New), baseOne) {
			t.Errorf("%s: %q, text:\n%s", p, r.Outcome, r.New)
		}
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml")
}

func TestFileLiesInTheFolderAndIsNoNote(t *testing.T) {
	v, dir := newVault(t, Options{})
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err != nil {
		t.Skip(err)
	}
	for _, p := range []string{"../x.base", "/x.base", "a.md", ".obsidian/x.base", "out/x.base", "C:x.base", ""} {
		if _, err := v.PutFile(context.Background(), OwnedFile{Path: p, Text: baseOne}); err == nil {
			t.Errorf("%q was written", p)
		}
	}
}
