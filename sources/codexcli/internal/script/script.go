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

// Bounds of a script in bytes, which the texts that it joins have too, and of what its loops do.
const maxScript, maxLoops = 1 << 20, 100

// Calls returns the calls of tools in a script, tools.NAME(…), in the order in which they stand there, and those of a loop over a list
// once for each of it. Arguments are read as far as they are literals, and names of such.
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

// walker goes through a script. known are the values of its names.
type walker struct {
	calls []Call
	known map[string]any
	loops int // how often the bodies of loops were gone through
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

// arguments reads a value as the parameters of a call. A text alone is a patch.
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

// fits reports whether a value is no larger than what is left: names may stand in each other many times.
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

// bind gives names their values: one, or those of a list or of an object.
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

// loop goes through a body once for each of a list; false: the list is not known.
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

// mapped goes through list.map(one => …) and list.forEach(one => …); false: the call is none.
func (w *walker) mapped(n *js.CallExpr) bool {
	dot, ok := n.X.(*js.DotExpr)
	if !ok || len(n.Args.List) == 0 || dot.Y.String() != "map" && dot.Y.String() != "forEach" {
		return false
	}
	each, ok := n.Args.List[0].Value.(*js.ArrowFunc)
	return ok && len(each.Params.List) > 0 && w.loop(dot.X, each.Params.List[0].Binding, &each.Body)
}

// tool returns the tool that an expression names: tools.NAME, tools["NAME"], tools[name]; empty: none.
func (w *walker) tool(n js.IExpr) string {
	of, name := w.parts(n)
	if v, ok := of.(*js.Var); !ok || string(v.Name()) != "tools" {
		return ""
	}
	return name
}
