package claudecode

import (
	"cmp"
	"context"
	"errors"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"maps"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/places"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/texts"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// typedLine is a line of history.jsonl, which stays when transcripts are deleted: what was
// typed in the terminal. Version 1 names no session.
type typedLine struct {
	Display   string        `json:"display"`
	Timestamp words.Instant `json:"timestamp"`
	Project   string        `json:"project" max:"4096"`
	SessionID string        `json:"sessionId" max:"64"`
	Pasted    decode.Table[struct {
		Content string `json:"content"`
	}] `json:"pastedContents"`
}

// text is what was typed, with what was pasted in its place.
func (l *typedLine) text() string {
	pasted := maps.Collect(l.Pasted.All())
	return strings.TrimSpace(pasteMark().ReplaceAllStringFunc(l.Display, func(mark string) string {
		return cmp.Or(pasted[pasteMark().FindStringSubmatch(mark)[1]].Content, mark)
	}))
}

var pasteMark = pattern.Lazy(`\[Pasted text #(\d{1,9})[^\]]*\]`)

// promptList is history.jsonl on its way.
type promptList struct {
	has      map[string]bool // sessions that have a transcript, which are left out
	sessions map[string]*sources.Session
	order    []string
	nameless int // lines of version 1
	jsonl.Log[typedLine]
}

// history reads the list of prompts: the sessions of which nothing else is left. They may
// have been deleted by the user, so they are named, and given only where
// Config.PromptOnly says so.
func (r *reading) history(ctx context.Context, c Config) error {
	p, _ := r.Item.Part(partHistory)
	homes, err := c.listed(ctx)
	if err != nil {
		return err
	}
	list := newPromptList(namesIn(homes))
	if err := list.ReadFile(ctx, r.Item.File(p)); err != nil {
		return err
	}
	r.count(list.Records, list.Unknown)
	for _, what := range list.Damage() {
		r.Out.Problems = append(r.Out.Problems, sources.Problem{Source: agentName, Item: r.Item.Key, Path: r.Item.File(p), Err: errors.New(what)})
	}
	for _, id := range list.order {
		s := list.sessions[id]
		if len(s.Turns) == 0 { // a probe, or nothing but commands
			continue
		}
		r.Out.RowsOnly = append(r.Out.RowsOnly, id)
		if c.PromptOnly {
			s.Damage = []string{"only the list of prompts is left"}
			r.give(id, sources.Layer{Name: layerPrompts, Rank: sources.RankIndex, Session: s})
		}
	}
	return nil
}

func newPromptList(has map[string]bool) *promptList {
	l := &promptList{has: has, sessions: map[string]*sources.Session{}}
	l.Take, l.Heads = l.take, []string{`{"display":"`}
	return l
}

// take takes in a line.
func (l *promptList) take(line *typedLine) (string, bool) {
	id, text := sources.FoldUUID(line.SessionID), line.text()
	switch {
	case id == "":
		l.nameless++
		return "", true
	case l.has[id] || text == "" || !sources.IsUUID(id):
		return "", true
	}
	s := l.sessions[id]
	if s == nil {
		s = &sources.Session{Created: line.Timestamp.Time}
		s.Place.Cwd = places.ProjectOf(line.Project)
		l.sessions[id], l.order = s, append(l.order, id)
	}
	at := line.Timestamp.Time
	switch {
	case strings.HasPrefix(text, "!"), strings.HasPrefix(text, "/") && texts.IsLocal(text):
		s.Actions = append(s.Actions, sources.Action{Kind: builder.ActionKind(text), Text: text, Turn: len(s.Turns) - 1, At: at})
	case !repeats(s, text, at):
		s.Turns = append(s.Turns, sources.Turn{Index: len(s.Turns), At: at, User: text})
	}
	return "", true
}

// repeats tells whether a prompt was written twice: older versions write one up to four times
// within milliseconds.
func repeats(s *sources.Session, text string, at time.Time) bool {
	n := len(s.Turns)
	return n > 0 && s.Turns[n-1].User == text && at.Sub(s.Turns[n-1].At).Abs() <= time.Second
}
