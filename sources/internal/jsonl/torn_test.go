package jsonl

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestBrokenRecords has records that do not stand on a line of their own.
func TestBrokenRecords(t *testing.T) {
	for name, c := range map[string]struct {
		log  string
		want []string
		bad  int
	}{
		"a raw line end in a text":           {`{"a":"one"}` + "\n" + `{"a":"two` + "\n" + `lines"}` + "\n" + `{"a":"three"}` + "\n", []string{"one", "two\nlines", "three"}, 0},
		"several, and braces":                {`{"a":"if x {` + "\n\n" + `  y()` + "\n" + `}` + "\n" + `end"}` + "\n" + `{"a":"b"}` + "\n", []string{"if x {\n\n  y()\n}\nend", "b"}, 0},
		"between members":                    {"{\n" + `"a": "one",` + "\n" + `"b": 2` + "\n}\n" + `{"a":"two"}` + "\n", []string{"one", "two"}, 0},
		"cut, and a new one begins":          {`{"a":"cut` + "\n" + `{"a":"two"}` + "\n", []string{"two"}, 1},
		"cut, with a whole one behind it":    {`{"a":"cut{"a":"two"}` + "\n" + `{"a":"three"}` + "\n", []string{"two", "three"}, 1},
		"cut, and what follows is no record": {`{"a":"cut` + "\n" + `noise` + "\n" + `noise {"a":"two"}` + "\n" + `{"a":"three"}` + "\n", []string{"two", "three"}, 3},
		"cut at the end":                     {`{"a":"one"}` + "\n" + `{"a":"cut` + "\n", []string{"one"}, 1},
		"broken at the end":                  {`{"a":"one` + "\n" + `two"}` + "\n", []string{"one\ntwo"}, 0},
		"too long":                           {`{"a":"` + strings.Repeat("x\n", maxTorn) + `"}` + "\n" + `{"a":"two"}` + "\n", []string{"two"}, -1},
	} {
		var got []string
		log := Log[struct {
			A string `json:"a"`
		}]{Heads: []string{`{"a":"`}}
		log.Take = func(r *struct {
			A string `json:"a"`
		}) (string, bool) {
			got = append(got, r.A)
			return "", true
		}
		if err := log.Read(context.Background(), strings.NewReader(c.log), 0); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) || c.bad >= 0 && log.Bad != c.bad {
			t.Errorf("%s: %.80q, %d bad; want %.80q, %d", name, got, log.Bad, c.want, c.bad)
		}
	}
}
