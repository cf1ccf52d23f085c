package copilotcli

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/valyala/fastjson"

	"github.com/sessionloom/sessionloom/sources"
)

// errNotJSON says that a record is no JSON object, or a cut one.
var errNotJSON = errors.New("not a JSON object")

// rawJSON is one JSON value as it stands in the log, nil where it is absent.
// Most of a log is values nobody asks for: they are passed over, not decoded.
type rawJSON []byte

// members calls fn with every member of the object in order until it returns
// false. Values are delimited, not validated.
func (r rawJSON) members(fn func(key, value rawJSON) bool) error {
	_, err := r.walk(func(key rawJSON, at int) (end int, more bool) {
		if end = skipValue(r, at); end < 0 {
			return end, false
		}
		return end, fn(key, r[at:end])
	})
	return err
}

// walk calls fn with the key of every member of the object and the index of its
// value, until it wants no more. fn returns the index behind the value, -1 where it
// does not end; walk the index behind the object, 0 where it did not get there.
func (r rawJSON) walk(fn func(key rawJSON, at int) (end int, more bool)) (int, error) {
	i := skipSpace(r, 0)
	if i >= len(r) || r[i] != '{' {
		return 0, errNotJSON
	}
	if i = skipSpace(r, i+1); i < len(r) && r[i] == '}' {
		return i + 1, nil
	}
	for {
		if i >= len(r) || r[i] != '"' {
			return 0, errNotJSON
		}
		end := skipString(r, i)
		if end < 0 {
			return 0, errNotJSON
		}
		key := r[i+1 : end-1]
		if i = skipSpace(r, end); i >= len(r) || r[i] != ':' {
			return 0, errNotJSON
		}
		end, more := fn(key, skipSpace(r, i+1))
		if end < 0 {
			return 0, errNotJSON
		}
		if i = skipSpace(r, end); i >= len(r) || (r[i] != ',' && r[i] != '}') {
			return 0, errNotJSON
		}
		if r[i] == '}' {
			return i + 1, nil
		}
		if !more {
			return 0, nil
		}
		i = skipSpace(r, i+1)
	}
}

// pick stores the values of the named members in out, the last of equal keys.
func (r rawJSON) pick(keys []string, out []rawJSON) error {
	clear(out)
	return r.members(func(key, value rawJSON) bool {
		for i, k := range keys {
			if string(key) == k {
				out[i] = value
				break
			}
		}
		return true
	})
}

// get returns the named member, nil where there is none.
func (r rawJSON) get(key string) rawJSON {
	var out [1]rawJSON
	if r.pick([]string{key}, out[:]) != nil {
		return nil
	}
	return out[0]
}

// object is a JSON object taken apart, with a nil raw where there is none.
type object struct {
	raw     rawJSON
	members []member
}

type member struct{ key, value rawJSON }

// takeApart reads the object that r begins with, and returns the index behind it, or
// behind whatever other value it is; 0 where that does not end.
func takeApart(r rawJSON) (o object, end int) {
	o.members = make([]member, 0, 8)
	end, err := r.walk(func(key rawJSON, at int) (int, bool) {
		end := skipValue(r, at)
		if end > 0 {
			o.members = append(o.members, member{key, r[at:end]})
		}
		return end, true
	})
	if err != nil {
		end = max(skipValue(r, 0), 0)
	}
	if end > 0 && r[0] == '{' {
		o.raw = r[:end]
	}
	return o, end
}

// pick stores the values of the named members in out, the last of equal keys.
func (o object) pick(keys []string, out []rawJSON) {
	clear(out)
	for _, m := range o.members {
		if i := slices.Index(keys, string(m.key)); i >= 0 {
			out[i] = m.value
		}
	}
}

// get returns the named member, nil where there is none.
func (o object) get(key string) rawJSON {
	var out [1]rawJSON
	o.pick([]string{key}, out[:])
	return out[0]
}

// elements calls fn with every element of an array.
func (r rawJSON) elements(fn func(value rawJSON)) {
	i := skipSpace(r, 0)
	if i >= len(r) || r[i] != '[' {
		return
	}
	for i = skipSpace(r, i+1); i < len(r) && r[i] != ']'; i = skipSpace(r, i) {
		end := skipValue(r, i)
		if end < 0 {
			return
		}
		fn(r[i:end])
		if i = skipSpace(r, end); i < len(r) && r[i] == ',' {
			i++
		}
	}
}

func (r rawJSON) isString() bool { return len(r) > 1 && r[0] == '"' }

// text returns a string's value as valid UTF-8, "" where it is no string.
// An escape that stands for no character is left as it is written.
func (r rawJSON) text() string {
	if !r.isString() {
		return ""
	}
	body := r[1 : len(r)-1]
	if bytes.IndexByte(body, '\\') < 0 {
		return validText(body)
	}
	v, err := fastjson.ParseBytes(r)
	if err != nil {
		return ""
	}
	b, err := v.StringBytes()
	if err != nil {
		return ""
	}
	return validText(b)
}

// validText is a text with U+FFFD for what is no UTF-8. That it is valid is told much
// faster than it is mended.
func validText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// number returns a whole number, also one written as a string.
func (r rawJSON) number() (int64, bool) {
	s := string(r)
	if r.isString() {
		s = string(r[1 : len(r)-1])
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// truth returns a boolean, nil where it is none.
func (r rawJSON) truth() *bool {
	switch string(r) {
	case "true", "false":
		b := r[0] == 't'
		return &b
	}
	return nil
}

// instant returns a time written as RFC 3339 or in milliseconds since 1970, in
// UTC; the zero time where it is neither.
func (r rawJSON) instant() time.Time {
	if r.isString() {
		if t, err := time.Parse(time.RFC3339Nano, string(r[1:len(r)-1])); err == nil && plausible(t.UTC()) {
			return t.UTC() // an offset may have led beyond
		}
	}
	if ms, ok := r.number(); ok && ms > 0 {
		if t := time.UnixMilli(ms).UTC(); plausible(t) {
			return t
		}
	}
	return time.Time{}
}

// plausible keeps years out that no format we write can hold.
func plausible(t time.Time) bool { return t.Year() >= 1970 && !sources.OnCalendar(t).IsZero() }

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// skipString returns the index behind the string that opens at i, -1 where it
// does not end.
func skipString(b []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		end, escapes := i+n, 0
		for end-escapes > i && b[end-escapes-1] == '\\' {
			escapes++
		}
		i = end + 1
		if escapes%2 == 0 {
			return i
		}
	}
}

// skipValue returns the index behind the value that begins at i, -1 where it
// does not end or is none.
func skipValue(b []byte, i int) int {
	depth := 0
	for start := i; i < len(b); {
		switch c := b[i]; c {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 0 {
				if i == start {
					return -1
				}
				return i
			}
			if c != ',' {
				if depth--; depth == 0 {
					return i + 1
				}
			}
		case ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return -1
}
