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
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			inspectIn(v.Field(i), visit)
		}
	}
}

// inspectIn visits the nodes that a field of a node holds.
func inspectIn(v reflect.Value, visit func(parse.Node)) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			inspectIn(v.Index(i), visit)
		}
	case reflect.Struct: // what if, range and with have in common
		inspectIn(v.Addr(), visit)
	case reflect.Pointer, reflect.Interface:
		if n, ok := v.Interface().(parse.Node); ok && !v.IsNil() {
			inspect(n, visit)
		}
	}
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
