package vault

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/vault/inspect"
)

const (
	checkedNote  = "projects/w/sessions/s.md"
	checkedOther = "journal/2026-01-02.md"
)

// checkedVault is a vault of two notes that link to each other, to a heading, a
// view of a base and a picture, beside a note of a person's.
func checkedVault(t testing.TB) (v *Vault, dir string) {
	t.Helper()
	v, dir = newVault(t, Options{})
	d := firstDraft()
	d.Props = append(d.Props, Property{Key: "project", Value: "[[Agents/journal/2026-01-02|day]]"})
	d.Body = text("# One\n\n| a |\n|---|\n| [[Agents/journal/2026-01-02\\|day]] |\n\n![[Agents/attachments/p.png]] `[[no link]]`\n\n```sh\n[[ -f x ]]\n```\n")
	d.Nav = text("Up: [[Agents/journal/2026-01-02#What came of it|the day]] ![[Agents/Sessions.base#By project]]")
	mustPut(t, v, d)
	mustPut(t, v, Draft{
		ID: "day:2026-01-02", Path: checkedOther, Props: []Property{{Key: "id", Value: "day:2026-01-02"}, {Key: "title", Value: "Day"}},
		Body: text("# Day\n\n## What came of it\n\n[[Agents/projects/w/sessions/s|One]]"), Nav: text(""),
	})
	writeFile(t, filepath.Join(dir, "Sessions.base"), "views:\n  - type: table\n    name: By project\n")
	writeFile(t, filepath.Join(dir, "attachments/p.png"), "png")
	writeFile(t, filepath.Join(dir, "mine.md"), "---\nid: 7\n---\n[[nowhere]] ![[nothing.png]]\n")
	return v, dir
}

// inspected checks a vault.
func inspected(t testing.TB, v *Vault) inspect.Report {
	t.Helper()
	r, err := v.Inspect(t.Context(), inspect.Options{Ours: func(id, _ string) bool { return strings.Contains(id, ":") }, Trusting: true})
	must(t, err)
	return r
}

func TestCheckFindsDamage(t *testing.T) {
	edit := func(at, old, now string) func(t testing.TB, dir string) {
		return func(t testing.TB, dir string) {
			file := filepath.Join(dir, filepath.FromSlash(at))
			s := readFile(t, file)
			if !strings.Contains(s, old) {
				t.Fatalf("%s does not hold %q", at, old)
			}
			writeFile(t, file, strings.Replace(s, old, now, 1))
		}
	}
	move := func(from, to string) func(t testing.TB, dir string) {
		return func(t testing.TB, dir string) {
			must(t, os.Rename(filepath.Join(dir, filepath.FromSlash(from)), filepath.Join(dir, filepath.FromSlash(to))))
		}
	}
	tests := map[string]struct {
		harm func(t testing.TB, dir string)
		want []string // kind and note
	}{
		"an end marker is gone":     {edit(checkedNote, "%% /sessionloom body", ""), []string{"markers " + checkedNote}},
		"a begin marker is damaged": {edit(checkedNote, "%% sessionloom body %%", "%% sessionloom body %"), []string{"markers " + checkedNote}},
		"a region is doubled":       {edit(checkedNote, "%% sessionloom nav", "%% sessionloom body %%\n%% /sessionloom body 0123456789abcdef %%\n%% sessionloom nav"), []string{"markers " + checkedNote}},
		"all markers are gone": {func(t testing.TB, dir string) {
			writeFile(t, filepath.Join(dir, checkedOther), "---\nid: \"day:2026-01-02\"\n---\n# Day\n\n## What came of it\n")
		}, []string{"markers " + checkedOther}},
		"unreadable properties":     {edit(checkedNote, "title: \"One\"", "title: \"One"), []string{"frontmatter " + checkedNote}},
		"a property stands twice":   {edit(checkedNote, "turn_count: 1", "turn_count: 1\ntitle: \"Two\""), []string{"frontmatter " + checkedNote}},
		"properties without an end": {edit(checkedNote, "\n---\n\n%%", "\n\n%%"), []string{"frontmatter " + checkedNote}},
		"a merge in the text":       {edit(checkedNote, "# One", "<<<<<<< HEAD\n# One\n=======\n# Two\n>>>>>>> theirs"), []string{"conflict-markers " + checkedNote}},
		"a merge in the properties": {edit(checkedNote, "title: \"One\"", "<<<<<<< HEAD\ntitle: \"One\"\n=======\ntitle: \"Two\"\n>>>>>>> theirs"), []string{"conflict-markers " + checkedNote}},
		"the id is gone":            {edit(checkedNote, "id: \"session:1\"\n", ""), []string{"id " + checkedNote}},
		"the id is another note's":  {edit(checkedNote, "id: \"session:1\"", "id: \"day:2026-01-02\""), []string{"duplicate-id " + checkedOther, "duplicate-id " + checkedNote}},
		"a copy of a sync service": {func(t testing.TB, dir string) {
			writeFile(t, filepath.Join(dir, "journal/2026-01-02 (Conflicted copy).md"), readFile(t, filepath.Join(dir, checkedOther)))
		}, []string{"duplicate-id journal/2026-01-02 (Conflicted copy).md", "duplicate-id " + checkedOther}},
		"a linked note is gone":      {func(t testing.TB, dir string) { _ = os.Remove(filepath.Join(dir, checkedNote)) }, []string{"broken-link " + checkedOther}},
		"a linked note was renamed":  {move(checkedNote, "projects/w/sessions/mine.md"), []string{"broken-link " + checkedOther}},
		"a picture is gone":          {func(t testing.TB, dir string) { _ = os.Remove(filepath.Join(dir, "attachments/p.png")) }, []string{"broken-link " + checkedNote}},
		"a name that no link holds":  {move(checkedNote, "projects/w/sessions/issue #1.md"), []string{"broken-link " + checkedOther, "name projects/w/sessions/issue #1.md"}},
		"a name Windows cannot hold": {move(checkedNote, "projects/w/sessions/why?.md"), []string{"broken-link " + checkedOther, "name projects/w/sessions/why?.md"}},
		"a run was killed": {func(t testing.TB, dir string) {
			writeFile(t, filepath.Join(dir, "journal/.tmp-01234567-0123456789abcdef-0123456789abcdef"), "half")
		}, []string{"leftover journal/.tmp-01234567-0123456789abcdef-0123456789abcdef"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v, dir := checkedVault(t)
			before := inspected(t, v)
			if len(before.Findings) > 0 {
				t.Fatal(before.Findings)
			}
			tt.harm(t, dir)
			now := inspected(t, v)
			var got []string
			for _, f := range now.Findings {
				got = append(got, f.Kind+" "+strings.TrimPrefix(f.Path, "Agents/"))
				if f.Words == "" {
					t.Errorf("no words: %+v", f)
				}
			}
			slices.Sort(tt.want)
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCheckLeavesTheHumanAlone(t *testing.T) {
	v, dir := checkedVault(t)
	file := filepath.Join(dir, checkedNote)
	s := readFile(t, file)
	s = strings.NewReplacer(
		"# One", "# Mine\n\nsee [[nowhere]]", // the region is touched, what it links to is the user's
		"title: \"One\"", "title: '[[no such note]]'\nstatus: [[odd]]\nmine: \"[[not there]]\"",
		"turn_count: 1\n", "",
	).Replace(s) + "\nMy own [[link]] to ![[nothing.png]]\n"
	writeFile(t, file, "\xEF\xBB\xBF"+strings.ReplaceAll(s, "\n", "\r\n"))
	if got := inspected(t, v); len(got.Findings) > 0 {
		t.Error(got.Findings)
	}
}

// TestCheckForgivesSpelling: Obsidian finds a file whatever the case of its
// letters and the form of its accents.
func TestCheckForgivesSpelling(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	d.Body, d.Nav = text("[[Agents/Journal/CAF\u00c9|a]] [[Elsewhere/moved|b]] [[v1.2 plan|c]]"), text("")
	mustPut(t, v, d)
	writeFile(t, filepath.Join(dir, "journal/cafe\u0301.md"), "x")
	writeFile(t, filepath.Join(dir, "../Elsewhere/moved.md"), "x")
	writeFile(t, filepath.Join(dir, "../v1.2 plan.md"), "x")
	if got := inspected(t, v); len(got.Findings) > 0 {
		t.Error(got.Findings)
	}
}

// TestCheckLooksBeyondTheFolder: what is elsewhere in the vault comes and goes
// without a trace in the folder.
func TestCheckLooksBeyondTheFolder(t *testing.T) {
	v, dir := checkedVault(t)
	moved := filepath.Join(dir, "../Elsewhere/moved.md")
	mustPut(t, v, Draft{
		ID: "session:2", Path: "projects/w/sessions/t.md", Props: []Property{{Key: "id", Value: "session:2"}},
		Body: text("# Two\n\n[[Elsewhere/moved|One]]"), Nav: text(""),
	})
	writeFile(t, moved, "# One\n")
	if got := inspected(t, v); len(got.Findings) > 0 {
		t.Error(got.Findings)
	}
	must(t, os.Remove(moved))
	if got := inspected(t, v); len(got.Findings) != 1 {
		t.Errorf("the note is gone: %v", got.Findings)
	}
}
