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
	log := lines.Log(p.take, p.root)
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
	log := lines.Log(p.take, p.root)
	err := log.ReadFile(ctx, path)
	t := Transcript{Of: sources.FoldUUID(p.foreign), Records: log.Records, Unknown: log.Unknown}
	if a := agentOf(p.turns, cmp.Or(p.agent, id)); a != nil {
		t.Session = &sources.Session{Class: sources.Automatic, Place: p.place.Of(), Damage: log.Damage(), Files: a.files, Delegated: []sources.Delegation{a.Delegation}}
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
		_ = lines.Log(p.take, p.root).Read(ctx, io.NewSectionReader(f, 0, size), 0) // what was read until then
	}
	return p.transcript()
}

// transcript sums up what was read.
func (p *parser) transcript() Transcript {
	t := Transcript{Session: p.finish(), Plans: p.calls.accepted(), Planned: len(p.calls.plans) > 0, Cwd: p.place.Cwd, Version: p.version}
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
	p.human = p.human || len(p.queue) > 0
	p.turns = p.queue.insertInto(p.turns)
	rewind(p.turns, p.bridged)
	p.inherit(p.turns)
	s := &p.recap
	s.ID, s.Agent, s.Parent, s.Complete, s.Place, s.Created = p.id, AgentName, p.parent, p.whole, p.place.Of(), p.created(p.turns)
	at := p.addTurns(s)
	p.addBesides(s, at)
	p.classify(s)
	p.titles.name(s)
	s.Aliases = p.aliases()
	s.ShortenFiles()
	files.SetUpdated(s)
	return s
}

// addTurns numbers the turns that are left, and gives for each the number of it, or of
// the one in front of it.
func (p *parser) addTurns(s *sources.Session) map[*turn]int {
	at := map[*turn]int{nil: -1}
	for _, t := range p.turns {
		t.Assistant = t.text.String()
		at[t] = len(s.Turns) - 1
		switch {
		case t.dead:
			s.Rewound = true
			s.TakenBack = append(s.TakenBack, sources.Turn{Index: len(s.TakenBack), ID: t.ID, At: t.At, User: t.User, Assistant: t.Assistant, Status: t.Status})
		case t.command && !t.proven && t.isBare(): // nobody answered it
			p.act(t.User, t.At, t)
		case t.auto && p.human && t.isBare():
		default:
			t.end(p.human, t == p.now)
			t.Index, at[t] = len(s.Turns), len(s.Turns)
			s.Turns = append(s.Turns, t.Turn)
			t.addWork(s)
		}
	}
	return at
}

// addWork adds what a turn did.
func (t *turn) addWork(s *sources.Session) {
	for _, f := range t.files {
		f.Turn = t.Index
		s.Files = append(s.Files, f)
	}
	if t.todos != nil {
		s.Todos = *t.todos
	}
	for _, model := range t.models {
		if !t.Inherited && !slices.Contains(s.Models[max(0, len(s.Models)-100):], model) { // hostile files name many
			s.Models = append(s.Models, model)
		}
	}
}

// addBesides adds what stands beside the turns, at its turn.
func (p *parser) addBesides(s *sources.Session, at map[*turn]int) {
	if tasks := tasksOf(p.calls.tasks); len(tasks) > 0 {
		s.Todos = tasks
	}
	slices.SortStableFunc(p.actions, func(a, b noted[sources.Action]) int { return cmp.Compare(at[a.turn], at[b.turn]) })
	for _, a := range p.actions {
		a.what.Turn = at[a.turn]
		s.Actions = append(s.Actions, a.what)
	}
	for _, c := range p.checks {
		if c.turn == nil || !c.turn.dead {
			c.what.Number, c.what.Inherited = len(s.Checkpoints)+1, c.turn != nil && c.turn.Inherited
			s.Checkpoints = append(s.Checkpoints, c.what)
		}
	}
	var byLines []*agent
	for _, side := range p.sides {
		if one := agentOf(side.turns, ""); one != nil {
			byLines = append(byLines, one)
		}
	}
	for _, a := range agentsOf(p.calls.agents, byLines) {
		s.Delegated = append(s.Delegated, a.Delegation)
		s.Files = append(s.Files, a.files...)
	}
	p.calls.refs.addTo(s, at)
}

// classify says whose session it is.
func (p *parser) classify(s *sources.Session) {
	observer := len(s.Turns) > 0 && texts.IsObserver(strings.TrimSpace(s.Turns[0].User), p.place.Cwd)
	if observer || !p.human && (len(s.Turns) > 0 || p.probed || p.begun && p.alone) {
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
			if !t.dead && !t.Inherited && t.leaf != "" {
				ids = append(ids, leafID(t.leaf))
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
