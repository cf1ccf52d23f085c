package templates

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden pages anew")

func embeddedSet(t testing.TB) *Set {
	t.Helper()
	s, err := Embedded()
	must(t, err)
	return s
}

// pages renders every kind of page.
func pages(t testing.TB, s *Set) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(name string, text string, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = text
	}
	later := rotationView()
	later.Part, later.Parts, later.PartLinks = 2, 2, []Link{rotation}
	for name, v := range map[string]Session{
		"session": rotationView(), "session-part-2": later, "session-hostile": hostileSession(),
		"session-bare": {Title: "", Part: 1, Parts: 1},
	} {
		text, err := s.Page(v)
		add(name, text, err)
	}
	text, err := s.Page(checkpointView())
	add("checkpoint", text, err)
	text, err = s.Page(memoryView())
	add("memory", text, err)
	text, err = s.Page(Memory{Kind: "file", Name: "threats.csv", Title: "threats.csv", Project: widget, Left: "longer than 256 KiB", Text: "threat,weight\n<script>,``` 3\n"})
	add("memory-csv", text, err)
	text, err = s.Page(projectView())
	add("project", text, err)
	text, err = s.Page(fileView())
	add("file", text, err)
	text, err = s.Page(issueView())
	add("issue", text, err)
	text, err = s.Page(dayView())
	add("day", text, err)
	text, err = s.Page(weekView())
	add("week", text, err)
	text, err = s.Page(homeView())
	add("home", text, err)
	text, err = s.Page(threadsView())
	add("threads", text, err)
	text, err = s.Page(navView())
	add("nav", text, err)
	return all
}

func TestPagesReadAsTheirGoldens(t *testing.T) {
	for name, got := range pages(t, embeddedSet(t)) {
		path := filepath.Join("testdata", "golden", name+".md")
		if *update {
			must(t, os.WriteFile(path, []byte(got), 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		must(t, err)
		lines := strings.Split(strings.ReplaceAll(string(want), "\r\n", "\n"), "\n")
		for i, line := range strings.Split(got, "\n") {
			if i >= len(lines) || line != lines[i] {
				t.Errorf("%s differs from its golden in line %d (-update writes it anew):\n%s", name, i+1, line)
				break
			}
		}
		if strings.Count(got, "\n") < len(lines)-1 {
			t.Errorf("%s is shorter than its golden", name)
		}
	}
}

func TestPagesStartWithTheirHeadingAndEndWithOneNewline(t *testing.T) {
	for name, text := range pages(t, embeddedSet(t)) {
		if !slices.Contains([]string{"nav", "home", "threads"}, name) && !strings.HasPrefix(text, "# ") {
			t.Errorf("%s starts with %q", name, text[:min(20, len(text))])
		}
		if !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
			t.Errorf("%s ends with %q", name, text[max(0, len(text)-20):])
		}
		if strings.Contains(text, "\n\n\n") {
			t.Errorf("%s holds two blank lines in a row:\n%s", name, text)
		}
	}
}

func TestEmptyNavigationIsEmpty(t *testing.T) {
	if text, err := embeddedSet(t).Page(Nav{}); err != nil || text != "" {
		t.Errorf("got %q, %v", text, err)
	}
}
