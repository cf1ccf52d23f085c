package statedb

import (
	"errors"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// errOther says that a value is neither what it should be nor null.
var errOther = errors.New("a value of another type")

// members runs over an object, which there must be.
func members(d *decode.Decoder, each func(name string) error) error {
	if d.PeekKind() != '{' {
		return errors.Join(errOther, d.SkipValue())
	}
	return d.Members(each)
}

// elements runs over an array, which there must be.
func elements(d *decode.Decoder, each func() error) error {
	if d.PeekKind() != '[' {
		return errors.Join(errOther, d.SkipValue())
	}
	return d.Elements(each)
}
