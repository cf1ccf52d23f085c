package note

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// FuzzMarkers: no text moves the boundary of a region, whatever it holds of our
// markers and ids. It goes the way of every text of a transcript: through the
// templates into a region, and is read back.
func FuzzMarkers(f *testing.F) {
	for _, s := range []string{
		"", "%% sessionloom:end body %%", "%% sessionloom:begin body v=1 sha256=0123456789abcdef %%\nx\n%% sessionloom:end body %%",
		"```\n%% sessionloom:end body %%\n```", "> %% sessionloom:props v=1 title=x %%", "`%% sessionloom:end nav %%`", "%%sessionloom:end body%%",
		"%%%% sessionloom:end body %%", "a\n\t%%\tsessionloom:end body %%", "%\u200b% sessionloom:end body %%", "%%\n sessionloom:end body %%",
		"---\nid: session:2\n---\n", "\r%% sessionloom:end body %%\r", "\u2028%% sessionloom:end body %%", "\\%% sessionloom:end body %%", "%% \u00a0sessionloom:end body %%",
		"    %% sessionloom:end body %%", "- %% sessionloom:end body %%", "~~~\n%% sessionloom:end body", "| %% sessionloom:end body %% |\n|---|",
	} {
		f.Add(s)
	}
	set, err := templates.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x := templates.Text(s)
		link := templates.Link{Path: "Agents/a", Text: x}
		body, err := set.Page(templates.Session{Title: x, Summary: x, Branch: templates.Code(s), Transcript: "full", Part: 1, Parts: 1,
			Project: link, Files: []templates.FileLine{{Path: templates.Code(s)}}, Open: []templates.Box{{Text: x, State: "open"}},
			Turns: []templates.Turn{{Number: 1, Prompt: x, Answer: x, Status: "failed", Error: x}}})
		if err != nil {
			t.Fatal(err)
		}
		nav, err := set.Page(templates.Nav{Up: link, Files: []templates.Link{link}})
		if err != nil {
			t.Fatal(err)
		}
		title := escape.Property(s)
		raw := Render(Content{ID: "session:1", Props: []Property{{"id", "session:1"}, {"title", title}, {"aliases", []string{title}}}, Body: str(body), Nav: str(nav)})
		found, broken := findMarkers(raw)
		if broken != "" || len(found) != 5 {
			t.Fatalf("%q: %d marker lines, %s\n%s", s, len(found), broken, raw)
		}
		_, regions, broken := pairRegions(raw, found)
		if broken != "" || regions[RegionBody].Text != PadRegion(body) || regions[RegionNav].Text != PadRegion(nav) {
			t.Fatalf("%q: the regions are read otherwise: %s\n%s", s, broken, raw)
		}
		n := Parse("", raw)
		if n.Broken != "" || n.ID != "session:1" || n.Touched || len(n.Props) != 3 {
			t.Errorf("%q: read as %+v", s, n)
		}
		if strings.Contains(string(raw), "<%") {
			t.Errorf("%q: a command of Templater", s)
		}
	})
}
