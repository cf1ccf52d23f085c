package decode

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources/sign"
)

// Reader is a type that reads or skips one value itself. fits says that it has the type.
type Reader interface {
	ReadJSON(d *Decoder) (fits bool, err error)
}

type shape struct {
	typ    reflect.Type
	kind   kind
	own    bool              // it is a Reader
	fields map[string]*field // fields of an object
	quoted [][]*field        // the fields by the length of their quoted names
	text   *field            // in an object, the field for a text in its place, or nil
	list   *field            // in an object, the field for an array in its place, or nil
	first  *field            // in an object, the field for the first text among its members, or nil
	other  []int             // in an object, the field for the name of the first undeclared member, or nil
	elem   *shape            // element of a pointer or a list
}

type kind int

const (
	scalar kind = iota
	object
	list
	pointer
)

type field struct {
	name   string
	quoted string // the name as it is in the input
	index  []int
	shape  *shape
	max    int
}

// named returns the field with a quoted name, or nil.
func (s *shape) named(quoted []byte) *field {
	if len(quoted) < len(s.quoted) {
		for _, f := range s.quoted[len(quoted)] {
			if f.quoted == string(quoted) {
				return f
			}
		}
	}
	return nil
}

// shapes caches what types declare.
var shapes sync.Map // *shape by reflect.Type

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	made := map[reflect.Type]*shape{}
	s := build(t, made)
	for t, s := range made {
		shapes.Store(t, s)
	}
	return s
}

// build returns the shape of a type. made holds unfinished shapes, as types may contain themselves.
func build(t reflect.Type, made map[reflect.Type]*shape) *shape {
	if s := made[t]; s != nil {
		return s
	}
	s := &shape{typ: t}
	made[t] = s
	s.own = reflect.PointerTo(t).Implements(reflect.TypeFor[Reader]())
	switch {
	case s.own:
	case t.Kind() == reflect.Struct:
		s.kind, s.fields = object, map[string]*field{}
		s.addFields(t, nil, made)
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Pointer:
		s.kind = list
		if t.Kind() == reflect.Pointer {
			s.kind = pointer
		}
		s.elem = build(t.Elem(), made)
	case t.Kind() != reflect.String && t.Kind() != reflect.Bool && t.Kind() != reflect.Int64:
		panic(fmt.Sprintf("decode: a %v cannot be declared", t))
	}
	return s
}

// addFields adds the fields of a struct, also of embedded ones.
func (s *shape) addFields(t reflect.Type, above []int, made map[reflect.Type]*shape) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int{}, above...), i)
		name, as := f.Tag.Get("json"), f.Tag.Get("as")
		switch {
		case f.Anonymous && name == "":
			s.addFields(f.Type, index, made)
			continue
		case as == "first":
			s.first = &field{index: index, shape: build(f.Type, made)}
			continue
		case as == "other":
			s.other = index
			continue
		case name == "" && as == "":
			continue
		}
		max, _ := strconv.Atoi(f.Tag.Get("max"))
		for _, name := range append([]string{name}, strings.Fields(f.Tag.Get("also"))...) {
			member := &field{name: name, index: index, shape: build(f.Type, made), max: max}
			switch as {
			case "text":
				s.text = member
			case "list":
				s.list = member
			}
			if name == "" {
				break
			}
			s.fields[name], member.quoted = member, strconv.Quote(name)
			for len(s.quoted) <= len(member.quoted) {
				s.quoted = append(s.quoted, nil)
			}
			s.quoted[len(member.quoted)] = append(s.quoted[len(member.quoted)], member)
		}
	}
}

// cut shortens a text, or the texts of a list.
func (f *field) cut(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > f.max {
			v.SetString(Cut(v.String(), f.max))
		}
	case reflect.Slice:
		for i := range v.Len() {
			f.cut(v.Index(i))
		}
	case reflect.Struct:
		if s, ok := v.Addr().Interface().(*Scalar); ok {
			s.Text = Cut(s.Text, f.max)
		}
	}
}

// Cut shortens a text to at most limit bytes, after a word; a single one before a slash, or, being an id, after a sign.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.Clone(s[:cmp.Or(sign.Word(s, limit), max(0, strings.LastIndexByte(s[:limit], '/')), sign.Before(s, limit))]) // the rest is freed
}

// Number reads a number and drops its fraction; ok is false for no number or one too large.
func Number(text string) (n int64, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= -1<<62 && f <= 1<<62) {
		return 0, false
	}
	return int64(f), true
}

// Scalar is a text, a number or a truth value as written. The zero value means none.
type Scalar struct {
	Kind jsontext.Kind // '"', '0', 't' or 'f'; 0: none
	Text string        // text, also of a number
}

// ReadJSON implements Reader.
func (s *Scalar) ReadJSON(d *Decoder) (fits bool, err error) {
	*s = Scalar{}
	switch kind := d.PeekKind(); kind {
	case 'n', '{', '[':
		return false, d.SkipValue()
	case '"':
		s.Kind = kind
		s.Text, err = d.text()
	default:
		value, rerr := d.ReadValue()
		if err = rerr; err == nil {
			s.Kind = kind
		}
		if kind == '0' {
			s.Text = string(value)
		}
	}
	return err == nil, err
}

// String returns the text, or "" for none.
func (s Scalar) String() string {
	if s.Kind != '"' {
		return ""
	}
	return s.Text
}

// Whole is a whole number, also one written as a text.
type Whole int64

// ReadJSON implements Reader.
func (n *Whole) ReadJSON(d *Decoder) (fits bool, err error) {
	var s Scalar
	if _, err = s.ReadJSON(d); err != nil {
		return false, err
	}
	v, ok := Number(s.Text)
	*n = Whole(v)
	return ok, nil
}

// Loose is a text; a value of another type is ignored.
type Loose string

// ReadJSON implements Reader.
func (l *Loose) ReadJSON(d *Decoder) (fits bool, err error) {
	if *l = ""; d.PeekKind() != '"' {
		return true, d.SkipValue()
	}
	text, err := d.text()
	*l = Loose(text)
	return true, err
}

// Large is a text that is read only if [Decoder.Large] is set.
type Large string

// ReadJSON implements Reader.
func (l *Large) ReadJSON(d *Decoder) (fits bool, err error) {
	if *l = ""; !d.Large {
		return true, d.SkipValue()
	}
	return (*Loose)(l).ReadJSON(d)
}

// None accepts any value and keeps nothing.
type None struct{}

// ReadJSON implements Reader.
func (*None) ReadJSON(d *Decoder) (fits bool, err error) { return true, d.SkipValue() }

// Table is an object with arbitrary names of members, in the order written.
type Table[V any] struct{ items []named[V] }

type named[V any] struct {
	name  string
	value V
}

// ReadJSON implements Reader.
func (t *Table[V]) ReadJSON(d *Decoder) (fits bool, err error) {
	*t = Table[V]{}
	if d.PeekKind() != '{' {
		return false, d.SkipValue()
	}
	return true, d.Members(func(name string) error {
		t.items = append(t.items, named[V]{name: name})
		return d.Read(&t.items[len(t.items)-1].value)
	})
}

// Len returns the number of members.
func (t *Table[V]) Len() int { return len(t.items) }

// Get returns the last member with a name, or the zero value.
func (t *Table[V]) Get(name string) V {
	value, _ := t.Find(name)
	return value
}

// Find is Get, and reports whether the member exists.
func (t *Table[V]) Find(name string) (value V, found bool) {
	for _, m := range slices.Backward(t.items) {
		if m.name == name {
			return m.value, true
		}
	}
	return value, false
}

// All iterates over the members in order.
func (t *Table[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, m := range t.items {
			if !yield(m.name, m.value) {
				return
			}
		}
	}
}

// Member returns the field that a struct, or the struct behind a pointer, declares for a member; a nil
// pointer is filled. It is invalid if none is declared.
func Member(v reflect.Value, name string) reflect.Value {
	v = filled(v)
	if f := shapeOf(v.Type()).fields[name]; f != nil {
		return v.FieldByIndex(f.index)
	}
	return reflect.Value{}
}

// List returns a slice, or the field that a struct declares for an array in its place; else it is invalid.
func List(v reflect.Value) reflect.Value {
	v = filled(v)
	switch s := shapeOf(v.Type()); {
	case s.kind == list:
		return v
	case s.list != nil:
		return v.FieldByIndex(s.list.index)
	}
	return reflect.Value{}
}

// filled returns the struct behind a pointer, which is made if nil; any other value is returned as it is.
func filled(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer || v.Type().Elem().Kind() != reflect.Struct {
		return v
	}
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return v.Elem()
}
