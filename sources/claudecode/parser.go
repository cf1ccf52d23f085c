package claudecode

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
)

// parser translates the lines of one transcript into acts, in the order of the file.
type parser struct {
	facts
	tree
	b     *builder.Builder
	queue queue

	titles   map[string]string // titles of other sessions, by one of their lines
	command  string            // the newest command, as a second line may describe it
	boundary time.Time         // time of a compaction whose text comes next
	planned  bool              // a plan was accepted
	unasked  bool              // the agent runs without asking
	bridged  bool              // prompts come from elsewhere too
	ranShell bool              // the newest command is one of the shell
	probed   bool              // a program requested a missing skill or command

	side  map[string]*parser // parsers of sub-agents' lines that version 1 wrote here, by id
	sides []*parser
}

// newParser returns a parser of a session in a home; without an id, of a sub-agent.
func newParser(id, home string) *parser {
	p := &parser{b: builder.New(), facts: facts{id: id, home: home, alone: true}, queue: queue{lines: map[string][]int{}}}
	p.tree = tree{known: map[*builder.Turn]*turn{}, lines: map[string]line{}, shared: map[string]bool{}, behind: map[string][]*turn{}}
	p.titles, p.side = map[string]string{}, map[string]*parser{}
	p.b.PathOf = func(path string) string {
		if p.isOwn(path) {
			return ""
		}
		return p.inProject(path)
	}
	return p
}

func (p *parser) pass(uuid string, isRoot bool) {
	p.meet(uuid, line{})
	if isRoot {
		p.whole, p.begun, p.alone = p.whole || !p.begun, true, false
	}
}

func (p *parser) take(r *record) {
	switch r.Type {
	case "user", "assistant", "system", "attachment":
		if !p.meet(r.UUID, line{kind: r.Type, at: r.Timestamp.Time}) {
			p.line(r)
		}
	case "custom-title":
		p.b.Entitle(titleIn(r.CustomTitle), sources.TrustUser)
	case "ai-title":
		p.b.Entitle(titleIn(r.AITitle), sources.TrustNamed)
	case "summary": // it describes the session with this line's UUID, almost never this one
		if title := titleIn(r.Summary); title != "" && r.LeafUUID != "" {
			p.titles[r.LeafUUID] = title
		}
	case "queue-operation":
		p.fed = p.fed || !p.begun
		p.queue.take(r, p.now)
	case "pr-link": // it is repeated on resume
		if ref, ok := refs.FromURL(r.PRURL); ok {
			p.b.Refer(ref)
		}
	case "worktree-state":
		if w := r.WorktreeSession; w.OriginalCwd != "" {
			p.original, p.worktree = w.OriginalCwd, w.WorktreePath
		}
	case "bridge-session":
		p.bridged = true
	default:
		p.meet(r.UUID, line{})
	}
}

func (p *parser) line(r *record) {
	p.whole, p.begun = p.whole || !p.begun && r.ParentUUID == "", true
	copied := p.describe(r)
	if r.IsSidechain && p.id != "" {
		p.sideLine(r)
		return
	}
	p.alone = false
	p.b.At(r.Timestamp.Time)
	owner := p.lines[r.ParentUUID].turn
	if owner == nil {
		owner = p.now
	}
	if copied && owner != nil {
		owner.copied = true
	}
	p.b.Select(owner.built())
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
		p.lines[r.UUID] = line{owner, r.Type, r.Timestamp.Time}
	}
	if owner != nil {
		owner.leaf, owner.last = r.UUID, max(owner.last, r.Timestamp.UnixMilli())
	}
}

func (p *parser) sideLine(r *record) {
	one := p.side[r.ParentUUID]
	if n := len(p.sides); one == nil && r.ParentUUID != "" && n > 0 {
		one = p.sides[n-1]
	} else if one == nil {
		one = newParser("", "")
		p.sides = append(p.sides, one)
	}
	p.side[r.UUID] = one
	one.take(r)
}

// answer records a block of an answer, which has a line of its own.
func (p *parser) answer(r *record, owner *turn) *turn {
	m := &r.Message
	byClient := r.IsAPIError || m.Model == "<synthetic>" // it writes in the agent's name
	switch {
	case byClient && !r.IsAPIError && (owner == nil || slices.Contains([]string{"", "No response requested."}, strings.TrimSpace(m.Content.String()))):
		if owner != nil && owner.Status == sources.Pending && owner.Calls() > 0 {
			owner.Cancel() // it was killed during its work, and is resumed
		}
		return owner
	case owner == nil && (p.ranShell || !m.Content.has("text") && !m.Content.has("tool_use")):
		return nil // the agent acknowledges what the user ran
	case owner == nil:
		owner = p.add(p.b.Work(), r, nil) // the log was cut at its beginning
	}
	if !byClient && m.ID != "" {
		owner.UseIn(m.ID, int64(m.Usage.Input+m.Usage.CacheWrite+m.Usage.CacheRead), int64(m.Usage.Output))
	}
	if owner.notices(r) {
		return owner
	}
	owner.Seen(r.Timestamp.Time)
	if byClient {
		owner.Fail(m.Content.String())
		return owner
	}
	if owner.Status == sources.Failed { // it tried again, and continues
		owner.Status, owner.Error = sources.Pending, ""
	}
	owner.By(m.Model)
	for i := range m.Content.Blocks {
		switch b := &m.Content.Blocks[i]; b.Type {
		case "text":
			owner.SayIn(m.ID, b.Text, builder.Answer)
		case "tool_use":
			if b.Input != nil { // files in a worktree made for the session are the project's
				b.Input.Path = p.inProject(b.Input.Path)
			}
			owner.Call(builder.Call{ID: b.ID, Message: m.ID, Name: b.Name, Args: b.Input})
		}
	}
	if m.Content.Blocks == nil {
		owner.SayIn(m.ID, m.Content.Text, builder.Answer)
	}
	return owner
}

func (p *parser) system(r *record, owner *turn) {
	switch text := r.Content.String(); r.Subtype {
	case "compact_boundary":
		p.boundary = r.Timestamp.Time
		delete(p.behind, "") // prompts after it do not rewind to the first prompt
	case "local_command":
		// The program answers local commands. Since about 2.1.2xx they are between tags, by their output, or both.
		line, known := "", ""
		if kindOf(text) == slashCommand {
			line = slashOf(text)
			p.command = line
		} else if line = slashLine(r.CommandRun.Command, r.CommandRun.Args); line != "" {
			known, p.command = p.command, ""
		}
		if line != "" && line != known {
			p.act(line, owner)
		}
	case "api_error": // the client tries again, until it gives up or is quit
		if owner != nil && owner.Status == sources.Pending {
			owner.Fail("API error")
		}
	case "away_summary":
		text = strings.TrimSuffix(text, " (disable recaps in /config)")
		if s := p.b.Session; text != "" && !isClientError(text) {
			s.Summary, s.SummaryFrom, s.SummaryAt = text, sources.TrustNamed, r.Timestamp.Time
		}
	}
}

func (p *parser) act(text string, owner *turn) {
	text = strings.TrimSpace(text)
	p.ranShell = strings.HasPrefix(text, "!")
	p.b.ActIn(owner.built(), builder.ActionKind(text), text)
}

func (p *parser) compacted(text string) {
	c := checkpoint(text)
	c.At, p.boundary = p.boundary, time.Time{}
	if (c.Raw != "" || c.Overview != "" || c.Technical != "") && !isClientError(c.Raw) {
		p.b.Checkpoint(c)
	}
}

func (p *parser) log() *jsonl.Log[record] {
	return &jsonl.Log[record]{
		Heads: []string{treeMark, typeMark},
		Pass: func(head []byte) (unknown string, pass bool) {
			if unknown, pass = passable(head); pass && bytes.HasPrefix(head, []byte(treeMark)) {
				p.pass(jsonl.Word(head, `"uuid":"`), bytes.HasPrefix(head, []byte(treeMark+"null,")))
			}
			return unknown, pass
		},
		Take: func(r *record) (unknown string, ok bool) {
			switch {
			case r.Type == "system" && r.Subtype != "" && !slices.Contains(subtypes, r.Subtype):
				unknown = "system " + r.Subtype
			case !slices.Contains(taken, r.Type) && !slices.Contains(known, r.Type):
				unknown = r.Type
			}
			p.take(r)
			return unknown, r.Type != ""
		},
	}
}
