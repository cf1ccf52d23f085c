package opencode

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// parser turns the messages of a session, one after the other, into a session.
type parser struct {
	info    *info
	session *sources.Session
	origin  string // the session that it was forked from, where that is there
	quoted  bool   // its prompts, or those that it copied, came from `opencode run`

	cur     message            // the one that is read
	turn    int                // in which it is, -1: none
	prompt  *prompt            // that it is, nil: none
	sum     *strings.Builder   // what it sums up, nil: nothing
	turns   map[string]int     // by the message of the prompt, -1: what the user ran themselves
	said    []*strings.Builder // of each turn
	touches map[string]bool    // files that the message touched
	changes []diff             // of the turn, as its prompt lists them

	repeats map[string]int // how often a prompt was met
	listed  []todo         // as the last call has them
	dead    *parser        // of what was taken back; nil: nothing was

	records, bad, tooLarge int
	size                   int64
	unknown                map[string]int
	decoder                decode.Decoder
}

func newParser(i *info) *parser {
	return &parser{info: i, session: &sources.Session{ID: i.ID}, turn: -1, turns: map[string]int{}, repeats: map[string]int{}, unknown: map[string]int{}}
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
	if !known {
		list = p.listed
	}
	p.setTodos(list)
	undone, err := a.undone(ctx, p.info)
	for _, r := range undone {
		p.backTo()
		p.dead.message(r.message)
		for i := range r.parts {
			p.dead.part(&r.parts[i])
		}
		p.dead.end()
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
		to := p.of(&m)
		to.message(m)
		for i := range m.Content {
			to.part(&m.Content[i])
		}
		to.end()
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
		to := p.of(&m)
		to.message(m)
		failure = a.parts(ctx, m.ID, func(r record) {
			var x part
			if p.decode(r, &x) {
				if x.ID = r.id; p.isBack(&m, &x) {
					p.backTo().message(m)
					to = p.dead
				}
				to.part(&x)
			}
		})
		to.end()
		p.end() // where the parts of one message are of both
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
	p.decoder.Large = tellsRefs(r.data)
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

// tellsRefs says that what a command gave may be worth reading, or a text that was written.
func tellsRefs(data string) bool {
	return strings.Contains(data, "git") || strings.Contains(data, "gh ") || strings.Contains(data, "task") || strings.Contains(data, "/plans/")
}

// isOlder tells a message that was there before its session: a copy, in a fork.
func (p *parser) isOlder(at time.Time) bool {
	return !at.IsZero() && at.Before(p.info.Time.Created.Time)
}

// of is who reads a message: what was taken back is for another parser.
func (p *parser) of(m *message) *parser {
	if p.dead == nil && m.ID == p.info.Revert.MessageID && p.info.Revert.PartID == "" {
		p.backTo()
	}
	if p.dead != nil {
		return p.dead
	}
	return p
}

// isBack tells the first part of a message of which a part was taken back.
func (p *parser) isBack(m *message, x *part) bool {
	return p.dead == nil && m.ID == p.info.Revert.MessageID && x.ID == p.info.Revert.PartID
}

// backTo has what follows read by a parser of what was taken back.
func (p *parser) backTo() *parser {
	if p.dead == nil {
		p.dead = newParser(p.info)
		p.dead.quoted = p.quoted
	}
	return p.dead
}

// message begins a message.
func (p *parser) message(m message) {
	p.cur, p.turn, p.prompt, p.sum, p.touches = m, len(p.session.Turns)-1, nil, nil, map[string]bool{}
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
		if m.Status != "running" && m.Summary.Text != "" {
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
			p.prompt.add(subtask(x))
		}
	case "reasoning", "step-start", "step-finish", "snapshot", "retry", "agent":
	default:
		p.count("part", x.Type)
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
