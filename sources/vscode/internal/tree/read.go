package tree

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/internal/lines"
)

// maxDepth bounds the nesting of what is kept; VS Code's own data stays below 30.
// What is nested deeper is left out.
const maxDepth = 500

// Keep says what to keep of a value. A nil Keep keeps all of it.
type Keep struct {
	// Fields says it for members by name. Members not named follow Rest.
	Fields map[string]*Keep
	// Prefixes says it for members whose names begin so, where Fields does not.
	Prefixes map[string]*Keep
	// Rest is for members that are not named; nil keeps them whole.
	Rest *Keep
	// Each is for the elements of an array; nil keeps them whole.
	Each *Keep
	// Drop leaves the value out: as a member it is absent, as an element null.
	Drop bool
	// Leaf reduces a value once it was read. It may return nil to leave it out. It
	// must depend on nothing but the value.
	Leaf func(*Node) *Node
	// Open says that Leaf only takes members out of the very node, so that members
	// may still be changed later and Leaf is then called again. What another Leaf
	// or Take made is no longer what was written and cannot be changed in parts.
	Open bool
	// Take reads the value in place of Read, for one that is too large to be held
	// even for a moment. Like Leaf it may return nil.
	Take func(*jsontext.Decoder) (*Node, error)
}

// Dropped leaves a value out.
var Dropped = &Keep{Drop: true}

// Member is what to keep of a member.
func (k *Keep) Member(name string) *Keep {
	if k == nil {
		return nil
	}
	if f, ok := k.Fields[name]; ok {
		return f
	}
	for p, f := range k.Prefixes {
		if strings.HasPrefix(name, p) {
			return f
		}
	}
	return k.Rest
}

// Made says that the value is made of what was written, and not part of it.
func (k *Keep) Made() bool { return k != nil && (k.Take != nil || k.Leaf != nil && !k.Open) }

// Element is what to keep of an element.
func (k *Keep) Element() *Keep {
	if k == nil {
		return nil
	}
	return k.Each
}

// NewDecoder reads JSON leniently: of two members of one name the last counts,
// and broken UTF-8 and lone surrogates become U+FFFD. A text, number or gap of
// more than lines.DefaultMax bytes is not held: it is the error lines.ErrTooLong.
func NewDecoder(r io.Reader) *jsontext.Decoder {
	d := &jsontext.Decoder{}
	Reuse(d, r)
	return d
}

// Reuse makes a decoder read other input, in the memory it has.
func Reuse(d *jsontext.Decoder, r io.Reader) {
	d.Reset(&bounded{src: r, d: d}, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// bounded ends the input of a decoder that would have to hold too much of it:
// the decoder asks for more only while it is within a token.
type bounded struct {
	src  io.Reader
	d    *jsontext.Decoder
	read int64
}

func (r *bounded) Read(b []byte) (int, error) {
	left := lines.DefaultMax - (r.read - r.d.InputOffset())
	if left <= 0 {
		return 0, lines.ErrTooLong
	}
	n, err := r.src.Read(b[:min(int64(len(b)), left)])
	r.read += int64(n)
	return n, err
}

// Read reads the next value as far as it is kept; nil means that it is left out.
func Read(d *jsontext.Decoder, keep *Keep) (*Node, error) { return read(d, keep, 0) }

func read(d *jsontext.Decoder, keep *Keep, depth int) (*Node, error) {
	if keep != nil && keep.Drop || depth > maxDepth {
		return nil, d.SkipValue()
	}
	if keep != nil && keep.Take != nil {
		return keep.Take(d)
	}
	tok, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &Node{kind: Kind(tok.Kind())}
	switch n.kind {
	case String, Number:
		n.text = tok.String()
	case Object:
		err = n.readMembers(d, keep, depth)
	case Array:
		err = n.readElements(d, keep, depth)
	case Null, True, False:
	default:
		err = fmt.Errorf("a value begins with %q", tok.Kind())
	}
	if err != nil {
		return nil, err
	}
	if keep != nil && keep.Leaf != nil {
		return keep.Leaf(n), nil
	}
	return n, nil
}

func (n *Node) readMembers(d *jsontext.Decoder, keep *Keep, depth int) error {
	for d.PeekKind() != '}' {
		tok, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := tok.String()
		value, err := read(d, keep.Member(name), depth+1)
		if err != nil {
			return err
		}
		if value != nil {
			n.names, n.items = append(n.names, name), append(n.items, value)
		}
	}
	_, err := d.ReadToken()
	return err
}

func (n *Node) readElements(d *jsontext.Decoder, keep *Keep, depth int) error {
	for d.PeekKind() != ']' {
		value, err := read(d, keep.Element(), depth+1)
		if err != nil {
			return err
		}
		if value == nil { // the places of the others count
			value = &Node{kind: Null}
		}
		n.items = append(n.items, value)
	}
	_, err := d.ReadToken()
	return err
}

// Parse reads one value from text, for short ones.
func Parse(text string) (*Node, error) { return Read(NewDecoder(strings.NewReader(text)), nil) }
