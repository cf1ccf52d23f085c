package chatlog

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// maxShort is how many bytes are kept of a text that is shown in part.
const maxShort = 4 << 10

// Rendered is what a prompt told the model of the repository. All else of a rendered prompt repeats the conversation.
type Rendered string

// ReadJSON reads a prompt as the model got it: a text, or parts of it.
func (r *Rendered) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var prompt struct {
		Text  string    `json:"text" as:"text"`
		Parts []Summary `as:"list"`
	}
	err = d.Read(&prompt)
	var all strings.Builder
	for _, p := range append(prompt.Parts, Summary{prompt.Text}) {
		all.WriteString(p.Text)
	}
	_, told, _ := strings.Cut(all.String(), "<repoContext>")
	told, _, _ = strings.Cut(told, "</repoContext>")
	*r = Rendered(decode.Cut(told, maxShort))
	return true, err
}

// maxImage is how many bytes of an image are kept.
const maxImage = 10 << 20

// Value is what a variable stands for. A place stays, bytes only where large values are wanted; the rest is text for
// the model. Bytes stand there as {"$base64": …}, or as an object with a member for each.
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
		_, noIndex := strconv.ParseUint(name, 10, 32)
		switch {
		case noIndex == nil && d.PeekKind() == '0':
			isBytes = true
			if !d.Large || len(v.Bytes) > maxImage {
				return d.SkipValue()
			}
			var b int64
			err := d.Read(&b)
			v.Bytes = append(v.Bytes, byte(b))
			return err
		case name == "$base64":
			isBytes = true
			var text decode.Large
			err := d.Read(&text)
			if content, wrong := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(text), "=")); wrong == nil && text != "" {
				v.Bytes = content
			}
			return err
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
