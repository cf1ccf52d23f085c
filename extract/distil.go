package extract

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/distil"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Distil selects the sessions that an agent is asked about.
type Distil struct {
	Names      []string // names of sessions and projects; empty: all that matter
	Sessions   int      // limit of sessions
	Characters int      // limit for all questions together
	By         string   // the agent that is asked
	ByItself   bool     // nobody requested it: ask only about idle sessions, and not after a failure of the agent
	Ask        func(ctx context.Context, question string) (answer string, err error)
}

// Distillation is the result.
type Distillation struct {
	By       string             `json:"by"`
	Sessions []SessionDistilled `json:"sessions"`
}

// SessionDistilled is a session that an agent was asked about, or would be.
type SessionDistilled struct {
	Session    string `json:"session"`
	Title      string `json:"title"`
	Characters int    `json:"characters"`         // characters of the question
	Lines      int    `json:"lines"`              // kept lines of the answer
	Dropped    int    `json:"dropped"`            // lines whose quotation was not found
	Question   string `json:"question,omitempty"` // only in a dry run
}

const (
	mostAsked  = 40_000    // limit of characters about one session
	leastAsked = 2_000     // a shorter question is not asked
	restAfter  = time.Hour // after a failure of the agent, or the end of a session, if nobody requested it
	lately     = 7 * 24 * time.Hour
)

// Distil is a run that asks an agent about sessions that changed since it was last asked, and shows its
// answers in the notes, as far as their quotations are found. A dry run asks nothing. Failures are among the
// problems; earlier answers are kept.
func (s *Engine) Distil(ctx context.Context, d Distil) (Report, Distillation, error) {
	rec, out := s.recorder(), Distillation{By: d.By, Sessions: []SessionDistilled{}}
	err := s.once(ctx, rec)
	failed, _ := time.Parse(time.RFC3339, string(s.Ledger.Value(ledger.DistilFailed))) // long ago: it never did
	if err == nil && (!d.ByItself || s.Now().Sub(failed).Abs() >= restAfter) {
		err = s.distil(ctx, d, rec, &out)
	}
	if err == nil && len(out.Sessions) > 0 && !s.Mode.DryRun {
		rec.Again()
		shown := *s
		shown.Mode.Full = false // everything was just read
		err = shown.once(ctx, rec)
	}
	r, err := s.finish(rec, err)
	return r, out, err
}

// distil asks about sessions, the newest first, until a limit is reached.
func (s *Engine) distil(ctx context.Context, d Distil, rec *report.Recorder, out *Distillation) error {
	reading := *s
	reading.Mode.NotesOff = true
	st, err := reading.stages(reading.recorder())
	if err == nil {
		d.By, err = s.Masker.Text(d.By)
	}
	if err != nil {
		return err
	}
	var named []string
	for _, name := range d.Names {
		ids, err := s.forgettable(name)
		if err != nil {
			return err
		}
		named = append(named, ids...)
	}
	records, room, open := s.Ledger.Sessions(), d.Characters, &openEnds{st: st}
	slices.SortFunc(records, func(a, b ledger.SessionRecord) int {
		return cmp.Or(strings.Compare(b.Updated, a.Updated), strings.Compare(a.ID, b.ID))
	})
	s.progress().Step("asking "+d.By, d.Sessions)
	for _, record := range records {
		if len(out.Sessions) == d.Sessions || room < leastAsked || ctx.Err() != nil {
			break
		}
		if d.ByItself && !s.restsLately(record) || !s.isAskable(st, record, named) {
			continue
		}
		k := st.kept(record, open)
		if k == nil || isAnswered(k.Session, d.By, slices.Contains(named, names.SessionID(record.ID))) {
			continue
		}
		question := distil.Ask(k.Session, min(room, mostAsked))
		if question == "" {
			continue
		}
		one := SessionDistilled{Session: record.ID, Title: k.Session.Title, Characters: utf8.RuneCountInString(question)}
		if s.Mode.DryRun {
			one.Question = question
		} else if err := s.ask(ctx, d, question, k.Session, &one, rec); err != nil {
			return err
		}
		room -= one.Characters
		out.Sessions = append(out.Sessions, one)
	}
	return errors.Join(ctx.Err(), s.Ledger.Failed())
}

// ask stores the valid lines of an answer. An answer without one is stored too, so that nobody is asked
// twice.
func (s *Engine) ask(ctx context.Context, d Distil, question string, about *sources.Session, one *SessionDistilled, rec *report.Recorder) error {
	problem := func(what string, err error) {
		rec.Problem(report.Problem{Item: names.SessionID(one.Session), Error: what + " about " + one.Session + ": " + err.Error(), Hint: "sessionloom distil " + one.Session + " asks again", Fatal: true})
	}
	s.Ledger.Doing("asking " + d.By)
	answer, err := d.Ask(ctx, question)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		s.Ledger.SetValue(ledger.DistilFailed, []byte(s.Now().UTC().Format(time.RFC3339)))
		problem("ask", err)
		return s.Ledger.Commit()
	}
	lines, dropped, err := distil.Read(answer, question, about)
	if err != nil {
		problem(d.By, err)
	}
	one.Lines, one.Dropped = len(lines), dropped
	said := sources.Distillate{By: d.By, At: s.Now().UTC().Truncate(time.Millisecond), Of: about.Fingerprint(), Lines: lines}
	text, err := sources.DistilledFile{Session: one.Session, Distillate: said}.Masked(s.Masker.Session)
	if err == nil {
		err = s.Vault.AddDistilled(text)
	}
	if err != nil {
		return err
	}
	s.newWritten().Remember()
	s.progress().Advance(1)
	return s.Ledger.Commit()
}

// restsLately reports whether a session ended lately, but not just now: otherwise distil would ask about each
// turn of a current session, and about all old ones.
func (s *Engine) restsLately(record ledger.SessionRecord) bool {
	now := s.Now()
	return record.Updated >= index.Stamp(now.Add(-lately)) && record.Updated <= index.Stamp(now.Add(-restAfter))
}

// isAskable reports whether a session is a person's, has a note, and is named or matters.
func (s *Engine) isAskable(st *stages, record ledger.SessionRecord, named []string) bool {
	row, known := s.Ledger.Note(names.SessionID(record.ID))
	switch {
	case record.Kind != string(sources.KindSession) || record.Empty || record.Class == string(sources.Automatic):
		return false
	case !st.selects(Selected{}, record) || !known || !row.State.IsInFolder():
		return false
	case len(named) > 0:
		return slices.Contains(named, row.ID) || slices.Contains(named, names.ProjectID(record.Project))
	}
	return facts.Decode(row.Facts, s.Ledger.Harmed).Matters()
}

// isAnswered reports whether an agent answered about a session as it is now. If the session is named, an empty
// answer is none.
func isAnswered(s *sources.Session, by string, named bool) bool {
	return slices.ContainsFunc(s.Distilled, func(d sources.Distillate) bool {
		return d.By == by && d.Of == s.Fingerprint() && (len(d.Lines) > 0 || !named)
	})
}
