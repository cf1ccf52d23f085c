package note

import (
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	d := someContent()
	d.Body = str(strings.Repeat("Some line of a note with words in it.\n", 260))
	raw := Render(d)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		Parse("p.md", raw)
	}
}

func BenchmarkParseReserialized(b *testing.B) {
	raw := []byte(strings.Replace(string(Render(someContent())), "title: \"One\"", "title: One", 1))
	for b.Loop() {
		Parse("p.md", raw)
	}
}
