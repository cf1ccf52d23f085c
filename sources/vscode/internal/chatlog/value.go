package chatlog

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// maxImage is how many bytes of an image are kept.
const maxImage = 10 << 20

// Value is what a variable stands for. A place stays, bytes only where large values
// are wanted; the rest is text for the model. Bytes stand there as {"$base64": …},
// or as an object with a member for each.
type Value struct {
	Place
	Bytes []byte
}

// ReadJSON implements decode.Reader.
func (v *Value) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if kind := d.PeekKind(); kind != '{' {
		return kind == '"', d.SkipValue()
	}
	isBytes := false
	err = d.Members(func(name string) error {
		_, notIndex := strconv.ParseUint(name, 10, 32)
		switch kind := d.PeekKind(); {
		case kind == '0' && notIndex == nil:
			isBytes = true
			return v.addByte(d)
		case kind == '"' && name == "$base64":
			isBytes = true
			return v.addBase64(d)
		}
		return d.Member(&v.Place, name)
	})
	if isBytes {
		v.Place = Place{}
	}
	if len(v.Bytes) > maxImage {
		v.Bytes = nil
	}
	return true, err
}

func (v *Value) addByte(d *decode.Decoder) error {
	tok, err := d.ReadToken()
	if err == nil && d.Large && len(v.Bytes) <= maxImage {
		b, _ := strconv.ParseUint(tok.String(), 10, 8)
		v.Bytes = append(v.Bytes, byte(b))
	}
	return err
}

func (v *Value) addBase64(d *decode.Decoder) error {
	tok, err := d.ReadToken()
	if err != nil || !d.Large {
		return err
	}
	text := strings.TrimRight(tok.String(), "=")
	if content, err := base64.RawStdEncoding.DecodeString(text); err == nil {
		v.Bytes = content
	}
	return nil
}
