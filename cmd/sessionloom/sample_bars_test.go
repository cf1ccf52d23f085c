package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// onlyCount is an outcome that says nothing but how many.
var onlyCount = regexp.MustCompile(`^\d+ \w+(, \d+ \w+)*$`)

// What the pages of the sample have to tell: the outcome of each session.
func TestSampleTellsOutcomes(t *testing.T) {
	t.Parallel()
	_, notes := weaveSample(t)
	sessions := 0
	for path, f := range notes {
		if !strings.Contains(path, "/sessions/") {
			continue
		}
		sessions++
		m := regexp.MustCompile(`(?m)^summary: "(.*)"$`).FindStringSubmatch(f.text)
		if m == nil || m[1] == "" || onlyCount.MatchString(m[1]) {
			t.Errorf("%s: outcome %q", path, m)
		}
	}
	home := notes["Agents/Home.md"].text
	_, rows, _ := strings.Cut(home, "## Latest work")
	rows, _, _ = strings.Cut(rows, "\n## ")
	listed := 0
	for row := range strings.Lines(rows) {
		if cells := strings.Split(strings.ReplaceAll(row, `\|`, ""), "|"); strings.HasPrefix(row, "| ") && len(cells) > 4 && strings.Contains(cells[2], "[[") {
			listed++
			if said := strings.TrimSpace(cells[4]); said == "" || onlyCount.MatchString(said) {
				t.Errorf("Home lists %q", row)
			}
		}
	}
	if sessions != 37 || listed != 20 {
		t.Errorf("%d sessions have notes, Home lists %d", sessions, listed)
	}
}

// What is open in the sample, and what is not any more.
func TestSampleTellsWhatIsOpen(t *testing.T) {
	t.Parallel()
	_, notes := weaveSample(t, copilots...)
	sections := map[string][]string{}
	name := ""
	for line := range strings.Lines(notes["Agents/Open threads.md"].text) {
		if rest, ok := strings.CutPrefix(line, "## "); ok {
			name = strings.TrimSpace(rest)
		}
		if strings.HasPrefix(line, "- [ ] ") {
			sections[name] = append(sections[name], line)
		}
	}
	if len(sections["Open"]) > 5 {
		t.Errorf("too much is open: %q", sections["Open"])
	}
	stands := func(text string, in ...string) {
		t.Helper()
		n, of := 0, ""
		for section, lines := range sections {
			for _, line := range lines {
				if strings.HasPrefix(line, "- [ ] "+text) {
					n, of = n+1, section
				}
			}
		}
		if n != 1 || !slices.Contains(in, of) {
			t.Errorf("%q stands %d times, in %q", text, n, of)
		}
	}
	stands("Announce the end of cookies in the docs site", "Open")
	for path, f := range notes {
		if strings.Contains(f.text, "- [ ] Open the page") || strings.Contains(f.text, "- [ ] *Open the page*") {
			t.Errorf("%s: a button is open", path)
		}
	}
}

// Each commit falls on one day and in one week.
func TestSampleTellsCommitsOnce(t *testing.T) {
	t.Parallel()
	_, notes := weaveSample(t, copilots...)
	for commit, pages := range map[string][]string{
		"d3872ae": {"2026-11-05", "2026-W45"}, "18002d4": {"2026-11-06", "2026-W45"},
		"30771fd": {"2026-11-09", "2026-W46"}, "d7c50c9": {"2026-11-13", "2026-W46"},
	} {
		for path, f := range notes {
			page, isPage := strings.CutPrefix(path, "Agents/journal/")
			if !isPage {
				continue
			}
			body, _, _ := strings.Cut(f.text, "%% /sessionloom body")
			want := 0
			if slices.Contains(pages, strings.TrimSuffix(page, ".md")) {
				want = 1
			}
			if got := strings.Count(body, commit); got != want {
				t.Errorf("%s tells of %s %d times, want %d", page, commit, got, want)
			}
		}
	}
}
