package templates

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Whatever the folder is called, the base is YAML and filters for that folder.
func TestBaseOfAnyFolder(t *testing.T) {
	for folder, want := range map[Path]string{
		"Agents":          `file.inFolder("Agents")`,
		"my notes/Agents": `file.inFolder("my notes/Agents")`,
		`a "b" #c`:        `file.inFolder("a \"b\" #c")`,
		"a #b":            `file.inFolder("a #b")`,
		"a: b":            `file.inFolder("a: b")`,
		"a\nviews: []":    `file.inFolder("a views: []")`,
		"日記 📓":            `file.inFolder("日記 📓")`,
		".":               `type == "`, // no folder is called so
	} {
		for _, view := range []View{SessionsBase{folder}, FilesBase{folder}} {
			text, err := embeddedSet(t).Page(view)
			must(t, err)
			var got struct {
				Filters struct{ And []string }
				Views   []struct{ Name string }
			}
			if err := yaml.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("%q: %v\n%s", folder, err, text)
			}
			if !strings.HasPrefix(got.Filters.And[0], want) || len(got.Views) < 4 {
				t.Errorf("%q: filters %q, %d views", folder, got.Filters.And, len(got.Views))
			}
		}
	}
}

func TestNothingButABaseOfOursIsEmbedded(t *testing.T) {
	for _, path := range []Path{"", "Agents/x.md", "x]].base", "a|b.base", "x.base\n"} {
		if s := showView(path, "Latest"); s != nil {
			t.Errorf("%q gives %q", path, s)
		}
	}
	if s := showView("Agents/Sessions.base", "Latest]] [[x"); s != nil {
		t.Errorf("got %q", s)
	}
	if s := showView("Agents/Sessions.base", "By week").String(); s != "![[Agents/Sessions.base#By week]]" {
		t.Errorf("got %q", s)
	}
}

// A canvas of many sessions is divided into columns, and no note is on another.
func TestCanvasHasRoomForAll(t *testing.T) {
	c := Canvas{Top: CanvasNote{ID: "top", Path: "p.md"}}
	for _, n := range []int{1, 40, 5, 6} {
		g := CanvasGroup{Label: "A \"label\"\nof two lines"}
		for range n {
			g.Sessions = append(g.Sessions, CanvasSession{Row: SessionRow{Link: Link{Path: "s", Text: "A session"}}})
		}
		c.Groups = append(c.Groups, g)
	}
	for range 60 {
		c.Files = append(c.Files, CanvasNote{Path: "f.md"})
	}
	nodes := c.nodes()
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			inside := b.Type == "group" && a.Type != "group" && a.X > b.X && a.Y > b.Y && a.X+a.Width < b.X+b.Width && a.Y+a.Height < b.Y+b.Height
			apart := a.X >= b.X+b.Width || b.X >= a.X+a.Width || a.Y >= b.Y+b.Height || b.Y >= a.Y+a.Height
			if !inside && !apart {
				t.Fatalf("%+v lies on %+v", a, b)
			}
		}
	}
	text := c.Text()
	if !strings.HasPrefix(text, "{\n\t\"nodes\":[\n\t\t{") || strings.Count(text, "\n") != len(nodes)+6-1 {
		t.Errorf("%d lines of %d nodes:\n%.300s", strings.Count(text, "\n"), len(nodes), text)
	}
}
