package templates

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// builtins are the functions of package text/template that a template may use.
var builtins = strings.Fields("and or not eq ne lt le gt ge len index slice")

func inspect(n parse.Node, visit func(parse.Node)) {
	visit(n)
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			inspectIn(v.Field(i), visit)
		}
	}
}

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

// reached gives the templates that pages come by, theirs included.
func reached(trees map[string]*parse.Tree, from ...string) map[string]bool {
	out := map[string]bool{}
	for len(from) > 0 {
		name := from[0]
		from = from[1:]
		if t := trees[name]; t != nil && !out[name] {
			out[name] = true
			inspect(t.Root, func(n parse.Node) {
				if use, ok := n.(*parse.TemplateNode); ok {
					from = append(from, use.Name)
				}
			})
		}
	}
	return out
}

// unused finds the templates of a user that nothing uses: their names are likely
// misspelt. known are the templates that the program has by itself.
func unused(trees, own map[string]*parse.Tree, known []string) (faults []*Fault) {
	if len(own) == 0 {
		return nil
	}
	used := reached(trees, known...)
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !used[name] {
			faults = append(faults, faultAt(own[name], own[name].Root, fmt.Sprintf("no page uses the template %q", name)))
		}
	}
	return faults
}
