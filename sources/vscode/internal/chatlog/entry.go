package chatlog

import (
	"math"
	"reflect"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// The kinds of entries (objectMutationLog.ts of VS Code).
const (
	kindInitial = 0
	kindSet     = 1
	kindPush    = 2
	kindDelete  = 3
)

// step is one step of a path: a member's name, or an element's index.
type step struct {
	name  string
	index int // -1: a name
}

// ReadJSON implements decode.Reader.
func (s *step) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var said decode.Scalar
	err = d.Read(&said)
	n, ok := decode.Number(said.Text)
	*s = step{name: said.String(), index: -1}
	if said.Kind == '0' && ok && n >= 0 && n <= math.MaxInt32 {
		s.index = int(n)
	}
	return true, err
}

// entry is one mutation.
type entry struct {
	kind  *int64 // nil: none was given
	path  []step
	cut   *int64        // length to cut the array to before the push, nil: it stays
	value reflect.Value // of the type declared at the path; invalid: there is none, or nothing of it is kept
	bad   bool          // it is no entry
}

// readEntry reads a mutation, its value as far as it is kept. With an error an
// initial entry has what could be read of the session.
func readEntry(d *decode.Decoder) (e entry, err error) {
	if d.PeekKind() != '{' {
		return entry{bad: true}, d.SkipValue()
	}
	err = d.Members(func(name string) error {
		switch name {
		case "kind":
			e.bad = e.bad || e.value.IsValid() // VS Code writes the value last
			return d.Read(&e.kind)
		case "k":
			e.bad = e.bad || e.value.IsValid()
			return d.Read(&e.path)
		case "i":
			return d.Read(&e.cut)
		case "v":
			return e.readValue(d)
		}
		return d.SkipValue()
	})
	e.bad = e.bad || e.is(kindInitial) && !e.value.IsValid()
	return e, err
}

// is tells the kind of an entry.
func (e *entry) is(kind int64) bool { return e.kind != nil && *e.kind == kind }

func (e *entry) readValue(d *decode.Decoder) error {
	kind, at := d.PeekKind(), e.place()
	switch {
	case e.kind == nil:
		e.bad = true
	case e.is(kindInitial):
		e.bad = kind != '{'
	case e.is(kindPush):
		at = decode.ListType(at)
		e.bad = kind != '['
	}
	if at == nil || e.bad {
		return d.SkipValue()
	}
	e.value = reflect.New(at).Elem()
	return d.ReadInto(e.value)
}

// place is the type declared where the entry changes something, nil: none is.
func (e *entry) place() reflect.Type {
	t := reflect.TypeFor[Session]()
	if e.is(kindInitial) {
		return t
	}
	for _, s := range e.path {
		if s.index < 0 {
			t = decode.MemberType(t, s.name)
		} else if t = decode.ListType(t); t != nil {
			t = t.Elem()
		}
	}
	return t
}
