package words

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// TestFlat has values of every type.
func TestFlat(t *testing.T) {
	for text, want := range map[string]string{
		`" a "`: "a", `7`: "7", `null`: "", `{"a":1}`: "", `[]`: "", `["a",2,""]`: "- a\n- 2", `[["a"],{}]`: "- - a", `true`: "",
	} {
		var f Flat
		if err := decode.Text(text, &f); err != nil || string(f) != want {
			t.Errorf("%s: %q, %v, want %q", text, f, err, want)
		}
	}
}
