package templates

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"text/template"
	"text/template/parse"
	"time"
)

// page is what a method of [Set] renders.
type page struct {
	name string
	view reflect.Type
}

// allPages lists the pages with what they take.
func allPages() []page {
	return []page{
		{"session", reflect.TypeFor[Session]()}, {"checkpoint", reflect.TypeFor[Checkpoint]()},
		{"memory", reflect.TypeFor[Memory]()}, {"project", reflect.TypeFor[Project]()},
		{"file", reflect.TypeFor[File]()}, {"day", reflect.TypeFor[Day]()}, {"home", reflect.TypeFor[Home]()},
		{"threads", reflect.TypeFor[Threads]()}, {"nav", reflect.TypeFor[Nav]()},
		{"week", reflect.TypeFor[WeekSummary]()},
		{"sessions.base", reflect.TypeFor[Base]()}, {"files.base", reflect.TypeFor[Base]()},
		{"index", reflect.TypeFor[Index]()}, {"hot", reflect.TypeFor[Hot]()},
	}
}

// typist follows the types of views through templates, to find fields that do
// not exist also where no trial comes by. A nil type is one it does not know.
type typist struct {
	trees  map[string]*parse.Tree
	own    map[string]bool
	funcs  template.FuncMap
	seen   map[string]bool // template and type
	tree   *parse.Tree     // at work on it
	faults []*Fault
}

// nothing is the type of the dot of a template that is given none.
type nothing struct{}

// wrongFields names what templates of a user ask of views that they do not have.
func wrongFields(trees map[string]*parse.Tree, own map[string]bool) []*Fault {
	y := &typist{trees: trees, own: own, funcs: funcs(), seen: map[string]bool{}}
	for _, p := range allPages() {
		if t := trees[p.name]; t != nil {
			y.template(t, p.view)
		}
	}
	return y.faults
}

func (y *typist) fault(n parse.Node, format string, args ...any) {
	y.faults = append(y.faults, faultAt(y.tree, n, fmt.Sprintf(format, args...)))
}

// template checks a template that is given a value of the type.
func (y *typist) template(t *parse.Tree, dot reflect.Type) {
	key := t.Name + " " + typeName(dot)
	if y.seen[key] {
		return
	}
	y.seen[key] = true
	before := y.tree
	y.tree = t
	y.list(t.Root, dot, map[string]reflect.Type{"$": dot})
	y.tree = before
}

func (y *typist) list(list *parse.ListNode, dot reflect.Type, vars map[string]reflect.Type) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			y.pipe(n.Pipe, dot, vars)
		case *parse.TemplateNode:
			y.call(n, dot, vars)
		case *parse.IfNode:
			inner := maps.Clone(vars)
			y.pipe(n.Pipe, dot, inner)
			y.list(n.List, dot, inner)
			y.list(n.ElseList, dot, maps.Clone(inner))
		case *parse.WithNode:
			inner := maps.Clone(vars)
			y.list(n.List, y.pipe(n.Pipe, dot, inner), inner)
			y.list(n.ElseList, dot, maps.Clone(inner))
		case *parse.RangeNode:
			y.loop(n, dot, maps.Clone(vars))
		}
	}
}

func (y *typist) loop(n *parse.RangeNode, dot reflect.Type, vars map[string]reflect.Type) {
	over := y.pipe(&parse.PipeNode{NodeType: parse.NodePipe, Pos: n.Pipe.Pos, Line: n.Pipe.Line, Cmds: n.Pipe.Cmds}, dot, vars)
	var elem reflect.Type
	switch {
	case over == nil:
	case over.Kind() == reflect.Slice:
		elem = over.Elem()
	default:
		y.fault(n.Pipe, "%s is no list to range over", n.Pipe)
	}
	switch decl := n.Pipe.Decl; len(decl) {
	case 1:
		vars[decl[0].Ident[0]] = elem
	case 2:
		vars[decl[0].Ident[0]], vars[decl[1].Ident[0]] = reflect.TypeFor[int](), elem
	}
	y.list(n.List, elem, vars)
	y.list(n.ElseList, dot, maps.Clone(vars))
}

// call checks that a template exists and takes what it is given.
func (y *typist) call(n *parse.TemplateNode, dot reflect.Type, vars map[string]reflect.Type) {
	given := reflect.TypeFor[nothing]()
	if n.Pipe != nil {
		given = y.pipe(n.Pipe, dot, vars)
	}
	t := y.trees[n.Name]
	if t == nil {
		y.fault(n, "there is no template %q", n.Name)
		return
	}
	if y.own[n.Name] {
		y.template(t, given)
		return
	}
	// One of the program is right: it was given what it does not take.
	inner := &typist{trees: y.trees, own: y.own, funcs: y.funcs, seen: map[string]bool{}}
	if inner.template(t, given); len(inner.faults) > 0 && y.own[y.tree.Name] {
		y.fault(n, "template %q does not take %s: %v", n.Name, typeName(given), inner.faults[0].Err)
	}
}

// pipe gives the type of what a pipeline ends with.
func (y *typist) pipe(p *parse.PipeNode, dot reflect.Type, vars map[string]reflect.Type) reflect.Type {
	var out reflect.Type
	for _, cmd := range p.Cmds {
		args := make([]reflect.Type, len(cmd.Args))
		for i, arg := range cmd.Args {
			if _, ok := arg.(*parse.IdentifierNode); !ok || i > 0 {
				args[i] = y.value(arg, dot, vars)
			}
		}
		if name, ok := cmd.Args[0].(*parse.IdentifierNode); ok {
			out = y.function(name.Ident, args[1:])
		} else {
			out = args[0]
		}
	}
	for _, v := range p.Decl {
		vars[v.Ident[0]] = out
	}
	return out
}

// function gives the type of what a function gives.
func (y *typist) function(name string, args []reflect.Type) reflect.Type {
	switch f := y.funcs[name]; {
	case f != nil:
		return reflect.TypeOf(f).Out(0)
	case name == "len":
		return reflect.TypeFor[int]()
	case name == "print":
		return reflect.TypeFor[string]()
	case name == "slice" && len(args) > 0:
		return args[0]
	case name == "index" && len(args) == 2 && args[0] != nil && args[0].Kind() == reflect.Slice:
		return args[0].Elem()
	}
	return nil
}

// value gives the type of an argument.
func (y *typist) value(n parse.Node, dot reflect.Type, vars map[string]reflect.Type) reflect.Type {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return y.chain(n, dot, n.Ident)
	case *parse.VariableNode:
		return y.chain(n, vars[n.Ident[0]], n.Ident[1:])
	case *parse.ChainNode:
		return y.chain(n, y.value(n.Node, dot, vars), n.Field)
	case *parse.PipeNode:
		return y.pipe(n, dot, vars)
	case *parse.StringNode:
		return reflect.TypeFor[string]()
	case *parse.IdentifierNode:
		return y.function(n.Ident, nil)
	}
	return nil
}

// chain follows fields from a type.
func (y *typist) chain(n parse.Node, t reflect.Type, names []string) reflect.Type {
	for _, name := range names {
		switch {
		case t == nil:
			return nil
		case t == reflect.TypeFor[nothing]():
			y.fault(n, "there is no %s: the template is given nothing", name)
			return nil
		case t == reflect.TypeFor[time.Time]() && slices.Contains(ofTimes(), name):
			m, _ := t.MethodByName(name)
			t = m.Type.Out(0)
			continue
		case t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]():
			if f, ok := t.FieldByName(name); ok {
				t = f.Type
				continue
			}
		}
		y.fault(n, "%s has no field %s", typeName(t), name)
		return nil
	}
	return t
}

// ofTimes are what a template may ask of a time. What depends on the machine or
// on the present is not among them.
func ofTimes() []string {
	return []string{"Format", "Year", "Month", "Day", "Weekday", "YearDay", "Hour", "Minute", "Second", "IsZero", "Equal", "Before", "After"}
}

// typeName is the name of a type as docs/templates.md has it.
func typeName(t reflect.Type) string {
	switch {
	case t == nil:
		return "a value"
	case t == reflect.TypeFor[nothing]():
		return "nothing"
	case t.Kind() == reflect.Slice:
		return "a list of " + typeName(t.Elem())
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t.Name() != "":
		return t.Name()
	}
	return t.String()
}
