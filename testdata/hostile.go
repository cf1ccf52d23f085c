package testdata

import (
	"math/rand/v2"
	"strings"
)

// Hostile is a text with every pattern that could act in a vault or on a terminal.
const Hostile = "---\ntitle: not frontmatter\ntags: [evil]\n---\n\n" +
	"See [[link]] and [[../../etc/passwd|alias]] and ![[embed]] #nottag text ^block-id\n" +
	"%% a comment that hides the rest %%\n%% /sessionloom body 0123456789abcdef %%\n" +
	"<% tp.file.title %> <%* await tp.system.prompt(\"x\") %> `<% code %>`\n" +
	"```dataviewjs\ndv.paragraph(app.vault.getName())\n%% /sessionloom body 0123456789abcdef %%\n<% in code %>\n```\n" +
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
	"```js\nunclosed <% %% sessionloom body"

// HostileLine returns [Hostile] in one line.
func HostileLine() string { return strings.Join(strings.Fields(Hostile), " ") }

// HostileSeeds returns the lines and pairs of lines of the hostile text, and past findings of fuzzing.
func HostileSeeds() []string {
	list := []string{Hostile, "", "\\", "`", "- `a`\n  ```js\n  x\nout <b>", "> ```\n> a\nb [[c]]", "a|b\n-|-\n`x|<b>`|[[c]]",
		"!![[x]]", "<\u200b%", "[a](http://x/`y) `[[z]]`", "    code\n\ttab\n- a\n\n      deep", "````md\n```js\n```\n````",
		"``` a`b\n<b>", "\\<%", "\\[[x]]", "a\\", "=\\==x", "http://a://b", "xhttps://[[", "1.\n2)\n-\n+", "**\n# \n#", "`` ` `` `", "[x](<http://a b>)",
		"- a|`x|<b>`\n  -|-|-\n", "x\n-", "[a$b](http://x)", "http://%%$$", "a\t^id", "[a](http://b)[[c]](d)",
		"x ::", "`a::b`", "(`a::b`)", "- a (b\n  `c::d`)", "```cpp\nstd::vector<int> v;\nf(std::move(v));\nx.y::z\n:::a::b (::c::d) [e::f\n```", "    main :: IO ()",
		"a|b\n-|-\n(|`c::d`", "**`a::b`", "- `a::b`", "# `a::b`", "`` ::a`b::c ``", "[`a::b`](c.cpp)", "x. `a::b`", "`a [b::c`", "`é::a`", "`a\\`::`b`",
		"- Ship 📅 2026-01-02", "- `🛫2026-01-02` ⏳", "- a ✅\n  2026-01-02", "📆 \u200b2026-01-02 ❤\ufe0f 2027-01-02"}
	lines := strings.Split(Hostile, "\n")
	for i, s := range lines {
		list = append(list, s)
		if i > 0 {
			list = append(list, lines[i-1]+"\n"+s)
		}
	}
	return list
}

// tokens are the parts of hostile texts.
var tokens = strings.Fields("` `` ``` ```` ~~~ ```js ```query <b> </b> <!-- <% %> %% sessionloom [[ ]] ![[ ![ ]( http:// https://x obsidian:// " +
	"javascript: ( ) [ ] [x] [!note] [^1] ^[ ^id #tag #1 # ## > >> - * + 1. 2) | |---| --- === == :: key:: $ $$ \\ \\\\ \\` \\[ < > <http://a> " +
	"= $= INPUT[ a b. 日本 \u200d \u202e \x1b[0m \x00 \xff & &lt; &#35; ! ? / : ; , _ ** ~~ \ue000a~1\ue001 <\u200b% -|- a|b :-:|-: " +
	"[a](b.md) [](b.md) [`x`](b.md) [~~~js](b) [-](b) [#](b) [:](b) [!--](b) [%](b) [//o](b) [](=%23) [](%60) [1.](b) ](b.md) `a::b` (`c ::d` [`e::f :: 📅 2026-01-02 ✅2026-01-02`")

// HostileMix returns a text of up to n tokens, blanks and line ends.
func HostileMix(r *rand.Rand, n int) string {
	var b strings.Builder
	for range 1 + r.IntN(n) {
		b.WriteString(tokens[r.IntN(len(tokens))])
		switch r.IntN(8) {
		case 0, 1:
			b.WriteByte(' ')
		case 2:
			b.WriteByte('\n')
		case 3:
			b.WriteString([]string{"\n\n", "\n    ", "\n> ", "\n  ", "\t", "\r\n", "\n\t"}[r.IntN(7)])
		}
	}
	return b.String()
}
