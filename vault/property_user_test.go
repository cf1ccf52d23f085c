package vault

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// user remembers what a human did to a note.
type user struct {
	r     *rand.Rand
	next  int
	wrote map[string]bool // lines of theirs that stand in the note, with their line ends
	cut   map[int]bool    // lines of ours they took out

	keys    map[string]string // lines of frontmatter that are theirs, by key; "": they took that of ours out
	tags    map[string]bool   // of theirs
	tagsCut map[string]bool   // of ours they took out
	bom     bool
}

func newUser(r *rand.Rand) *user {
	return &user{r: r, wrote: map[string]bool{}, cut: map[int]bool{}, keys: map[string]string{}, tags: map[string]bool{}, tagsCut: map[string]bool{}}
}

// edit does something to the note.
func (u *user) edit(s string) (now, what string) {
	u.next++
	switch n := u.r.IntN(20); {
	case n < 11:
		return u.editLine(s)
	case n < 12:
		return u.otherLineEnds(s), "theirs: line ends"
	case n < 13 && !u.bom:
		u.bom = true
		return "\uFEFF" + s, "theirs: mark"
	}
	return u.editProps(s)
}

// editLine inserts, deletes or replaces a line below the frontmatter.
func (u *user) editLine(s string) (string, string) {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	first := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "%% sessionloom body") })
	at := first + u.r.IntN(len(lines)-first)
	eol := "\n"
	if strings.HasSuffix(lines[0], "\r\n") != (u.r.IntN(8) == 0) { // now and then that of another system
		eol = "\r\n"
	}
	mine := fmt.Sprintf("mine %d%s", u.next, eol)
	if u.r.IntN(2) == 0 {
		u.wrote[mine] = true
		if !strings.HasSuffix(lines[at], "\n") {
			lines[at] += "\n"
		}
		return strings.Join(slices.Insert(lines, at+1, mine), ""), "theirs: " + strings.TrimSpace(mine)
	}
	ours, isOurs := ourLine(lines[at])
	if !isOurs && !u.wrote[lines[at]] {
		return s, ""
	}
	what := "theirs: without " + strings.TrimSpace(lines[at])
	if delete(u.wrote, lines[at]); isOurs {
		u.cut[ours] = true
	}
	if u.r.IntN(2) == 0 {
		return strings.Join(slices.Delete(lines, at, at+1), ""), what
	}
	lines[at], u.wrote[mine] = mine, true
	return strings.Join(lines, ""), what + " but " + strings.TrimSpace(mine)
}

// ourLine reads the number of a line of ours.
func ourLine(line string) (n int, ok bool) {
	_, err := fmt.Sscanf(line, "ours %d", &n)
	return n, err == nil
}

func (u *user) otherLineEnds(s string) string {
	wrote := u.wrote
	u.wrote = map[string]bool{}
	eol := "\r\n"
	if strings.Contains(s, "\r\n") {
		eol = "\n"
	}
	for line := range wrote {
		u.wrote[strings.TrimRight(line, "\r\n")+eol] = true
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", eol)
}

var quotedText = regexp.MustCompile(`(?m)^([a-z_]+: |  - )"([A-Za-z][A-Za-z0-9 ./]*)"(\r?)$`)

func (u *user) editProps(s string) (now, what string) {
	eol := "\n"
	if strings.Contains(s, "---\r\n") {
		eol = "\r\n"
	}
	replace := func(pattern, by string) bool {
		found := regexp.MustCompile(pattern).FindStringIndex(s)
		if found == nil {
			return false
		}
		s = s[:found[0]] + by + s[found[1]:]
		return true
	}
	scalar := []string{"title", "turn_count", "updated", "branch"}[u.r.IntN(4)]
	switch u.r.IntN(6) {
	case 0: // a property of their own
		line := fmt.Sprintf("own_%d: [a, 'b']   # why", u.next)
		u.keys[fmt.Sprintf("own_%d", u.next)] = line
		replace(`(?m)^tags:`, line+eol+"tags:")
		return s, "theirs: " + line
	case 1: // a value of their own
		line := fmt.Sprintf("%s: 'mine %d'", scalar, u.next)
		if replace(`(?m)^`+scalar+`: [^\r\n]*`, line) {
			u.keys[scalar] = line
			return s, "theirs: " + line
		}
	case 2: // none at all
		if replace(`(?m)^`+scalar+`: [^\n]*\n`, "") {
			u.keys[scalar] = ""
			return s, "theirs: no " + scalar
		}
	case 3:
		tag := fmt.Sprintf("mine/%d", u.next)
		if replace(`(?m)^tags:\r?\n`, "tags:"+eol+"  - "+tag+eol) {
			u.tags[tag] = true
			return s, "theirs: " + tag
		}
	case 4:
		found := regexp.MustCompile(`(?m)^  - "?(agents/[a-z0-9]+)"?\r?\n`).FindStringSubmatchIndex(s)
		if found != nil && strings.Count(s, "  - agents/")+strings.Count(s, `  - "agents/`)+len(u.tags) > 1 {
			u.tagsCut[s[found[2]:found[3]]] = true
			return s[:found[0]] + s[found[1]:], "theirs: a tag less"
		}
	case 5: // Obsidian's spelling
		return quotedText.ReplaceAllString(s, "$1$2$3"), "theirs: other quotes"
	}
	return s, ""
}
