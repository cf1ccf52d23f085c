package statedb

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// members runs over an object; each must read one value. What was read before an
// error stands.
func members(d *jsontext.Decoder, each func(name string) error) error {
	return inside(d, '{', func() error {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		return each(name.String())
	})
}

// elements runs over an array; each must read one value.
func elements(d *jsontext.Decoder, each func() error) error { return inside(d, '[', each) }

func inside(d *jsontext.Decoder, open jsontext.Kind, each func() error) error {
	tok, err := d.ReadToken()
	if err != nil {
		return err
	}
	if tok.Kind() != open {
		return fmt.Errorf("%q where %q is expected", tok.Kind(), open)
	}
	for k := d.PeekKind(); k != '}' && k != ']'; k = d.PeekKind() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err = d.ReadToken()
	return err
}

// only keeps the named members whole and drops all others.
func only(names ...string) *tree.Keep {
	k := &tree.Keep{Fields: map[string]*tree.Keep{}, Rest: tree.Dropped}
	for _, n := range names {
		k.Fields[n] = nil
	}
	return k
}
