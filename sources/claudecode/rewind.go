package claudecode

import (
	"slices"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
)

// rewind finds what the user took back. A rewind is told only by two prompts that follow
// one line; the next prompt makes it, and nothing is deleted. Since the summer of 2026
// prompts that come over a bridge, or out of the queue, may follow an old line as well:
// where that may be, both stay.
func (p *parser) rewind() {
	for _, t := range slices.Backward(p.turns) {
		t.sum()
	}
	for _, t := range p.turns {
		for _, earlier := range t.before[max(0, len(t.before)-maxRivals):] {
			if p.replaces(t, earlier) {
				earlier.dead = true
			}
		}
	}
	for _, t := range p.turns {
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
func (p *parser) replaces(t, earlier *turn) bool {
	if !t.typed || !earlier.typed || t.parent == "" && earlier != p.turns[0] || earlier.newest.After(t.At) {
		return false
	}
	return !earlier.answered || !p.bridged && (t.proven || isBefore(t.version, bridges))
}

// bridges is the version that began to take prompts from elsewhere. None before about
// 2.1.145 says of a prompt that it was typed.
const bridges = "2.1.156"

// isBefore compares versions; one that is not known is no older one.
func isBefore(version, than string) bool {
	return semver.IsValid("v"+version) && semver.Compare("v"+version, "v"+than) < 0
}
