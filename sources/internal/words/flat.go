package words

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// Flat is a JSON value as text: a list one item a line, as a list.
type Flat string

// ReadJSON implements decode.Reader.
func (f *Flat) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var value decode.Scalar
	var items []Flat
	if d.PeekKind() == '[' {
		err = d.Read(&items)
	} else {
		err = d.Read(&value)
	}
	for _, item := range items {
		if item != "" {
			value.Text += "\n- " + string(item)
		}
	}
	*f = Flat(strings.TrimSpace(value.Text))
	return true, err
}
