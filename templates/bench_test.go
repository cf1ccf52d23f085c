package templates

import (
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func BenchmarkSession(b *testing.B) {
	s, v := embeddedSet(b), rotationView()
	for len(v.Turns) < 10 {
		v.Turns = append(v.Turns, v.Turns[len(v.Turns)%2])
	}
	for b.Loop() {
		if _, err := s.Page(v); err != nil {
			b.Fatal(err)
		}
	}
}

var must = expect.OK
