package opencode

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// parser translates the messages of a session into acts. The builder's current turn is the current message's,
// or nil.
type parser struct {
	info   *info
	b      *builder.Builder
	origin string // the session that it was forked from, if it exists
	quoted bool   // its own or copied prompts came from `opencode run`
	back   bool   // current messages were taken back

	cur     *message                 // the current one
	prompt                           // its prompt
	sum     *strings.Builder         // its summary, or nil
	newest  *builder.Turn            // newest turn, or nil
	turns   map[string]*builder.Turn // turns by message of the prompt; nil: the user's own command
	changes map[string]string        // kinds of changes in a turn, by the files that its prompt lists
	repeats map[string]int           // how often a prompt occurred

	plan    sources.Artifact // its last version by the agent
	planned bool             // it changed in this turn

	out     sources.Reading
	damage  map[string]int
	decoder decode.Decoder
}

func newParser(i *info) *parser {
	p := &parser{info: i, b: builder.New(), cur: &message{}, turns: map[string]*builder.Turn{}, repeats: map[string]int{}, damage: map[string]int{}}
	p.out.Unknown, p.b.Session.ID, p.b.Session.Agent = map[string]int{}, i.ID, agentName
	p.b.PathOf = func(file string) string {
		if file = tools.PlainPath(file); i.Directory == "" || file == "" || path.IsAbs(file) || strings.Contains(file, ":") {
			return file
		}
		return path.Join(i.Directory, file)
	}
	return p
}

// read reads an archive's data of the session: removed messages first, as the older part.
func (p *parser) read(ctx context.Context, a archive) (err error) {
	if p.origin, err = a.origin(ctx, p.info); err != nil {
		return err
	}
	if p.quoted = p.info.isHeadless(); p.origin != "" { // a fork does not say that it copied prompts of `opencode run`
		above, err := a.info(ctx, p.origin)
		if err != nil {
			return err
		}
		p.quoted = p.quoted || above != nil && above.isHeadless()
	}
	undone, err := a.undone(ctx, p.info)
	if err != nil {
		return err
	}
	p.takeBack(true)
	for i := range undone {
		p.begin(&undone[i])
		p.end()
	}
	p.takeBack(false)
	err = p.messages(ctx, a)
	list, known, terr := a.todos(ctx, p.info)
	if known {
		p.b.List(list)
	}
	return cmp.Or(err, terr)
}

// takeBack says whether the following messages were taken back: they get turns of their own.
func (p *parser) takeBack(back bool) {
	p.back, p.newest = back, nil
	clear(p.turns)
}

// messages reads the messages, in version 1 with their parts.
func (p *parser) messages(ctx context.Context, a archive) error {
	var failure error
	err := a.records(ctx, p.info, "", func(r record) {
		var m message
		if failure != nil || !p.decode(r, &m) {
			return
		}
		m.ID, m.Type, m.Time.Created.Time = r.id, cmp.Or(r.kind, m.Type), cmp.Or(m.Time.Created.Time, r.at)
		p.begin(&m)
		if !p.info.IsV2 {
			failure = a.records(ctx, p.info, m.ID, func(r record) {
				var x part
				if !p.decode(r, &x) {
					return
				}
				if m.ID == p.info.Revert.MessageID && r.id == p.info.Revert.PartID && !p.back {
					p.end()
					p.takeBack(true)
					p.begin(&m)
				}
				p.part(&x)
			})
		}
		p.end()
	})
	return cmp.Or(failure, err)
}

// decode reads a record into a message or a part; ok is false if it cannot be read.
func (p *parser) decode(r record, into any) (ok bool) {
	p.out.Records++
	p.out.BytesRead += int64(len(r.data))
	if r.data == "" {
		p.damage[" of more than 16 MB was skipped"]++
		return false
	}
	p.decoder.Large = false
	for _, mark := range [...]string{"git", "gh ", "task", "/plans/", `question"`, "metadata>"} { // outputs of such calls may name references
		p.decoder.Large = p.decoder.Large || strings.Contains(r.data, mark)
	}
	p.decoder.ResetTo([]byte(r.data))
	if p.decoder.Read(into) != nil || p.decoder.PeekKind() != 0 {
		p.damage[" could not be read"]++
		return false
	}
	return true
}

// isCopied reports whether a message was there before its session: a copy, in a fork.
func (p *parser) isCopied(at time.Time) bool {
	return p.origin != "" && !at.IsZero() && at.Before(p.info.Time.Created.Time)
}

// begin begins a message with its parts.
func (p *parser) begin(m *message) {
	if r := p.info.Revert; m.ID != "" && m.ID == r.MessageID && r.PartID == "" {
		p.takeBack(true)
	}
	p.cur, p.prompt, p.sum = m, prompt{}, nil
	p.b.At(m.Time.Created.Time)
	p.b.Select(nil)
	switch m.kind() {
	case "user":
		p.texts = []string{m.Text}
		for i := range m.Files {
			p.attach(&m.Files[i])
		}
	case "assistant":
		p.answers(m)
	case "shell":
		p.act(m.Command)
	case "compaction":
		if m.Status != "running" {
			p.checkpoint(m.Summary.Text)
		}
	case "idle":
		outcomes := map[string]sources.Status{"succeeded": sources.Complete, "failed": sources.Failed, "interrupted": sources.Cancelled}
		if status, known := outcomes[m.Outcome]; known && p.newest != nil {
			if p.newest.Status = status; status != sources.Failed {
				p.newest.Error = ""
			}
		}
	case "synthetic", "system", "skill", "agent-switched", "model-switched", "location-switched":
	default:
		p.count("message", m.kind())
	}
	for i := range m.Content {
		p.part(&m.Content[i])
	}
}

func (p *parser) part(x *part) {
	switch x.Type {
	case "text":
		p.text(x)
	case "tool":
		p.call(x)
	case "patch":
		p.patched(x.Files)
	case "file":
		p.attach(x)
	case "compaction":
		p.isOurs = true
	case "subtask": // a user's command for a sub-agent
		if x.Command != "" {
			x.Prompt = strings.TrimSpace("/" + x.Command + "\n\n" + x.Prompt)
		}
		p.texts = append(p.texts, x.Prompt)
	case "reasoning", "step-start", "step-finish", "snapshot", "retry", "agent":
	default:
		p.count("part", x.Type)
		p.attach(x)
	}
}

// end ends a message: a prompt opens a turn, a summary is a checkpoint.
func (p *parser) end() {
	switch {
	case p.cur.kind() == "user":
		p.asked()
	case p.sum != nil:
		p.checkpoint(p.sum.String())
	}
	p.patched(p.cur.Snapshot.Files)
}

func (p *parser) count(what, kind string) {
	kind = what + "/" + words.OneLine(kind, 64)
	if _, ok := p.out.Unknown[kind]; ok || len(p.out.Unknown) < 100 {
		p.out.Unknown[kind]++
	}
}

func (p *parser) finish() *sources.Session {
	p.keepPlan()
	s, i := p.b.Session, p.info
	p.decoder.Unknown(p.out.Unknown)
	s.Created, s.Archived = i.Time.Created.Time, !i.Time.Archived.IsZero()
	s.Place.Cwd, s.Place.Guessed = cmp.Or(i.Directory, s.Place.Cwd), i.bad && i.Directory == ""
	if title := strings.TrimSpace(i.Title); title != "" && !hasNoName(title) {
		s.Title, s.TitleFrom = title, sources.TrustNamed
	}
	s.Headless = i.Parent == "" && i.isHeadless()
	s.Parent, s.Complete = cmp.Or(p.origin, i.ForkOf), true
	for what, n := range p.damage {
		s.Damage = append(s.Damage, words.Count(n, "record")+what)
	}
	slices.Sort(s.Damage)
	if p.b.Finish(); i.Parent != "" { // the session that it worked for may be unknown
		s.Class = sources.Automatic
	}
	for n := range s.Checkpoints {
		s.Checkpoints[n].Inherited = p.isCopied(s.Checkpoints[n].At)
	}
	return s
}

func hasNoName(title string) bool {
	return strings.HasPrefix(title, "New session - ") || strings.HasPrefix(title, "Child session - ")
}
