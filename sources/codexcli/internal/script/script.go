// Package script finds the calls of tools in the JavaScript that Codex's newest models write (code mode).
package script

import (
	"encoding/json"
	"regexp"
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

// parts are those of an expression that names a member: of what, and its name.
func (w *walker) parts(n js.IExpr) (of js.IExpr, name string) {
	switch n := n.(type) {
	case *js.DotExpr:
		switch y := n.Y.(type) {
		case js.LiteralExpr:
			return n.X, literal(y)
		case *js.LiteralExpr:
			return n.X, literal(*y)
		}
	case *js.IndexExpr:
		switch key, _ := w.value(n.Y); key := key.(type) {
		case string:
			return n.X, key
		case json.RawMessage:
			return n.X, string(key)
		}
	}
	return nil, ""
}

// member is what a list has at a place, or an object under a name.
func member(of any, name string) (value any, ok bool) {
	switch of := of.(type) {
	case map[string]any:
		value, ok = of[name]
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(of) {
			return of[i], true
		}
	}
	return value, ok
}

func literal(n js.LiteralExpr) string {
	if n.TokenType == js.StringToken {
		return unescape(string(n.Data[1 : len(n.Data)-1]))
	}
	return string(n.Data)
}

// value returns what an expression stands for, as encoding/json writes it; ok is false where only the script knows it.
func (w *walker) value(n js.IExpr) (value any, ok bool) {
	switch n := n.(type) {
	case *js.LiteralExpr:
		if n.TokenType == js.StringToken {
			return literal(*n), true
		}
		return json.RawMessage(n.Data), json.Valid(n.Data)
	case *js.TemplateExpr:
		return w.template(n), true
	case *js.Var:
		value, ok = w.known[string(n.Name())]
		return value, ok
	case *js.DotExpr, *js.IndexExpr:
		if of, name := w.parts(n); of != nil {
			of, _ := w.value(of)
			return member(of, name)
		}
	case *js.GroupExpr:
		return w.value(n.X)
	case *js.ObjectExpr:
		return w.object(n), true
	case *js.ArrayExpr:
		all := []any{}
		for _, one := range n.List {
			value, ok := w.value(one.Value)
			if !ok && one.Value != nil {
				value = written(one.Value)
			}
			all = append(all, value)
		}
		return all, true
	case *js.BinaryExpr:
		x, isText := w.text(n.X)
		y, areTexts := w.text(n.Y)
		return x + y, n.Op == js.AddToken && (isText || areTexts) && len(x)+len(y) <= maxScript
	case *js.CallExpr:
		return w.joined(n)
	}
	return nil, false
}

// text returns the text that an expression stands for. What only the script knows stays as it is written, and ok is false.
func (w *walker) text(n js.IExpr) (text string, ok bool) {
	value, known := w.value(n)
	if text, ok = value.(string); ok && known {
		return text, true
	}
	return written(n), false
}

// written returns an expression as the script has it, as if it stood in a text in back-ticks.
func written(n js.IExpr) string {
	var b strings.Builder
	n.JS(&b)
	return "${" + b.String() + "}"
}

func (w *walker) template(n *js.TemplateExpr) string {
	plain := unescape
	if n.Tag != nil { // String.raw
		plain = func(text string) string { return text }
	}
	var b strings.Builder
	for _, part := range n.List {
		text, _ := w.text(part.Expr)
		if b.Len()+len(text) > maxScript {
			break
		}
		b.WriteString(plain(strings.TrimSuffix(string(part.Value)[1:], "${")) + text) // behind ` or }
	}
	return b.String() + plain(string(n.Tail[1:len(n.Tail)-1]))
}

// object returns the members of an object that are known. A name alone is that of a member and of its value.
func (w *walker) object(n *js.ObjectExpr) map[string]any {
	all := map[string]any{}
	for _, one := range n.List {
		name := ""
		if one.Name != nil && !one.Name.IsComputed() {
			name = literal(one.Name.Literal)
		} else if v, ok := one.Value.(*js.Var); ok && !one.Spread {
			name = string(v.Name())
		}
		if value, ok := w.value(one.Value); ok && name != "" {
			all[name] = value
		}
	}
	return all
}

// joined returns the text of [lines].join("\n").
func (w *walker) joined(n *js.CallExpr) (text any, ok bool) {
	dot, ok := n.X.(*js.DotExpr)
	if !ok || dot.Y.String() != "join" || len(n.Args.List) != 1 {
		return nil, false
	}
	between, ok := w.text(n.Args.List[0].Value)
	list, _ := w.value(dot.X)
	all, isList := list.([]any)
	if left := maxScript / (1 + len(between)); !fits(list, &left) {
		return nil, false
	}
	var lines []string
	for _, one := range all {
		line, _ := one.(string)
		lines = append(lines, line)
	}
	return strings.Join(lines, between), ok && isList
}

var (
	// escape is a sign of a text that is written otherwise.
	escape = regexp.MustCompile(`(?s)\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)`)
	// signs are those that are written as another one.
	signs = strings.NewReplacer("n", "\n", "t", "\t", "r", "\r", "b", "\b", "f", "\f", "v", "\v", "0", "\x00", "\n", "")
)

func unescape(text string) string {
	return escape.ReplaceAllStringFunc(text, func(code string) string {
		if n, err := strconv.ParseUint(code[2:], 16, 32); err == nil {
			return string(rune(n))
		}
		return signs.Replace(code[1:])
	})
}
