package templates

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
	"time"
)

// The names that a template may use are closed lists: the functions of this package,
// some of package text/template, the fields of views and some methods of a time. What
// prints or escapes in a way of its own is not among them.

// builtins are the functions of package text/template that a template may use.
var builtins = strings.Fields("and or not eq ne lt le gt ge len index slice")

// ofTimes are what a template may ask of a time. What depends on the machine or on the
// present is not among them.
var ofTimes = strings.Fields("Format Year Month Day Weekday YearDay Hour Minute Second IsZero Equal Before After")

// fieldNames are the names of all fields of all views, and what may be asked of a time.
func fieldNames() map[string]bool {
	out := map[string]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		if t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range t.NumField() {
			if f := t.Field(i); !out[t.Name()+"."+f.Name] {
				out[t.Name()+"."+f.Name], out[f.Name] = true, true
				visit(f.Type)
			}
		}
	}
	for _, p := range viewPages() {
		visit(p.view)
	}
	for _, name := range ofTimes {
		out[name] = true
	}
	return out
}

// inspect visits a node and all nodes in it, in the order in which they are written.
func inspect(n parse.Node, visit func(parse.Node)) {
	visit(n)
	var in []parse.Node
	switch n := n.(type) {
	case *parse.ListNode:
		in = slices.Clone(n.Nodes)
	case *parse.ActionNode:
		in = append(in, n.Pipe)
	case *parse.PipeNode:
		for _, cmd := range n.Cmds {
			in = append(in, cmd)
		}
	case *parse.CommandNode:
		in = n.Args
	case *parse.ChainNode:
		in = append(in, n.Node)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			in = append(in, n.Pipe)
		}
	}
	if b := branchOf(n); b != nil {
		in = append(in, b.Pipe, b.List)
		if b.ElseList != nil {
			in = append(in, b.ElseList)
		}
	}
	for _, inner := range in {
		inspect(inner, visit)
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

// asked gives the names that a node asks of a value.
func asked(n parse.Node) []string {
	switch n := n.(type) {
	case *parse.FieldNode:
		return n.Ident
	case *parse.VariableNode:
		return n.Ident[1:]
	case *parse.ChainNode:
		return n.Field
	}
	return nil
}

// comparisons collects the texts with which templates compare a field, by its name; empty
// where it is another value.
func comparisons(trees map[string]*parse.Tree) map[string][]Text {
	out := map[string][]Text{}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		inspect(trees[name].Root, func(n parse.Node) {
			cmd, ok := n.(*parse.CommandNode)
			if !ok || !slices.Contains([]string{"eq", "ne", "lt", "le", "gt", "ge"}, cmd.Args[0].String()) {
				return
			}
			field := ""
			for _, arg := range cmd.Args[1:] {
				if names := asked(arg); len(names) > 0 {
					field = names[len(names)-1]
				}
			}
			for _, arg := range cmd.Args[1:] {
				if text, ok := arg.(*parse.StringNode); ok && text.Text != "" {
					out[field] = append(out[field], Text(text.Text))
				}
			}
		})
	}
	return out
}

// uses lists where a template uses others.
func uses(t *parse.Tree) []*parse.TemplateNode {
	var out []*parse.TemplateNode
	inspect(t.Root, func(n parse.Node) {
		if c, ok := n.(*parse.TemplateNode); ok {
			out = append(out, c)
		}
	})
	return out
}

// reached gives the templates that one comes by, itself included.
func reached(trees map[string]*parse.Tree, from ...string) map[string]bool {
	out := map[string]bool{}
	for len(from) > 0 {
		name := from[0]
		from = from[1:]
		if t := trees[name]; t != nil && !out[name] {
			out[name] = true
			for _, n := range uses(t) {
				from = append(from, n.Name)
			}
		}
	}
	return out
}

// wrongNames finds what the templates of a user ask for that is not there, and those
// that nothing uses or that use themselves. known are the templates that the program
// has by itself.
func wrongNames(trees, own map[string]*parse.Tree, known []string) []*Fault {
	fields, used := fieldNames(), reached(trees, known...)
	var faults []*Fault
	for _, name := range slices.Sorted(maps.Keys(own)) {
		t := own[name]
		fault := func(n parse.Node, format string, args ...any) {
			faults = append(faults, faultAt(t, n, fmt.Sprintf(format, args...)))
		}
		if !used[name] {
			fault(t.Root, "no page uses the template %q", name)
		}
		inspect(t.Root, func(n parse.Node) {
			for _, field := range asked(n) {
				if !fields[field] {
					fault(n, "no view has a field %s", field)
				}
			}
		})
		for _, n := range uses(t) {
			switch {
			case trees[n.Name] == nil:
				fault(n, "there is no template %q", n.Name)
			case reached(trees, n.Name)[name]:
				fault(n, "template %q uses itself", name)
			}
		}
	}
	return faults
}
