package claudecode

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
)

type turn struct {
	*builder.Turn
	above  *turn   // of the line that the prompt follows
	parent string  // id of that line
	before []*turn // earlier prompts behind the same line
	leaf   string  // newest line
	shell  string  // newest line of a command of the shell that the user ran
	last   int64   // newest time of a line, later of all that follows it too, in milliseconds

	answered bool // it is, or something that follows it
	typed    bool // a prompt of its own line, in the session's own order
	proven   bool // a person typed it here: the line says so, or none came from elsewhere then
	follows  bool // it is known what it follows
	auto     bool // a program's prompt
	copied   bool // of another session
	foreign  bool // its line names another session
}

// built returns the turn of the builder, nil for none.
func (t *turn) built() *builder.Turn {
	if t == nil {
		return nil
	}
	return t.Turn
}

// tree holds which line is of which turn: that of the line that it follows, since two processes may write one file, else
// the newest. Turns have the order of the file: a walk along the parents from the last line loses prompts, since chains
// break and most forks are parallel results of tools.
type tree struct {
	turns  []*turn
	known  map[*builder.Turn]*turn
	now    *turn              // the newest, nil before the first prompt
	lines  map[string]line    // by their ids
	shared map[string]bool    // ids that several lines have: hooks write such, and they prove nothing
	behind map[string][]*turn // prompts that were typed behind a line, by its id
}

// line is a line of the tree. One that was passed over is empty.
type line struct {
	turn *turn
	kind string
	at   time.Time
}

// meet notes the id of a line, and reports whether the same line was there before.
func (c *tree) meet(uuid string, l line) (again bool) {
	was, met := c.lines[uuid]
	switch {
	case uuid == "":
	case met:
		c.shared[uuid] = true
	default:
		c.lines[uuid] = line{}
	}
	return met && l.kind != "" && was.kind == l.kind && was.at.Equal(l.at)
}

// add adds a turn that a line began, behind the turn above.
func (p *parser) add(b *builder.Turn, r *record, above *turn) *turn {
	if p.now = p.known[b]; p.now != nil {
		return p.now
	}
	t := &turn{Turn: b, above: above, parent: r.ParentUUID, copied: r.ForkedFrom.SessionID != "", foreign: r.SessionID != "" && r.SessionID != p.id}
	if r.PermissionMode == "plan" { // the others say what the agent may do unasked
		t.Mode = r.PermissionMode
	}
	p.known[b], p.now, p.turns = t, t, append(p.turns, t)
	return t
}

// follow notes behind which line a prompt was typed, and which others were before.
func (c *tree) follow(t *turn) {
	if t.follows {
		return // it comes again
	}
	t.follows, t.before = true, c.behind[t.parent]
	if len(t.before) > 0 {
		t.above = t.before[0].above
	}
	c.behind[t.parent] = append(t.before, t)
}

const maxRivals = 64 // earlier prompts behind one line that are looked at

// rewind marks what the user took back. Nothing but two prompts that follow one line tells of that, and nothing is deleted.
// Since the summer of 2026 prompts over a bridge, or out of the queue, may follow an old line too: where that may be, both stay.
func (c *tree) rewind(bridged bool) {
	for _, t := range slices.Backward(c.turns) { // what follows a turn stands behind it
		t.answered = t.answered || t.Said() && t.Status == sources.Complete
		if t.above != nil {
			t.above.last = max(t.above.last, t.last)
			t.above.answered = t.above.answered || t.answered
		}
	}
	for _, t := range c.turns {
		for _, earlier := range t.before[max(0, len(t.before)-maxRivals):] {
			if (t.parent != "" || earlier == c.turns[0]) && !c.shared[t.parent] && t.replaces(earlier, bridged) {
				earlier.TakeBack()
			}
		}
	}
	for _, t := range c.turns {
		if t.above != nil && t.above.IsBack() {
			t.TakeBack()
		}
	}
}

// replaces reports whether a prompt stands in place of an earlier one behind the same line, which went on no longer.
func (t *turn) replaces(earlier *turn, bridged bool) bool {
	return t.typed && earlier.typed && earlier.last <= t.At.UnixMilli() && (!earlier.answered || !bridged && t.proven)
}

const (
	bridges   = "2.1.156" // the version that began to take prompts from elsewhere; none before about 2.1.145 says that one was typed
	summaries = "2.1.40"  // the one that about wrote no summary any more into other transcripts
)

// isBefore compares versions; one that is not known is no older one.
func isBefore(version, than string) bool {
	return semver.IsValid("v"+version) && semver.Compare("v"+version, "v"+than) < 0
}

// notices reports whether the model only takes notice, by a word, of what the user ran in the line before: since 2.1.
func (t *turn) notices(r *record) bool {
	return t.shell != "" && t.shell == r.ParentUUID && strings.TrimSpace(r.Message.Content.String()) == "Done." && !r.Message.Content.has("tool_use")
}
