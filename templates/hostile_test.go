package templates

import "strings"

// hostileText holds every pattern that could act in a vault.
const hostileText = "---\ntitle: not frontmatter\ntags: [evil]\n---\n\n" +
	"See [[link]] and [[../../etc/passwd|alias]] and ![[embed]] #nottag text ^block-id\n" +
	"%% a comment that hides the rest %%\n%% sessionloom:end body %%\n" +
	"<% tp.file.title %> <%* await tp.system.prompt(\"x\") %> `<% code %>`\n" +
	"```dataviewjs\ndv.paragraph(app.vault.getName())\n%% sessionloom:end body %%\n<% in code %>\n```\n" +
	"````\n```\nfence breakout\n````\n" +
	"```\n===== test session starts =====\n```\n~~~mermaid\nclick A \"javascript:alert(1)\"\n~~~\n" +
	"<script>alert(1)</script> <img src=x onerror=alert(1)> <!-- hidden --> <https://example.com/a> <obsidian://open>\n" +
	"$\\require{html}$ $$x$$ ==mark== ~~strike~~ | pipe | `| <b> |`\n" +
	"> [!danger]- callout\n> > [!bug] nested\n\n" +
	"# heading\nsetext\n===\nsetext two\n---\n" +
	"- [ ] task\n* [x] done\n1. [/] half\n- # heading in item\n- > [!note] in item\n- ```query\n  tag:#x\n  ```\n" +
	"key:: value, [k:: v] (k:: v) std::vector\n[^1] and ^[inline note]\n\n[^1]: footnote\n[ref]: https://example.com/evil\n" +
	"![pixel](https://evil.example/p.png?leak) ![](x.png) [j](javascript:alert(1)) [ok](https://example.com/a_(b)) [o](obsidian://new) [f](<file:///etc/passwd>) [r][ref]\n" +
	"bare obsidian://open?vault=x and https://example.com/x?a=$1&b==c::d%%e#frag file:///etc\n" +
	"`= this.file.name` and `$= app.vault` and `INPUT[toggle:x]` and ``= `x` ``\n" +
	"| a | `b | <i>` |\n|---|---|\n| <u>x</u> | ![[y]] |\n\n" +
	"    indented <s>code</s> <% x %>\n\n" +
	"\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202egnp.exe\u202c z\u200bw \u2066iso\u2069 a\u2028b\u0085c\x00d\xff\r\ne\rf \ufeff\U000e0041 👩\u200d💻 می\u200cخواهم \ue000github-pat~a1b2c3\ue001\n" +
	"```js\nunclosed <% %% sessionloom:begin"

// hostileLine is hostileText for places of one line.
var hostileLine = strings.Join(strings.Fields(hostileText), " ")

// hostileSession is a session whose every field is hostile.
func hostileSession() Session {
	l := Link{Path: folder + "sessions/2026-11-11 renderer (83913992)", Text: "🔥 `---`, [[links]] & <% templates %> | #tag $x$ %%"}
	box := func(state string) []Box {
		return []Box{{Text: hostileText, State: state, Why: hostileText, After: []string{hostileText, "\\"}}, {Text: "\\", State: state}, {Text: "[ ] x", State: state}}
	}
	refs := []Ref{
		{Type: "commit", Value: "`= x`", Text: hostileLine, URL: "https://example.com/)[[x]]"},
		{Type: "pr", Value: "1](http://evil.example) [[x", Text: "#tag", URL: "https://example.com/1"},
		{Type: "issue", Value: "2", Text: "x ^id", URL: "javascript:alert(1)"},
		{Type: "<b>", Value: "[[x]]", Text: "%%"},
	}
	return Session{
		Title: "🔥 Renderer: `---`, [[links]] & <% templates %> #tag ^id", Summary: hostileText, Project: l, Folders: []Link{l, {Text: hostileText}},
		Parent: Link{Path: "a]]b", Text: hostileText}, Agent: hostileText, Branch: hostileText, BaseBranch: "`", Models: []string{hostileText, "= x"},
		Spans: []Span{{at(11, 10, 0), at(11, 10, 30)}}, Prompts: 2, Damage: []string{hostileText}, Open: box("blocked"), Done: box("done"),
		Commits: refs[:1], Others: refs[1:], Knowledge: []Excerpt{{From: l, Text: hostileText}},
		Checkpoints: []CheckpointLine{{1, l, at(11, 10, 5), hostileText}},
		Files:       []FileLine{{Path: "a|b\\|c`d[[e]]<% %>\n#x", What: []string{hostileText}, Prompts: []int{1}}},
		LeftOut:     []string{hostileText}, Transcript: "full", Part: 1, Parts: 2, PartLinks: []Link{l},
		Turns: []Turn{
			{
				Number: 1, At: at(11, 10, 0), NewDay: true, Prompt: hostileText, Answer: hostileText, Status: "failed", Error: hostileText,
				Model: hostileText, Mode: hostileText, Attachments: []string{hostileText}, Citations: []string{hostileText},
				Images: []string{hostileText, "x]] [[y/attachments/0123456789abcdef.png", "/attachments/0123456789abcdef.png.md"},
				Tools:  []ToolLine{{Kind: "task", Details: []ToolDetail{{Text: hostileText, Within: []ToolLine{{Kind: "mcp", Name: hostileText}, {Kind: "read"}}}}}, {Kind: "edit", Details: []ToolDetail{{Text: "]] `x` <% y", Times: 1}}}, {Kind: "mcp", Name: hostileText}, {Kind: "[[x]]", Name: "= x"}},
			},
			{Number: 2, At: at(11, 10, 20), Prompt: "%% only a comment? %% and ]] [[ --- <%", Answer: "Yes: `%%` opens a comment. [[Home]] would be a link, `<%` alone is harmless.\n```go\nfmt.Println(1)", Status: "complete"},
		},
	}
}
