package sources

import (
	"reflect"
	"time"
)

// Kinds of texts written by somebody, as the tag `text` of a field gives them. Ids of sessions and
// turns, and our own words, have none.
const (
	Line   = "line"   // a title: one line
	Name   = "name"   // an identifier: one line
	Said   = "said"   // any length
	Ends   = "ends"   // only its beginning and end are kept, after masking
	Answer = "answer" // answer of a turn, in which [Tool.After] names offsets
)

// Texts visits all texts in a session, with their kinds.
func (s *Session) Texts(visit func(kind string, text *string)) {
	sessionParts.visit(reflect.ValueOf(s).Elem(), visit, nil)
}

// Times visits all times in a session.
func (s *Session) Times(visit func(*time.Time)) {
	sessionParts.visit(reflect.ValueOf(s).Elem(), nil, visit)
}

type part struct {
	index int
	kind  string // kind of texts; empty: a time, or a struct or list
	in    parts
}

type parts []part

var sessionParts = partsOf(reflect.TypeFor[Session]())

func partsOf(t reflect.Type) (all parts) {
	for f := range t.Fields() {
		one := part{index: f.Index[0], kind: f.Tag.Get("text")}
		of := f.Type
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		isTime := of == reflect.TypeFor[time.Time]()
		if of.Kind() == reflect.Struct && !isTime {
			one.in = partsOf(of)
		}
		if one.kind != "" || isTime || len(one.in) > 0 {
			all = append(all, one)
		}
	}
	return all
}

func (all parts) visit(v reflect.Value, text func(string, *string), at func(*time.Time)) {
	for _, p := range all {
		field := v.Field(p.index)
		if field.Kind() != reflect.Slice {
			p.visit(field, text, at)
			continue
		}
		for i := range field.Len() {
			p.visit(field.Index(i), text, at)
		}
	}
}

func (p part) visit(v reflect.Value, text func(string, *string), at func(*time.Time)) {
	switch field := v.Addr().Interface().(type) {
	case *string:
		if text != nil {
			text(p.kind, field)
		}
	case *time.Time:
		if at != nil {
			at(field)
		}
	default:
		p.in.visit(v, text, at)
	}
}
