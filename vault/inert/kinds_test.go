package inert

import (
	"slices"
	"strings"
	"testing"
)

// Whatever acts is named, each by its kind, whatever stands around it.
func TestWhatActsIsNamed(t *testing.T) {
	for _, c := range []struct{ kind, text string }{
		{kindTemplate, "a <% tp.file.title %>"}, {kindTemplate, "```js\n<%* x %>\n```"}, {kindTemplate, "`<%`"},
		{kindMarker, "%% /sessionloom body 0123456789abcdef %%"}, {kindMarker, "```\n> %%  sessionloom nav %%\n```"},
		{kindField, "key:: value"}, {kindField, "a [k:: v] b"}, {kindField, "a (k:: v) b"},
		{kindField, "`std::vector` is slow"}, {kindField, "See (`a::b`)."}, {kindField, "```cpp\nstd::vector<int> v;\n```"},
		{kindField, "```cpp\nx.y = f(std::move(v));\n```"}, {kindField, "> ```hs\n> main :: IO ()\n> ```"},
		{kindField, "- a [b\n  `c::d`]"}, {kindField, "| `a::b` | c |\n|---|---|\n| d | e |"}, {kindField, "    use std::fs;"},
		{kindField, "- Ship 📅 2026-01-02"}, {kindField, "- `🛫 2026-01-02`"}, {kindField, "- a ✅\n  2026-01-02"},
		{kindEvaluated, "`= this.file.name`"}, {kindEvaluated, "`$= dv.x`"}, {kindEvaluated, "``` \n = 1\n```"}, {kindEvaluated, "a `INPUT[toggle:x]`"},
		{kindEvaluated, "- a\n\n      = 1 + 1"},
		{kindFence, "```dataviewjs\nx\n```"}, {kindFence, "~~~query\nx\n~~~"}, {kindFence, "> ```base\n> x\n> ```"}, {kindFence, "- ```Button\n  x\n  ```"},
		{kindFence, "```mermaid\ngraph TD\nclick A \"javascript:alert(1)\"\n```"}, {kindFence, "```js run\nx\n```"},
		{kindHTML, "a <b>x</b>"}, {kindHTML, "<iframe src=x></iframe>"}, {kindHTML, "a <!-- b -->"}, {kindHTML, "a <img\nsrc=x>"},
		{kindImage, "![x](https://evil.example/p.png)"}, {kindImage, "![x][r]\n\n[r]: https://e.example"}, {kindEmbed, "![[secret]]"}, {kindEmbed, "![[https://e.example/x.png]]"},
		{kindLink, "[x](obsidian://open)"}, {kindLink, "[x](javascript:alert)"}, {kindLink, "<file:///etc/passwd>"}, {kindLink, "see obsidian://new?x"},
		{kindLink, "[x](notes/a.md)"}, {kindLink, "<a@b.example>"},
		{kindWikilink, "[[Home]]"}, {kindWikilink, "[[a#b|c]]"}, {kindTag, "a #tag b"}, {kindTag, "(#1a)"}, {kindTag, "x\\\\ #y"},
		{kindBlockID, "text ^id"}, {kindFootnote, "a[^1]"}, {kindFootnote, "a^[b]"}, {kindComment, "a %% b"}, {kindHighlight, "==a=="}, {kindFormula, "a $x$"},
		{kindFormula, `a \\$x$`}, {kindDefinition, "[x]: https://e.example"}, {kindDefinition, "> [x]: https://e.example"},
		{kindHidden, "a\u200bb"}, {kindHidden, "a\u202eb"}, {kindHidden, "\x1b[31m"}, {kindHidden, "a\x00"}, {kindHidden, "\xff"}, {kindHidden, "a\u200db"}, {kindHidden, "a\rb"},
		{kindHidden, "```\n\u2066\n```"}, {kindHidden, "\U000e0041"}, {kindHidden, "a\u3164b"},
		{kindRule, "a\n---\nb: c\n---"}, {kindHeading, "a\nb\n==="}, {kindHeading, "> # a"}, {kindHeading, "- # a"},
		{kindCallout, "> [!danger] x"}, {kindCallout, "> > [!info] x"}, {kindCallout, "- > [!note] x"},
		{kindTask, "- [ ] a"}, {kindTask, "## Open\n\n> - [ ] a"}, {kindTask, "## Done\n\n- a\n  - [x] b"}, {kindTask, "1. [/] a"}, {kindTask, "- a\n  - [ ] b ^open-0a1b2c3d"}, {kindTask, "> - [ ] b ^open-0a1b2c3d"},
	} {
		for _, text := range []string{c.text, "# Title\n\nWords.\n\n" + c.text + "\n\nMore.\n"} {
			if got := Find(text); !slices.ContainsFunc(got, func(f Finding) bool { return f.Kind == c.kind }) {
				t.Errorf("%q: found %v, want %s", text, got, c.kind)
			}
		}
	}
}

func TestWhatIsHarmlessIsNoFinding(t *testing.T) {
	for _, text := range []string{
		"", "a", "# T\n\n## Open\n\n- [ ] a\n- [x] b\n\n## More\n\n- [ ] c ^open-0a1b2c3d\n", `\[\[a]] \#tag \$x\$ k:\: v a %\% b \^id \<b> =\=x=\=`, "`#a [[b]] <i> $x$ %% ==`",
		"```js\nif (a) { b[[0]] } // #x %% <i> ^a\n```", "[a](https://b.example/#c) <https://b.example> https://b.example/x?y=1#z",
		"[[a/b|c]] ![[a/attachments/0123456789abcdef.png]] ![[a.base#This project]]", "| [[a\\|b]] | `x\\|y` |\n|---|---|\n| c | d |",
		"`f(a); x.y::z()`", "`[::1]:8080`", "```\nlet x = Foo::new();\n```", "👩\u200d💻 می\u200cخواهم #1", "***", "> [!question]- 1 · 08:30 x\n> > y\n",
	} {
		if got := Find(text); len(got) > 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestPlaceIsNamed(t *testing.T) {
	got := Find("a\n\nb\n> c <% " + strings.Repeat("é", 100) + "\n")
	if len(got) != 1 || got[0].Line != 4 || !strings.HasPrefix(got[0].Text, "<% é") || len(got[0].Text) > maxShown {
		t.Errorf("got %+v", got)
	}
}
