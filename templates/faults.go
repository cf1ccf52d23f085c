package templates

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
)

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
