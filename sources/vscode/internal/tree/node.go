// Package tree holds JSON values as far as they are kept: what nobody shows is
// left out while the value streams by, so that memory is bounded by what is kept
// and not by the file.
package tree

import (
	"iter"
	"strconv"
)

// Kind is the kind of a JSON value.
type Kind byte

// The kinds of values. A missing value is a nil *Node.
const (
	Null   Kind = 'n'
	False  Kind = 'f'
	True   Kind = 't'
	String Kind = '"'
	Number Kind = '0'
	Object Kind = '{'
	Array  Kind = '['
)

// Node is one JSON value. All methods that read do nothing on a nil Node and on
// one of another kind but return zero values, so that lenient code needs no
// checks: n.Get("result").Get("timings").Int().
type Node struct {
	kind  Kind
	text  string // of a String, and of a Number as it was written
	names []string
	items []*Node
	index *index // of a large object, once a member was looked for
}

// index finds the members of a large object.
type index struct {
	at map[string]int // the last one of a name
	n  int            // so many members are in it
}

// largeObject is how many members an object has that gets an index.
const largeObject = 64

// NewObject returns an empty object.
func NewObject() *Node { return &Node{kind: Object} }

// NewArray returns an array.
func NewArray(items ...*Node) *Node { return &Node{kind: Array, items: items} }

// NewString returns a string.
func NewString(s string) *Node { return &Node{kind: String, text: s} }

// NewNull returns null.
func NewNull() *Node { return &Node{kind: Null} }

// NewInt returns a number.
func NewInt(v int64) *Node { return &Node{kind: Number, text: strconv.FormatInt(v, 10)} }

// Kind is 0 for a missing value.
func (n *Node) Kind() Kind {
	if n == nil {
		return 0
	}
	return n.kind
}

// Has tells whether there is a value other than null.
func (n *Node) Has() bool { return n != nil && n.kind != Null }

// Get returns the member of an object. Of members with one name the last counts.
func (n *Node) Get(name string) *Node {
	if i := n.find(name); i >= 0 {
		return n.items[i]
	}
	return nil
}

func (n *Node) find(name string) int {
	if n == nil || n.kind != Object {
		return -1
	}
	if len(n.names) > largeObject {
		return n.indexed(name)
	}
	for i := len(n.names) - 1; i >= 0; i-- {
		if n.names[i] == name {
			return i
		}
	}
	return -1
}

func (n *Node) indexed(name string) int {
	if n.index == nil {
		n.index = &index{at: make(map[string]int, len(n.names))}
	}
	for ; n.index.n < len(n.names); n.index.n++ {
		n.index.at[n.names[n.index.n]] = n.index.n
	}
	if i, ok := n.index.at[name]; ok {
		return i
	}
	return -1
}

// At returns an element of an array.
func (n *Node) At(i int) *Node {
	if n == nil || n.kind != Array || i < 0 || i >= len(n.items) {
		return nil
	}
	return n.items[i]
}

// Len is the number of elements of an array or members of an object.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.items)
}

// Items returns the elements of an array. The slice belongs to the node.
func (n *Node) Items() []*Node {
	if n == nil || n.kind != Array {
		return nil
	}
	return n.items
}

// Members runs over an object in the order in which it was written.
func (n *Node) Members() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		if n == nil || n.kind != Object {
			return
		}
		for i, name := range n.names {
			if !yield(name, n.items[i]) {
				return
			}
		}
	}
}

// Text is that of a string.
func (n *Node) Text() string {
	if n == nil || n.kind != String {
		return ""
	}
	return n.text
}

// Literal is a number as it was written.
func (n *Node) Literal() string {
	if n == nil || n.kind != Number {
		return ""
	}
	return n.text
}

// Int is a number without its fraction; ok is false where it is none or does
// not fit.
func (n *Node) Int() (v int64, ok bool) {
	if n == nil || n.kind != Number {
		return 0, false
	}
	if v, err := strconv.ParseInt(n.text, 10, 64); err == nil {
		return v, true
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil || f < -1<<62 || f > 1<<62 {
		return 0, false
	}
	return int64(f), true
}

// Bool is true or false; ok is false where the value is neither.
func (n *Node) Bool() (v, ok bool) {
	if n == nil {
		return false, false
	}
	return n.kind == True, n.kind == True || n.kind == False
}

// Set puts a member of an object; a nil value removes it.
func (n *Node) Set(name string, value *Node) {
	i := n.find(name)
	switch {
	case value == nil && i < 0:
	case value == nil:
		n.names = append(n.names[:i:i], n.names[i+1:]...)
		n.items = append(n.items[:i:i], n.items[i+1:]...)
		n.index = nil
		n.Set(name, nil) // an earlier one of the same name
	case i >= 0:
		n.items[i] = value
	default:
		n.names, n.items = append(n.names, name), append(n.items, value)
	}
}

// SetAt puts an element of an array, which grows with nulls up to it.
func (n *Node) SetAt(i int, value *Node) {
	for len(n.items) <= i {
		n.items = append(n.items, &Node{kind: Null})
	}
	if value == nil {
		value = &Node{kind: Null}
	}
	n.items[i] = value
}

// Resize cuts an array to length, or grows it with nulls.
func (n *Node) Resize(length int) {
	if length > len(n.items) {
		n.SetAt(length-1, nil)
		return
	}
	clear(n.items[length:])
	n.items = n.items[:length]
}

// Push appends elements to an array.
func (n *Node) Push(items ...*Node) { n.items = append(n.items, items...) }
