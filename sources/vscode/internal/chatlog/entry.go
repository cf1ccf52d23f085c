package chatlog

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// The kinds of entries (objectMutationLog.ts of VS Code).
const (
	kindInitial = 0
	kindSet     = 1
	kindPush    = 2
	kindDelete  = 3
)

// maxPath is how many steps the path of an entry may have; VS Code's own have
// four at most.
const maxPath = 100

var (
	errNoEntry = errors.New("not an entry of a mutation log")
	// errLate says that the value stands before what tells how to read it.
	errLate = errors.New("the value stands before its path")
)

// step is one step of a path: a member's name, or an element's index.
type step struct {
	name  string
	index int // -1: a name
}

// entry is one mutation.
type entry struct {
	kind    int64 // -1: none was given
	path    []step
	hasPath bool
	cut     int64 // length to cut the array to before the push, -1: it stays

	hasValue bool          // there is a value, even if nothing of it is kept
	notList  bool          // the value is no array
	value    reflect.Value // of a set or push, of the type declared at the path; invalid: none is

	begin int64          // offset in the decoder's input
	read  *sessionReader // of an initial entry
	late  bool           // the value stood before what tells how to read it
	bad   bool           // a member is not what it must be
}

// readEntry reads a mutation, its value as far as it is kept. known is what a
// first reading told of one whose value stands first (errLate), else nil. Behind
// one that is errNoEntry the next can be read. With any other error an initial
// entry has what could be read of the session.
func readEntry(d *decode.Decoder, known *entry) (entry, error) {
	e := entry{kind: -1, cut: -1, begin: d.InputOffset()}
	if known != nil {
		e.kind, e.path, e.hasPath = known.kind, known.path, true
	}
	if d.PeekKind() != '{' {
		if err := d.SkipValue(); err != nil {
			return e, err
		}
		return e, errNoEntry
	}
	e.begin += int64(bytes.IndexByte(d.UnreadBuffer(), '{')) // behind blanks
	err := d.Members(func(name string) error { return e.readMember(d, name) })
	switch {
	case err != nil:
	case e.bad:
		err = errNoEntry
	case e.late && e.kind >= 0 && known == nil:
		err = errLate
	}
	return e, err
}

func (e *entry) readMember(d *decode.Decoder, name string) error {
	switch name {
	case "kind":
		var kind decode.Scalar
		err := d.Read(&kind)
		if v, ok := natural(kind); ok {
			e.kind = v
		}
		return err
	case "k":
		return e.readPath(d)
	case "i":
		var cut decode.Scalar
		there := d.PeekKind() != 'n'
		err := d.Read(&cut)
		if v, ok := natural(cut); ok {
			e.cut = v
		} else if there {
			e.bad = true
		}
		return err
	case "v":
		e.hasValue = true
		return e.readValue(d)
	}
	return d.SkipValue()
}

func (e *entry) readValue(d *decode.Decoder) error {
	switch {
	case e.kind == kindInitial:
		e.read = &sessionReader{}
		err := e.read.read(d)
		if errors.Is(err, errNoSession) {
			e.bad, err = true, nil
		}
		return err
	case e.kind < 0 || !e.hasPath:
		e.late = true
		return d.SkipValue()
	case e.kind != kindSet && e.kind != kindPush:
		return d.SkipValue()
	}
	at := typeAt(reflect.TypeFor[Session](), e.path)
	if e.kind == kindPush {
		at = decode.ListType(at)
		e.notList = d.PeekKind() != '['
	}
	if at == nil {
		return d.SkipValue()
	}
	e.value = reflect.New(at).Elem()
	return d.ReadInto(e.value)
}

// typeAt is what is declared at a path, nil: nothing.
func typeAt(t reflect.Type, path []step) reflect.Type {
	for _, s := range path {
		if s.index >= 0 {
			if t = decode.ListType(t); t != nil {
				t = t.Elem()
			}
		} else {
			t = decode.MemberType(t, s.name)
		}
	}
	return t
}

// readPath leaves the entry without a path where that is none.
func (e *entry) readPath(d *decode.Decoder) error {
	var steps []decode.Scalar
	isList := d.PeekKind() == '['
	err := d.Read(&steps)
	e.path, e.hasPath = pathOf(steps)
	e.hasPath = e.hasPath && isList
	e.bad = e.bad || !e.hasPath
	return err
}

func pathOf(steps []decode.Scalar) ([]step, bool) {
	if len(steps) > maxPath {
		return nil, false
	}
	path := make([]step, 0, len(steps))
	for _, item := range steps {
		s := step{name: item.Text, index: -1}
		if item.Kind != '"' {
			v, ok := natural(item)
			if !ok || v > math.MaxInt32 {
				return nil, false
			}
			s.index = int(v)
		}
		path = append(path, s)
	}
	return path, true
}

// natural reads a number that can be an index or a length. 0.5 is none.
func natural(s decode.Scalar) (int64, bool) {
	if s.Kind != '0' {
		return 0, false
	}
	v, ok := decode.Number(s.Text)
	f, err := strconv.ParseFloat(s.Text, 64)
	return v, ok && err == nil && v >= 0 && float64(v) == f
}
