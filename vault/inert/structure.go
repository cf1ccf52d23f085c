package inert

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var commonMark = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()

// structure judges blocks, links and code of CommonMark with tables, and blanks code.
func (p *page) structure() {
	src := []byte(p.src)
	known := parser.NewContext()
	doc := commonMark.Parse(text.NewReader(src), parser.WithContext(known))
	if len(known.References()) > 0 {
		at := 0
		if place := definitionRule.FindStringIndex(p.src); place != nil { // the parser has taken it away
			at = place[0]
		}
		p.report(kindDefinition, at)
	}
	section := "" // heading of the second level
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level <= 2 {
				section = string(n.Lines().Value(src))
			}
			p.heading(n)
		case *ast.HTMLBlock:
			end := n.Lines().At(n.Lines().Len() - 1).Stop
			if n.HasClosure() {
				end = n.ClosureLine.Stop
			}
			p.reportAll(kindHTML, n.Lines().At(0).Start, end)
		case *ast.RawHTML:
			p.reportAll(kindHTML, n.Segments.At(0).Start, n.Segments.At(n.Segments.Len()-1).Stop)
		case *ast.Image:
			p.report(kindImage, p.near(n))
		case *ast.Link:
			p.address(string(n.Destination), n)
		case *ast.AutoLink:
			p.address(string(n.URL(src)), n)
		case *ast.Blockquote:
			p.callout(n)
		case *ast.ListItem:
			p.item(n, section)
		case *ast.FencedCodeBlock:
			p.fence(n)
		case *ast.CodeBlock:
			p.code(n.Lines())
		case *ast.CodeSpan:
			p.span(n)
		}
		return ast.WalkContinue, nil
	})
}

var definitionRule = regexp.MustCompile(`(?m)^[> ]*\[[^\]\n]*\]:`)

// near returns an offset at or before a node that has none of its own.
func (p *page) near(n ast.Node) int {
	for c := n.FirstChild(); c != nil; c = c.FirstChild() {
		if t, ok := c.(*ast.Text); ok {
			return t.Segment.Start
		}
	}
	for ; n != nil; n = n.Parent() {
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			return n.Lines().At(0).Start
		}
	}
	return 0
}

var webScheme = regexp.MustCompile(`^(?i:https?)://`)

func (p *page) address(target string, n ast.Node) {
	if !webScheme.MatchString(target) {
		p.report(kindLink, p.near(n))
	}
}

// heading reports a heading that none of our templates writes.
func (p *page) heading(n *ast.Heading) {
	if n.Lines().Len() == 0 {
		return
	}
	at := n.Lines().At(0).Start
	line := p.src[p.starts[p.line(at)]:]
	if n.Parent().Kind() != ast.KindDocument || !strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
		p.report(kindHeading, at)
	}
}

// callouts are the kinds that our pages have, at their left margin only.
var callouts = []string{"abstract", "warning", "info", "note", "question", "example", "tip"}

var calloutRule = regexp.MustCompile(`^\[!([^\]]*)\]`)

func (p *page) callout(n *ast.Blockquote) {
	first := n.FirstChild()
	if first == nil || first.Type() != ast.TypeBlock || first.Kind() != ast.KindParagraph {
		return
	}
	at := first.Lines().At(0).Start
	m := calloutRule.FindStringSubmatch(p.src[at:])
	if m != nil && (n.Parent().Kind() != ast.KindDocument || !slices.Contains(callouts, m[1])) {
		p.report(kindCallout, at)
	}
}

var ownEnd = regexp.MustCompile(` \^open-[0-9a-f-]+$`)

var boxRule = regexp.MustCompile(`^\[[^\n]\](\s|$)`)

// item judges the box of a list item and remembers its own text.
func (p *page) item(n *ast.ListItem, section string) {
	first := n.FirstChild()
	if first == nil || first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph {
		return
	}
	at := first.Lines().At(0).Start
	if boxRule.MatchString(p.src[at:]) {
		top := n.Parent().Parent().Kind() == ast.KindDocument
		line, _, _ := strings.Cut(p.src[at:], "\n")
		if !top || section != "Open" && section != "Done" && !ownEnd.MatchString(line) {
			p.report(kindTask, at)
		}
	}
	to := at
	for c := first; c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock && c.Kind() != ast.KindList && c.Lines() != nil && c.Lines().Len() > 0 {
			to = c.Lines().At(c.Lines().Len() - 1).Stop
		}
	}
	p.items = append(p.items, stretch{at, to})
}
