// Package decode reads JSON that other programs wrote. Go structs declare what is kept: everything else
// streams by, so that memory is bounded by the declaration and not by the input.
//
// A field is declared by its tags:
//
//	json:"name"  the member for the field; if its name is repeated, the last counts
//	also:"a b"   other names of the member
//	as:"text"    the field for a text in place of the whole object
//	as:"list"    the field for an array in place of the whole object
//	as:"first"   the field for the first text among undeclared members
//	as:"other"   the field for the name of the first undeclared member
//	max:"2048"   limit in bytes of a text, see Cut
//
// A value of another type than declared is left out and counted in Decoder.Misfits; null counts as
// absent. An invalid element of a list becomes the zero value, so that the others keep their indexes.
package decode

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Decoder reads values one after the other. Broken UTF-8 and lone surrogates
// become U+FFFD. A text, number or gap of more than files.MaxLine bytes is not
// held: it is the error files.ErrTooLong.
type Decoder struct {
	jsontext.Decoder
	// Large says that Readers may keep large data, such as pictures.
	Large bool
	// Misfits counts values of another type than declared, by member.
	Misfits map[string]int

	held    bool         // the input is a text in memory
	buffer  bytes.Buffer // the text in memory
	scratch []byte
}

// Unknown adds the misfits to the records that a reader does not know.
func (d *Decoder) Unknown(unknown map[string]int) {
	for name, n := range d.Misfits {
		unknown[name+" of another type"] += n
	}
}

// New returns a decoder of an input.
func New(src io.Reader) *Decoder {
	d := &Decoder{}
	d.Reset(src)
	return d
}

// Reset makes the decoder read another input, reusing its memory.
func (d *Decoder) Reset(src io.Reader) {
	d.Decoder.Reset(&bounded{src: src, d: &d.Decoder}, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	d.held = false
}

// ResetTo makes the decoder read a text in memory.
func (d *Decoder) ResetTo(text []byte) {
	d.buffer = *bytes.NewBuffer(text)
	d.Decoder.Reset(&d.buffer, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	d.held = true
}

// bounded ends an input that would hold too much: only within a token is more asked for.
type bounded struct {
	src  io.Reader
	d    *jsontext.Decoder
	read int64
}

func (r *bounded) Read(b []byte) (int, error) {
	left := files.MaxLine - (r.read - r.d.InputOffset())
	if left <= 0 {
		return 0, files.ErrTooLong
	}
	n, err := r.src.Read(b[:min(int64(len(b)), left)])
	r.read += int64(n)
	return n, err
}

// Text reads the one value of a text into a pointer.
func Text(text string, into any) error {
	d := &Decoder{}
	d.ResetTo([]byte(text))
	return d.Read(into)
}

// File reads a file of at most limit bytes with one value. Any other content is damaged; the error is
// for a file that cannot be read now.
func File(path string, limit int64, into any) (damaged bool, err error) {
	text, err := files.ReadText(path, limit)
	return err == nil && (text.Left != "" || Text(text.Body, into) != nil), err
}

// Read reads the next value into a pointer. The error is one of the input or its syntax.
func (d *Decoder) Read(into any) error { return d.ReadInto(reflect.ValueOf(into).Elem()) }

// ReadInto is Read into a value that can be set.
func (d *Decoder) ReadInto(v reflect.Value) error {
	_, err := d.value(v, shapeOf(v.Type()), "")
	return err
}

// Member reads the next value as a member of the struct at a pointer, if that declares it.
func (d *Decoder) Member(of any, name string) error {
	v := reflect.ValueOf(of).Elem()
	if f := shapeOf(v.Type()).fields[name]; f != nil {
		_, err := d.field(v, f)
		return err
	}
	return d.SkipValue()
}

// AtEnd reports whether the input ends here.
func (d *Decoder) AtEnd() bool {
	_, err := d.ReadToken()
	return errors.Is(err, io.EOF)
}

// Members calls each for the members of an object; each reads or skips one value. Another value is a misfit.
func (d *Decoder) Members(each func(name string) error) error {
	return d.inside('{', func() error {
		name, err := d.text()
		if err != nil {
			return err
		}
		return each(name)
	})
}

// SkipValue skips the next value.
func (d *Decoder) SkipValue() error {
	if !d.held {
		return d.Decoder.SkipValue()
	}
	_, err := d.ReadValue()
	return err
}

// Elements calls each for the elements of an array; each reads or skips one value. Another value is a misfit.
func (d *Decoder) Elements(each func() error) error { return d.inside('[', each) }

func (d *Decoder) inside(open jsontext.Kind, each func() error) error {
	if kind := d.PeekKind(); kind != open && kind != 0 {
		return d.misfit("")
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for kind := d.PeekKind(); kind != '}' && kind != ']'; kind = d.PeekKind() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func (d *Decoder) misfit(name string) error {
	d.count(d.PeekKind(), name)
	return d.SkipValue()
}

func (d *Decoder) count(kind jsontext.Kind, name string) {
	if kind == 0 || kind == 'n' || name == "" {
		return
	}
	if d.Misfits == nil {
		d.Misfits = map[string]int{}
	}
	d.Misfits[name]++
}

// value reads the next value into v, or sets v to zero if it does not fit.
func (d *Decoder) value(v reflect.Value, s *shape, name string) (fits bool, err error) {
	kind := d.PeekKind()
	if s.own {
		if fits, err = v.Addr().Interface().(Reader).ReadJSON(d); err == nil && !fits {
			v.SetZero()
			d.count(kind, name)
		}
		return fits, err
	}
	switch {
	case s.kind == scalar:
		return d.scalar(v, kind, name)
	case s.kind == pointer && kind != 'n':
		p := reflect.New(s.elem.typ)
		if fits, err = d.value(p.Elem(), s.elem, name); fits {
			v.Set(p)
			return fits, err
		}
		v.SetZero()
		return false, err
	case s.kind == object && kind == '{':
		return true, d.object(v, s)
	case s.kind == list && kind == '[':
		return true, d.list(v, s, name)
	}
	v.SetZero()
	switch {
	case s.kind == object && s.text != nil && kind == '"':
		return d.field(v, s.text)
	case s.kind == object && s.list != nil && kind == '[':
		return d.field(v, s.list)
	}
	return false, d.misfit(name)
}

func (d *Decoder) field(v reflect.Value, f *field) (bool, error) {
	fits, err := d.value(v.FieldByIndex(f.index), f.shape, f.name)
	if f.max > 0 && fits {
		f.cut(v.FieldByIndex(f.index))
	}
	return fits, err
}

func (d *Decoder) object(v reflect.Value, s *shape) error {
	v.SetZero()
	return d.inside('{', func() error {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		f := s.named(raw)
		if f == nil && bytes.IndexByte(raw, '\\') >= 0 {
			f = s.fields[string(d.plain(raw))]
		}
		if first := s.first; first != nil && d.PeekKind() == '"' && v.FieldByIndex(first.index).Len() == 0 {
			if f == nil {
				f = first
			} else if f.shape.typ.Kind() == reflect.String && !f.shape.own {
				_, err = d.field(v, f)
				v.FieldByIndex(first.index).Set(v.FieldByIndex(f.index))
				return err
			}
		}
		if f == nil {
			if s.other != nil && v.FieldByIndex(s.other).Len() == 0 {
				v.FieldByIndex(s.other).SetString(string(d.plain(raw)))
			}
			return d.SkipValue()
		}
		_, err = d.field(v, f)
		return err
	})
}

func (d *Decoder) list(v reflect.Value, s *shape, name string) error {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // an empty list exists
	return d.Elements(func() error {
		n := v.Len()
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		_, err := d.value(v.Index(n), s.elem, name)
		return err
	})
}

func (d *Decoder) text() (string, error) {
	value, err := d.ReadValue()
	if err != nil {
		return "", err
	}
	text := string(d.plain(value))
	if cap(d.scratch) > maxScratch {
		d.scratch = nil
	}
	return text, nil
}

// plain returns the text of a value with valid UTF-8, valid until the next read.
func (d *Decoder) plain(value jsontext.Value) []byte {
	if n := len(value) - 1; bytes.IndexByte(value, '\\') < 0 && utf8.Valid(value) {
		return value[1:n]
	}
	d.scratch, _ = jsontext.AppendUnquote(d.scratch[:0], value)
	return d.scratch
}

// maxScratch limits the bytes that a decoder keeps for texts.
const maxScratch = 1 << 20

// scalar reads a text, a number or a truth value.
func (d *Decoder) scalar(v reflect.Value, kind jsontext.Kind, name string) (bool, error) {
	v.SetZero()
	switch {
	case v.Kind() == reflect.String && kind == '"':
		text, err := d.text()
		v.SetString(text)
		return err == nil, err
	case v.Kind() == reflect.Bool && (kind == 't' || kind == 'f'):
		_, err := d.ReadValue()
		v.SetBool(kind == 't')
		return err == nil, err
	case v.Kind() == reflect.Int64 && kind == '0':
		value, err := d.ReadValue()
		n, ok := Number(string(value))
		v.SetInt(n)
		return ok, err
	}
	return false, d.misfit(name)
}
