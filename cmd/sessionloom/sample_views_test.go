package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// baseFile is the format of a base as Obsidian documents it; nothing else may
// are in one.
type baseFile struct {
	Filters    baseFilter        `yaml:"filters"`
	Formulas   map[string]string `yaml:"formulas"`
	Properties map[string]struct {
		DisplayName string `yaml:"displayName"`
	} `yaml:"properties"`
	Summaries map[string]string `yaml:"summaries"`
	Views     []struct {
		Type      string            `yaml:"type"`
		Name      string            `yaml:"name"`
		Limit     int               `yaml:"limit"`
		Filters   baseFilter        `yaml:"filters"`
		GroupBy   *baseSort         `yaml:"groupBy"`
		Order     []string          `yaml:"order"`
		Sort      []baseSort        `yaml:"sort"`
		Summaries map[string]string `yaml:"summaries"`
	} `yaml:"views"`
}

type baseSort struct {
	Property  string `yaml:"property"`
	Direction string `yaml:"direction"`
}

// baseFilter is a statement, or one of and, or, not over a list of filters.
type baseFilter struct{ statements []string }

func (f *baseFilter) UnmarshalYAML(n *yaml.Node) error {
	switch {
	case n.Kind == yaml.ScalarNode && n.Value != "":
		f.statements = append(f.statements, n.Value)
		return nil
	case n.Kind == yaml.MappingNode && len(n.Content) == 2 && slices.Contains([]string{"and", "or", "not"}, n.Content[0].Value):
		var list []baseFilter
		err := n.Content[1].Decode(&list)
		for _, inner := range list {
			f.statements = append(f.statements, inner.statements...)
		}
		return err
	}
	return fmt.Errorf("line %d: no filter", n.Line)
}

func readBase(text string) (b baseFile, err error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	return b, d.Decode(&b)
}

// faults names what is wrong with a base over notes with the given properties.
func (b baseFile) faults(known map[string]bool) (out []string) {
	property := func(at, name string) {
		formula, isFormula := strings.CutPrefix(name, "formula.")
		if isFormula && b.Formulas[formula] == "" || !isFormula && !strings.HasPrefix(name, "file.") && !known[strings.TrimPrefix(name, "note.")] {
			out = append(out, at+": no note has "+name)
		}
	}
	word := regexp.MustCompile(`"[^"]*"|[A-Za-z_][A-Za-z_.]*\(?`)
	uses := func(at, expression string) {
		if strings.Count(expression, "(") != strings.Count(expression, ")") || strings.Count(expression, `"`)%2 != 0 {
			out = append(out, at+": not closed: "+expression)
		}
		for _, w := range word.FindAllString(expression, -1) {
			if w[0] != '"' && w != "this" && !strings.HasSuffix(w, "(") && !strings.HasPrefix(w, ".") {
				property(at, strings.TrimSuffix(w, ".length"))
			}
		}
	}
	for name, f := range b.Formulas {
		uses("formula "+name, strings.ReplaceAll(f, ").length", ")"))
	}
	for name, p := range b.Properties {
		if property("properties", name); p.DisplayName == "" {
			out = append(out, name+" has no name to show")
		}
	}
	names := map[string]bool{}
	filters := slices.Clone(b.Filters.statements)
	for _, v := range b.Views {
		if !slices.Contains([]string{"table", "cards", "list", "map"}, v.Type) || v.Name == "" || names[v.Name] || v.Limit < 0 {
			out = append(out, fmt.Sprintf("view %q of type %q", v.Name, v.Type))
		}
		names[v.Name] = true
		for _, name := range v.Order {
			property(v.Name, name)
		}
		sorts := slices.Clone(v.Sort)
		if v.GroupBy != nil {
			sorts = append(sorts, *v.GroupBy)
		}
		for _, s := range sorts {
			if property(v.Name, s.Property); s.Direction != "ASC" && s.Direction != "DESC" {
				out = append(out, v.Name+" is sorted "+s.Direction)
			}
		}
		filters = append(filters, v.Filters.statements...)
	}
	for _, f := range filters {
		uses("filter", f)
	}
	return out
}

// propertiesOf returns the names of the properties that notes of a type have.
func propertiesOf(t *testing.T, vault contents, typ string) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for path, f := range vault {
		front, _, ok := strings.Cut(strings.TrimPrefix(f.text, "---\n"), "\n---\n")
		if !ok || !strings.HasSuffix(path, ".md") {
			continue
		}
		var props map[string]any
		if err := yaml.Unmarshal([]byte(front), &props); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if props["type"] == typ {
			for name := range props {
				known[name] = true
			}
		}
	}
	return known
}

func TestSampleBasesAreValid(t *testing.T) {
	t.Parallel()
	_, vault := weaveSample(t)
	for path, typ := range map[string]string{"Agents/Sessions.base": "session", "Agents/Files.base": "file"} {
		b, err := readBase(vault[path].text)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		known := propertiesOf(t, vault, typ)
		for _, fault := range b.faults(known) {
			t.Errorf("%s: %s", path, fault)
		}
		expect.List(t, b.Filters.statements, []string{`file.inFolder("Agents")`, `type == "` + typ + `"`}, path, "shows")
		// What Obsidian would fold or quote again would look like an edit.
		for line := range strings.Lines(vault[path].text) {
			if len(line) > 80 || strings.HasSuffix(line, " \n") {
				t.Errorf("%s: %q", path, line)
			}
		}
	}
}

func TestBrokenBaseIsFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"views:\n  - type: table\n    name: A\n    grouping: x\n",
		"views:\n  - type: pie\n    name: A\n",
		"views:\n  - type: table\n    name: A\n  - type: list\n    name: A\n",
		"views:\n  - type: table\n    name: A\n    order:\n      - formula.x\n",
		"views:\n  - type: table\n    name: A\n    order:\n      - nowhere\n",
		"filters:\n  xor:\n    - title\nviews: []\n",
		"formulas:\n  a: if(title\nviews: []\n",
	} {
		b, err := readBase(text)
		if err == nil && len(b.faults(map[string]bool{"title": true})) == 0 {
			t.Errorf("nothing was found in:\n%s", text)
		}
	}
}

// canvasFile is JSON Canvas 1.0, as far as we write it.
type canvasFile struct {
	Sessionloom string
	Nodes       []struct {
		ID, Type, File, Text, Label, Color string
		X, Y, Width, Height                int
	}
	Edges []struct{ ID, FromNode, FromSide, ToNode, ToSide string }
}

func TestSampleCanvasesAreValid(t *testing.T) {
	t.Parallel()
	_, vault := weaveSample(t)
	found := 0
	for _, path := range slices.Sorted(maps.Keys(vault)) {
		if !strings.HasSuffix(path, ".canvas") {
			continue
		}
		found++
		var c canvasFile
		d := json.NewDecoder(bytes.NewReader([]byte(vault[path].text)))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		ids := map[string]bool{}
		for i, n := range c.Nodes {
			if ids[n.ID] || len(n.ID) != 16 || n.Width <= 0 || n.Height <= 0 {
				t.Errorf("%s: node %+v", path, n)
			}
			ids[n.ID] = true
			_, there := vault[n.File]
			if n.Type == "text" {
				to, _, _ := strings.Cut(strings.TrimPrefix(n.Text, "[["), "|")
				_, there = vault[to+".md"]
			}
			if n.Type != "group" && !there {
				t.Errorf("%s shows %+v, which is not there", path, n)
			}
			for _, m := range c.Nodes[:i] {
				apart := n.X >= m.X+m.Width || m.X >= n.X+n.Width || n.Y >= m.Y+m.Height || m.Y >= n.Y+n.Height
				if n.Type == m.Type && !apart {
					t.Errorf("%s: %s lies on %s", path, n.ID, m.ID)
				}
			}
		}
		for _, e := range c.Edges {
			if ids[e.ID] || !ids[e.FromNode] || !ids[e.ToNode] {
				t.Errorf("%s: edge %+v", path, e)
			}
			ids[e.ID] = true
		}
	}
	expect.Is(t, found, 2, "canvases")
}

// Every page of the sample leads somewhere: links and embeds have their file, and
// an embedded view is one of its base.
func TestSampleLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	_, vault := weaveSample(t)
	link := regexp.MustCompile(`\[\[([^\]|\\]+)`)
	property := regexp.MustCompile(`"\[\[[^"]*\]\]"`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`|\\\\\\[")
	for path, f := range vault {
		if !strings.HasSuffix(path, ".md") {
			continue
		}
		front, body, _ := strings.Cut(strings.TrimPrefix(f.text, "---\n"), "\n---\n")
		front = strings.Join(property.FindAllString(front, -1), "\n") // only a whole value is a link
		for _, m := range link.FindAllStringSubmatch(front+code.ReplaceAllString(body, ""), -1) {
			target, view, _ := strings.Cut(m[1], "#")
			file, there := vault[target]
			note, isNote := vault[target+".md"]
			if target == "" {
				note, isNote = f, true
			}
			if !there && !isNote {
				t.Errorf("%s links to %q, which is not there", path, m[1])
			}
			if strings.HasPrefix(view, "^") && !strings.Contains(note.text, "\n"+view+"\n") && !strings.Contains(note.text, " "+view+"\n") {
				t.Errorf("%s links to the block %q, which is not in %q", path, view, target)
			}
			if view != "" && view[0] != '^' && !strings.Contains(file.text, "\n    name: "+view+"\n") {
				t.Errorf("%s shows a view %q, which is not in %s", path, view, target)
			}
		}
	}
}
