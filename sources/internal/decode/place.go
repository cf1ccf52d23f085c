package decode

import "reflect"

// MemberType is what a struct, or a pointer to one, declares for a member; nil:
// nothing.
func MemberType(t reflect.Type, name string) reflect.Type {
	if t == nil {
		return nil
	}
	s := shapeOf(t)
	if s.kind == pointer {
		s = s.elem
	}
	if f := s.fields[name]; f != nil {
		return f.shape.typ
	}
	return nil
}

// ListType is the slice that a type is, or declares for an array in its place;
// nil: none.
func ListType(t reflect.Type) reflect.Type {
	if t == nil {
		return nil
	}
	s := shapeOf(t)
	if s.kind == pointer {
		s = s.elem
	}
	switch {
	case s.kind == list:
		return s.typ
	case s.list != nil:
		return s.list.shape.typ
	}
	return nil
}

// Member is the field of a struct that MemberType tells of.
func Member(v reflect.Value, name string) reflect.Value {
	return v.FieldByIndex(shapeOf(v.Type()).fields[name].index)
}

// List is the slice that ListType tells of.
func List(v reflect.Value) reflect.Value {
	if s := shapeOf(v.Type()); s.kind == object {
		return v.FieldByIndex(s.list.index)
	}
	return v
}
