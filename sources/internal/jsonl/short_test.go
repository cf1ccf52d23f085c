package jsonl

import (
	"strings"
	"testing"
)

// TestShorten leaves the marks of long texts, and every short text.
func TestShorten(t *testing.T) {
	long := strings.Repeat(`\"x\\`, 50)
	for line, want := range map[string]string{
		`{"a":"b","c":1}`:            `{"a":"b","c":1}`,
		`{"a":"` + long + `"}`:       `{"a":""}`,
		`{"a":"` + long + `<end>"}`:  `{"a":"<end>"}`,
		`{"a":"<` + long + `","b":2`: `{"a":"","b":2`,
		`{"a":"` + long:              `{"a":"`,
		`{"` + long + `":"<\n>"}`:    `{"":"<\n>"}`,
		`no text`:                    `no text`,
	} {
		if got := string(Shorten(nil, []byte(line), 100, '<')); got != want {
			t.Errorf("%.40q: %q, want %q", line, got, want)
		}
	}
}
