package templates

import (
	"fmt"
	"slices"
	"text/template/parse"
)

// guard finds the places of a template that print what passed no escaper, or
// that print it where its escaper does not hold. trees are those it may use.
func guard(t *parse.Tree, trees map[string]*parse.Tree) []*Fault {
	var faults []*Fault
	for _, n := range unescaped(t.Root) {
		faults = append(faults, faultAt(t, n, fmt.Sprintf("%s prints text as it is: it has to pass an escaper, such as {{inline …}}", n)))
	}
	return append(faults, wrongPlaces(t, trees)...)
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
