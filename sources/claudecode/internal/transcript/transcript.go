// Package transcript reads the log of a session of Claude Code, and those of its sub-agents.
// Data flows one way: lines are sorted by their texts into turns and calls, and these are
// summed up at the end.
package transcript

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/texts"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// AgentName is the agent of all sessions.
const AgentName = "claude-code"

// Transcript is what a log tells.
type Transcript struct {
	Session *sources.Session
	Plans   []sources.Artifact // that were accepted
	Planned bool               // some were, even if they were taken back
	Titles  []sources.Session  // of others, of which a line is known: their titles alone
	Of      string             // of a sub-agent: the session that it worked for
	Cwd     string             // of the first line
	Version string             // of the first line

	Records int
	Unknown map[string]int
}

// Read reads the transcript of a session in a home.
func Read(ctx context.Context, path, home, session string) (Transcript, error) {
	p := newParser(session, home)
	log := lines.Log(p.take, p.met)
	if err := log.ReadFile(ctx, path); err != nil {
		return Transcript{}, err
	}
	t := p.transcript()
	t.Session.Damage, t.Records, t.Unknown = log.Damage(), log.Records, log.Unknown
	return t, nil
}

// ReadAgent reads the transcript of a sub-agent, whose lines may know it by another id. The
// session is nil where the program ran it for itself, or nothing was asked.
func ReadAgent(ctx context.Context, path, home, id string) (Transcript, error) {
	p := newParser("", home)
	log := lines.Log(p.take, p.met)
	err := log.ReadFile(ctx, path)
	t := Transcript{Of: sources.FoldUUID(p.foreign), Records: log.Records, Unknown: log.Unknown}
	if t.Session = p.work(id); t.Session != nil {
		t.Session.Damage = log.Damage()
	}
	return t, err
}

// Begin reads the first part of a transcript: what each line tells stands in it, and
// mostly the first prompt. Of one that cannot be read it is empty.
func Begin(ctx context.Context, path, session string) Transcript {
	const size = 256 << 10
	p := newParser(session, "")
	if f, _, err := files.OpenText(path); err == nil {
		defer f.Close()
		_ = lines.Log(p.take, p.met).Read(ctx, io.NewSectionReader(f, 0, size), 0) // what was read until then
	}
	return p.transcript()
}

// transcript sums up what was read.
func (p *parser) transcript() Transcript {
	t := Transcript{Session: p.finish(), Planned: p.planned, Cwd: p.place.Cwd, Version: p.version}
	t.Plans, t.Session.Artifacts = t.Session.Artifacts, nil
	for _, leaf := range p.titles.leaves {
		t.Titles = append(t.Titles, sources.Session{ID: leafID(leaf), Title: p.titles.of[leaf], TitleFrom: sources.TrustNamed})
	}
	return t
}

// PlanID and leafID are ids under which a plan and a title are known that name no session.
func PlanID(slug string) string { return AgentName + ":plan:" + words.OneLine(slug, 256) }
func leafID(uuid string) string { return AgentName + ":leaf:" + words.OneLine(uuid, 64) }

// finish makes the session.
func (p *parser) finish() *sources.Session {
	if p.begun { // else nobody took it up
		p.queue.insertInto(p.b)
	}
	p.rewind(p.bridged)
	p.inherit(p.turns)
	s := p.b.Session
	s.ID, s.Agent, s.Parent, s.Complete, s.Place, s.Created = p.id, AgentName, p.parent, p.whole, p.place.Of(), p.created(p.turns)
	files := p.workOfSides()
	p.b.Finish()
	s.Files = append(s.Files, files...)
	p.classify(s)
	p.titles.name(s)
	s.Aliases = p.aliases()
	return s
}

// workOfSides adds what sub-agents did whose lines stand in the transcript, and returns the files
// that they edited. A call and the lines that its prompt began are one.
func (p *parser) workOfSides() (edited []sources.FileTouch) {
	asked := map[string][]*sources.Delegation{}
	for _, w := range p.b.Workers() {
		asked[w.Task] = append(asked[w.Task], w)
	}
	for _, side := range p.sides {
		out := side.work("")
		if out == nil {
			continue
		}
		edited = append(edited, out.Files...)
		d := out.Delegated[0]
		if same := asked[d.Task]; len(same) > 0 {
			w := same[0]
			asked[d.Task] = same[1:]
			w.Answer, w.Calls, w.End, w.Tokens = cmp.Or(w.Answer, d.Answer), max(w.Calls, d.Calls), later(w.End, d.End), d.Tokens
			continue
		}
		p.b.Delegate(d)
	}
	return edited
}

// work returns what the lines of a sub-agent tell, as a layer of the session that it worked for;
// nil where the program ran it for itself or nothing was asked.
func (p *parser) work(id string) *sources.Session {
	if len(p.turns) == 0 || texts.KindOf(p.turns[0].User) == texts.Program {
		return nil
	}
	at := p.turns[0].At
	return builder.WorkOf(p.finish(), sources.Delegation{ID: cmp.Or(p.agent, id, p.turns[0].ID), At: at})
}

// classify says whose session it is.
func (p *parser) classify(s *sources.Session) {
	human := p.b.Human()
	observer := len(s.Turns) > 0 && texts.IsObserver(strings.TrimSpace(s.Turns[0].User), p.place.Cwd)
	if s.Class = ""; observer || !human && (len(s.Turns) > 0 || p.probed || p.begun && p.alone) {
		s.Class = sources.Automatic
	} else {
		s.Headless = p.head && len(s.Turns) > 0
	}
}

// summaries is the version that about wrote no summary any more into other transcripts.
const summaries = "2.1.40"

// aliases are the ids under which other files know the session: its plan by the slug, a
// title by the last line of a turn.
func (p *parser) aliases() (ids []string) {
	for _, slug := range p.slugs {
		ids = append(ids, PlanID(slug))
	}
	if isBefore(p.version, summaries) {
		for _, t := range p.turns {
			if !t.IsBack() && !t.Inherited && t.leaf != "" {
				ids = append(ids, leafID(t.leaf))
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
