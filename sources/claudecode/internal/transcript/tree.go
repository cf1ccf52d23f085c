package transcript

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
)

// turn is a turn with its place in the tree of lines.
type turn struct {
	*builder.Turn
	above  *turn     // of the line that the prompt follows
	parent string    // id of that line
	before []*turn   // earlier prompts behind the same line
	leaf   string    // newest line
	shell  string    // newest line of a command of the shell that the user ran
	last   time.Time // newest time of a line

	newest   time.Time // of it and all that follows it
	answered bool      // so is it, or something that follows it

	typed   bool // a prompt of its own line, in the session's own order
	proven  bool // the line says that a person typed it here
	auto    bool // a program's prompt
	copied  bool // of another session
	foreign bool // its line names another session
	version string
}

// tree holds which line is of which turn. The order of the file is that of the turns: a walk
// along the parents from the last line loses prompts, since chains break and most forks are
// parallel results of tools.
//
// A line belongs to the turn of the line that it follows, as far as that is known: two
// processes may write one file. Else it belongs to the newest turn.
type tree struct {
	turns  []*turn
	known  map[*builder.Turn]*turn
	now    *turn              // the newest, nil before the first prompt
	owners map[string]*turn   // of each line of the tree; a value may be nil
	behind map[string][]*turn // prompts that were typed behind a line, by its id
	passed map[string]bool    // ids of lines that were passed over, true where several lines have one
}

func newTree() tree {
	return tree{known: map[*builder.Turn]*turn{}, owners: map[string]*turn{}, behind: map[string][]*turn{}, passed: map[string]bool{}}
}

// ownerOf returns the turn of the line that another one follows.
func (c *tree) ownerOf(parent string) *turn {
	if owner := c.owners[parent]; parent != "" && owner != nil {
		return owner
	}
	return c.now
}

// pass notes the id of a line that was passed over. Hooks write lines that share one.
func (c *tree) pass(uuid string) {
	if uuid != "" {
		_, met := c.passed[uuid]
		c.passed[uuid] = met
	}
}

// add adds a turn that a line began, behind the turn above.
func (c *tree) add(b *builder.Turn, r *lines.Record, session string, above *turn) *turn {
	if t := c.known[b]; t != nil {
		c.now = t
		return t
	}
	t := &turn{Turn: b, above: above, parent: r.ParentUUID, copied: r.ForkedFrom.SessionID != "", foreign: r.SessionID != "" && r.SessionID != session, version: r.Version}
	if r.PermissionMode == "plan" { // the others say what the agent may do unasked
		t.Mode = r.PermissionMode
	}
	c.known[b], c.now = t, t
	c.turns = append(c.turns, t)
	return t
}

// follow notes behind which line a prompt was typed, and which others were before.
func (c *tree) follow(t *turn) {
	if len(t.before) > 0 || slices.Contains(c.behind[t.parent], t) {
		return // told again
	}
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
func (c *tree) rewind(bridged bool) {
	for _, t := range slices.Backward(c.turns) {
		t.sum()
	}
	for _, t := range c.turns {
		for _, earlier := range t.before[max(0, len(t.before)-maxRivals):] {
			if (t.parent != "" || earlier == c.turns[0]) && !c.passed[t.parent] && t.replaces(earlier, bridged) {
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

// maxRivals is how many earlier prompts behind one line are looked at.
const maxRivals = 64

// sum takes a turn into what is known of all that follows the turn above it, which stands in
// front of it.
func (t *turn) sum() {
	t.newest = later(t.newest, t.last)
	t.answered = t.answered || t.Said() && t.Status == sources.Complete
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

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// notices tells whether the model only takes notice of what the user ran, in a line right
// behind that: since 2.1 it says a word, which is no answer to the prompt.
func (t *turn) notices(r *lines.Record) bool {
	return t.shell != "" && t.shell == r.ParentUUID && strings.TrimSpace(r.Message.Content.String()) == "Done." && !r.Message.Content.Has("tool_use")
}
