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
	above  *turn   // turn of the line that the prompt follows
	parent string  // id of that line
	before []*turn // earlier prompts after the same line
	leaf   string  // newest line
	shell  string  // newest line of a shell command that the user ran
	last   int64   // newest time of a line or of anything that follows it, in milliseconds

	answered bool // an answer came to it, or to something that follows it
	typed    bool // a prompt of its own line, in the session's own order
	proven   bool // a person typed it here: the line says so, or prompts came from nowhere else then
	follows  bool // it is known what it follows
	auto     bool // a program's prompt
	copied   bool // from another session
	foreign  bool // its line names another session
}

// built returns the turn of the builder, or nil.
func (t *turn) built() *builder.Turn {
	if t == nil {
		return nil
	}
	return t.Turn
}

// tree maps each line to a turn: the turn of the line it follows, since two processes may write one file,
// else the newest. Turns have the order of the file: a walk along the parents from the last line would lose
// prompts, since chains break and most forks are parallel results of tools.
type tree struct {
	turns  []*turn
	known  map[*builder.Turn]*turn
	now    *turn              // the newest, nil before the first prompt
	lines  map[string]line    // lines by id
	shared map[string]bool    // ids that several lines of hooks share: they prove nothing
	behind map[string][]*turn // prompts typed after a line, by its id
}

// line is a line of the tree, empty if it was skipped.
type line struct {
	turn *turn
	kind string
	at   time.Time
}

// meet records the id of a line, and reports whether the same line occurred before.
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

// add adds a turn that a line began, after the turn above.
func (p *parser) add(b *builder.Turn, r *record, above *turn) *turn {
	if p.now = p.known[b]; p.now != nil {
		return p.now
	}
	t := &turn{Turn: b, above: above, parent: r.ParentUUID, copied: r.ForkedFrom.SessionID != "", foreign: r.SessionID != "" && r.SessionID != p.id}
	if r.PermissionMode == "plan" { // the other modes say what the agent may do without asking
		t.Mode = r.PermissionMode
	}
	p.known[b], p.now, p.turns = t, t, append(p.turns, t)
	return t
}

// follow records the line after which a prompt was typed, and earlier prompts there.
func (c *tree) follow(t *turn) {
	if t.follows {
		return // it is repeated
	}
	t.follows, t.before = true, c.behind[t.parent]
	if len(t.before) > 0 {
		t.above = t.before[0].above
	}
	c.behind[t.parent] = append(t.before, t)
}

const maxRivals = 64 // limit of earlier prompts compared per line

// rewind marks what the user took back. Only two prompts that follow one line show that, and nothing is deleted. Since
// the summer of 2026 prompts over a bridge, or from the queue, may follow an old line too: where that is possible, both
// stay.
func (c *tree) rewind(bridged bool) {
	for _, t := range slices.Backward(c.turns) { // turns that follow another come after it
		t.answered = t.answered || t.Said() && t.Status == sources.Complete
		if t.above != nil {
			t.above.last = max(t.above.last, t.last)
			t.above.answered = t.above.answered || t.answered
		}
	}
	for _, t := range c.turns {
		for _, earlier := range t.before[max(0, len(t.before)-maxRivals):] {
			if (t.parent != "" || earlier == c.turns[0]) && !c.shared[t.parent] && t.typed && earlier.typed && earlier.last <= t.At.UnixMilli() &&
				(!earlier.answered || !bridged && t.proven) { // it replaces one that had no further continuation
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

const (
	bridges   = "2.1.156" // first version that accepted prompts from elsewhere; none before about 2.1.145 marks typed ones
	summaries = "2.1.40"  // about the first version that no longer wrote summaries into other transcripts
)

// isBefore compares versions; an unknown one is not older.
func isBefore(version, than string) bool {
	return semver.IsValid("v"+version) && semver.Compare("v"+version, "v"+than) < 0
}

// notices reports whether the model only acknowledges, by a word, what the user ran in the line before: since 2.1.
func (t *turn) notices(r *record) bool {
	return t.shell != "" && t.shell == r.ParentUUID && strings.TrimSpace(r.Message.Content.String()) == "Done." && !r.Message.Content.has("tool_use")
}
