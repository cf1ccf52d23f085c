package chatlog

import (
	"encoding/base64"
	"strconv"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// maxImage is how many bytes of an image are kept.
const maxImage = 10 << 20

// Value is what a variable stands for. A place stays, bytes only where large values
// are wanted; the rest is text for the model. Bytes stand there as
// {"$base64": …}, as an object with a member for each, or as a Buffer of Node:
// they are counted while they pass by.
type Value struct {
	Place
	Bytes []byte
}

// ReadJSON implements decode.Reader.
func (v *Value) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if kind := d.PeekKind(); kind != '{' {
		return kind == '"', d.SkipValue()
	}
	bytes := bytesOf{Decoder: d}
	err = d.Members(func(name string) error {
		switch kind := d.PeekKind(); {
		case kind == '0' && isIndex(name):
			return bytes.add()
		case kind == '[' && name == "data":
			return d.Elements(bytes.add)
		case kind == '"' && name == "$base64":
			return bytes.decode()
		}
		return d.Member(&v.Place, name)
	})
	v.Bytes = bytes.kept
	if bytes.n > 0 {
		v.Place = Place{}
	}
	return true, err
}

func isIndex(name string) bool {
	_, err := strconv.ParseUint(name, 10, 32)
	return err == nil
}

// bytesOf counts bytes, and holds them if they are wanted and not too many.
type bytesOf struct {
	*decode.Decoder
	n    int64
	kept []byte
}

// add takes in a byte that is given as a number.
func (b *bytesOf) add() error {
	if b.PeekKind() != '0' {
		return b.SkipValue()
	}
	tok, err := b.ReadToken()
	if err != nil {
		return err
	}
	b.n++
	switch {
	case !b.Large:
	case b.n > maxImage:
		b.kept = nil
	default:
		v, _ := strconv.ParseUint(tok.String(), 10, 8)
		b.kept = append(b.kept, byte(v))
	}
	return nil
}

// decode takes in bytes that are given as base64.
func (b *bytesOf) decode() error {
	tok, err := b.ReadToken()
	if err != nil {
		return err
	}
	text := tok.String()
	b.n += int64(len(text))
	if !b.Large || base64.StdEncoding.DecodedLen(len(text)) > maxImage+2 {
		return nil
	}
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		content, err = base64.RawStdEncoding.DecodeString(text)
	}
	if err == nil && len(content) <= maxImage {
		b.kept = content
	}
	return nil
}
