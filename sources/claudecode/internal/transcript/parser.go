package transcript

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/places"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/texts"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
)

// parser translates the lines of one transcript, in the order of the file.
type parser struct {
	facts
	tree
	b     *builder.Builder
	queue queue
	spent map[string]sources.Tokens // by message of the model

	titles   titles
	command  string    // the newest command, of which a second line may tell
	boundary time.Time // of a compaction whose text comes next
	planned  bool      // a plan was accepted
	unasked  bool      // the agent runs without asking

	side  map[string]*parser // of the lines of sub-agents, which version 1 wrote here, without a name
	sides []*parser

	bridged  bool // prompts come from elsewhere too
	ranShell bool // the newest command is one of the shell
	probed   bool // a program asked for a skill or command that is not there
}

// newParser reads a session in a home; without an id, a sub-agent.
func newParser(id, home string) *parser {
	p := &parser{facts: facts{id: id, place: places.Place{Root: home}, alone: true}, tree: newTree(), b: builder.New(), spent: map[string]sources.Tokens{}}
	p.b.PathOf = func(path string) string {
		if p.place.IsOwn(path) {
			return ""
		}
		return p.place.InProject(path)
	}
	return p
}

// met takes in a line that was passed over.
func (p *parser) met(uuid []byte, isRoot bool) {
	p.pass(string(uuid))
	if isRoot {
		p.begin(true)
		p.alone = false
	}
}

// take takes in a line.
func (p *parser) take(r *lines.Record) {
	switch r.Type {
	case "user", "assistant", "system", "attachment":
		p.line(r)
	case "custom-title":
		p.titles.custom = r.CustomTitle
	case "ai-title":
		p.titles.model = r.AITitle
	case "summary":
		p.titles.leaf(r.LeafUUID, r.Summary)
	case "queue-operation":
		p.queue.take(r, p.now)
	case "pr-link": // it is written again on resume
		if ref, ok := refs.FromURL(r.PRURL); ok {
			p.b.Refer(ref)
		}
	case "worktree-state":
		p.place.InWorktree(r.WorktreeSession.OriginalCwd, r.WorktreeSession.WorktreePath)
	case "bridge-session":
		p.bridged = true
	default:
		p.pass(r.UUID)
	}
}

// line takes in a line of the tree, each once: a file may hold one twice.
func (p *parser) line(r *lines.Record) {
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
	p.b.At(r.Timestamp.Time)
	owner := p.ownerOf(r.ParentUUID)
	if p.describe(r) && owner != nil {
		owner.copied = true
	}
	p.workIn(owner)
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

// workIn has the builder work in a turn.
func (p *parser) workIn(t *turn) {
	if t == nil {
		p.b.Select(nil)
		return
	}
	p.b.Select(t.Turn)
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
	isClient := m.Model == "<synthetic>" // it writes in the agent's name
	if isClient && (owner == nil || isNothing(m.Content.String())) && !r.IsAPIError {
		if owner != nil && owner.Status == sources.Pending && owner.Calls() > 0 {
			owner.Cancel() // it was killed at work, and is resumed
		}
		return owner
	}
	if owner == nil {
		if p.ranShell || !m.Content.Has("text") && !m.Content.Has("tool_use") {
			return nil // the agent takes notice of what the user ran
		}
		owner = p.add(p.b.Work(), r, p.id, nil) // the log was cut at its beginning
	}
	if owner.notices(r) {
		p.use(owner, m)
		return owner
	}
	owner.Seen(r.Timestamp.Time)
	if r.IsAPIError || isClient {
		owner.Fail(m.Content.String())
		return owner
	}
	owner.By(m.Model)
	p.use(owner, m)
	if m.Content.Blocks == nil {
		owner.SayIn(m.ID, m.Content.Text, builder.Answer)
	}
	for i := range m.Content.Blocks {
		switch b := &m.Content.Blocks[i]; b.Type {
		case "text":
			owner.SayIn(m.ID, b.Text, builder.Answer)
		case "tool_use":
			p.call(b, owner)
		}
	}
	return owner
}

// isNothing tells what the client says where the model was not asked.
func isNothing(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || text == "No response requested."
}

// use adds what a message used; its lines repeat it. Versions to 2.1.45 give on some of them
// what stood at the start, so that the largest counts.
func (p *parser) use(t *turn, m *lines.Message) {
	u := m.Usage
	if u == nil || m.ID == "" {
		return
	}
	const most = 1 << 40 // more is no number of tokens
	in := min(max(u.Input, 0), most) + min(max(u.CacheWrite, 0), most) + min(max(u.CacheRead, 0), most)
	was := p.spent[m.ID]
	now := sources.Tokens{In: max(was.In, int64(in)), Out: max(was.Out, int64(min(u.Output, most)))}
	p.spent[m.ID] = now
	t.Use(now.In-was.In, now.Out-was.Out)
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
			s := p.b.Session
			s.Summary, s.SummaryFrom, s.SummaryAt = text, sources.TrustNamed, r.Timestamp.Time
		}
	}
}

// localCommand takes in a command that only the program answered. Versions from about 2.1.2xx
// tell of it by the command between tags, by commandRun at its output, or by both.
func (p *parser) localCommand(r *lines.Record, owner *turn) {
	text := r.Content.String()
	if texts.KindOf(text) == texts.Command {
		if line := texts.SlashOf(text); line != "" {
			p.act(line, owner)
			p.command = line
		}
		return
	}
	if run := r.CommandRun; run != nil && run.Command != "" {
		if line := texts.SlashLine(run.Command, run.Args); line != p.command {
			p.act(line, owner)
		}
		p.command = ""
	}
}

// act notes what the user did beside their prompts.
func (p *parser) act(text string, owner *turn) {
	p.queue.remove(text)
	text = strings.TrimSpace(text)
	p.ranShell = strings.HasPrefix(text, "!")
	if owner == nil {
		p.b.ActIn(nil, builder.ActionKind(text), text)
		return
	}
	p.b.ActIn(owner.Turn, builder.ActionKind(text), text)
}

// compacted takes in the text of a compaction.
func (p *parser) compacted(text string) {
	c := texts.Checkpoint(text)
	c.At, p.boundary = p.boundary, time.Time{}
	if c.Raw != "" || c.Overview != "" || c.Technical != "" {
		p.b.Checkpoint(c)
	}
}
