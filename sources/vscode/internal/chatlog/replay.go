package chatlog

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// maxPadding is how many nulls a whole log may ask for by naming places behind
// the end of an array.
const maxPadding = 1 << 16

// errMissing says that an entry changes what is not there.
var errMissing = errors.New("changes what is not there")

// session is the state of a session while its log is replayed.
type session struct {
	root    *Session // nil before the first entry
	begun   bool     // an initial entry was read: nothing before is missing
	rewound bool
	padding int
	// hole is where requests are missing, if any are: their number when an entry
	// was lost, -1 while none was.
	hole int
}

func newSession() *session { return &session{padding: maxPadding, hole: -1} }

// requests are those so far.
func (s *session) requests() []*Request {
	if s.root == nil {
		return nil
	}
	return s.root.Requests
}

// apply changes the state by an entry of a known kind.
func (s *session) apply(e entry) error {
	if e.kind == kindInitial {
		if e.read == nil || e.read.state == nil {
			return errNoEntry
		}
		s.reset(e.read.state, true)
		return nil
	}
	if s.root == nil { // the start of the log is gone
		s.root = &Session{Requests: []*Request{}}
	}
	if !e.hasPath {
		return errNoEntry
	}
	if len(e.path) == 0 {
		return nil
	}
	s.fill(e)
	if e.path[0].name != "requests" || len(e.path) > 2 {
		return s.change(e)
	}
	before := requestIDs(s.requests(), e)
	err := s.change(e)
	if lost(before, requestIDs(s.requests(), e)) {
		s.rewound = true
	}
	return err
}

// fill makes room where a lost entry added requests. That one was lost shows
// when an entry names a place that is not there: the requests that came behind
// the hole then stand too far ahead.
func (s *session) fill(e entry) {
	requests := s.requests()
	if s.hole < 0 || requests == nil || e.path[0].name != "requests" {
		return
	}
	want := e.cut
	if len(e.path) > 1 {
		want = int64(e.path[1].index) + 1
	}
	missing := want - int64(len(requests))
	if missing <= 0 || s.hole > len(requests) || s.pad(len(requests), want) != nil {
		return
	}
	s.root.Requests = slices.Insert(requests, s.hole, make([]*Request, missing)...)
}

// reset replaces the state. begun says that it is all of the session.
func (s *session) reset(state *Session, begun bool) {
	all := entry{kind: kindInitial}
	before := requestIDs(s.requests(), all)
	s.root, s.begun, s.hole = state, begun, -1
	if lost(before, requestIDs(s.requests(), all)) {
		s.rewound = true
	}
}

// change sets, pushes or deletes at the path of the entry. Where nothing is
// declared, nothing is kept.
func (s *session) change(e entry) error {
	at := typeAt(reflect.TypeFor[Session](), e.path)
	if at == nil || e.kind == kindPush && decode.ListType(at) == nil {
		return nil
	}
	v := reflect.ValueOf(s.root).Elem()
	above := []reflect.Value{v} // outermost first
	for _, step := range e.path[:len(e.path)-1] {
		var err error
		if v, err = s.below(v, step); err != nil {
			return err
		}
		above = append(above, v)
	}
	err := s.changeAt(v, e)
	for _, v := range slices.Backward(above) {
		if r, ok := v.Addr().Interface().(decode.Reducer); ok {
			r.Reduce()
		}
	}
	return err
}

// changeAt changes what the last step of the path leads to.
func (s *session) changeAt(parent reflect.Value, e entry) error {
	last := e.path[len(e.path)-1]
	if e.kind == kindPush {
		if !e.hasValue && e.cut < 0 {
			return nil
		}
		if e.hasValue && e.notList {
			return errNoEntry
		}
		return s.push(parent, last, e)
	}
	at, err := s.child(parent, last)
	switch {
	case err != nil:
		return err
	case e.kind == kindDelete || !e.value.IsValid():
		at.SetZero()
	default:
		at.Set(e.value)
	}
	return nil
}

// push appends to an array, which is cut before to a length where the entry tells
// one.
func (s *session) push(parent reflect.Value, last step, e entry) error {
	at, err := s.child(parent, last)
	if err != nil {
		return err
	}
	list := decode.List(filled(at))
	if e.cut >= 0 {
		if err := s.resize(list, e.cut); err != nil {
			return err
		}
	}
	if e.value.IsValid() {
		list.Set(reflect.AppendSlice(list, e.value))
	}
	return nil
}

// child is the place at a step: a member, or an element, for which the array grows.
func (s *session) child(parent reflect.Value, at step) (reflect.Value, error) {
	if at.index < 0 {
		return decode.Member(parent, at.name), nil
	}
	list := decode.List(parent)
	if list.Len() <= at.index {
		if err := s.resize(list, int64(at.index)+1); err != nil {
			return list, err
		}
	}
	return list.Index(at.index), nil
}

// resize cuts an array, or makes it grow with what is null.
func (s *session) resize(list reflect.Value, length int64) error {
	if err := s.pad(list.Len(), length); err != nil {
		return err
	}
	n := int(length)
	if n < list.Len() {
		list.Slice(n, list.Len()).Clear()
	} else {
		list.Grow(n - list.Len())
	}
	list.SetLen(n)
	return nil
}

// pad accounts for the nulls an array needs to reach a length.
func (s *session) pad(have int, length int64) error {
	gap := length - int64(have)
	if gap <= 0 {
		return nil
	}
	if gap > int64(s.padding) {
		return errMissing
	}
	s.padding -= int(gap)
	return nil
}

// below is what lies at a step, which must be there unless an entry was lost.
func (s *session) below(v reflect.Value, at step) (reflect.Value, error) {
	whole := s.begun && s.hole < 0
	if whole && at.index >= 0 && at.index >= decode.List(v).Len() {
		return v, errMissing
	}
	found, err := s.child(v, at)
	if err == nil && whole && found.Kind() == reflect.Pointer && found.IsNil() {
		err = errMissing
	}
	if err != nil {
		return v, err
	}
	return filled(found), nil
}

// filled is what a pointer points to, which is made where there is nothing.
func filled(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return v.Elem()
}

// requestIDs names the requests an entry may take away. Of one without an id
// the place stands for it.
func requestIDs(requests []*Request, e entry) []string {
	from, to := 0, len(requests)
	switch {
	case len(e.path) == 2:
		from, to = e.path[1].index, min(to, e.path[1].index+1)
	case e.kind == kindPush && e.cut < 0:
		return nil // takes nothing away
	case e.kind == kindPush:
		from = int(min(e.cut, int64(to)))
	}
	var ids []string
	for i := max(from, 0); i < to; i++ {
		switch r := requests[i]; {
		case r == nil:
		case r.RequestID == "":
			ids = append(ids, fmt.Sprint("#", i))
		default:
			ids = append(ids, r.RequestID)
		}
	}
	return ids
}

// lost tells whether one of the ids is no longer there.
func lost(before, after []string) bool {
	if len(before) == 0 {
		return false
	}
	there := make(map[string]bool, len(after))
	for _, id := range after {
		there[id] = true
	}
	for _, id := range before {
		if !there[id] {
			return true
		}
	}
	return false
}
