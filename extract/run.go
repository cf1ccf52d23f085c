package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/search"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// run looks at the vault, reads what changed, assigns it to sessions and projects, and writes what is due.
func (st *stages) run(ctx context.Context) error {
	s := st.engine
	if err := st.begin(); err != nil {
		return err
	}
	back, err := st.forget.Look()
	if err != nil {
		return err
	}
	listings := ingest.List(ctx, s.Sources, s.Now())
	if !s.Mode.NotesOff {
		if err := st.look(ctx); err != nil {
			return err
		}
	}
	scans, others, err := st.read(ctx, listings, s.Mode.Full || back)
	if err == nil && !s.Mode.NotesOff {
		err = st.write(ctx)
	}
	st.countSessions()
	if err != nil {
		return err
	}
	if !s.Mode.NotesOff && (others || !st.observe.Same()) {
		s.indexNotesAlone()
	}
	if err := st.remember(scans); err != nil || !st.purged() {
		return err
	}
	return s.Ledger.Scrub()
}

// begin begins a run: it masks stored data by the current rules.
func (st *stages) begin() error {
	if err := st.engine.beginWriting(); err != nil {
		return err
	}
	st.written.Begin()
	if err := st.remask.Layers(); err != nil || st.engine.Mode.NotesOff {
		return err
	}
	return st.remask.Words()
}

func (st *stages) look(ctx context.Context) error {
	st.checkRendering()
	st.foreignSettings()
	st.rejectedDue()
	return st.lookAtVault(ctx)
}

func (st *stages) lookAtVault(ctx context.Context) (err error) {
	s := st.engine
	if st.seen, err = observe.TakeSnapshot(ctx, s.Vault, s.Ledger); err != nil {
		return err
	}
	st.publish.Looked(st.seen.Files)
	return st.observe.Look(ctx, st.seen, st.forget.Heeds)
}

// read updates the state from the sources, and assigns new data. full reads every item. What was read is
// stored, whatever fails later. others reports that the set of sessions may have changed.
func (st *stages) read(ctx context.Context, listings *ingest.Listings, full bool) (scans map[string]ledger.Scan, others bool, err error) {
	s := st.engine
	read, err := ingest.Run(ctx, listings, s.Ledger, ingest.Options{
		Masker: s.Masker, Sessions: st.assign, Now: s.Now, Progress: s.progress(), Full: full, Jobs: s.jobs(), Expiring: s.Mode.DryRun,
		Excluded: func(id string) bool { return index.ForgottenSession(s.Vault, id) },
	})
	st.rec.Read(read)
	records, wrong := st.assign.Assign(read.Stored, s.saidOfProjects())
	for _, w := range wrong {
		st.rec.Problem(report.Problem{Error: fmt.Sprintf("in the setting projects of the vault: %v", w), Hint: "that line of .sessionloom/vault.yaml changes nothing"})
	}
	st.forget.Purge(records)
	return read.Scans, records != nil, errors.Join(err, st.notes.Commit())
}

// foreignSettings reports settings in the vault that only the machine may set: a shared vault must not run
// commands.
func (st *stages) foreignSettings() {
	m := st.engine.Vault.Marker()
	for _, key := range append(slices.Sorted(maps.Keys(m.Settings)), m.Unknown...) {
		if section, _, _ := strings.Cut(key, "."); section == "distil" {
			st.rec.Problem(report.Problem{Path: ".sessionloom/vault.yaml", Error: fmt.Sprintf("%q stands in the settings of the vault: it is the machine's alone, and has no effect", key),
				Hint: "take it out of .sessionloom/vault.yaml; whoever wrote it there wanted a command to run on other machines", Fatal: true})
		}
	}
}

// saidOfProjects returns the projects that the vault's settings join, by key.
func (s *Engine) saidOfProjects() map[string]string {
	if s.Vault == nil {
		return nil
	}
	return s.Vault.Marker().Projects
}

// write renders and writes everything due, and what becomes due by that.
func (st *stages) write(ctx context.Context) error {
	st.scope.LoadIgnored(func(id string) { st.notes.Queue.Mark(ledger.DueSession, id) })
	if err := st.remask.MarkDue(st.seen.Files); err != nil {
		return err
	}
	if err := st.publish.Write(ctx); err != nil {
		return err
	}
	for _, more := range []func(context.Context) (due bool, err error){st.remask.MaskNotes, st.forget.Finish} {
		due, err := more(ctx)
		if err == nil && due {
			err = st.publish.Write(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (st *stages) purged() bool { return st.forget.Purged || st.remask.Purged }

// remember stores what lets the next run see at once that nothing changed, with the scans of changed sources.
func (st *stages) remember(scans map[string]ledger.Scan) error {
	l := st.engine.Ledger
	if err := st.forget.End(); err != nil {
		return err
	}
	if !st.engine.Mode.NotesOff && !st.rec.Unsure() {
		if !st.observe.Same() || st.publish.Wrote() {
			st.notes.AtEnd(ledger.VaultPrint, st.seen.Fingerprint())
		}
		st.notes.AtEnd(ledger.Searched, []byte("1"))
	}
	st.written.Remember()
	if err := st.forgetGone(); err != nil {
		return err
	}
	for source, scan := range scans {
		l.PutScan(source, scan)
	}
	st.notes.End()
	return l.Commit()
}

// forgetGone forgets the names of files that are gone, if something must leave no trace.
func (st *stages) forgetGone() error {
	if !st.purged() || st.engine.Mode.NotesOff {
		return nil
	}
	return st.written.ForgetGone(func(at string) bool {
		_, there := st.seen.Files[at]
		return there
	})
}

// rejectedDue makes a run that shows texts render all notes with refused text, to show it.
func (st *stages) rejectedDue() {
	if !st.engine.Mode.Texts || !st.engine.Mode.DryRun {
		return
	}
	for _, r := range st.engine.Ledger.NotesInState(ledger.Present) {
		if r.RejectedHash != "" {
			st.notes.Queue.MarkNote(r)
		}
	}
}

// countSessions completes the counts of sessions, also if no source changed.
func (st *stages) countSessions() {
	empty := st.engine.Ledger.EmptySessions()
	automatic := st.engine.Ledger.OfClass(sources.Automatic)
	rows := st.engine.Ledger.RowsOnly()
	noted, _, _ := st.notes.Totals()
	st.rec.Edit(func(r *Report) {
		c := &r.Sessions
		c.Unchanged, c.Empty, c.Automatic, c.Noted = c.Listed-c.New-c.Changed-c.Failed, empty, automatic, noted
		r.LeftTo, r.StoreOnly = st.assign.LeftToOthers(), rows
	})
}

// indexNotesAlone indexes the notes of which nothing else is stored.
func (s *Engine) indexNotesAlone() {
	search.PutNotesAlone(s.Ledger, func(row ledger.NoteRow) (title, text string, ok bool) {
		raw, err := s.Vault.Text(row.Path)
		if err != nil { // it is examined again when it changes
			return "", "", false
		}
		return facts.Decode(row.Facts, s.Ledger.Harmed).Title, noteText(raw), true
	})
}

// noteText returns what a person reads in a note, without properties and comment lines.
func noteText(raw []byte) string {
	doc := note.ParseDocument(raw)
	text := raw[doc.Front.After:]
	if doc.Comment != nil {
		text, _, _ = bytes.Cut(text, []byte("\n%% sessionloom facts"))
	}
	var out []byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("%% ")) {
			out = append(out, line...)
		}
	}
	return shownOfLinks(string(out))
}

// shownOfLinks replaces links to notes by their text.
func shownOfLinks(text string) string {
	var b strings.Builder
	for {
		before, link, found := strings.Cut(text, "[[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if end := strings.IndexAny(link, "|]\n"); end >= 0 && link[end] == '|' {
			link = link[end+1:]
		}
		text = link
	}
}
