// Package transcript reads the log of a session of Claude Code, and those of its sub-agents.
// Data flows one way: lines are sorted by their texts into turns and calls, and these are
// summed up at the end.
package transcript

import (
	"cmp"
	"context"
	"io"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// AgentName is the agent of all sessions.
const AgentName = "claude-code"

// Transcript is what a log tells.
type Transcript struct {
	Session *sources.Session
	Plans   []sources.Artifact // that were accepted
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
	if err := log.ReadFile(ctx, path); err != nil {
		return Transcript{}, err
	}
	t := Transcript{Of: sources.FoldUUID(p.foreign), Records: log.Records, Unknown: log.Unknown}
	if a := agentOf(p.turns, cmp.Or(p.agent, id)); a != nil {
		t.Session = &sources.Session{Class: sources.Automatic, Place: p.place.Of(), Damage: log.Damage(), Files: a.files, Delegated: []sources.Delegation{a.Delegation}}
	}
	return t, nil
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
	t := Transcript{Session: p.finish(), Plans: p.calls.accepted(), Cwd: p.place.Cwd, Version: p.version}
	for _, leaf := range p.titles.leaves {
		t.Titles = append(t.Titles, sources.Session{ID: leafID(leaf), Title: p.titles.of[leaf], TitleFrom: sources.TrustNamed})
	}
	return t
}

// PlanID and leafID are ids under which a plan and a title are known that name no session.
func PlanID(slug string) string { return AgentName + ":plan:" + words.OneLine(slug, 256) }
func leafID(uuid string) string { return AgentName + ":leaf:" + words.OneLine(uuid, 64) }
