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
	if err == nil && (!d.ByItself || s.mayAskAgain()) {
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

func (s *Engine) mayAskAgain() bool {
	failed, err := time.Parse(time.RFC3339, string(s.Ledger.Value(ledger.DistilFailed)))
	return err != nil || s.Now().Sub(failed).Abs() >= restAfter
}

// toAsk is a session with its question.
type toAsk struct {
	SessionDistilled
	question distil.Question
	of       string
}

func (s *Engine) distil(ctx context.Context, d Distil, rec *report.Recorder, out *Distillation) error {
	all, err := s.toDistil(ctx, d)
	if err != nil {
		return err
	}
	if !s.Mode.DryRun {
		s.Ledger.Doing("asking " + d.By)
		s.progress().Step("asking "+d.By, len(all))
	}
	for _, one := range all {
		if s.Mode.DryRun {
			one.Question = one.question.Text
		} else if err := s.ask(ctx, d, &one, rec); err != nil {
			return err
		}
		out.Sessions = append(out.Sessions, one.SessionDistilled)
	}
	return nil
}

// ask stores the valid lines of an answer. An answer without one is stored too, so that nobody is asked
// twice.
func (s *Engine) ask(ctx context.Context, d Distil, one *toAsk, rec *report.Recorder) error {
	problem := func(what string, err error) {
		rec.Problem(report.Problem{Item: names.SessionID(one.Session), Error: what + " about " + one.Session + ": " + err.Error(), Hint: "sessionloom distil " + one.Session + " asks again", Fatal: true})
	}
	answer, err := d.Ask(ctx, one.question.Text)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		s.Ledger.SetValue(ledger.DistilFailed, []byte(s.Now().UTC().Format(time.RFC3339)))
		problem("ask", err)
		return s.Ledger.Commit()
	}
	lines, dropped, err := distil.Read(answer, one.question)
	if err != nil {
		problem(d.By, err)
	}
	one.Lines, one.Dropped = len(lines), dropped
	said := sources.Session{Distilled: []sources.Distillate{{By: d.By, At: s.Now().UTC().Truncate(time.Second), Of: one.of, Lines: lines}}}
	if err := s.Masker.Session(&said, nil); err != nil {
		return err
	}
	name, text, err := sources.DistilledFile{Session: one.Session, Distillate: said.Distilled[0]}.Encode()
	if err == nil {
		err = cmp.Or(s.Vault.PutDistilled(name, text), s.Vault.Flush())
	}
	if err != nil {
		return err
	}
	s.newWritten().Remember()
	s.progress().Advance(1)
	return s.Ledger.Commit()
}

// toDistil finds the sessions to ask about, newest first.
func (s *Engine) toDistil(ctx context.Context, d Distil) (out []toAsk, err error) {
	reading := *s
	reading.Mode.NotesOff = true
	st, err := reading.stages(reading.recorder())
	if err != nil {
		return nil, err
	}
	var named []string
	for _, name := range d.Names {
		ids, err := s.forgettable(name)
		if err != nil {
			return nil, err
		}
		named = append(named, ids...)
	}
	records, room := s.Ledger.Sessions(), d.Characters
	slices.SortFunc(records, func(a, b ledger.SessionRecord) int {
		return cmp.Or(strings.Compare(b.Updated, a.Updated), strings.Compare(a.ID, b.ID))
	})
	for _, record := range records {
		if len(out) == d.Sessions || room < leastAsked || ctx.Err() != nil {
			break
		}
		if d.ByItself && !s.restsLately(record) || !s.isAskable(st, record, named) {
			continue
		}
		one, err := s.questionOf(st, record, d.By, slices.Contains(named, names.SessionID(record.ID)), min(room, mostAsked))
		if err != nil {
			return nil, err
		}
		if len(one.question.Sent) > 0 {
			room -= one.Characters
			out = append(out, one)
		}
	}
	return out, errors.Join(ctx.Err(), s.Ledger.Failed())
}

// restsLately reports whether a session ended lately, but not just now: otherwise distil would ask about each
// turn of a current session, and about all old ones.
func (s *Engine) restsLately(record ledger.SessionRecord) bool {
	now := s.Now()
	return record.Updated >= index.Stamp(now.Add(-lately)) && record.Updated <= index.Stamp(now.Add(-restAfter))
}

// isAskable reports whether a session is a person's, has a note, and is named or matters.
func (s *Engine) isAskable(st *stages, record ledger.SessionRecord, named []string) bool {
	if record.Kind != string(sources.KindSession) || record.Empty || record.Class == string(sources.Automatic) || !st.selects(Selected{}, record) {
		return false
	}
	row, known := s.Ledger.Note(names.SessionID(record.ID))
	if !known || !row.State.IsInFolder() {
		return false
	}
	if len(named) > 0 {
		return slices.Contains(named, row.ID) || slices.Contains(named, names.ProjectID(record.Project))
	}
	return facts.Decode(row.Facts, s.Ledger.Harmed).Matters()
}

// questionOf builds the question about a session, or none if the same agent answered it. A named session is
// asked about again if the answer was empty.
func (s *Engine) questionOf(st *stages, record ledger.SessionRecord, by string, named bool, most int) (one toAsk, err error) {
	k := st.kept(record, &openEnds{st: st})
	if k == nil {
		return one, nil
	}
	if by, err = s.Masker.Text(by); err != nil {
		return one, err
	}
	one.Session, one.Title, one.of = record.ID, k.Session.Title, k.Session.Fingerprint()
	if slices.ContainsFunc(k.Session.Distilled, func(d sources.Distillate) bool {
		return d.By == by && d.Of == one.of && (len(d.Lines) > 0 || !named)
	}) {
		return one, nil
	}
	one.question = distil.Ask(k.Session, most)
	one.Characters = utf8.RuneCountInString(one.question.Text)
	return one, nil
}
