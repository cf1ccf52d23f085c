package templates

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"text/template/parse"
)

// wrongPlaces finds escaped text at places of a page where other rules hold
// than those it was escaped by.
func wrongPlaces(t *parse.Tree, trees map[string]*parse.Tree) []*Fault {
	left := maxSteps
	p := placing{tree: t, trees: trees, rounds: map[string]int{}, left: &left}
	p.list(t.Root)
	if left <= 0 {
		p.faults = []*Fault{faultAt(t, t.Root, fmt.Sprintf("template %q uses others, or loops in loops, too often to be followed", t.Name))}
	}
	return p.faults
}

// placing follows what a template itself writes, with the templates it uses. A
// printed text is one character in it.
type placing struct {
	tree   *parse.Tree
	trees  map[string]*parse.Tree
	page   string
	rounds map[string]int // of the loops around, by the variable that counts them
	left   *int           // steps, see maxSteps
	faults []*Fault
}

// maxSteps bounds the templates and loops that are gone through: those that use
// each other twice would double their number with each.
const maxSteps = 2000

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
			p.call(n)
		case *parse.ActionNode:
			p.action(n)
		case *parse.RangeNode:
			p.branch(&n.BranchNode, 2) // the second round stands behind the first
		case *parse.IfNode:
			if round, ok := p.rounds[n.Pipe.String()]; !ok {
				p.branch(&n.BranchNode, 1)
			} else if round > 0 { // what {{if $i}}, {{end}} writes between two
				p.list(n.List)
			} else {
				p.list(n.ElseList)
			}
		case *parse.WithNode:
			p.branch(&n.BranchNode, 1)
		}
	}
}

// branch goes through both ways of a branch, the first so many times.
func (p *placing) branch(b *parse.BranchNode, times int) {
	before, rounds := p.page, p.rounds
	for round := range times {
		if len(b.Pipe.Decl) == 2 {
			p.rounds = maps.Clone(rounds)
			p.rounds[b.Pipe.Decl[0].Ident[0]] = round
		}
		if *p.left--; *p.left > 0 {
			p.list(b.List)
		}
	}
	inner := p.page
	p.page, p.rounds = before, rounds
	p.list(b.ElseList)
	if !strings.HasSuffix(p.page, printed) {
		p.page = inner
	}
}

// call goes through a template where it is used. What is wrong with it by itself
// is told where it is defined.
func (p *placing) call(n *parse.TemplateNode) {
	t := p.trees[n.Name]
	if *p.left--; t == nil || *p.left <= 0 {
		return
	}
	here := placing{tree: t, trees: p.trees, rounds: map[string]int{}, page: p.page, left: p.left}
	here.list(t.Root)
	alone := placing{tree: t, trees: p.trees, rounds: map[string]int{}, left: p.left}
	if len(here.faults) > 0 {
		alone.list(t.Root)
	}
	if len(here.faults) > len(alone.faults) {
		p.faults = append(p.faults, faultAt(p.tree, n, fmt.Sprintf("template %q prints text here where it must not: %v", n.Name, here.faults[0].Err)))
	}
	p.page = here.page
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
	if opensFence(before) {
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
	case strings.Count(before, "$$")%2 == 1:
		return "inside a formula, where no escaper holds"
	case strings.LastIndex(before, "<%") > strings.LastIndex(before, "%>"):
		return "inside a command of Templater, where no escaper holds"
	}
	return ""
}

// opensFence says that a text ends within fenced code.
func opensFence(text string) bool {
	open := ""
	for line := range strings.Lines(strings.NewReplacer("\f", "\n", "\v", "\n").Replace(text)) {
		line = listRule.ReplaceAllString(line, "")
		mark, info := fenceMark(strings.TrimRight(line, "\n"))
		switch {
		case open == "":
			open = mark
		case strings.HasPrefix(mark, open) && strings.TrimSpace(info) == "":
			open = ""
		}
	}
	return open != ""
}

// listRule finds what may stand before a fence: marks of quotes and of lists.
var listRule = regexp.MustCompile(`^([ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*`)

// openRules find what the end of a text stands in.
var openRules = map[string]*regexp.Regexp{
	"address": regexp.MustCompile(`\]\([^)\n]*$`),
	"element": regexp.MustCompile(`<[A-Za-z/!?][^>]*$`),
	"raw":     regexp.MustCompile(`(?is)<(script|pre|style|textarea)\b(?:[^<]|<[^/])*$|<!--(?:[^-]|-[^-])*$`),
	"block":   regexp.MustCompile(`(?m)(^|[\f\v])[ >]*<[A-Za-z/!?]([^\n\f\v]|\n[ >]*[^ >\n\f\v])*\n?[ >]*\z`),
}
