package inert

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// languages are those that a fence may have: they color text and nothing runs them.
const languages = " asm astro awk bash bat batch bicep c c# c++ cc clj clojure cmake cmd conf console cpp cs csharp css " +
	"csv cuda cxx dart diff docker dockerfile dotenv editorconfig elixir elm env erb erl erlang ex exs f# " +
	"fish fortran fs fsharp gitignore glsl go gomod gql gradle graphql groovy h haskell hcl hpp hs htm " +
	"html http ini java javascript jinja jinja2 jl js json json5 jsonc jsonl jsx julia just justfile " +
	"kotlin kt kts less lisp log lua make makefile markdown md mk ml mts nginx nim nix objc objectivec " +
	"ocaml pascal patch perl php pl plaintext postgres powershell proto protobuf ps1 psql py python r rb " +
	"razor regex rs rst ruby rust sass scala scheme scss sh shell shellsession solidity sql sqlite styl " +
	"svelte swift sys systemd tcl terraform tex text tf toml ts tsv tsx txt typescript vb verilog vhdl vim vue " +
	"wasm wat wgsl xml yaml yml zig zsh "

// chart is the one diagram that our pages draw: bars of numbers, with labels in
// which nothing can act.
var chart = regexp.MustCompile(`^---\nconfig:\n(?: +[A-Za-z]+:(?: [0-9]+| "#[0-9a-f]{6}")?\n)+---\n` +
	`xychart-beta(?: horizontal)?\n  title "[A-Za-z ]+"\n` +
	"  x-axis \\[(?:\"[^\"`%;\\[\\](){}<>#&\\\\\n]*\"(?:, )?)*\\]\n" +
	`  bar \[(?:[0-9]+(?:, )?)*\]\n$`)

func (p *page) fence(n *ast.FencedCodeBlock) {
	lines := n.Lines()
	body := string(lines.Value([]byte(p.src)))
	if n.Info != nil {
		language := strings.ToLower(string(n.Info.Segment.Value([]byte(p.src))))
		ours := language == "mermaid" && n.Parent().Kind() == ast.KindDocument && chart.MatchString(body)
		if !ours && !strings.Contains(languages, " "+language+" ") {
			end := n.Info.Segment.Stop
			if lines.Len() > 0 {
				end = lines.At(lines.Len() - 1).Stop
			}
			p.reportAll(kindFence, n.Info.Segment.Start, end)
		}
	}
	p.code(lines)
}

// code judges a block of code and blanks it.
func (p *page) code(lines *text.Segments) {
	if lines.Len() > 0 && runs(string(lines.Value([]byte(p.src)))) {
		p.reportAll(kindEvaluated, lines.At(0).Start, lines.At(lines.Len()-1).Stop)
	}
	for i := range lines.Len() {
		p.blank(lines.At(i).Start, lines.At(i).Stop)
	}
}

// span judges a code span and blanks it.
func (p *page) span(n *ast.CodeSpan) {
	var body strings.Builder
	at, end := -1, -1
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			continue
		}
		if at < 0 {
			at = t.Segment.Start
		}
		end = t.Segment.Stop
		body.WriteString(p.src[t.Segment.Start:end])
		p.blank(t.Segment.Start, t.Segment.Stop)
	}
	if at >= 0 && runs(body.String()) {
		p.reportAll(kindEvaluated, at, end)
	}
}

// blank writes over code.
func (p *page) blank(from, to int) {
	for i := from; i < to; i++ {
		if p.bare[i] != '\n' {
			p.bare[i] = 'c'
		}
	}
}

// runs says that a plugin takes code for a query (Dataview) or for an input, a
// view or a button (Meta Bind).
func runs(code string) bool {
	code = strings.TrimSpace(code)
	for _, start := range []string{"=", "$=", "INPUT[", "VIEW[", "BUTTON["} {
		if strings.HasPrefix(code, start) {
			return true
		}
	}
	return false
}
