package transcript

import (
	"slices"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
)

// chain holds the turns in the order of the file, and which line is of which. That order is
// the truth: a walk along the parents from the last line loses prompts, since chains break
// and most forks are parallel results of tools.
//
// A line belongs to the turn of the line that it follows, as far as that is known: two
// processes may write one file. Else it belongs to the newest turn.
type chain struct {
	turns  []*turn
	now    *turn              // the newest, nil before the first prompt
	owners map[string]*turn   // of each line of the tree; a value may be nil
	behind map[string][]*turn // prompts that were typed behind a line, by its id
}

// ownerOf is the turn of the line that another one follows.
func (c *chain) ownerOf(parent string) *turn {
	if owner := c.owners[parent]; parent != "" && owner != nil {
		return owner
	}
	return c.now
}

// add adds a turn.
func (c *chain) add(t *turn) *turn {
	c.turns, c.now = append(c.turns, t), t
	return t
}

// follow notes behind which line a prompt was typed, and which others were before.
func (c *chain) follow(t *turn) {
	t.before = c.behind[t.parent]
	if len(t.before) > 0 {
		t.above = t.before[0].above
	}
	c.behind[t.parent] = append(t.before, t)
}

// rewind marks what the user took back. A rewind is told only by two prompts that follow
// one line; the next prompt makes it, and nothing is deleted. Since the summer of 2026
// prompts that come over a bridge, or out of the queue, may follow an old line as well:
// where that may be, both stay.
func rewind(turns []*turn, bridged bool) {
	for _, t := range slices.Backward(turns) {
		t.sum()
	}
	for _, t := range turns {
		for _, earlier := range t.before[max(0, len(t.before)-maxRivals):] {
			if (t.parent != "" || earlier == turns[0]) && t.replaces(earlier, bridged) {
				earlier.dead = true
			}
		}
	}
	for _, t := range turns {
		t.dead = t.dead || t.above != nil && t.above.dead
	}
}

// maxRivals is how many earlier prompts behind one line are looked at.
const maxRivals = 64

// sum takes a turn into what is known of all that follows the turn above it, which stands in
// front of it.
func (t *turn) sum() {
	t.newest = later(t.newest, t.last)
	t.answered = t.answered || t.text.Len() > 0 && t.Status == sources.Complete
	if t.above != nil {
		t.above.newest = later(t.above.newest, t.newest)
		t.above.answered = t.above.answered || t.answered
	}
}

// replaces tells whether a prompt stands in place of an earlier one behind the same line:
// what followed that one went on no longer, and it had no answer, or the line says that the
// prompt was typed.
func (t *turn) replaces(earlier *turn, bridged bool) bool {
	if !t.typed || !earlier.typed || earlier.newest.After(t.At) {
		return false
	}
	return !earlier.answered || !bridged && (t.proven || isBefore(t.version, bridges))
}

// bridges is the version that began to take prompts from elsewhere. None before about
// 2.1.145 says of a prompt that it was typed.
const bridges = "2.1.156"

// isBefore compares versions; one that is not known is no older one.
func isBefore(version, than string) bool {
	return semver.IsValid("v"+version) && semver.Compare("v"+version, "v"+than) < 0
}
