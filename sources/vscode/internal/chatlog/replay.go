package chatlog

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// maxPadding is how many nulls a whole log may ask for by naming places behind
// the end of an array.
const maxPadding = 1 << 16

// errMissing says that an entry changes what is not there.
var errMissing = errors.New("changes what is not there")

// session is the state of a session while its log is replayed.
type session struct {
	keep    *tree.Keep
	root    *tree.Node // nil before the first entry
	begun   bool       // an initial entry was read: nothing before is missing
	rewound bool
	padding int
	// hole is where requests are missing, if any are: their number when an entry
	// was lost, -1 while none was.
	hole int
}

func newSession(keep *tree.Keep) *session {
	return &session{keep: keep, padding: maxPadding, hole: -1}
}

// requests is the array of requests, nil where there is none.
func (s *session) requests() *tree.Node {
	if r := s.root.Get("requests"); r.Kind() == tree.Array {
		return r
	}
	return nil
}

// apply changes the state by an entry of a known kind.
func (s *session) apply(e entry) error {
	if e.kind == kindInitial {
		if e.value.Kind() != tree.Object {
			return errNoEntry
		}
		s.reset(e.value, true)
		return nil
	}
	if s.root == nil { // the start of the log is gone
		s.root = tree.NewObject()
		s.root.Set("requests", tree.NewArray())
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
	missing := want - int64(requests.Len())
	if missing <= 0 || s.hole > requests.Len() || s.pad(requests, want) != nil {
		return
	}
	behind := slices.Clone(requests.Items()[s.hole:])
	requests.Resize(s.hole)
	requests.Resize(s.hole + int(missing))
	requests.Push(behind...)
}

// reset replaces the state. begun says that it is all of the session.
func (s *session) reset(value *tree.Node, begun bool) {
	all := entry{kind: kindInitial}
	before := requestIDs(s.requests(), all)
	s.root, s.begun, s.hole = value, begun, -1
	if lost(before, requestIDs(s.requests(), all)) {
		s.rewound = true
	}
}

// change sets, pushes or deletes at the path of the entry.
func (s *session) change(e entry) error {
	if at, hidden := keepAt(s.keep, e.path); hidden || e.kind == kindPush && at.Made() {
		return nil
	}
	node, keep := s.root, s.keep
	var reduced []func() // outermost first
	var err error
	for i, step := range e.path[:len(e.path)-1] {
		if node, err = s.below(node, step, e.path[i+1]); err != nil {
			break
		}
		if keep = under(keep, step); keep != nil && keep.Leaf != nil {
			leaf, whole := keep.Leaf, node
			reduced = append(reduced, func() { leaf(whole) })
		}
	}
	if err == nil {
		err = s.changeAt(node, e)
	}
	for i := len(reduced) - 1; i >= 0; i-- {
		reduced[i]()
	}
	if len(reduced) > 0 {
		return nil // what is missing may have been left out
	}
	return err
}

func under(keep *tree.Keep, s step) *tree.Keep {
	if s.index >= 0 {
		return keep.Element()
	}
	return keep.Member(s.name)
}

func (s *session) changeAt(parent *tree.Node, e entry) error {
	last := e.path[len(e.path)-1]
	if e.kind != kindPush {
		value := e.value
		if e.kind == kindDelete {
			value = nil
		}
		return s.put(parent, last, value)
	}
	if !e.hasValue && e.cut < 0 {
		return nil
	}
	if e.hasValue && e.value.Kind() != tree.Array {
		return errNoEntry
	}
	array := child(parent, last)
	if !array.Has() {
		array = tree.NewArray()
		if err := s.put(parent, last, array); err != nil {
			return err
		}
	}
	if array.Kind() != tree.Array {
		return errMissing
	}
	if e.cut >= 0 {
		if err := s.pad(array, e.cut); err != nil {
			return err
		}
		array.Resize(int(e.cut))
	}
	array.Push(e.value.Items()...)
	return nil
}

// put sets a member or an element; nil takes it away, an element becomes null.
func (s *session) put(parent *tree.Node, at step, value *tree.Node) error {
	switch {
	case at.index < 0 && parent.Kind() == tree.Object:
		parent.Set(at.name, value)
	case at.index >= 0 && parent.Kind() == tree.Array:
		if err := s.pad(parent, int64(at.index)); err != nil {
			return err
		}
		parent.SetAt(at.index, value)
	default:
		return errMissing
	}
	return nil
}

// pad accounts for the nulls an array needs to reach a length.
func (s *session) pad(array *tree.Node, length int64) error {
	gap := length - int64(array.Len())
	if gap <= 0 {
		return nil
	}
	if gap > int64(s.padding) {
		return errMissing
	}
	s.padding -= int(gap)
	return nil
}

// below is the child at a step, which must be there unless an entry was lost;
// then it is made for the step that follows.
func (s *session) below(node *tree.Node, at, next step) (*tree.Node, error) {
	found := child(node, at)
	if found.Kind() == tree.Object || found.Kind() == tree.Array {
		return found, nil
	}
	if s.begun && s.hole < 0 || found.Has() {
		return nil, errMissing
	}
	found = tree.NewObject()
	if next.index >= 0 {
		found = tree.NewArray()
	}
	return found, s.put(node, at, found)
}

func child(n *tree.Node, at step) *tree.Node {
	if at.index >= 0 {
		return n.At(at.index)
	}
	return n.Get(at.name)
}

// requestIDs names the requests an entry may take away. Of one without an id
// the place stands for it.
func requestIDs(requests *tree.Node, e entry) []string {
	from, to := 0, requests.Len()
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
		id := requests.At(i).Get("requestId").Text()
		if id == "" && requests.At(i).Has() {
			id = fmt.Sprint("#", i)
		}
		if id != "" {
			ids = append(ids, id)
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
