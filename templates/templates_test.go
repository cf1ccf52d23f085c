package templates

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"text/template"
	"text/template/parse"
	"time"
)

// unescaped names the places of a template that print a field without an
// escaper.
func unescaped(root *template.Template) []string {
	var faults []string
	for _, t := range root.Templates() {
		if t.Tree != nil {
			walk(t.Root, false, func(n *parse.ActionNode, dotEscaped bool) {
				dot := n.Pipe.String() == "." && dotEscaped
				if len(n.Pipe.Decl) == 0 && !dot && !escapes(n.Pipe) {
					faults = append(faults, fmt.Sprintf("%s: %s", t.Name(), n))
				}
			})
		}
	}
	return faults
}

// escapes says that what a pipeline gives has passed an escaper, is made of
// numbers and times, or is a literal.
func escapes(p *parse.PipeNode) bool {
	last := p.Cmds[len(p.Cmds)-1]
	name, ok := last.Args[0].(*parse.IdentifierNode)
	if !ok {
		_, literal := last.Args[0].(*parse.StringNode)
		return literal && len(p.Cmds) == 1
	}
	if name.Ident == "dots" {
		for _, arg := range last.Args[1:] {
			if inner, ok := arg.(*parse.PipeNode); !ok || !escapes(inner) {
				return false
			}
		}
		return len(p.Cmds) == 1
	}
	if name.Ident == "count" { // its nouns belong to the template
		for _, noun := range last.Args[2:] {
			if _, literal := noun.(*parse.StringNode); !literal {
				return false
			}
		}
	}
	return escaping()[name.Ident] != nil || wording()[name.Ident] != nil
}

// walk visits what prints. dotEscaped tells whether the dot is what an escaper
// gave to the innermost with.
func walk(n parse.Node, dotEscaped bool, action func(n *parse.ActionNode, dotEscaped bool)) {
	branch := func(b *parse.BranchNode, inner bool) {
		walk(b.List, inner, action)
		if b.ElseList != nil {
			walk(b.ElseList, dotEscaped, action)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, c := range n.Nodes {
			walk(c, dotEscaped, action)
		}
	case *parse.ActionNode:
		action(n, dotEscaped)
	case *parse.IfNode:
		branch(&n.BranchNode, dotEscaped)
	case *parse.RangeNode:
		branch(&n.BranchNode, false)
	case *parse.WithNode:
		branch(&n.BranchNode, len(n.Pipe.Decl) == 0 && escapes(n.Pipe))
	}
}

func TestEveryFieldPassesAnEscaper(t *testing.T) {
	for _, f := range unescaped(embeddedSet(t).pages) {
		t.Errorf("prints without an escaper: %s", f)
	}
}

func TestFieldWithoutEscaperIsFound(t *testing.T) {
	for _, text := range []string{
		`{{.Title}}`, `{{with .Title}}{{.}}{{end}}`, `{{range $i, $x := .Open}}{{$x}}{{end}}`, `{{inline .A | printf "%s"}}`,
		`{{promptTitle .Prompt}}`, `{{dots (inline .A) .B}}`, `{{if .A}}x{{else}}{{print .A}}{{end}}`, `{{define "x"}}{{.A}}{{end}}`,
		`{{count .N .A .B}}`, `{{with inline .A}}{{range .B}}{{.}}{{end}}{{end}}`, `{{with inline .A}}{{.B}}{{end}}`, `{{with inline .A}}x{{else}}{{.}}{{end}}`,
	} {
		parsed := template.Must(template.New("t").Funcs(funcs()).Parse(text))
		if len(unescaped(parsed)) != 1 {
			t.Errorf("%s: found %q", text, unescaped(parsed))
		}
	}
}

func TestWordsTakeNoText(t *testing.T) {
	plain := []reflect.Type{reflect.TypeFor[time.Time](), reflect.TypeFor[int](), reflect.TypeFor[[]int](), reflect.TypeFor[[]Span]()}
	for name, f := range wording() {
		for i := range reflect.TypeOf(f).NumIn() {
			in := reflect.TypeOf(f).In(i)
			known := name == "count" && i > 0 // its nouns are literals
			for _, p := range plain {
				known = known || in == p
			}
			if !known {
				t.Errorf("%s takes %s: it belongs to the escapers", name, in)
			}
		}
	}
}

func TestFingerprintFollowsTheTemplates(t *testing.T) {
	parsed := func(text string) *Set {
		s, err := parseSet(fstest.MapFS{"nav.tmpl": {Data: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b := parsed(`{{define "nav"}}{{inline .Up.Text}}{{end}}`), parsed(`{{define "nav"}}{{link .Up}}{{end}}`)
	if a.Fingerprint() == b.Fingerprint() || a.Fingerprint() != parsed(`{{define "nav"}}{{inline .Up.Text}}{{end}}`).Fingerprint() {
		t.Errorf("fingerprints %s, %s", a.Fingerprint(), b.Fingerprint())
	}
	if len(embeddedSet(t).Fingerprint()) != 16 {
		t.Errorf("fingerprint %q", embeddedSet(t).Fingerprint())
	}
}

func TestUnknownFunctionIsAnError(t *testing.T) {
	_, err := parseSet(fstest.MapFS{"nav.tmpl": {Data: []byte(`{{define "nav"}}{{html .Up}}{{shell .Up}}{{end}}`)}})
	if err == nil || !strings.Contains(err.Error(), "shell") {
		t.Errorf("got %v", err)
	}
}
