package claudecode

import (
	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
)

// rewind finds what the user took back. A rewind is told only by two prompts that follow
// one line; the next prompt makes it, and nothing is deleted. Since the summer of 2026
// prompts that come over a bridge, or out of the queue, may follow an old line as well:
// where that may be, both stay.
func (p *parser) rewind() {
	for _, t := range p.turns {
		for _, earlier := range t.before {
			if !earlier.dead && p.replaces(t, earlier) {
				p.kill(earlier)
			}
		}
	}
}

// replaces tells whether a prompt stands in place of an earlier one behind the same line.
func (p *parser) replaces(t, earlier *turn) bool {
	if !t.typed || !earlier.typed || t.parent == "" && earlier != p.turns[0] {
		return false
	}
	below := p.below(earlier)
	answered := false
	for _, one := range below {
		if one.last.After(t.At) { // it went on
			return false
		}
		answered = answered || one.text.Len() > 0 && one.Status == sources.Complete
	}
	return !answered || !p.bridged && (t.proven || isBefore(t.version, bridges))
}

// bridges is the version that began to take prompts from elsewhere. None before about
// 2.1.145 says of a prompt that it was typed.
const bridges = "2.1.156"

// isBefore compares versions; one that is not known is no older one.
func isBefore(version, than string) bool {
	return semver.IsValid("v"+version) && semver.Compare("v"+version, "v"+than) < 0
}

// below are a turn and those that follow it.
func (p *parser) below(first *turn) []*turn {
	in := map[*turn]bool{first: true}
	out := []*turn{first}
	for _, t := range p.turns {
		if !in[t] && t.above != nil && in[t.above] {
			in[t] = true
			out = append(out, t)
		}
	}
	return out
}

// kill marks a turn and those that follow it.
func (p *parser) kill(first *turn) {
	for _, t := range p.below(first) {
		t.dead = true
	}
}

// unqueued puts the prompts that only the queue tells of behind the turns in which they
// were typed.
func (p *parser) unqueued() {
	behind := map[*turn][]*turn{}
	for _, q := range p.queue {
		if q.gone {
			continue
		}
		t := &turn{}
		t.At, t.User, t.Status, t.above = q.at, q.text, sources.Complete, q.turn
		behind[q.turn] = append(behind[q.turn], t)
		p.human = true
	}
	if len(behind) == 0 {
		return
	}
	out := behind[nil]
	for _, t := range p.turns {
		out = append(append(out, t), behind[t]...)
	}
	p.turns = out
}
