package templates

import (
	"strings"
	"testing"
)

var prose = strings.Repeat("The middleware takes an interface now, so that a key ring and a single key both fit. "+
	"`auth.Ring` tries its keys newest first; with three keys that costs three HMACs, about 1.2 µs.\n", 5) + "\n" + designs

func BenchmarkBlock(b *testing.B) {
	s := strings.Repeat(prose, 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		block(s)
	}
}

func BenchmarkQuote(b *testing.B) {
	s := strings.Repeat(prose, 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		quote(1, s)
	}
}

func BenchmarkInline(b *testing.B) {
	s := strings.ReplaceAll(prose, "\n", " ")
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		inline(s)
	}
}

func BenchmarkHostileBlock(b *testing.B) {
	s := strings.Repeat(hostileText, 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		block(s)
	}
}

// BenchmarkAdversarial runs inputs that a careless look-ahead takes quadratic
// time for.
func BenchmarkAdversarial(b *testing.B) {
	for name, unit := range map[string]string{
		"links": "](http://", "ticks": "` `` ``` ", "angles": "<http://", "bars": "|a", "quotes": ">", "markers": "%% ", "indents": "    x\n\n",
		"heads": "a|b\n", "queries": "`=`` ", "escapes": "\x1b]x",
	} {
		b.Run(name, func(b *testing.B) {
			s := strings.Repeat(unit, (1<<20)/len(unit))
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				block(s)
			}
		})
	}
}

func BenchmarkSession(b *testing.B) {
	s, v := embeddedSet(b), rotationView()
	for len(v.Turns) < 10 {
		v.Turns = append(v.Turns, v.Turns[len(v.Turns)%2])
	}
	for b.Loop() {
		if _, err := s.Session(v); err != nil {
			b.Fatal(err)
		}
	}
}
