package templates

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
)

// TemplateFile is one file of templates.
type TemplateFile struct {
	Name  string   // "session.tmpl"
	About string   // its purpose, in a sentence or two
	Parts []string // names of the templates it defines, the page first
	Own   bool     // it is replaced by a user's file
	Text  string   // the effective text: the user's, followed by the parts it leaves to the program
}

type source struct {
	name  string
	text  string // line ends are LF, without a byte order mark
	trees map[string]*parse.Tree
}

func builtin(files fs.FS) ([]source, error) {
	names, err := fs.Glob(files, "*.tmpl") // in order of name
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	out := make([]source, 0, len(names))
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read template: %w", err)
		}
		out = append(out, source{name: name, text: plainText(string(text))})
	}
	return out, nil
}

func treesOf(files []source) (map[string]*parse.Tree, error) {
	trees := map[string]*parse.Tree{}
	for i := range files {
		s := &files[i]
		if err := s.parse(); err != nil {
			return nil, fmt.Errorf("parse template: %w", err)
		}
		for name, tree := range s.trees {
			if trees[name] != nil {
				return nil, fmt.Errorf("parse template %s: %q is defined twice", s.name, name)
			}
			trees[name] = tree
		}
	}
	return trees, nil
}

func plainText(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
}

func purpose(text string) string {
	_, rest, _ := strings.Cut(text, "{{/*")
	words, _, _ := strings.Cut(rest, "*/")
	return strings.Join(strings.Fields(words), " ")
}

// parts splits a file of the program into its definitions.
func parts(text string) (names []string, texts map[string]string) {
	texts = map[string]string{}
	found := definition.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		name := text[at[2]:at[3]]
		names, texts[name] = append(names, name), text[at[0]:end]
	}
	return names, texts
}

var definition = regexp.MustCompile(`(?m)^\{\{(?:- )?define "([^"]*)"`)

// listed returns a file for others, with the user's in its place.
func (s source) listed(own *source) TemplateFile {
	names, texts := parts(s.text)
	out := TemplateFile{Name: s.name, About: purpose(s.text), Parts: names, Text: s.text}
	if own == nil {
		return out
	}
	out.Own, out.Text = true, strings.TrimRight(own.text, "\n")+"\n"
	for _, name := range names {
		if own.trees[name] == nil {
			out.Text += "\n" + texts[name]
		}
	}
	return out
}

// ErrUnknown means that a file does not have a template's name.
var ErrUnknown = errors.New("there is no template of this name")

// Fault is a fault in a file of templates.
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

func faultAt(t *parse.Tree, n parse.Node, why string) *Fault {
	place, _ := t.ErrorContext(n)
	f, ok := placed(place + ": " + why)
	if !ok {
		return &Fault{File: t.ParseName, Err: errors.New(why)}
	}
	return f
}

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

// placeRule splits "session.tmpl:12:5: why".
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

// Faults returns the parts of an error of [With], sorted by files and lines.
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

func joined(faults []*Fault) error {
	slices.SortStableFunc(faults, func(a, b *Fault) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
	errs := make([]error, 0, len(faults))
	for i, f := range faults {
		if i == 0 || f.Error() != faults[i-1].Error() {
			errs = append(errs, f)
		}
	}
	return errors.Join(errs...)
}
