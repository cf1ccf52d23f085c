package templates

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// parseSet parses templates; own replaces the ones it defines.
func parseSet(files fs.FS, own map[string]string, judge Judge, tried string) (*Set, error) {
	base, err := builtin(files)
	if err != nil {
		return nil, err
	}
	trees, err := treesOf(base)
	if err != nil {
		return nil, err
	}
	mine, faults := userFiles(base, own)
	known := slices.Collect(maps.Keys(trees))
	ours := map[string]*parse.Tree{}
	for _, s := range mine {
		maps.Copy(ours, s.trees)
	}
	maps.Copy(trees, ours)
	pages, err := assemble(trees)
	if err != nil {
		return nil, err
	}
	set := described(base, mine)
	set.pages = func() (*template.Template, error) { return pages, nil }
	faults = append(faults, unused(trees, ours, known)...)
	if len(ours) > 0 {
		faults = append(faults, set.tryOut(trees, ours, judge, tried)...)
	}
	if len(faults) > 0 {
		return nil, joined(faults)
	}
	return set, nil
}

// unparsedSet returns the program's own set, parsed with its first page.
func unparsedSet() (*Set, error) {
	base, err := builtin(embedded)
	if err != nil {
		return nil, err
	}
	set := described(base, nil)
	set.pages = sync.OnceValues(func() (*template.Template, error) {
		trees, err := treesOf(base)
		if err != nil {
			return nil, err
		}
		return assemble(trees)
	})
	return set, nil
}

func described(base []source, mine map[string]*source) *Set {
	hash := sha256.New()
	fmt.Fprintf(hash, "escapers %s\n", escape.Version)
	for _, s := range base {
		fmt.Fprintf(hash, "%s %d\n%s", s.name, len(s.text), s.text)
		if o := mine[s.name]; o != nil && o.text != s.text {
			fmt.Fprintf(hash, "own %s %d\n%s", o.name, len(o.text), o.text)
		}
	}
	return &Set{base: base, mine: mine, fingerprint: hex.EncodeToString(hash.Sum(nil)[:8])}
}

// tryOut tries the pages with a user's templates, and marks them to be judged from now on.
func (s *Set) tryOut(trees, own map[string]*parse.Tree, judge Judge, tried string) []*Fault {
	t := trial{Set: s, own: own, decided: comparisons(own)}
	s.judge, s.judged, s.literals = judge, map[string]bool{}, map[Text]bool{}
	for _, words := range comparisons(trees) {
		for _, word := range words {
			s.literals[word] = true
		}
	}
	for _, tree := range own {
		guarded(tree)
	}
	for _, v := range allViews() {
		for name := range reached(trees, v.page()) {
			s.judged[v.page()] = s.judged[v.page()] || own[name] != nil
		}
	}
	if s.fingerprint == tried {
		return nil
	}
	return t.run()
}

// guarded passes what a template prints through printed, which no template can name.
func guarded(t *parse.Tree) {
	inspect(t.Root, func(n parse.Node) {
		if a, ok := n.(*parse.ActionNode); ok && len(a.Pipe.Decl) == 0 {
			last := parse.NewIdentifier("printed").SetTree(t).SetPos(a.Pos)
			a.Pipe.Cmds = append(a.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: a.Pos, Args: []parse.Node{last}})
		}
	})
}

// assemble joins all trees, even empty ones, which remove a part.
func assemble(trees map[string]*parse.Tree) (*template.Template, error) {
	pages := template.New("").Funcs(funcs()).Funcs(template.FuncMap{"printed": printed})
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		if _, err := pages.AddParseTree(name, trees[name]); err != nil {
			return nil, fmt.Errorf("join templates: %w", err)
		}
	}
	return pages, nil
}

func userFiles(base []source, own map[string]string) (map[string]*source, []*Fault) {
	var faults []*Fault
	mine := map[string]*source{}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.ContainsFunc(base, func(s source) bool { return s.name == name }) {
			faults = append(faults, &Fault{File: name, Err: ErrUnknown})
			continue
		}
		s := &source{name: name, text: plainText(own[name])}
		if err := s.parse(); err != nil {
			faults = append(faults, faultOf(err, name))
			continue
		}
		mine[name] = s
	}
	return mine, faults
}

func (s *source) parse() error {
	known := map[string]any{}
	for _, name := range builtins {
		known[name] = true
	}
	text := marks(s.text)
	trees := map[string]*parse.Tree{}
	if _, err := parse.New(s.name).Parse(text, "", "", trees, known, funcs()); err != nil {
		return err
	}
	if top := trees[s.name]; top != nil && !parse.IsEmptyTree(top.Root) {
		err := errors.New("text outside of {{define}} is printed nowhere")
		return &Fault{File: s.name, Line: 1 + strings.Count(text[:outside(top.Root)], "\n"), Err: err}
	}
	delete(trees, s.name)
	s.trees = trees
	return nil
}

func outside(list *parse.ListNode) int {
	for _, n := range list.Nodes {
		at := int(n.Position())
		text, ok := n.(*parse.TextNode)
		if !ok {
			return at
		}
		if rest := strings.TrimLeft(string(text.Text), " \t\n\f\v"); rest != "" {
			return at + len(text.Text) - len(rest)
		}
	}
	return 0
}

// Templates mark gaps by {{gap}} and {{fold}}; in the page, by characters no escaper lets through.
const (
	gapMark  = '\f' // a blank line between two parts of the page
	foldMark = '\v' // a blank line inside a callout
)

// markRule matches the marks in other spellings than the plain ones.
var markRule = regexp.MustCompile(`\{\{(- )?[ \t]*(gap|fold)[ \t]*( -)?\}\}`)

func marks(text string) string {
	gapLine, fold := string(gapMark), string(foldMark)
	text = strings.NewReplacer("{{gap}}", gapLine, "{{- gap}}", gapLine, "{{fold}}", fold, "{{- fold}}", fold).Replace(text)
	return markRule.ReplaceAllStringFunc(text, func(s string) string {
		return strings.NewReplacer("gap", `"\f"`, "fold", `"\v"`).Replace(s)
	})
}

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
	case reflect.Struct: // common to if, range and with
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

// comparisons returns the texts that templates compare a field with.
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

// reached returns the templates that pages use, with their own.
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

// unused returns a user's templates that nothing uses: they are likely misspelt.
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
