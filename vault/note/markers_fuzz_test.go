package note

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/templates/escape"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/inert"
)

// FuzzMarkers: no text moves the boundary of a region or of the comment, whatever it holds of our
// markers and ids. It goes the way of every text of a transcript: through the
// templates into a region, and is read back.
func FuzzMarkers(f *testing.F) {
	for _, s := range []string{
		"", "%% /sessionloom body 0123456789abcdef %%", "%% sessionloom body %%\nx\n%% /sessionloom body 0123456789abcdef %%",
		"```\n%% /sessionloom body 0123456789abcdef %%\n```", "> %% sessionloom facts", "`%% /sessionloom nav 0123456789abcdef %%`", "%%/sessionloom body%%",
		"%%%% /sessionloom body 0123456789abcdef %%", "a\n\t%%\t/sessionloom body 0123456789abcdef %%", "%\u200b% /sessionloom body 0123456789abcdef %%", "%%\n /sessionloom body 0123456789abcdef %%",
		"---\nid: session:2\n---\n", "\r%% /sessionloom body 0123456789abcdef %%\r", "\u2028%% /sessionloom body 0123456789abcdef %%", "\\%% /sessionloom body 0123456789abcdef %%", "%% \u00a0/sessionloom body 0123456789abcdef %%",
		"    %% /sessionloom body 0123456789abcdef %%", "- %% /sessionloom body 0123456789abcdef %%", "~~~\n%% /sessionloom body", "| %% /sessionloom body 0123456789abcdef %% |\n|---|",
	} {
		f.Add(s)
	}
	set := expect.Value(templates.Embedded())(f)
	f.Fuzz(func(t *testing.T, s string) {
		x := templates.Text(s)
		link := templates.Link{Path: "Agents/a", Text: x}
		body, err := set.Page(templates.Session{Title: x, Summary: x, Branch: templates.Code(s), Transcript: "full", Part: 1, Parts: 1,
			Project: link, Files: []templates.FileLine{{Path: templates.Code(s)}}, Open: []templates.Box{{Text: x, Block: "open-0a1b2c3d"}},
			Turns: []templates.Turn{{Number: 1, Prompt: x, Answer: x, Status: "failed", Error: x}}})
		expect.OK(t, err)
		nav := expect.Value(set.Page(templates.Nav{Up: link, Files: []templates.Link{link}}))(t)
		title := escape.Property(s)
		facts := []Fact{{"decision", "2026-11-03T08:39:28 cp1 " + s}}
		raw := Render(Content{ID: "session:1", Props: []Property{{"id", "session:1"}, {"title", title}, {"aliases", []string{title}}}, Facts: facts, Body: str(body), Nav: str(nav)})
		found, broken := findMarkers(raw)
		if broken != "" || len(found) != 4 {
			t.Fatalf("%q: %d marker lines, %s\n%s", s, len(found), broken, raw)
		}
		regions, broken := pairRegions(raw, found)
		if broken != "" || regions[RegionBody].Text != PadRegion(body) || regions[RegionNav].Text != PadRegion(nav) {
			t.Fatalf("%q: the regions are read otherwise: %s\n%s", s, broken, raw)
		}
		n := Parse("", raw)
		if valid := strings.ToValidUTF8(facts[0].Value, "\uFFFD"); len(n.Facts) != 1 || n.Facts[0].Value != valid {
			t.Errorf("the fact %q is read as %q", valid, n.Facts)
		}
		if acting := inert.Find(ParseDocument(raw).Comment.Rows()); len(acting) > 0 {
			t.Errorf("in the comment acts %+v", acting)
		}
		if n.Broken != "" || n.ID != "session:1" || n.Touched || len(n.Props) != 3 {
			t.Errorf("%q: read as %+v", s, n)
		}
		expect.Lacks(t, string(raw), "<%", s, "a command of Templater")
	})
}
