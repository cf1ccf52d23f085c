// Package script finds the calls of tools in the JavaScript that Codex's newest models write (code mode).
package script

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// Call is a call of a tool.
type Call struct {
	Name string
	Args *tools.Arguments
}

// Limits in bytes of a script and the texts that it joins, and of the runs of its loops.
const maxScript, maxLoops = 1 << 20, 100

// Calls returns the calls of tools in a script, tools.NAME(…), in order; calls in a loop over a list once for
// each element. Arguments are read as far as they are literals, or names of literals.
func Calls(script string) []Call {
	if len(script) > maxScript || !strings.Contains(script, "tools") {
		return nil
	}
	tree, err := js.Parse(parse.NewInputString(script), js.Options{})
	if err != nil {
		return nil
	}
	w := &walker{known: map[string]any{}}
	js.Walk(w, tree)
	return w.calls
}

// walker visits a script. known has the values of its names.
type walker struct {
	calls []Call
	known map[string]any
	loops int // how often bodies of loops were visited
}

func (w *walker) Enter(n js.INode) js.IVisitor {
	switch n := n.(type) {
	case *js.VarDecl:
		for _, one := range n.List {
			if value, ok := w.value(one.Default); ok {
				w.bind(one.Binding, value)
			}
		}
	case *js.ForOfStmt:
		if each, ok := n.Init.(*js.VarDecl); ok && len(each.List) == 1 && w.loop(n.Value, each.List[0].Binding, n.Body) {
			return nil
		}
	case *js.CallExpr:
		if w.mapped(n) {
			return nil
		}
		if name := w.tool(n.X); name != "" {
			call := Call{name, &tools.Arguments{}}
			if len(n.Args.List) > 0 {
				if value, ok := w.value(n.Args.List[0].Value); ok {
					call.Args = arguments(value)
				}
			}
			w.calls = append(w.calls, call)
		}
	}
	return w
}

func (w *walker) Exit(js.INode) {}

// arguments reads a value as the parameters of a call. A single text is a patch.
func arguments(value any) *tools.Arguments {
	args, left := &tools.Arguments{}, maxScript
	if !fits(value, &left) {
		return args
	}
	text, err := json.Marshal(value)
	if err != nil || decode.Text(string(text), args) != nil {
		return &tools.Arguments{}
	}
	return args
}

// fits reports whether a value is at most as large as left: names may contain each other many times.
func fits(value any, left *int) bool {
	*left--
	switch value := value.(type) {
	case string:
		*left -= len(value)
	case []any:
		for _, one := range value {
			if !fits(one, left) {
				break
			}
		}
	case map[string]any:
		for _, one := range value {
			if !fits(one, left) {
				break
			}
		}
	}
	return *left > 0
}

// bind assigns values to names: one value, or the members of a list or object.
func (w *walker) bind(name js.IBinding, value any) {
	switch name := name.(type) {
	case *js.Var:
		w.known[string(name.Name())] = value
	case *js.BindingArray:
		for i, one := range name.List {
			part, _ := member(value, strconv.Itoa(i))
			w.bind(one.Binding, part)
		}
	case *js.BindingObject:
		for _, one := range name.List {
			if v, ok := one.Value.Binding.(*js.Var); ok {
				part, _ := member(value, string(v.Name()))
				w.bind(v, part)
			}
		}
	}
}

// loop visits a body once for each element of a list; false: the list is unknown.
func (w *walker) loop(list js.IExpr, name js.IBinding, body *js.BlockStmt) bool {
	value, _ := w.value(list)
	all, ok := value.([]any)
	for _, one := range all {
		if w.loops++; w.loops > maxLoops {
			break
		}
		w.bind(name, one)
		js.Walk(w, body)
	}
	return ok
}

// mapped visits list.map(one => …) and list.forEach(one => …); false: it is another call.
func (w *walker) mapped(n *js.CallExpr) bool {
	dot, ok := n.X.(*js.DotExpr)
	if !ok || len(n.Args.List) == 0 || dot.Y.String() != "map" && dot.Y.String() != "forEach" {
		return false
	}
	each, ok := n.Args.List[0].Value.(*js.ArrowFunc)
	return ok && len(each.Params.List) > 0 && w.loop(dot.X, each.Params.List[0].Binding, &each.Body)
}

// tool returns the tool that an expression names: tools.NAME, tools["NAME"], tools[name]; else "".
func (w *walker) tool(n js.IExpr) string {
	of, name := w.parts(n)
	if v, ok := of.(*js.Var); !ok || string(v.Name()) != "tools" {
		return ""
	}
	return name
}
