package decisions

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// insteadOf stands before what a decision takes back.
var insteadOf = pattern.Lazy(`(?i)\b(?:instead of|in place of|rather than|no longer|not .{1,12} any more|replaces?|supersedes?|drop(?:s|ped)?|statt|anstelle von|nicht mehr|ersetzt|en vez de|en lugar de|ya no|reemplaza|au lieu de|ne .{1,12} plus|remplace)\s+([^,.;:()]{3,80})|([^。、]{2,40})(?:の代わりに|をやめ|は使わ)`)

// Replaces says that a later decision takes an older one back: it names what it stands in place
// of, and that in the words of the older one, two at least.
func Replaces(later, older string) bool {
	for _, m := range insteadOf().FindAllStringSubmatch(later, -1) {
		gone := ends.WordsOf(strings.TrimSpace(m[1] + m[2]))
		if len(gone) > 1 && gone.Shared(ends.WordsOf(older)) == len(gone) {
			return true
		}
	}
	return false
}
