package redact

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// piece is what a developer's transcript holds, with a name for it.
type piece struct{ name, text string }

// pieces reads the pieces of a file: "=== name" and the text below it.
func piecesOf(t *testing.T, file string) []piece {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	var all []piece
	// The marks keep others from taking the file for one full of secrets.
	for one := range strings.SplitSeq(strings.ReplaceAll(string(text), "‸", ""), "=== ") {
		if name, text, ok := strings.Cut(one, "\n"); ok {
			all = append(all, piece{name, strings.TrimSuffix(text, "\n")})
		}
	}
	return all
}

var (
	marked    = regexp.MustCompile(`(?s)«.*?»`)
	anyNumber = regexp.MustCompile(`\[redacted:[a-z0-9-]+#[0-9]+\]`)
)

// What is said in « and » is masked, and not a byte around it; then there is no more
// to mask.
func TestLeaksAreMasked(t *testing.T) {
	for _, p := range piecesOf(t, "testdata/leaks.txt") {
		masked := masker().Text(strings.NewReplacer("«", "", "»", "").Replace(p.text))
		if again := masker().Text(masked); again != masked {
			t.Errorf("%s is masked again: %q, %q", p.name, masked, again)
		}
		got := anyNumber.ReplaceAllString(Number(masked)[0], "[redacted]")
		if want := marked.ReplaceAllString(p.text, "[redacted]"); got != want {
			t.Errorf("%s:%s", p.name, difference(got, want))
		}
	}
}

func TestHarmlessTextStays(t *testing.T) {
	for _, p := range piecesOf(t, "testdata/harmless.txt") {
		if got := Number(masker().Text(p.text))[0]; got != p.text {
			t.Errorf("%s:%s", p.name, difference(got, p.text))
		}
	}
}

// difference shows the lines that are not as they should be.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		return "\ngot\n" + got + "\nwant\n" + want
	}
	var b strings.Builder
	for i := range g {
		if g[i] != w[i] {
			b.WriteString("\ngot  " + g[i] + "\nwant " + w[i])
		}
	}
	return b.String()
}
