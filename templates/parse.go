package templates

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// parseSet parses all *.tmpl files of files, with those of own in place of the
// templates they define. A function that is no escaper or word of this package
// is an error, and so is whatever else own must not hold.
func parseSet(files fs.FS, own map[string]string) (*Set, error) {
	base, err := builtin(files)
	if err != nil {
		return nil, err
	}
	mine, faults := ownSheets(base, own)
	trees := map[string]*parse.Tree{}
	for _, s := range base {
		maps.Copy(trees, s.trees)
	}
	for _, s := range mine {
		maps.Copy(trees, s.trees)
	}
	set, err := assemble(trees)
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "escapers %s\n", escapers)
	for _, s := range base {
		fmt.Fprintf(hash, "%s %d\n%s", s.name, len(s.text), s.text)
		o := mine[s.name]
		set.sheets = append(set.sheets, s.shown(o))
		if o != nil && o.text != s.text {
			fmt.Fprintf(hash, "own %s %d\n%s", o.name, len(o.text), o.text)
		}
	}
	set.print = hex.EncodeToString(hash.Sum(nil)[:8])
	if len(mine) > 0 {
		faults = append(faults, set.examine(trees, base, mine)...)
	}
	if len(faults) > 0 {
		return nil, joined(faults)
	}
	return set, nil
}

// assemble makes one set of all trees. An empty one counts, too: who defines a
// part as empty wants it gone.
func assemble(trees map[string]*parse.Tree) (*Set, error) {
	set := &Set{pages: template.New("").Funcs(funcs())}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		if _, err := set.pages.AddParseTree(name, trees[name]); err != nil {
			return nil, fmt.Errorf("join templates: %w", err)
		}
	}
	return set, nil
}

// ownSheets parses the files of a user by name.
func ownSheets(base []sheet, own map[string]string) (map[string]*sheet, []*Fault) {
	var faults []*Fault
	mine := map[string]*sheet{}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.ContainsFunc(base, func(s sheet) bool { return s.name == name }) {
			faults = append(faults, &Fault{File: name, Err: ErrUnknown})
			continue
		}
		s := &sheet{name: name, text: plainText(own[name]), own: true}
		if err := s.parse(); err != nil {
			faults = append(faults, faultOf(err, name))
			continue
		}
		mine[name] = s
	}
	return mine, append(faults, misplaced(base, mine)...)
}

// misplaced finds definitions that belong into another file.
func misplaced(base []sheet, mine map[string]*sheet) []*Fault {
	home := map[string]string{}
	for _, s := range base {
		for name := range s.trees {
			home[name] = s.name
		}
	}
	var faults []*Fault
	for _, file := range slices.Sorted(maps.Keys(mine)) {
		for _, name := range slices.Sorted(maps.Keys(mine[file].trees)) {
			switch at := home[name]; at {
			case "":
				home[name] = file
			case file:
			default:
				faults = append(faults, faultAt(mine[file].trees[name], mine[file].trees[name].Root,
					fmt.Sprintf("template %q belongs to %s", name, at)))
			}
		}
	}
	return faults
}

// builtins are the functions of package text/template that a template may use.
// Those that print or escape in a way of their own are left out.
var builtins = strings.Fields("and or not eq ne lt le gt ge len index slice print")

// parse takes the text apart into its definitions.
func (s *sheet) parse() error {
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

// outside is where the first of a list that is more than blanks begins.
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

// Templates mark by {{gap}} and {{fold}} where parts of a page stand apart. In
// the page the marks are characters that no escaper lets through.
const (
	gapMark  = '\f' // a blank line between two parts of the page
	foldMark = '\v' // the same inside a callout
)

// markRule finds the marks in other spellings than the plain ones.
var markRule = regexp.MustCompile(`\{\{(- )?[ \t]*(gap|fold)[ \t]*( -)?\}\}`)

// marks puts the characters in place of the words.
func marks(text string) string {
	gap, fold := string(gapMark), string(foldMark)
	text = strings.NewReplacer("{{gap}}", gap, "{{- gap}}", gap, "{{fold}}", fold, "{{- fold}}", fold).Replace(text)
	return markRule.ReplaceAllStringFunc(text, func(s string) string {
		return strings.NewReplacer("gap", `"\f"`, "fold", `"\v"`).Replace(s)
	})
}

// ErrUnknown says that a file bears no name of a template.
var ErrUnknown = errors.New("there is no template of this name")

// Fault is something wrong in a file of templates.
type Fault struct {
	File string
	Line int // 0: the file as a whole
	Err  error
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %v", f.File, f.Err)
	}
	return fmt.Sprintf("%s:%d: %v", f.File, f.Line, f.Err)
}

func (f *Fault) Unwrap() error { return f.Err }

// faultAt makes a fault of a node of a tree.
func faultAt(t *parse.Tree, n parse.Node, why string) *Fault {
	place, _ := t.ErrorContext(n)
	f, ok := placed(place + ": " + why)
	if !ok {
		return &Fault{File: t.ParseName, Err: errors.New(why)}
	}
	return f
}

// faultOf makes a fault of an error of package text/template in the given file.
func faultOf(err error, file string) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	why := strings.TrimPrefix(err.Error(), "template: ")
	if f, ok := placed(why); ok {
		return f
	}
	return &Fault{File: file, Err: errors.New(why)}
}

// placeRule takes "session.tmpl:12:5: why" apart.
var placeRule = regexp.MustCompile(`(?s)^([^:\s]+\.tmpl):(\d+):(?:\d+:)? *(.*)$`)

func placed(s string) (*Fault, bool) {
	m := placeRule.FindStringSubmatch(s)
	if m == nil {
		return nil, false
	}
	f := &Fault{File: m[1], Err: errors.New(m[3])}
	_, err := fmt.Sscan(m[2], &f.Line)
	return f, err == nil
}

// Faults are what an error of [With] is made of, in the order of files and lines.
func Faults(err error) []*Fault {
	var one *Fault
	var many interface{ Unwrap() []error }
	switch {
	case errors.As(err, &many):
		var out []*Fault
		for _, e := range many.Unwrap() {
			out = append(out, Faults(e)...)
		}
		return out
	case errors.As(err, &one):
		return []*Fault{one}
	}
	return nil
}

// joined puts faults into one error, in order of their places.
func joined(faults []*Fault) error {
	slices.SortStableFunc(faults, func(a, b *Fault) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	errs := make([]error, 0, len(faults))
	for i, f := range faults {
		if i == 0 || f.Error() != faults[i-1].Error() {
			errs = append(errs, f)
		}
	}
	return errors.Join(errs...)
}

// regionRule finds what delimits the regions of a note.
var regionRule = regexp.MustCompile(`(?m)^[ \t]*%%[ \t]*sessionloom:`)
