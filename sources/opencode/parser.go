package opencode

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// parser translates the messages of a session into acts.
type parser struct {
	info   *info
	b      *builder.Builder
	origin string // the session that it was forked from, where that is there
	quoted bool   // its prompts, or those that it copied, came from `opencode run`
	dead   bool   // what is read was taken back

	cur     message                  // the one that is read
	prompt  *prompt                  // that it is, nil: none
	sum     *strings.Builder         // what it sums up, nil: nothing
	turns   map[string]*builder.Turn // by the message of the prompt, nil: what the user ran themselves
	changes []diff                   // of the turn, as its prompt lists them
	repeats map[string]int           // how often a prompt was met

	records, bad, tooLarge int
	size                   int64
	unknown                map[string]int
	decoder                decode.Decoder
}

func newParser(i *info) *parser {
	p := &parser{info: i, b: builder.New(), turns: map[string]*builder.Turn{}, repeats: map[string]int{}, unknown: map[string]int{}}
	p.b.Session.ID = i.ID
	return p
}

// all reads what an archive has of the session.
func (p *parser) all(ctx context.Context, a archive) (err error) {
	if p.origin, err = a.origin(ctx, p.info); err != nil {
		return err
	}
	p.quoted = p.info.isHeadless()
	if p.origin != "" && !p.quoted { // a fork does not say that it copied what `opencode run` asked
		above, err := a.info(ctx, p.origin)
		if err != nil {
			return err
		}
		p.quoted = above != nil && above.isHeadless()
	}
	if p.info.IsV2 {
		err = p.wholeMessages(ctx, a)
	} else {
		err = p.messagesAndParts(ctx, a)
	}
	if err != nil {
		return err
	}
	list, known, err := a.todos(ctx, p.info)
	if err != nil {
		return err
	}
	if known {
		p.b.List(todosOf(list))
	}
	undone, err := a.undone(ctx, p.info)
	p.dead = true
	for _, r := range undone {
		p.message(r.message)
		for i := range r.parts {
			p.part(&r.parts[i])
		}
		p.end()
	}
	return err
}

// wholeMessages reads messages of version 2.
func (p *parser) wholeMessages(ctx context.Context, a archive) error {
	return a.messages(ctx, p.info, func(r record) {
		var m message
		if !p.decode(r, &m) {
			return
		}
		m.Type = r.kind
		p.message(m)
		for i := range m.Content {
			p.part(&m.Content[i])
		}
		p.end()
	})
}

// messagesAndParts reads messages of version 1, each with its parts.
func (p *parser) messagesAndParts(ctx context.Context, a archive) error {
	var failure error
	err := a.messages(ctx, p.info, func(r record) {
		var m message
		if failure != nil || !p.decode(r, &m) {
			return
		}
		p.message(m)
		failure = a.parts(ctx, m.ID, func(r record) {
			var x part
			if !p.decode(r, &x) {
				return
			}
			if x.ID = r.id; !p.dead && m.ID == p.info.Revert.MessageID && x.ID == p.info.Revert.PartID { // it was taken back from here on
				p.end()
				p.dead = true
				p.message(m)
			}
			p.part(&x)
		})
		p.end()
	})
	return cmp.Or(failure, err)
}

// decode reads a record into a message or a part; ok is false where it cannot be read.
func (p *parser) decode(r record, into any) (ok bool) {
	p.records++
	p.size += int64(len(r.data))
	if r.data == "" {
		p.tooLarge++
		return false
	}
	p.decoder.Large = hasRefs(r.data)
	p.decoder.ResetTo([]byte(r.data))
	if p.decoder.Read(into) != nil || p.decoder.PeekKind() != 0 {
		p.bad++
		return false
	}
	if m, isMessage := into.(*message); isMessage {
		if m.ID = r.id; m.Time.Created.IsZero() {
			m.Time.Created.Time = r.at
		}
	}
	return true
}

// hasRefs tells whether what a command gave may be worth reading, or a text that was written.
func hasRefs(data string) bool {
	return strings.Contains(data, "git") || strings.Contains(data, "gh ") || strings.Contains(data, "task") || strings.Contains(data, "/plans/")
}

// isCopied tells whether a message was there before its session: a copy, in a fork.
func (p *parser) isCopied(at time.Time) bool {
	return p.origin != "" && !at.IsZero() && at.Before(p.info.Time.Created.Time)
}

// message begins a message.
func (p *parser) message(m message) {
	p.dead = p.dead || m.ID == p.info.Revert.MessageID && p.info.Revert.PartID == "" && m.ID != ""
	p.cur, p.prompt, p.sum = m, nil, nil
	p.b.At(m.Time.Created.Time)
	switch m.kind() {
	case "user":
		p.prompt = &prompt{}
		p.prompt.add(m.Text)
		for i := range m.Files {
			p.prompt.attach(&m.Files[i])
		}
	case "assistant":
		p.answers(&m)
	case "shell":
		p.act(m.Command)
	case "compaction":
		if m.Status != "running" {
			p.checkpoint(m.Summary.Text)
		}
	case "idle":
		p.idle(m.Outcome)
	case "synthetic", "system", "skill", "agent-switched", "model-switched", "location-switched":
	default:
		p.count("message", m.kind())
	}
}

// part takes in a part of the message.
func (p *parser) part(x *part) {
	switch x.Type {
	case "text":
		p.text(x)
	case "tool":
		p.call(x)
	case "patch":
		p.patched(x.Files)
	case "file":
		if p.prompt != nil {
			p.prompt.attach(x)
		}
	case "compaction":
		if p.prompt != nil {
			p.prompt.isOurs = true
		}
	case "subtask":
		if p.prompt != nil {
			p.prompt.add(x.subtask())
		}
	case "reasoning", "step-start", "step-finish", "snapshot", "retry", "agent":
	default:
		p.count("part", x.Type)
		if p.prompt != nil {
			p.prompt.attachments = append(p.prompt.attachments, sources.Attachment{Kind: words.OneLine(x.Type, 64), Name: words.OneLine(cmp.Or(x.Name, x.Filename, x.Type), 200)})
		}
	}
}

// end ends a message: a prompt opens a turn, a summary is a checkpoint.
func (p *parser) end() {
	if p.prompt != nil {
		p.asked(p.prompt)
	}
	if p.sum != nil {
		p.checkpoint(p.sum.String())
	}
	p.patched(p.cur.Snapshot.Files)
	p.cur, p.prompt, p.sum = message{}, nil, nil
}

// count counts what is not known.
func (p *parser) count(what, kind string) {
	kind = what + "/" + words.OneLine(kind, 64)
	if _, ok := p.unknown[kind]; ok || len(p.unknown) < 100 {
		p.unknown[kind]++
	}
}

// act notes a command that the user ran.
func (p *parser) act(command string) {
	if command = words.CommandLine(command); command != "" && !p.dead {
		p.b.Act(sources.ActionShell, "!"+command)
	}
}

// checkpoint takes in what the agent summed up of the session so far.
func (p *parser) checkpoint(text string) {
	if text = strings.TrimSpace(text); text != "" && !p.dead {
		p.b.Checkpoint(sources.Checkpoint{Title: builder.TitleOf(text), Raw: text, Inherited: p.isCopied(p.b.Now())})
	}
}

// todosOf returns the list that is kept beside the messages.
func todosOf(list []todo) (all []sources.Todo) {
	for n, t := range list {
		for _, made := range tools.Todos([]tools.Todo{t.Todo}, t.at) {
			made.ID = cmp.Or(t.ID.Text, strconv.Itoa(n+1))
			all = append(all, made)
		}
	}
	return all
}

// finish completes what follows from the whole.
func (p *parser) finish() *sources.Session {
	s, i := p.b.Session, p.info
	p.decoder.Unknown(p.unknown)
	s.Created, s.Archived = i.Time.Created.Time, !i.Time.Archived.IsZero()
	s.Place.Cwd = cmp.Or(i.Directory, s.Place.Cwd)
	s.Place.Guessed = i.bad && i.Directory == ""
	if title := strings.TrimSpace(i.Title); title != "" && !hasNoName(title) {
		s.Title, s.TitleFrom = title, sources.TrustNamed
	}
	s.Headless = i.Parent == "" && i.isHeadless()
	s.Parent, s.Complete = cmp.Or(p.origin, i.ForkOf), true
	p.b.Finish()
	s.Class = ""
	slices.SortStableFunc(s.TakenBack, func(a, b sources.Turn) int { return a.At.Compare(b.At) })
	for n := range s.TakenBack {
		s.TakenBack[n].Index = n
	}
	for what, n := range map[string]int{" could not be read": p.bad, " of more than 16 MB was skipped": p.tooLarge} {
		if n > 0 {
			s.Damage = append(s.Damage, words.Count(n, "record")+what)
		}
	}
	slices.Sort(s.Damage)
	return s
}

// hasNoName tells the title that a session has until a model names it.
func hasNoName(title string) bool {
	return strings.HasPrefix(title, "New session - ") || strings.HasPrefix(title, "Child session - ")
}
