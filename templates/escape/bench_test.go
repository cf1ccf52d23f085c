package escape

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata"
)

const designs = "Three designs:\n\n" +
	"| design | rotation | cost |\n|---|---|---|\n" +
	"| two variables, `…_KEY` and `…_KEY_OLD` | restart | none, but only ever two keys |\n" +
	"| key file, read again on SIGHUP | no restart | a small parser |\n" +
	"| key service | central | a new dependency on every request path |\n\n" +
	"I'd take the **key file**: `kid` tells which key signed.\n\n" +
	"```go\ntype Ring struct {\n\tkeys atomic.Pointer[[]key]\n}\n\n\n// Add makes k the active key.\nfunc (r *Ring) Add(k key) { … }\n```\n\n" +
	"## What it costs\n\n1. a parser\n2. a signal handler, see [the docs](https://pkg.go.dev/os/signal#Notify)\n   - tested with `kill -HUP`\n"

var prose = strings.Repeat("The middleware takes an interface now, so that a key ring and a single key both fit. "+
	"`auth.Ring` tries its keys newest first; with three keys that costs three HMACs, about 1.2 µs.\n", 5) + "\n" + designs

func BenchmarkBlock(b *testing.B) {
	s := strings.Repeat(prose, 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Block(s)
	}
}

func BenchmarkQuote(b *testing.B) {
	s := strings.Repeat(prose, 20)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Quote(1, s)
	}
}

func BenchmarkInline(b *testing.B) {
	s := strings.ReplaceAll(prose, "\n", " ")
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Inline(s)
	}
}

func BenchmarkHostileBlock(b *testing.B) {
	s := strings.Repeat(testdata.Hostile, 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Block(s)
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
				Block(s)
			}
		})
	}
}
