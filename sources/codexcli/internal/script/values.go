package script

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// value returns the value of an expression as encoding/json decodes it; ok is false if it is only known at run time.
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

// text returns the text value of an expression. Parts only known at run time stay as written, and ok is false.
func (w *walker) text(n js.IExpr) (text string, ok bool) {
	value, known := w.value(n)
	if text, ok = value.(string); ok && known {
		return text, true
	}
	return written(n), false
}

// written returns the source of an expression as a placeholder in back-ticks.
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
		b.WriteString(plain(strings.TrimSuffix(string(part.Value)[1:], "${")) + text) // after ` or }
	}
	return b.String() + plain(string(n.Tail[1:len(n.Tail)-1]))
}

// object returns the known members of an object. A single name is both a member and its value.
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

// parts returns object and name of a member expression.
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

// member returns an element of a list, or a value of an object.
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

var (
	// escape matches an escaped character of a text.
	escape = regexp.MustCompile(`(?s)\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)`)
	// signs replaces escaped characters.
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
