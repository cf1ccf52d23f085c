package present

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a terminal does not show, and what would steer it, is printed as an escape; JSON says the
// same as before.
func TestCleanShowsWhatIsHidden(t *testing.T) {
	const text = "a\u202eb\x1b[2J\u2028c\U000e0041\U000e0042d 👨‍👩‍👧 é\ttab"
	got := Clean(text)
	if strings.ContainsAny(got, "\u202e\x1b\u2028\U000e0041\U000e0042") || !strings.HasSuffix(got, "d 👨‍👩‍👧 é\ttab") {
		t.Errorf("%q", got)
	}
	written, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal([]byte(Clean(string(written))), &back); err != nil || back != text {
		t.Errorf("%q, %v", back, err)
	}
}
