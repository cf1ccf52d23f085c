package testdata

import "strings"

// Hostile is a text with every pattern that could act in a vault or on a terminal.
const Hostile = "---\ntitle: not frontmatter\ntags: [evil]\n---\n\n" +
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
	"Use (`std::move`), `cargo::run` and `x.y::z`.\n```cpp\nusing std::vector;\nf(std::move(v));\nx.y::z();\n```\n" +
	"```js\nunclosed <% %% sessionloom:begin"

// HostileLine gives [Hostile] in one line.
func HostileLine() string { return strings.Join(strings.Fields(Hostile), " ") }
