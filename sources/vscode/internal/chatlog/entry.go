package chatlog

import (
	"errors"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
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
	kind     int64 // -1: none was given
	path     []step
	hasPath  bool
	value    *tree.Node // as far as it is kept
	hasValue bool       // there is a value, even if nothing of it is kept
	cut      int64      // length to cut the array to before the push, -1: it stays

	begin int64          // offset in the decoder's input
	read  *sessionReader // of an initial entry
	late  bool           // the value stood before what tells how to read it
	bad   bool           // a member is not what it must be
}

// readEntry reads a mutation, its value as far as it is kept. known is what a
// first reading told of one whose value stands first (errLate), else nil. Behind
// one that is errNoEntry the next can be read. With any other error an initial
// entry has what could be read of the session.
func readEntry(d *jsontext.Decoder, keep *tree.Keep, known *entry) (entry, error) {
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
	if _, err := d.ReadToken(); err != nil {
		return e, err
	}
	e.begin = d.InputOffset() - 1
	for d.PeekKind() != '}' {
		tok, err := d.ReadToken()
		if err != nil {
			return e, err
		}
		if err := e.readMember(d, keep, tok.String()); err != nil {
			return e, err
		}
	}
	_, err := d.ReadToken()
	switch {
	case err != nil:
	case e.bad:
		err = errNoEntry
	case e.late && e.kind >= 0 && known == nil:
		err = errLate
	}
	return e, err
}

func (e *entry) readMember(d *jsontext.Decoder, keep *tree.Keep, name string) error {
	switch name {
	case "kind":
		n, err := tree.Read(d, atom)
		if v, ok := natural(n); ok {
			e.kind = v
		}
		return err
	case "k":
		n, err := tree.Read(d, &tree.Keep{Rest: dropped, Each: atom})
		e.path, e.hasPath = pathOf(n)
		e.bad = e.bad || !e.hasPath
		return err
	case "i":
		n, err := tree.Read(d, atom)
		if v, ok := natural(n); ok {
			e.cut = v
		} else if n.Has() {
			e.bad = true
		}
		return err
	case "v":
		e.hasValue = true
		return e.readValue(d, keep)
	}
	return d.SkipValue()
}

func (e *entry) readValue(d *jsontext.Decoder, keep *tree.Keep) (err error) {
	switch {
	case e.kind == kindInitial:
		e.read = &sessionReader{keep: keep}
		if err = e.read.read(d); errors.Is(err, errNoSession) {
			e.bad, err = true, nil
		}
		e.value = e.read.state
		return err
	case e.kind < 0 || !e.hasPath:
		e.late = true
		return d.SkipValue()
	case e.kind != kindSet && e.kind != kindPush:
		return d.SkipValue()
	}
	keep, hidden := keepAt(keep, e.path)
	if hidden || e.kind == kindPush && keep.Made() {
		return d.SkipValue()
	}
	e.value, err = tree.Read(d, keep)
	return err
}

// keepAt is what is kept of the value at a path. hidden says that it lies in
// what is left out or was reduced, so that nothing there changes what is kept.
func keepAt(keep *tree.Keep, path []step) (at *tree.Keep, hidden bool) {
	for _, s := range path {
		if keep.Made() || keep != nil && keep.Drop {
			return nil, true
		}
		if s.index >= 0 {
			keep = keep.Element()
		} else {
			keep = keep.Member(s.name)
		}
	}
	return keep, keep != nil && keep.Drop
}

// pathOf is false for what is no path.
func pathOf(n *tree.Node) ([]step, bool) {
	if n.Kind() != tree.Array || n.Len() > maxPath {
		return nil, false
	}
	path := make([]step, 0, n.Len())
	for _, item := range n.Items() {
		s := step{name: item.Text(), index: -1}
		if item.Kind() != tree.String {
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
func natural(n *tree.Node) (int64, bool) {
	v, ok := n.Int()
	f, err := strconv.ParseFloat(n.Literal(), 64)
	return v, ok && err == nil && v >= 0 && float64(v) == f
}
