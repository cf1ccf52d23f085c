// Package extract decides what changed in the sources, which layers make one session, what deserves a note,
// and which notes are due. It is the only package that knows both sessions and notes.
package extract

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/remask"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/verify"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// Engine holds everything that a run needs.
type Engine struct {
	Sources  []sources.Source
	Ledger   *ledger.Ledger
	Vault    *vault.Vault // may be nil with Mode.NotesOff
	Folder   string       // the managed folder relative to the vault's root, for links; "." is the vault itself
	Pages    *templates.Set
	Masker   Masker
	Settings Settings
	Scope    Scope
	// Ignored reports whether a file in a folder of this machine excludes the sessions there and below. May
	// be nil.
	Ignored func(folder string) bool

	// OnDisk describes the repository of a folder on this machine: the root of its main working tree, and the
	// URL of its remote; "" if unknown. It is called if no record names a remote. May be nil.
	OnDisk    func(folder string) (root, remote string)
	Mode      Mode
	Progress  Progress         // may be nil
	Now       func() time.Time // for the duration of a run, and for stamps too young to trust
	Git       Git              // the vault's repository, or nil
	accepted  map[string]bool  // ids of the notes that get the generated text, see [Engine.Accept]
	maxDrafts int              // limit of drafts of sessions kept at a time; 0: mostHeld
}

// Run looks at the vault, reads what changed and writes what is due: all notes if templates or settings
// changed. Failed items and notes are in the report; an error means that the run as a whole failed.
func (s *Engine) Run(ctx context.Context) (Report, error) {
	rec := s.recorder()
	return s.finish(rec, s.once(ctx, rec))
}

func (s *Engine) recorder() *report.Recorder {
	return report.NewRecorder(s.Folder, s.Mode.DryRun, s.Mode.Texts)
}

func (s *Engine) finish(rec *report.Recorder, err error) (Report, error) {
	r := rec.Finish()
	r.HideSecrets(s.Masker)
	return r, err
}

func (s *Engine) once(ctx context.Context, rec *report.Recorder) error {
	began := s.Now()
	st, err := s.stages(rec)
	if err != nil {
		return err
	}
	err = st.run(ctx)
	ignored := st.scope.Ignored()
	rec.Edit(func(r *Report) {
		r.ElapsedMS += s.Now().Sub(began).Milliseconds()
		r.Sessions.Excluded, r.Ignored = st.scope.Excluded(), ignored
	})
	rec.Damaged(st.assign.Damage)
	return cmp.Or(s.Ledger.Failed(), err)
}

type (
	// HeldError says that a run stopped before it wrote anything, see [observe.HeldError].
	HeldError = observe.HeldError
	// Git is the vault's repository, see [written.Git].
	Git = written.Git
	// Absence says what git knows about a missing file, see [written.Absence].
	Absence = written.Absence
	// Pending are files to be committed, see [written.Pending].
	Pending = written.Pending
	// PendingSession is a session among them, see [written.PendingSession].
	PendingSession = written.PendingSession
)

// What git may know about a missing file; else the commit lacks it.
const (
	InCommit = written.InCommit
	Hidden   = written.Hidden
)

// beginWriting precedes everything that writes to the vault. From then on each change first checks the state
// for errors, so that nothing is written from incomplete data.
//
// It refuses while git is in the middle of an operation: the vault is then partly at another time. A missing
// note was not deleted, and a written one would block git's next step or be lost by an abort.
func (s *Engine) beginWriting() error {
	if s.Vault != nil {
		s.Vault.Guard(s.Ledger.Failed)
	}
	if s.Git == nil || s.Mode.NotesOff {
		return nil
	}
	what := s.Git.Busy()
	if what == "" {
		return nil
	}
	return &HeldError{
		What: fmt.Sprintf("the vault's git repository is in the middle of %s: no note was written", what),
		Hint: "sessionloom git settle goes on with a merge or rebase, git status says how to end or abort it; then run again",
	}
}

// Pending reports what runs wrote since the last commit.
func (s *Engine) Pending() (Pending, error) { return written.PendingIn(s.Ledger), s.Ledger.Failed() }

// Committed forgets what was pending. The current commit then is the vault after the last run: notes that are
// missing later were not removed by a checkout.
func (s *Engine) Committed() error {
	s.Ledger.ForgetUncommitted()
	if s.Git != nil {
		s.Ledger.SetValue(ledger.Head, []byte(s.Git.Head()))
	}
	return s.Ledger.Commit()
}

type (
	// Report is what a run did, see [report.Report].
	Report = report.Report
	// SessionCounts counts the sessions a run looked at.
	SessionCounts = report.SessionCounts
	// NoteCounts counts notes by outcome.
	NoteCounts = report.NoteCounts
	// SourceReport counts the items below one root.
	SourceReport = ingest.SourceReport
	// Expiring is something that an agent is going to delete.
	Expiring = ingest.Expiring
	// Problem is a failed item or note.
	Problem = report.Problem
	// Asked is the result for a name in a command.
	Asked = report.Asked
	// Change names a note that a run wrote, moved or removed.
	Change = report.Change
	// KeptNote is a note that the run left as its user edited it.
	KeptNote = report.KeptNote
	// PartialSession is a session that could not be read completely.
	PartialSession = report.PartialSession
	// LeftTo is a copy of a session that adds nothing to another copy.
	LeftTo = report.LeftTo
	// IgnoredFolder is a folder that an ignore file excludes.
	IgnoredFolder = report.IgnoredFolder

	// Check verifies a vault and its state. It writes neither.
	Check = verify.Check
	// CheckReport is the result of a check (schema 1).
	CheckReport = verify.CheckReport
	// Finding is one fault.
	Finding = verify.Finding
	// Masker removes secrets from texts, see [remask.Masker].
	Masker = remask.Masker
)

// Forgotten returns the id of a forgotten session or project; ok is false for the tombstone of a deleted
// note.
func Forgotten(g ledger.Tombstone) (id string, ok bool) {
	return strings.CutPrefix(g.ID, index.ForgottenID(""))
}

// Accept writes notes as if their users had never edited the generated body, links and properties. Text
// outside these stays, and a copy of the edited note goes to the rescue folder. A name is one that
// [catalog.Catalog.Note] knows. It returns a [*catalog.NameError] if a name stands for no note, or for
// several.
func (s *Engine) Accept(ctx context.Context, names []string) (Report, error) {
	if err := s.beginKnowing(ctx); err != nil {
		return Report{}, err
	}
	s.accepted = map[string]bool{}
	var asked []catalog.Entry
	for _, name := range names {
		e, err := catalog.New(s.Ledger, s.Folder).Note(name)
		if err != nil {
			return Report{}, err
		}
		s.accepted[e.ID] = true
		s.due(e.ID)
		asked = append(asked, e)
	}
	report, err := s.Run(ctx)
	for _, e := range asked {
		report.Answer("accept", e.Path, "", func(id string) bool { return id == e.ID })
	}
	return report, err
}
