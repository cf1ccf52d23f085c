package present

import (
	"fmt"
	"strings"
	"testing"
)

// Every hunk stands where its header says, in the old text and in the new one.
func TestHunksStandWhereTheySay(t *testing.T) {
	var old, now []string
	for n := range 60 {
		line := fmt.Sprintf("line %d\n", n)
		old = append(old, line)
		switch n {
		case 3, 6, 30: // two changes in one hunk
			now = append(now, "another "+line)
		case 20:
			now = append(now, "one more\n", line)
		case 45:
		default:
			now = append(now, line)
		}
	}
	hunks := strings.Split(hunksOf([]byte(strings.Join(old, "")), []byte(strings.Join(now, ""))), "@@ -")[1:]
	if len(hunks) != 4 {
		t.Fatalf("%d hunks, want 4", len(hunks))
	}
	for _, h := range hunks {
		var from, fromCount, to, toCount int
		if _, err := fmt.Sscanf(h, "%d,%d +%d,%d @@", &from, &fromCount, &to, &toCount); err != nil {
			t.Fatalf("%v in %q", err, h)
		}
		_, body, _ := strings.Cut(h, "\n")
		var a, b string
		for line := range strings.Lines(body) {
			if line[0] != '+' {
				a += line[1:]
			}
			if line[0] != '-' {
				b += line[1:]
			}
		}
		if strings.Join(old[from-1:from-1+fromCount], "") != a || strings.Join(now[to-1:to-1+toCount], "") != b {
			t.Errorf("not where it says: %s", h)
		}
	}
}
