package chatlog

import (
	"encoding/base64"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// maxImage is how many bytes of an image are kept.
const maxImage = 10 << 20

// taker reads the value of a variable. An address and a short text stay, and
// bytes become {"bytes": n} or, if they are wanted, {"bytes": n, "base64": …};
// the rest is text for the model. Bytes stand there as {"$base64": …}, as an
// object with a member for each, or as a Buffer of Node: they are counted while
// they pass by.
func taker(images bool) func(*jsontext.Decoder) (*tree.Node, error) {
	keep := place()
	return func(d *jsontext.Decoder) (*tree.Node, error) {
		switch d.PeekKind() {
		case '{':
			v := value{keep: keep, bytes: bytesOf{wanted: images}}
			return v.read(d)
		case '[':
			return nil, d.SkipValue()
		}
		n, err := tree.Read(d, nil)
		if err != nil || len(n.Text()) > maxShort {
			return nil, err
		}
		return n, nil
	}
}

// value is an object that is read as the value of a variable.
type value struct {
	keep  *tree.Keep
	bytes bytesOf
	size  int64 // of bytes given as base64
	text  string
	node  *tree.Node
}

func (v *value) read(d *jsontext.Decoder) (*tree.Node, error) {
	v.node = tree.NewObject()
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() != '}' {
		tok, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		if err := v.member(d, tok.String()); err != nil {
			return nil, err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	return v.result(), nil
}

func (v *value) member(d *jsontext.Decoder, name string) error {
	kind := d.PeekKind()
	switch {
	case kind == '0' && isIndex(name):
		return v.bytes.add(d)
	case kind == '[' && name == "data":
		return v.bytes.addAll(d)
	case kind == '"' && name == "$base64":
		tok, err := d.ReadToken()
		if err != nil {
			return err
		}
		v.text = tok.String()
		v.size = base64Size(v.text)
		return nil
	}
	n, err := tree.Read(d, v.keep.Member(name))
	if err == nil && n != nil {
		v.node.Set(name, n)
	}
	return err
}

func (v *value) result() *tree.Node {
	if v.bytes.n > 0 {
		v.size, v.text = v.bytes.n, base64.StdEncoding.EncodeToString(v.bytes.kept)
	}
	switch {
	case v.size > 0:
		n := tree.NewObject()
		n.Set("bytes", tree.NewInt(v.size))
		if v.bytes.wanted && v.size <= maxImage {
			n.Set("base64", tree.NewString(v.text))
		}
		return n
	case v.node.Len() == 0:
		return nil
	}
	return v.keep.Leaf(v.node)
}

func isIndex(name string) bool {
	_, err := strconv.ParseUint(name, 10, 32)
	return err == nil
}

// base64Size is the number of bytes a text stands for.
func base64Size(s string) int64 {
	n := len(s)
	for n > 0 && s[n-1] == '=' {
		n--
	}
	return int64(n) * 3 / 4
}

// bytesOf counts bytes given as numbers, and holds them if they are wanted and
// not too many.
type bytesOf struct {
	wanted bool
	n      int64
	kept   []byte
}

func (b *bytesOf) add(d *jsontext.Decoder) error {
	tok, err := d.ReadToken()
	if err != nil {
		return err
	}
	b.n++
	switch {
	case !b.wanted:
	case b.n > maxImage:
		b.kept = nil
	default:
		v, _ := strconv.ParseUint(tok.String(), 10, 8)
		b.kept = append(b.kept, byte(v))
	}
	return nil
}

func (b *bytesOf) addAll(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		if d.PeekKind() != '0' {
			if err := d.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if err := b.add(d); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}
