package templates

import "testing"

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

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
