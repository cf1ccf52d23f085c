package chatlog

import (
	"errors"
	"math"
	"reflect"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// maxPadding is how many nulls a whole log may ask for by naming places behind the end of an array.
const maxPadding = 1 << 16

// errMissing says that an entry changes what is not there.
var errMissing = errors.New("changes what is not there")

// apply changes the state by an entry of a known kind. Of what is not declared nothing is kept.
func (r *logReader) apply(e entry) error {
	if e.is(kindInitial) {
		r.reset(e)
		r.Whole = true // nothing before is missing
		return nil
	}
	if r.State == nil { // the start of the log is gone
		r.State = &Session{Requests: []*Request{}}
	}
	at, err := r.place(e.path)
	if err != nil || len(e.path) == 0 || !at.IsValid() {
		return err
	}
	r.note(e)
	switch list := decode.List(at); {
	case e.is(kindPush) && list.IsValid():
		return r.push(list, e)
	case e.is(kindPush):
	case e.is(kindDelete) || !e.value.IsValid():
		at.SetZero()
	default:
		at.Set(e.value)
	}
	return nil
}

// place is where a path leads, for which arrays grow; invalid: nothing of that is kept.
func (r *logReader) place(path []step) (v reflect.Value, err error) {
	state := r.State
	if state == nil {
		state = &Session{}
	}
	v = reflect.ValueOf(state).Elem()
	for _, at := range path {
		if !v.IsValid() {
			break
		}
		if at.index < 0 {
			v = decode.Member(v, at.name)
			continue
		}
		list := decode.List(v)
		if v = (reflect.Value{}); list.IsValid() {
			if err := r.resize(list, max(int64(list.Len()), int64(at.index)+1)); err != nil {
				return v, err
			}
			v = list.Index(at.index)
		}
	}
	return v, nil
}

func (r *logReader) reset(e entry) {
	r.State = e.value.Addr().Interface().(*Session)
	r.note(e)
}

// push appends to an array, which is cut before to a length where the entry tells one.
func (r *logReader) push(list reflect.Value, e entry) error {
	if e.cut != nil && *e.cut >= 0 {
		if err := r.resize(list, *e.cut); err != nil {
			return err
		}
	}
	if e.value.IsValid() {
		list.Set(reflect.AppendSlice(list, e.value))
	}
	return nil
}

// resize cuts an array, or makes it grow with what is null.
func (r *logReader) resize(list reflect.Value, length int64) error {
	if length > int64(list.Len()+maxPadding-r.padding) {
		return errMissing
	}
	n := int(length)
	if n < list.Len() {
		list.Slice(n, list.Len()).Clear()
	} else {
		r.padding += n - list.Len()
		list.Grow(n - list.Len())
	}
	list.SetLen(n)
	return nil
}

func (r *logReader) note(e entry) {
	if !e.value.IsValid() {
		return
	}
	var brought []*Request
	switch v := e.value.Addr().Interface().(type) {
	case *Session:
		brought = v.Requests
	case *[]*Request:
		brought = *v
	case **Request:
		brought = []*Request{*v}
	}
	for _, one := range brought {
		if one != nil && one.RequestID != "" {
			r.seen[one.RequestID] = true
		}
	}
}

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

// entry is one mutation, or a session that is alone in its file: an initial entry.
type entry struct {
	kind  *int64 // nil: none was given
	path  []step
	cut   *int64        // length to cut the array to before the push, nil: it stays
	value reflect.Value // of the type declared at the path; invalid: there is none, or nothing of it is kept
	bad   bool          // it is no entry
	alone bool          // it is a session
}

// readEntry reads a mutation, its value as far as it is kept. With an error an initial entry has
// what could be read of the session.
func (r *logReader) readEntry() (e entry, err error) {
	d := r.Decoder
	if d.PeekKind() != '{' {
		return entry{bad: true}, d.SkipValue()
	}
	var session *Session
	err = d.Members(func(name string) error {
		switch name {
		case "kind":
			return d.Read(&e.kind)
		case "k":
			return d.Read(&e.path)
		case "i":
			return d.Read(&e.cut)
		case "v": // which VS Code writes last
			return r.readValue(&e)
		}
		if session == nil {
			session = &Session{}
		}
		return d.Member(session, name)
	})
	if v := reflect.ValueOf(session); session != nil && e.kind == nil && !v.Elem().IsZero() {
		e.kind, e.value, e.bad, e.alone = new(int64), v.Elem(), false, true
	}
	e.bad = e.bad || e.is(kindInitial) && !e.value.IsValid()
	return e, err
}

func (e *entry) is(kind int64) bool { return e.kind != nil && *e.kind == kind }

func (r *logReader) readValue(e *entry) error {
	kind := r.PeekKind()
	at, err := r.place(e.path)
	switch {
	case e.kind == nil:
		e.bad = true
	case e.is(kindInitial):
		at, e.bad = reflect.ValueOf(&Session{}).Elem(), kind != '{'
	case e.is(kindPush) && at.IsValid():
		at, e.bad = decode.List(at), kind != '['
	}
	if err != nil || e.bad || !at.IsValid() { // what is wrong with the place is told later
		return r.SkipValue()
	}
	e.value = reflect.New(at.Type()).Elem()
	return r.ReadInto(e.value)
}
