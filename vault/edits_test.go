package vault

import (
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/note"
)

// TestEditsCarryOver: whatever a human did around our parts, renewing the note
// gives exactly what the same edit makes of a fresh note.
func TestEditsCarryOver(t *testing.T) {
	toCRLF := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	tests := map[string]func(string) string{
		"nothing":             func(s string) string { return s },
		"text at the end":     func(s string) string { return s + "\nMy thoughts.\n" },
		"no newline at end":   func(s string) string { return strings.TrimSuffix(s, "\n") },
		"text between":        replaceOnce("%%\n\n%% sessionloom nav", "%%\nmine, right below\n\n%% sessionloom nav"),
		"text above":          replaceOnce("---\n\n%% sess", "---\nmine\n\n%% sess"),
		"foreign property":    replaceOnce("turn_count:", "rating: 5\nturn_count:"),
		"property at the top": replaceOnce("id: ", "mine: {a: [1, 2]}\nid: "),
		"comment line":        replaceOnce("turn_count:", "# my comment\nturn_count:"),
		"comments around":     replaceOnce("id: ", "# top\n\n# more\nid: "),
		"block scalar":        replaceOnce("turn_count:", "note: |\n  a\n  ---\n   # no comment\n\n  b\nturn_count:"),
		"own tag":             replaceOnce("  - \"agents/session\"\n", "  - \"agents/session\"\n  - \"mine\"\n"),
		"own tag unquoted":    replaceOnce("  - \"agents/session\"\n", "  - \"agents/session\"\n  - mine\n"),
		"flow tags":           replaceOnce("tags:\n  - \"agents/session\"\n", "tags: [agents/session, mine] # ok\n"),
		"ours taken out":      replaceOnce("tags:\n  - \"agents/session\"\n", "tags:\n  - mine\n"),
		"tags emptied":        replaceOnce("tags:\n  - \"agents/session\"\n", "tags: []\n"),
		"property deleted":    replaceOnce("tags:\n  - \"agents/session\"\n", ""),
		"CRLF":                toCRLF,
		"CRLF and text":       func(s string) string { return toCRLF(s) + "\r\nmine\r\n" },
		"BOM":                 func(s string) string { return "\uFEFF" + s },
		"BOM and CRLF":        func(s string) string { return "\uFEFF" + toCRLF(s) },
		"mixed line ends":     func(s string) string { return s + "a\r\nb\nc\rd" },
		"blanks at the fence": replaceOnce("\"\n---\n", "\"\n---  \n"),
		"invalid UTF-8":       func(s string) string { return s + "\xff\xfe\x00" },
		"markers as text":     func(s string) string { return s + "see `%% sessionloom body` there\n" },
		"conflict in code":    func(s string) string { return s + "    <<<<<<< HEAD\n    =======\n    >>>>>>> x\n" },
	}
	for name, edit := range tests {
		t.Run(name, func(t *testing.T) {
			r, got := putOver(t, edit, secondDraft())
			expect.Is(t, got, edit(string(note.Render(secondDraft().Content()))))
			if r.Outcome != Updated || r.Reason != "" {
				t.Errorf("outcome %q %q", r.Outcome, r.Reason)
			}
		})
	}
}

// TestReserializedFrontmatter: Obsidian writes the whole block again when the
// user edits one property. Unchanged values keep their new spelling, ours are
// renewed, the user's stay.
func TestReserializedFrontmatter(t *testing.T) {
	obsidian := `---
id: session:1
title: My own title
aliases:
  - One
  - Uno
tags:
  - agents/session
  - mine
updated: 2026-01-02T03:04:05
turn_count: 1
files:
  - a.go
status: done
---
`
	edit := func(s string) string { return obsidian + s[strings.Index(s, "---\n\n%%")+4:] }
	r, got := putOver(t, edit, secondDraft())
	want := `---
id: session:1
title: My own title
aliases:
  - Uno
  - "One and two"
tags:
  - agents/session
  - mine
updated: 2026-01-03T03:04:05
turn_count: 2
branch: "main"
files:
  - "a.go"
  - "b.go"
status: done
---
`
	expect.Is(t, got[:len(want)], want)
	if r.Outcome != Updated || r.Reason != "kept your title" {
		t.Errorf("outcome %q %q", r.Outcome, r.Reason)
	}
}

func TestUserPropertyStays(t *testing.T) {
	tests := map[string]struct {
		edit   func(string) string
		want   string // must be in the note
		lacks  string // must not be in it
		reason string
	}{
		"value": {replaceOnce("turn_count: 1", "turn_count: 9 # mine"), "turn_count: 9 # mine\n", "turn_count: 2", "kept your turn_count"},
		"list":  {replaceOnce("  - \"a.go\"", "  - \"z.go\""), "files:\n  - \"z.go\"\n---", "b.go", "kept your files"},
		"list with a comment": {replaceOnce("  - \"a.go\"", "  # why\n  - \"a.go\""),
			"files:\n  # why\n  - \"a.go\"\n---", "b.go", "kept your files"},
		"comment behind our value": {replaceOnce("turn_count: 1", "turn_count: 1 # mine"), "turn_count: 2 # mine\n", "turn_count: 1", ""},
		"multi-line":               {replaceOnce("title: \"One\"", "title: >\n  Mine,\n  folded"), "title: >\n  Mine,\n  folded\naliases", "title: \"", "kept your title"},
		"deleted":                  {replaceOnce("title: \"One\"\n", ""), "id: \"session:1\"\naliases", "title: ", ""},
		"alias taken out":          {replaceOnce("aliases:\n  - \"One\"\n", "aliases:\n  - Uno\n"), "aliases:\n  - Uno\n  - \"One and two\"\n", "  - \"One\"\n", ""},
		"flow mapping": {func(s string) string {
			i := strings.Index(s, "---\n\n")
			return "---\n{id: 'session:1', turn_count: 1}\n" + s[i:]
		}, "---\n{id: 'session:1', turn_count: 1}\n---\n", "turn_count: 2", "frontmatter is written in a way that cannot be changed safely"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r, got := putOver(t, tt.edit, secondDraft())
			front, _, _ := strings.Cut(got, "%% sess")
			if !strings.Contains(front, tt.want) || strings.Contains(front, tt.lacks) {
				t.Errorf("got:\n%s", front)
			}
			expect.Is(t, r.Reason, tt.reason, "reason")
			if !strings.Contains(got, "# One and two") {
				t.Error("body was not renewed")
			}
		})
	}
}

// TestPropertiesWithoutComment: without our comment in the note its properties are
// the user's.
func TestPropertiesWithoutComment(t *testing.T) {
	cut := func(s string) string {
		body, _, _ := strings.Cut(s, "\n%% sessionloom facts")
		return body
	}
	_, got := putOver(t, cut, secondDraft())
	if !strings.Contains(got, "turn_count: 1\n") || strings.Contains(got, "branch:") {
		t.Errorf("properties of unknown origin were changed:\n%s", got)
	}
}

func TestDroppedProperty(t *testing.T) {
	d := secondDraft()
	d.Props = slices.DeleteFunc(d.Props, func(p Property) bool { return p.Key == "turn_count" || p.Key == "files" })
	_, got := putOver(t, replaceOnce("  - \"a.go\"", "  - \"mine.go\""), d)
	if strings.Contains(got, "turn_count") || !strings.Contains(got, "files:\n  - \"mine.go\"\n") {
		t.Errorf("got:\n%s", got)
	}
}

func TestEditedRegionStays(t *testing.T) {
	edit := replaceOnce("# One\n", "# One, as I see it\n")
	r, got := putOver(t, edit, secondDraft())
	if !strings.Contains(got, "# One, as I see it\n\n- [ ] a box\n") || strings.Contains(got, "# One and two") {
		t.Errorf("got:\n%s", got)
	}
	if !strings.Contains(got, "turn_count: 2") || !strings.Contains(got, "after]]") {
		t.Errorf("the rest was not renewed:\n%s", got)
	}
	if r.Outcome != Kept || r.Reason != "you edited the text, and what stood there before is not known here: yours stays" || !r.Note.Touched {
		t.Errorf("outcome %q %q", r.Outcome, r.Reason)
	}
	r, got = putOver(t, replaceOnce("before]]", "earlier]]"), secondDraft())
	if !strings.Contains(got, "earlier]]\n") || strings.Contains(got, "after]]") || !strings.Contains(got, "# One and two") {
		t.Errorf("got:\n%s", got)
	}
	if r.Outcome != Updated || r.Reason != "you edited the links, and what stood there before is not known here: yours stays" {
		t.Errorf("outcome %q %q", r.Outcome, r.Reason)
	}
	same := replaceOnce("# One\n\n- [ ] a box", "# One and two\n\n- [x] a box")
	if r, _ = putOver(t, same, secondDraft()); r.Reason != "" || r.Note.Touched {
		t.Errorf("the same edit as ours: %q", r.Reason)
	}
}

func TestNavComesAndGoes(t *testing.T) {
	bare := firstDraft()
	bare.Nav = nil
	v, _ := newVault(t, Options{})
	at := mustPut(t, v, bare).Path
	step := func(nav string, want Draft) {
		t.Helper()
		r := mustPut(t, v, Draft{ID: bare.ID, At: at, Nav: &nav})
		got, err := v.Text(at)
		if err != nil || string(got) != string(note.Render(want.Content())) || r.Outcome != Updated {
			t.Errorf("nav %q: %q %v\n%s", nav, r.Outcome, err, got)
		}
	}
	step(*firstDraft().Nav, firstDraft())
	step(*secondDraft().Nav, func() Draft { d := firstDraft(); d.Nav = secondDraft().Nav; return d }())
	step("", bare)
}

// TestHandsOff: a note that is not certain to be ours and whole is left alone.
func TestHandsOff(t *testing.T) {
	begin, end := "%% sessionloom body %%", "%% /sessionloom body 0123456789abcdef %%\n"
	tests := map[string]struct {
		edit   func(string) string
		reason string
	}{
		"broken YAML":      {replaceOnce("turn_count: 1", "turn_count: [1"), "the frontmatter is no valid YAML"},
		"alias bomb":       {replaceOnce("turn_count: 1", "turn_count: *x"), "the frontmatter is no valid YAML"},
		"doubled property": {replaceOnce("turn_count: 1", "turn_count: 1\nturn_count: 1"), "a property stands twice in the frontmatter"},
		"not closed":       {replaceOnce("---\n\n%%", "\n%%"), "the frontmatter is not closed"},
		"conflict in properties": {replaceOnce("turn_count: 1", "<<<<<<< HEAD\nturn_count: 1\n=======\nturn_count: 2\n>>>>>>> x"),
			"the frontmatter is no valid YAML"},
		"conflict in the body": {replaceOnce("# One\n", "<<<<<<< HEAD\n# One\n=======\n# Two\n>>>>>>> x\n"),
			"it holds the conflict markers of a version control system"},
		"conflict outside": {func(s string) string { return s + "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n" },
			"it holds the conflict markers of a version control system"},
		"marker missing":   {withoutLine("%% /sessionloom body"), "the comment lines around a text are doubled or nested"},
		"both missing":     {func(s string) string { above, _, _ := strings.Cut(s, "%% sess"); return above }, "the comment lines around its text are missing"},
		"marker doubled":   {func(s string) string { return s + end }, "the comment line that ends a text has no beginning"},
		"region doubled":   {func(s string) string { _, below, _ := strings.Cut(s, begin); return s + begin + below }, "the comment lines around a text are doubled or nested"},
		"marker damaged":   {replaceOnce("sessionloom body %%", "sessionloom body"), "a comment line of ours is damaged"},
		"unknown region":   {replaceOnce("/sessionloom body", "/sessionloom boby"), "a comment line of ours is damaged"},
		"id changed":       {replaceOnce("\"session:1\"", "\"session:2\""), "it is no longer the note it was: its id is missing or another"},
		"id deleted":       {replaceOnce("id: \"session:1\"\n", ""), "it is no longer the note it was: its id is missing or another"},
		"frontmatter gone": {func(s string) string { _, below, _ := strings.Cut(s, "%%"); return "%%" + below }, "it is no longer the note it was: its id is missing or another"},
		"half saved":       {func(string) string { return "" }, "the note is empty: it is being saved"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t, Options{})
			at := mustPut(t, v, firstDraft()).Path
			file := dir + "/" + at
			left := tt.edit(readFile(t, file))
			writeFile(t, file, left)
			d := secondDraft()
			d.At = at
			if r := mustPut(t, v, d); r.Outcome != Kept || r.Reason != tt.reason {
				t.Errorf("put: %q %q", r.Outcome, r.Reason)
			}
			if r, err := v.Remove(t.Context(), d.ID, at); err != nil || r.Outcome != Kept {
				t.Errorf("remove: %q %v", r.Outcome, err)
			}
			expect.Is(t, readFile(t, file), left, "the note was written")
			n, err := v.Load(at)
			if err != nil || n.Broken != "" && n.ID != "session:1" {
				t.Errorf("a broken note lost its id: %q %v", n.ID, err)
			}
		})
	}
}

func TestNeverPoorer(t *testing.T) {
	poor := secondDraft()
	poor.Facts = poor.Facts[1:]
	r, got := putOver(t, func(s string) string { return s }, poor)
	want := firstDraft()
	want.Nav = poor.Nav
	if got != string(note.Render(want.Content())) || r.Outcome != Kept || r.Reason != "it was made from more than is here now (cli/events)" {
		t.Errorf("outcome %q %q\n%s", r.Outcome, r.Reason, got)
	}
	newer := func(s string) string { return strings.Replace(s, "\nversion 2\n", "\nversion 3\n", 1) }
	r, got = putOver(t, newer, secondDraft())
	if strings.Contains(got, "One and two") || r.Outcome != Kept || r.Reason != "it was written by a newer version" {
		t.Errorf("outcome %q %q", r.Outcome, r.Reason)
	}
}

// TestConflictMarkersOfATranscript: what we wrote ourselves is no conflict.
func TestConflictMarkersOfATranscript(t *testing.T) {
	d := firstDraft()
	d.Body = text("```text\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n")
	v, _ := newVault(t, Options{})
	at := mustPut(t, v, d).Path
	d = secondDraft()
	d.At = at
	if r := mustPut(t, v, d); r.Outcome != Updated {
		t.Errorf("outcome %q %q", r.Outcome, r.Reason)
	}
}

// TestForgedMarkerIsRefused: text of a transcript cannot move our boundaries.
func TestForgedMarkerIsRefused(t *testing.T) {
	v, dir := newVault(t, Options{})
	for _, line := range []string{
		"%% /sessionloom body 0123456789abcdef %%",
		"  %%sessionloom nav %%",
		"\t%% sessionloom facts\r",
	} {
		for _, d := range []Draft{firstDraft(), firstDraft()} {
			d.Body = text("a\n" + line + "\nb")
			if _, err := v.Put(t.Context(), d); err == nil {
				t.Errorf("body with %q was taken", line)
			}
			d.Body, d.Nav = text(""), d.Body
			if _, err := v.Put(t.Context(), d); err == nil {
				t.Errorf("nav with %q was taken", line)
			}
		}
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml")
}
