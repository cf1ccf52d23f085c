package ends

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/pattern"
)

var boxMark = pattern.Lazy(`^(?:\[([^\]\n])\]\s+|([☐☑☒✅✔]\x{fe0f}?)\s*)(.*)$`)

// cutBox reads "[ ] text", "[x] text", "☐ text" and "☑ text".
func cutBox(item string) (done bool, rest string, ok bool) {
	if item == "" || item[0] != '[' && item[0] < 0x80 {
		return false, "", false
	}
	m := boxMark().FindStringSubmatch(item)
	if m == nil || strings.TrimSpace(m[3]) == "" {
		return false, "", false
	}
	if m[2] != "" {
		return !strings.HasPrefix(m[2], "☐"), m[3], true
	}
	return strings.ContainsAny(m[1], "xX-"), m[3], true
}

var (
	enumeration = pattern.Lazy(`\s*(?:;|\((?:\d|[a-h])\)|(?:^|\s)[1-9]\))\s+|；`)
)

// parts cuts what stands behind a lead-in where marks part several things.
func parts(text string) []string {
	var out []string
	for _, p := range enumeration().Split(text, -1) {
		if p = strings.Trim(strings.TrimSpace(p), ",;"); p != "" {
			out = append(out, cutList(p)...)
		}
	}
	return out
}

// maxListed is how many words a thing of such a list has at most.
const maxListed = 10

var lastOfList = pattern.Lazy(`^(?:(.+) )?(?:and|und|y|e|et|sowie) (.+)$`)

// cutList cuts a list of short things: "the docs, the changelog and the tag".
func cutList(text string) []string {
	if strings.Count(text, "、") > 1 {
		return splitIdeographs(text)
	}
	parts := strings.Split(strings.TrimSuffix(text, "."), ", ")
	if last := len(parts) - 1; last > 0 {
		if m := lastOfList().FindStringSubmatch(parts[last]); m != nil {
			parts = slices.DeleteFunc(append(parts[:last], m[1], m[2]), func(p string) bool { return p == "" })
		}
	}
	if len(parts) < 3 || slices.ContainsFunc(parts, func(p string) bool { return len(strings.Fields(p)) > maxListed }) {
		return []string{text}
	}
	return parts
}

// counter closes a list in Japanese: "… の 3 つです。"
var counter = pattern.Lazy(`の\s*[0-9０-９]+\s*(?:つ|件|点)(?:です|になります|だけです)?。?$`)

// splitIdeographs does it for a script without blanks.
func splitIdeographs(text string) []string {
	const maxRunes = 30 // of a thing
	parts := strings.Split(counter().ReplaceAllString(text, ""), "、")
	if slices.ContainsFunc(parts, func(p string) bool { return len([]rune(p)) > maxRunes }) {
		return []string{text}
	}
	return parts
}
