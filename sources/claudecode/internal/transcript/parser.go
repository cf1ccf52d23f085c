package transcript

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/places"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/texts"
)

// parser takes in the lines of one transcript, in the order of the file.
type parser struct {
	facts
	chain
	queue  queue
	calls  calls
	spent  spent
	titles titles

	actions  []noted[sources.Action]
	command  string // the newest command, of which a second line may tell
	checks   []noted[sources.Checkpoint]
	boundary time.Time       // of a compaction whose text comes next
	recap    sources.Session // Summary alone

	side  map[string]*parser // of the lines of sub-agents, which version 1 wrote here, without a name
	sides []*parser

	bridged bool // prompts come from elsewhere too
	probed  bool // a program asked for a skill or command that is not there
	human   bool // a person typed a prompt
}

// newParser reads a session in a home; without an id, a sub-agent.
func newParser(id, home string) *parser {
	p := &parser{
		facts: facts{id: id, place: places.Place{Root: home}, alone: true},
		chain: chain{owners: map[string]*turn{}, behind: map[string][]*turn{}},
		spent: spent{},
	}
	p.calls = calls{place: &p.place, open: map[string]*call{}}
	return p
}

// root takes in a line without a parent of which no more is known.
func (p *parser) root() {
	p.begin(true)
	p.alone = false
}

// take takes in a line.
func (p *parser) take(r *lines.Record) {
	switch r.Type {
	case "user", "assistant", "system", "attachment":
		p.tree(r)
	case "custom-title":
		p.titles.custom = r.CustomTitle
	case "ai-title":
		p.titles.model = r.AITitle
	case "summary":
		p.titles.leaf(r.LeafUUID, r.Summary)
	case "queue-operation":
		p.queue.take(r, p.now)
	case "pr-link": // it is written again on resume
		p.calls.refs.link(r.PRURL, p.now)
	case "worktree-state":
		p.place.InWorktree(r.WorktreeSession.OriginalCwd, r.WorktreeSession.WorktreePath)
	case "bridge-session":
		p.bridged = true
	}
}

// tree takes in a line of the tree, each once: a file may hold one twice.
func (p *parser) tree(r *lines.Record) {
	if _, met := p.owners[r.UUID]; met && r.UUID != "" {
		return
	}
	p.begin(r.ParentUUID == "")
	if r.IsSidechain && p.id != "" {
		p.describe(r)
		p.sideLine(r)
		return
	}
	p.alone = false
	owner := p.ownerOf(r.ParentUUID)
	if p.describe(r) && owner != nil {
		owner.copied = true
	}
	switch r.Type {
	case "user":
		owner = p.user(r, owner)
	case "assistant":
		owner = p.answer(r, owner)
	case "system":
		p.system(r, owner)
	case "attachment":
		owner = p.attachment(r, owner)
	}
	if r.UUID != "" {
		p.owners[r.UUID] = owner
	}
	if owner != nil {
		owner.leaf, owner.last = r.UUID, later(owner.last, r.Timestamp.Time)
	}
}

// sideLine takes in a line of a sub-agent.
func (p *parser) sideLine(r *lines.Record) {
	if p.side == nil {
		p.side = map[string]*parser{}
	}
	one := p.side[r.ParentUUID]
	if n := len(p.sides); one == nil && r.ParentUUID != "" && n > 0 {
		one = p.sides[n-1]
	}
	if one == nil {
		one = newParser("", "")
		p.sides = append(p.sides, one)
	}
	p.side[r.UUID] = one
	one.take(r)
}

// answer takes in a block of an answer, which stands alone in its line.
func (p *parser) answer(r *lines.Record, owner *turn) *turn {
	m := &r.Message
	if m.Model == "<synthetic>" && !r.IsAPIError {
		if owner != nil && owner.Status == sources.Pending && len(owner.Tools) > 0 {
			owner.Status = sources.Cancelled // it was killed at work, and is resumed
		}
		return owner // "No response requested."
	}
	if owner == nil {
		shell := len(p.actions) > 0 && p.actions[len(p.actions)-1].what.Kind == sources.ActionShell
		if shell || !m.Content.Has("text") && !m.Content.Has("tool_use") {
			return nil // the agent takes notice of what the user ran
		}
		owner = p.add(newTurn(r, p.id, "", nil)) // the log was cut at its beginning
		owner.ID = ""
	}
	if owner.notices(r) {
		p.spent.add(owner, m)
		return owner
	}
	owner.End = later(owner.End, r.Timestamp.Time)
	if r.IsAPIError {
		owner.failed(m.Content.String())
		return owner
	}
	owner.by(m.Model)
	p.spent.add(owner, m)
	if m.Content.Blocks == nil {
		owner.reply(m.Content.Text, m.ID)
	}
	for i := range m.Content.Blocks {
		switch b := &m.Content.Blocks[i]; b.Type {
		case "text":
			owner.reply(b.Text, m.ID)
		case "tool_use":
			p.calls.begin(r, b, owner)
		}
	}
	return owner
}

// system takes in a line of the program.
func (p *parser) system(r *lines.Record, owner *turn) {
	switch r.Subtype {
	case "compact_boundary":
		p.boundary = r.Timestamp.Time
		delete(p.behind, "") // what begins behind it is no rewind to the first prompt
	case "local_command":
		p.localCommand(r, owner)
	case "away_summary":
		if text := r.Content.String(); text != "" {
			p.recap = sources.Session{Summary: text, SummaryFrom: sources.TrustNamed, SummaryAt: r.Timestamp.Time}
		}
	}
}

// localCommand takes in a command that only the program answered. Versions from about 2.1.2xx
// tell of it by the command between tags, by commandRun at its output, or by both.
func (p *parser) localCommand(r *lines.Record, owner *turn) {
	text := r.Content.String()
	if texts.KindOf(text) == texts.Command {
		if line := texts.SlashOf(text); line != "" {
			p.act(line, r.Timestamp.Time, owner)
			p.command = line
		}
		return
	}
	if run := r.CommandRun; run != nil && run.Command != "" {
		if line := texts.SlashLine(run.Command, run.Args); line != p.command {
			p.act(line, r.Timestamp.Time, owner)
		}
		p.command = ""
	}
}

// act notes what the user did beside their prompts.
func (p *parser) act(text string, at time.Time, owner *turn) {
	p.queue.remove(text)
	text = strings.TrimSpace(text)
	p.actions = append(p.actions, noted[sources.Action]{sources.Action{Kind: texts.ActionKind(text), Text: text, At: at}, owner})
}
