package main

import (
	"strconv"
	"unicode/utf8"
)

// object is JSON being appended: fields in the order they are given, as the CLI
// orders them, and without the cost of reflection.
type object []byte

func (o object) key(name string) object {
	if len(o) > 0 && o[len(o)-1] != '{' {
		o = append(o, ',')
	}
	o = append(o, '"')
	o = append(o, name...)
	return append(o, '"', ':')
}

func (o object) str(name, value string) object {
	o = append(o.key(name), '"')
	return append(appendEscaped(o, value), '"')
}

// lines appends a string of already escaped pieces.
func (o object) lines(name string, escaped []string) object {
	o = append(o.key(name), '"')
	for _, s := range escaped {
		o = append(o, s...)
	}
	return append(o, '"')
}

func (o object) num(name string, value int64) object {
	return strconv.AppendInt(o.key(name), value, 10)
}

// raw appends a value that is JSON already.
func (o object) raw(name string, json string) object { return append(o.key(name), json...) }

func (o object) open(name string) object { return append(o.key(name), '{') }
func (o object) close() object           { return append(o, '}') }

// appendEscaped appends s as the inside of a JSON string.
func appendEscaped(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf || c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(b, s[from:]...)
}
