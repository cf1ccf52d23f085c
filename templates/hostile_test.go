package templates

import (
	"testing"

	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/vault/inert"
)

// hostileText holds every pattern that could act in a vault.
const hostileText = testdata.Hostile

// hostileLine is hostileText for places of one line.
var hostileLine = Text(testdata.HostileLine())

// hostileEnd is an end of a session whose every field is hostile.
func hostileEnd(l Link) Ended {
	return Ended{Prompt: hostileText, Turn: l, Words: []Text{hostileText, "- [ ] x", "> y"}, Steps: []Text{hostileText, "[ ] x"}, Checkpoint: l, At: at(11, 10, 0), Followed: 1,
		Check: LastCheck{Line: hostileText, Exit: hostileText, Turn: l}}
}

// hostileSession is a session whose every field is hostile.
func hostileSession() Session {
	l := Link{Path: folder + "sessions/2026-11-11 1000 renderer", Text: "🔥 `---`, [[links]] & <% templates %> | #tag $x$ %%"}
	boxes := []Box{
		{Text: hostileText, Block: "open-0a1b2c3d", From: Link{Text: hostileText}, After: []Text{hostileText, "\\"}},
		{Text: "\\", Block: "open-1a1b2c3d", From: l}, {Text: "[ ] x", Block: "open-2a1b2c3d"},
	}
	refs := []Ref{
		{Type: "commit", Value: "`= x`", Text: hostileLine, URL: "https://example.com/)[[x]]"},
		{Type: "pr", Value: "1](http://evil.example) [[x", Text: "#tag", URL: "https://example.com/1"},
		{Type: "issue", Value: "2", Text: "x ^id", URL: "javascript:alert(1)"},
		{Type: "<b>", Value: "[[x]]", Text: "%%"},
	}
	return Session{
		Title: "🔥 Renderer: `---`, [[links]] & <% templates %> #tag ^id", Summary: hostileText, Project: l, Folders: []Link{l, {Text: hostileText}},
		Parent: Link{Path: "a]]b", Text: hostileText}, Agent: hostileText, Branch: hostileText, BaseBranch: "`", Models: []Code{hostileText, "= x"},
		Spans: []Span{{at(11, 10, 0), at(11, 10, 30)}}, Prompts: 2, Damage: []Text{hostileText}, Open: boxes, Done: boxes,
		Commits: refs[:1], Others: refs[1:], Decided: []Decided{{Text: hostileText, Kind: hostileText, From: l}, {Text: "- x"}}, Remembered: []Remembered{{hostileText, hostileText, l}},
		Words: []Worded{{hostileText, at(11, 10, 5), false, hostileText, hostileText, hostileText, l}, {Text: "- x", Quote: "^a"}}, Ended: hostileEnd(l), Saved: []Link{{Text: hostileText}},
		Commands: []Command{{Turn: l, What: hostileText, Line: hostileText, Failed: hostileText}, {Line: "` = x"}}, Failed: 1, GoOn: []Text{hostileText, "```", "%% /sessionloom"},
		Checkpoints: []CheckpointLine{{1, l, at(11, 10, 5), hostileText}},
		Files:       []FileLine{{Path: "a|b\\|c`d[[e]]<% %>\n#x", What: []Text{hostileText}, Prompts: []Link{{Path: hostileText, Text: hostileText}, {Path: "#^t-0a1b2c3d", Text: hostileText}}}},
		LeftOut:     []Text{hostileText}, Transcript: "full", Part: 1, Parts: 2, PartLinks: []Link{l},
		Turns: []Turn{
			{
				Number: 1, At: at(11, 10, 0), NewDay: true, Prompt: hostileText, Answer: hostileText, Status: "failed", Error: hostileText,
				Model: hostileText, Mode: hostileText, Attachments: []Code{hostileText}, Citations: []Text{hostileText},
				Images: []Path{hostileText, "x]] [[y/attachments/0123456789abcdef.png", "/attachments/0123456789abcdef.png.md"},
				Tools:  []ToolLine{{Kind: "task", Details: []ToolDetail{{Text: hostileText, Within: []ToolLine{{Kind: "mcp", Name: hostileText}, {Kind: "read"}}}}}, {Kind: "edit", Details: []ToolDetail{{Text: "]] `x` <% y", Times: 1}}}, {Kind: "mcp", Name: hostileText}, {Kind: "[[x]]", Name: "= x"}},
			},
			{Number: 2, At: at(11, 10, 20), Prompt: "%% only a comment? %% and ]] [[ --- <%", Answer: "Yes: `%%` opens a comment. [[Home]] would be a link, `<%` alone is harmless.\n```go\nfmt.Println(1)", Status: "complete"},
		},
	}
}

func TestHostileSessionHoldsOnlyWhatTheTemplateWrote(t *testing.T) {
	page, err := embeddedSet(t).Page(hostileSession())
	must(t, err)
	want := skeleton{Headings: 11, Boxes: 3, Links: 14, Callouts: "abstract warning info example tip question question "}
	if got := skeletonOf(page); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, f := range inert.Find(page) {
		t.Errorf("line %d: %s: %q", f.Line, f.Kind, f.Text)
	}
}
