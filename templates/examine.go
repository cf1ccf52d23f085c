package templates

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
)

// examine looks for whatever the files of a user must not hold: text that
// passes no escaper, fields that no view has, templates that nothing uses or
// that use themselves. What reads well is then tried out.
func (s *Set) examine(trees map[string]*parse.Tree, base []sheet, mine map[string]*sheet) []*Fault {
	own := map[string]bool{}
	var faults []*Fault
	for _, file := range slices.Sorted(maps.Keys(mine)) {
		for _, name := range slices.Sorted(maps.Keys(mine[file].trees)) {
			own[name] = true
			faults = append(faults, guard(mine[file].trees[name])...)
		}
	}
	faults = append(faults, unused(trees, base, mine)...)
	if loops := circular(trees, own); len(loops) > 0 {
		return append(faults, loops...) // what follows would not end
	}
	faults = append(faults, wrongFields(trees, own)...)
	if len(faults) == 0 {
		faults = s.tryOut(trees, own)
	}
	return faults
}

// unused finds templates of a user that are not known to the program and that
// no page comes by: their names are misspelt.
func unused(trees map[string]*parse.Tree, base []sheet, mine map[string]*sheet) []*Fault {
	known := map[string]bool{}
	for _, s := range base {
		for name := range s.trees {
			known[name] = true
		}
	}
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if t := trees[name]; t != nil && !reached[name] {
			reached[name] = true
			for _, n := range uses(t) {
				visit(n.Name)
			}
		}
	}
	for name := range known {
		visit(name)
	}
	var faults []*Fault
	for _, file := range slices.Sorted(maps.Keys(mine)) {
		for _, name := range slices.Sorted(maps.Keys(mine[file].trees)) {
			if t := mine[file].trees[name]; !reached[name] {
				faults = append(faults, faultAt(t, t.Root, fmt.Sprintf("no page uses the template %q", name)))
			}
		}
	}
	return faults
}

// circular finds templates of a user that come back to themselves.
func circular(trees map[string]*parse.Tree, own map[string]bool) []*Fault {
	var faults []*Fault
	for _, start := range slices.Sorted(maps.Keys(own)) {
		seen := map[string]bool{}
		var visit func(name string) bool
		visit = func(name string) bool {
			t := trees[name]
			if t == nil || seen[name] {
				return false
			}
			seen[name] = true
			return slices.ContainsFunc(uses(t), func(n *parse.TemplateNode) bool { return n.Name == start || visit(n.Name) })
		}
		for _, n := range uses(trees[start]) {
			if n.Name == start || visit(n.Name) {
				faults = append(faults, faultAt(trees[start], n, fmt.Sprintf("template %q uses itself", start)))
				break
			}
		}
	}
	return faults
}

// uses lists where a template uses others.
func uses(t *parse.Tree) []*parse.TemplateNode {
	var out []*parse.TemplateNode
	eachNode(t.Root, func(n parse.Node) {
		if c, ok := n.(*parse.TemplateNode); ok {
			out = append(out, c)
		}
	})
	return out
}

// eachNode visits the nodes of a list, those of its branches included, in the
// order in which they are written.
func eachNode(list *parse.ListNode, visit func(parse.Node)) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		visit(n)
		if b := branchOf(n); b != nil {
			eachNode(b.List, visit)
			eachNode(b.ElseList, visit)
		}
	}
}

// branchOf gives what if, range and with have in common, nil for other nodes.
func branchOf(n parse.Node) *parse.BranchNode {
	switch n := n.(type) {
	case *parse.IfNode:
		return &n.BranchNode
	case *parse.RangeNode:
		return &n.BranchNode
	case *parse.WithNode:
		return &n.BranchNode
	}
	return nil
}

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
	case "count":
		return 2, 4
	}
	return 0, 0
}

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
	var faults []*Fault
	var page strings.Builder // what the template itself writes, each action a blank
	eachNode(t.Root, func(n parse.Node) {
		switch n := n.(type) {
		case *parse.TextNode:
			page.Write(n.Text)
		case *parse.TemplateNode:
			page.WriteByte(' ')
		case *parse.ActionNode:
			if why := standsIn(page.String()); why != "" && len(n.Pipe.Decl) == 0 && !harmless(n.Pipe) {
				faults = append(faults, faultAt(t, n, n.String()+" stands "+why))
			}
			page.WriteByte(' ')
		}
	})
	return faults
}

// harmless says that a pipeline prints what acts nowhere: numbers, times, the
// letters of a label, or a literal.
func harmless(p *parse.PipeNode) bool {
	last := p.Cmds[len(p.Cmds)-1].Args[0]
	if name, ok := last.(*parse.IdentifierNode); ok {
		return name.Ident == "label" || wording()[name.Ident] != nil
	}
	return literal(last)
}

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
		return "inside a code fence: print the fence as a whole with {{fence …}}"
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
