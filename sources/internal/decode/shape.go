package decode

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources/sign"
)

// Reader is a type that reads itself, where no declaration can. It must read or
// skip exactly one value; fits says that it is one of the type.
type Reader interface {
	ReadJSON(d *Decoder) (fits bool, err error)
}

type shape struct {
	typ    reflect.Type
	kind   kind
	own    bool              // it is a Reader
	fields map[string]*field // of an object
	quoted [][]*field        // the same, by the length of their names as a text has them
	text   *field            // of an object: where a text in its place goes; nil: nowhere
	list   *field            // the same of an array
	first  *field            // of an object: the first text among its members; nil: it is not wanted
	elem   *shape            // of a pointer or a list
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
	quoted string // the name as a text has it
	index  []int
	shape  *shape
	max    int
}

// named is the field of a name as a text has it, nil for one that is not declared so.
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

// shapes remembers what types declare, which never changes.
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

// build makes the shape of a type. made holds those at work, for types may hold
// themselves.
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

// addFields takes in the fields of a struct, those of embedded ones included.
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

// Cut shortens a text to limit bytes at most, at a character.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return string([]byte(s[:sign.Before(s, limit)])) // which does not hold the rest
}
