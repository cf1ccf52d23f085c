package escape

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestCleanShowsOrRemovesWhatHides(t *testing.T) {
	for in, want := range map[string]string{
		"plain, größer, 日本語 📈":                    "plain, größer, 日本語 📈",
		"a\r\nb\rc\u2028d\u0085e\x0bf":            "a\nb\nc\nd\ne\nf",
		"\x1b[1;31mred\x1b[0m\x1b(B":              "red",
		"\x1b]8;;https://x\x07text\x1b]8;;\x1b\\": "text",
		"\x1b]0;never closed":                     "0;never closed",
		"\u009b31mred":                            "red",
		"nul\x00 bell\x07 del\x7f":                "nul bell del",
		"bad \xff\xfe utf":                        "bad \ufffd\ufffd utf",
		"\u202egpj.exe\u2066x":                    "⟨U+202E⟩gpj.exe⟨U+2066⟩x",
		"z\u200be\ufeffr\u2060o\u00ad":            "zero",
		"family 👩\u200d👩\u200d👧, x\u200dy":        "family 👩\u200d👩\u200d👧, xy",
		"می\u200cخواهم":                           "می\u200cخواهم",
		"hid\U000e0041\U000e0042den":              "hidden",
		"\ue000github-pat~a1b2c3\ue001":           "\ue000github-pat~a1b2c3\ue001",
	} {
		expect.Is(t, Clean(in), want, in, "became")
	}
}

// What a person reads must stay what the agent wrote wherever it is harmless.
func TestHarmlessMarkdownStaysAsItIs(t *testing.T) {
	for _, s := range []string{
		"Plain text, with *emphasis*, **bold** and ~~strike~~: 100 % sure, a < b && c > d, f(x) = y.",
		"Fixes #42 and C# and issue #7, e-mail a@b.org, 3 > 2, `std::vector` and `%%` and `[[x]]` in code.",
		"See [the docs](https://example.com/a?b=c&d=e#frag) and https://example.com/x_y/?q=1, or <https://example.com>.",
		"- one\n- two\n  - nested\n  - more\n\n1. first\n2. second",
		"> quoted\n> twice\n>\n> and again",
		"| a | b |\n|---|:---:|\n| `x` | y \\| z |",
		"```go\nfunc main() {}\n\n\n// [[x]] #tag $x$ <b>\n```",
		"snake_case_name and a\\*b and C:\\temp\\file",
		"日本語のテキスト、「引用」。",
	} {
		expect.Is(t, Block(s), s)
	}
}

func TestBlockKeepsTheShapeOfAnAnswer(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"headings become bold":            {"# Plan\ntext\n### Steps ##\n- a", "**Plan**\n\ntext\n\n**Steps**\n\n- a"},
		"a list keeps its indent":         {"  - a\n  - b\n    - c", "  - a\n  - b\n    - c"},
		"rules stay rules":                {"a\n---\nb", "a\n\n***\n\nb"},
		"boxes become signs":              {"- [ ] a\n  - [x] b\n3. [X] c", "- ☐ a\n  - ☑ b\n3. ☑ c"},
		"blank lines become one":          {"\n\na\n\n\n\nb  \n\n", "a\n\nb"},
		"an open fence is closed":         {"```go\nx", "```go\nx\n```"},
		"a quoted merge is none":          {"```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```", "```\n <<<<<<< HEAD\na\n=======\nb\n >>>>>>> x\n```"},
		"a fence ends with its quote":     {"> ```\n> a\nb <i>", "> ```\n> a\n> ```\n\nb \\<i>"},
		"a fence is longer than its text": {"~~~\n````\n~~~", "`````\n````\n`````"},
		"a fence leaves its list":         {"1. run\n   ```sh\n   ls\n     -l\n   ```\n   then\n2. next", "1. run\n\n```sh\nls\n  -l\n```\n\nthen\n2. next"},
		"unknown languages are text":      {"```dataviewjs\nx\n```", "```text\nx\n```"},
		"languages keep their name":       {"```Go title=\"a\"\nx\n```", "```go\nx\n```"},
		"indented code is fenced":         {"so:\n\n    a\n\n      b\n\nend", "so:\n\n```\na\n\n  b\n```\n\nend"},
		"queries lose their code style":   {"`= x` and `==`", "\\`= x\\` and \\`=\\=\\`"},
		"pytest output is no query":       {"```\n=== 3 passed ===\n```", "```\n\\=== 3 passed ===\n```"},
		"Templater is broken in code":     {"`<% x %>` <% y", "`< % x %>` <\\% y"},
		"bars end cells in code":          {"| a | b |\n|---|---|\n| `x | <b>` |", "| a | b |\n|---|---|\n| \\`x | \\<b>\\` |"},
		"two cells under one rule":        {"a | b\n---\nc", "a | b\n\n***\n\nc"},
	} {
		expect.Is(t, Block(c.in), c.want, name)
	}
}

func TestLinkTextCannotEndItsLink(t *testing.T) {
	got := Link("a/b", "a]] [[b|c`d`\n#tag %% <% $x$ std::x \\")
	expect.Is(t, got, "[[a/b|a)) ((b¦cd ＃tag %％ ‹% ＄x＄ std:∶x ＼]]")
	expect.Is(t, CellLink("a/b", "x"), `[[a/b\|x]]`)
	expect.Is(t, Link("", "no [[note]]"), `no \[\[note]]`)
}

func TestOnlyWebAddressesAreLinked(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/a(b)": "[x](https://example.com/a%28b%29)",
		"HTTP://example.com":       "[x](HTTP://example.com)",
		"javascript:alert(1)":      "x",
		"obsidian://open":          "x",
		"https://a b":              "x",
		"https://a)[[b]]%%":        "[x](https://a%29%5B%5Bb%5D%5D%25%25)",
		"":                         "x",
		"https://" + strings.Repeat("a", maxAddress): "x",
	} {
		expect.Is(t, WebLink("x", address), want, address)
	}
}

func TestCutSparesMasks(t *testing.T) {
	s := strings.Repeat("x", 20) + "\ue000github-pat~a1b2c3\ue001" + strings.Repeat("y", 200)
	expect.Is(t, Cut(s, 30), strings.Repeat("x", 20)+"…")
}

func TestCutCountsLetters(t *testing.T) {
	for s, want := range map[string]string{
		"twenty letters are it": "twenty letters are…", "кольцо ключей сервера": "кольцо ключей…", "鍵の環を毎日回す。": "鍵の環を毎日回す。",
		"asked: 鍵の環を毎日回すように変えてください": "asked: 鍵の環を毎日…", "see https://example.com/a/long/path/of/many/words/that/never/end": "see https://example.…",
	} {
		if got := Cut(s, 20); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
