package templates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
)

// guard finds the places of a template that print what passed no escaper, or
// that print it where its escaper does not hold.
func guard(t *parse.Tree) []*Fault {
	var faults []*Fault
	for _, n := range unescaped(t.Root) {
		faults = append(faults, faultAt(t, n, fmt.Sprintf("%s prints text as it is: it has to pass an escaper, such as {{inline …}}", n)))
	}
	return append(faults, wrongPlaces(t)...)
}

// unescaped gives the actions that print a field without an escaper.
func unescaped(list *parse.ListNode) []*parse.ActionNode {
	var out []*parse.ActionNode
	walk(list, false, func(n *parse.ActionNode, dotEscaped bool) {
		dot := n.Pipe.String() == "." && dotEscaped
		if len(n.Pipe.Decl) == 0 && !dot && !escapes(n.Pipe) {
			out = append(out, n)
		}
	})
	return out
}

// escapes says that what a pipeline gives has passed an escaper, is made of
// numbers and times, or is a literal.
func escapes(p *parse.PipeNode) bool {
	last := p.Cmds[len(p.Cmds)-1]
	name, ok := last.Args[0].(*parse.IdentifierNode)
	if !ok {
		return len(p.Cmds) == 1 && literal(last.Args[0])
	}
	switch from, to := wordsOf(name.Ident); {
	case takesPath(name.Ident) && (len(last.Args) < 2 || !ourPath(last.Args[1])):
		return false
	case name.Ident == "dots":
		for _, arg := range last.Args[1:] {
			if inner, ok := arg.(*parse.PipeNode); !literal(arg) && (!ok || !escapes(inner)) {
				return false
			}
		}
		return len(p.Cmds) == 1
	case to > 0: // these arguments are words of the template
		if len(last.Args) < to {
			return false
		}
		for _, arg := range last.Args[from:to] {
			if !literal(arg) {
				return false
			}
		}
	}
	return escaping()[name.Ident] != nil || wording()[name.Ident] != nil
}

// wordsOf tells which arguments of a function are printed as they are, so that
// they must be words of the template: from the first up to but not including to.
func wordsOf(function string) (from, to int) {
	switch function {
	case "about", "address":
		return 1, 2
	case "showView":
		return 2, 3
	case "count":
		return 2, 4
	}
	return 0, 0
}

// takesPath says that a function makes something live of the path it is given.
func takesPath(function string) bool {
	return function == "within" || function == "showView" || function == "opened"
}

// ourPath says that a node is a field in which never stands text of a transcript
// but the path of a file of ours.
func ourPath(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.FieldNode:
		return slices.Contains(ourPaths(), n.Ident[len(n.Ident)-1])
	case *parse.VariableNode:
		return len(n.Ident) > 1 && slices.Contains(ourPaths(), n.Ident[len(n.Ident)-1])
	}
	return false
}

func ourPaths() []string { return []string{"Folder", "Canvas", "SessionsBase", "FilesBase"} }

// literal says that a node is a text which the template itself holds.
func literal(n parse.Node) bool {
	_, ok := n.(*parse.StringNode)
	return ok
}

// walk visits what prints. dotEscaped tells whether the dot is what an escaper
// gave to the innermost with.
func walk(list *parse.ListNode, dotEscaped bool, action func(n *parse.ActionNode, dotEscaped bool)) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		inner := dotEscaped
		switch n := n.(type) {
		case *parse.ActionNode:
			action(n, dotEscaped)
		case *parse.RangeNode:
			inner = false
		case *parse.WithNode:
			inner = len(n.Pipe.Decl) == 0 && escapes(n.Pipe)
		}
		if b := branchOf(n); b != nil {
			walk(b.List, inner, action)
			walk(b.ElseList, dotEscaped, action)
		}
	}
}

// wrongPlaces finds escaped text at places of a page where other rules hold
// than those it was escaped by.
func wrongPlaces(t *parse.Tree) []*Fault {
	p := placing{tree: t}
	p.list(t.Root)
	return p.faults
}

// placing follows what a template itself writes. A printed text is one
// character in it.
type placing struct {
	tree   *parse.Tree
	page   string
	faults []*Fault
}

// printed stands for an escaped text, safe for one that acts nowhere.
const (
	printed = "\x00"
	safe    = " "
)

func (p *placing) list(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			p.page += string(n.Text)
		case *parse.TemplateNode:
			p.page += safe
		case *parse.ActionNode:
			p.action(n)
		}
		b := branchOf(n)
		if b == nil {
			continue
		}
		before := p.page
		p.list(b.List)
		inner := p.page
		p.page = before
		p.list(b.ElseList)
		if !strings.HasSuffix(p.page, printed) {
			p.page = inner
		}
	}
}

func (p *placing) action(n *parse.ActionNode) {
	if text, ok := n.Pipe.Cmds[0].Args[0].(*parse.StringNode); ok {
		p.page += text.Text
		return
	}
	why := ""
	switch name := printerOf(n.Pipe); {
	case len(n.Pipe.Decl) > 0:
		return
	case name == "label" && !strings.HasPrefix(standsIn(p.page), inFence):
		why = "outside of a diagram: print it with {{inline …}}"
	case name == "label" || wording()[name] != nil:
		p.page += safe
		return
	default:
		if why = standsIn(p.page); why == "" && touches(p.page) && !spaced(n.Pipe) {
			why = "directly behind another text or sign, so that both together might act: put a blank between"
		}
	}
	if why != "" {
		p.faults = append(p.faults, faultAt(p.tree, n, n.String()+" stands "+why))
	}
	p.page += printed
}

// printerOf is the function that gives what a pipeline prints, empty where it is
// none.
func printerOf(p *parse.PipeNode) string {
	if name, ok := p.Cmds[len(p.Cmds)-1].Args[0].(*parse.IdentifierNode); ok {
		return name.Ident
	}
	return ""
}

// touches says that what is printed next may join with what stands before it: a
// "%" with a "%", a "<" with a name. An escaper knows its own text only.
func touches(before string) bool {
	return before != "" && strings.IndexByte(printed+"<%[=:!#^\\$`~", before[len(before)-1]) >= 0
}

// spaced says that a pipeline begins what it prints with words of the template.
func spaced(p *parse.PipeNode) bool {
	last := p.Cmds[len(p.Cmds)-1]
	if printerOf(p) != "about" || len(last.Args) < 2 {
		return false
	}
	words, ok := last.Args[1].(*parse.StringNode)
	return ok && strings.HasPrefix(words.Text, " ")
}

const inFence = "inside a code fence"

// standsIn tells in what the end of a text stands, if it is a place where only
// its own escapers hold.
func standsIn(before string) string {
	fences := 0
	for line := range strings.Lines(before) {
		if line = strings.TrimLeft(line, " >\f\v"); strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fences++
		}
	}
	if fences%2 == 1 {
		return inFence + ": print the fence as a whole with {{fence …}}"
	}
	line := before[strings.LastIndexAny(before, "\n\f\v")+1:]
	switch {
	case strings.Count(line, "`")%2 == 1:
		return "inside a code span: print the span as a whole with {{code …}}"
	case openRules["address"].MatchString(line):
		return "inside an address: print the link as a whole with {{webLink …}}"
	case strings.LastIndex(line, "[[") > strings.LastIndex(line, "]]"):
		return "inside a link: print the link as a whole with {{link …}}"
	case openRules["element"].MatchString(before), openRules["raw"].MatchString(before):
		return "inside an HTML element, where no escaper holds"
	case openRules["block"].MatchString(before):
		return "in an HTML block, where no escaper holds: {{gap}} ends it"
	case strings.Count(line, "%%")%2 == 1:
		return "inside a comment"
	}
	return ""
}

// openRules find what the end of a text stands in.
var openRules = map[string]*regexp.Regexp{
	"address": regexp.MustCompile(`\]\([^)\n]*$`),
	"element": regexp.MustCompile(`<[A-Za-z/!?][^>]*$`),
	"raw":     regexp.MustCompile(`(?is)<(script|pre|style|textarea)\b(?:[^<]|<[^/])*$|<!--(?:[^-]|-[^-])*$`),
	"block":   regexp.MustCompile(`(?m)(^|[\f\v])[ >]*<[A-Za-z/!?]([^\n\f\v]|\n[ >]*[^ >\n\f\v])*\n?[ >]*\z`),
}
