package editor

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestPlainJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1}`:                      `{"a":1}`,
		"{ // x\n\"a\": 1, }":          "{ \n\"a\": 1 }",
		`{/* } */"a":[1,2,/**/],}`:     `{"a":[1,2]}`,
		`{"a":"// /* , } \" \\"}`:      `{"a":"// /* , } \" \\"}`,
		`["x",` + "\n// end\n" + `,]`:  "[\"x\",\n\n]",
		`/`:                            `/`,
		"//":                           ``,
		"{\"a\":1,\r\n//é\r\n\"b\":2}": "{\"a\":1,\r\n\n\"b\":2}",
	} {
		if got := plainJSON(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzPlainJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,],} // x`, `"\"`, `/*`, `{"a":"//"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := plainJSON(s)
		if len(got) > len(s) {
			t.Errorf("%q grew to %q", s, got)
		}
		var before, after bytes.Buffer
		if json.Compact(&before, []byte(s)) == nil && (json.Compact(&after, []byte(got)) != nil || before.String() != after.String()) {
			t.Errorf("%q is JSON already and became %q", s, got)
		}
	})
}
