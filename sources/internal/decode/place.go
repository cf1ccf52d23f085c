package decode

import "reflect"

// MemberType is what a struct, or a pointer to one, declares for a member; nil:
// nothing.
func MemberType(t reflect.Type, name string) reflect.Type {
	if f := held(t).fields[name]; f != nil {
		return f.shape.typ
	}
	return nil
}

// ListType is the slice that a type is, or declares for an array in its place;
// nil: none.
func ListType(t reflect.Type) reflect.Type {
	switch s := held(t); {
	case s.kind == list:
		return s.typ
	case s.list != nil:
		return s.list.shape.typ
	}
	return nil
}

// held is the shape of a type or of what it points to, empty of none.
func held(t reflect.Type) *shape {
	if t == nil {
		return &shape{}
	}
	s := shapeOf(t)
	if s.kind == pointer {
		return s.elem
	}
	return s
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
