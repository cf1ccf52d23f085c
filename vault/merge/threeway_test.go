package merge

import "testing"

func TestMerge3(t *testing.T) {
	const base = "a\nb\nc\nd\n"
	for _, c := range []struct {
		name, theirs, ours, text, base string
		refused                        int
	}{
		{"apart", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n", "a\nb\nc\nD\n", 0},
		{"neighbours", "a\nB\nc\nd\n", "a\nb\nC\nd\n", "a\nB\nC\nd\n", "a\nb\nC\nd\n", 0},
		{"both append", base + "mine\n", base + "yours\n", base + "mine\nyours\n", base + "yours\n", 0},
		{"same", base + "x\n", base + "x\n", base + "x\n", base + "x\n", 0},
		{"conflict", "a\nX\nc\nd\n", "a\nY\nc\nD\n", "a\nX\nc\nD\n", "a\nb\nc\nD\n", 1},
		{"insert before a change", "a\nmine\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nmine\nB\nc\nd\n", "a\nB\nc\nd\n", 0},
		{"insert after a change", "a\nb\nmine\nc\nd\n", "a\nB\nc\nd\n", "a\nB\nmine\nc\nd\n", "a\nB\nc\nd\n", 0},
		{"insert into what goes", "a\nb\nmine\nc\nd\n", "a\nd\n", "a\nb\nmine\nc\nd\n", base, 1},
		{"deleted both", "a\nd\n", "a\nd\n", "a\nd\n", "a\nd\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := threeWay(base, c.theirs, c.ours)
			if m.text != c.text || m.base != c.base || len(m.rejected) != c.refused {
				t.Errorf("text %q\nbase %q\n%d refused: %+v", m.text, m.base, len(m.rejected), m.rejected)
			}
			again := threeWay(m.base, m.text, c.ours)
			if again.text != m.text || again.base != m.base || len(again.rejected) != len(m.rejected) {
				t.Errorf("a second merge gives %q over %q", again.text, again.base)
			}
		})
	}
}

// Texts of ours have many blank lines, which are no more alike than others that are there often.
func TestMergeAmongBlankLines(t *testing.T) {
	for _, c := range []struct{ name, base, theirs, ours, text string }{
		{"a line that they took out stays away", "a\n\nb\n\nc\n\n", "a\n\nmine\n\nc\n\n", "a\n\nx\n\ny\n\nb\n\n", "a\n\nx\n\ny\n\nmine\n\n"},
		{"one change is not refused by halves", "a\n\nb\n\nc\n\n", "a\n\n\n\n", "a\n\nb\n\nx\n\ny\n\n", "a\n\n\n\n"},
	} {
		if m := threeWay(c.base, c.theirs, c.ours); m.text != c.text {
			t.Errorf("%s: %q", c.name, m.text)
		}
	}
}
