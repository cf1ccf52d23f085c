package merge

import (
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// ticked returns the texts of the boxes that were ticked from one text to the
// other, none where anything else changed.
func ticked(old, now string) []string {
	before, after := splitLines(old), splitLines(now)
	if len(before) != len(after) {
		return nil
	}
	var texts []string
	for i, line := range before {
		if line == after[i] {
			continue
		}
		boxes := note.Boxes(line)
		lower, upper := strings.Replace(line, "[ ]", "[x]", 1), strings.Replace(line, "[ ]", "[X]", 1)
		if len(boxes) != 1 || boxes[0].Ticked || after[i] != lower && after[i] != upper {
			return nil
		}
		texts = append(texts, boxes[0].Text)
	}
	return texts
}

// shownDone says that a text has boxes with all these texts, every one ticked.
func shownDone(text string, boxes []string) bool {
	if len(boxes) == 0 {
		return true
	}
	done := map[string]bool{}
	for _, b := range note.Boxes(text) {
		before, known := done[b.Text]
		done[b.Text] = b.Ticked && (before || !known)
	}
	for _, b := range boxes {
		if !done[b] {
			return false
		}
	}
	return true
}
