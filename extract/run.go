package extract

import (
	"context"
	"errors"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// run is one run over what is new: look at the vault, read what moved, find out whose it
// is, write what is due.
func (st *stages) run(ctx context.Context) error {
	s := st.engine
	if err := st.begin(); err != nil {
		return err
	}
	back, err := st.retire.Look()
	if err != nil {
		return err
	}
	listings := ingest.List(ctx, s.Sources, s.Now())
	if !s.Mode.NotesOff {
		if err := st.look(ctx); err != nil {
			return err
		}
	}
	scans, err := st.read(ctx, listings, s.Mode.Full || back)
	if err != nil {
		return err
	}
	if !s.Mode.NotesOff {
		if err := st.write(ctx); err != nil {
			return err
		}
	}
	return st.end(scans)
}

// renderKept is a run that reads no source.
func (st *stages) renderKept(ctx context.Context) error {
	if err := st.begin(); err != nil {
		return err
	}
	if err := st.checkRendering(); err != nil {
		return err
	}
	if err := st.lookAtVault(ctx); err != nil {
		return err
	}
	if err := st.notes.Commit(); err != nil {
		return err
	}
	if err := st.publish.Write(ctx); err != nil {
		return err
	}
	return st.remember(nil)
}

// begin begins a run: what is kept is masked by the rules as they are now.
func (st *stages) begin() error {
	if err := st.engine.checkRepoIdle(); err != nil {
		return err
	}
	if err := st.written.Begin(); err != nil {
		return err
	}
	return st.remask.Layers()
}

// look finds what is to be rendered anew, and what people did to the notes.
func (st *stages) look(ctx context.Context) error {
	if err := st.checkRendering(); err != nil {
		return err
	}
	if err := st.refusedDue(); err != nil {
		return err
	}
	return st.lookAtVault(ctx)
}

// lookAtVault finds what people did to the notes since the last run.
func (st *stages) lookAtVault(ctx context.Context) (err error) {
	s := st.engine
	if st.seen, err = observe.TakeSnapshot(ctx, s.Vault, s.Ledger); err != nil {
		return err
	}
	st.publish.Looked(st.seen.Files)
	return st.observe.Look(ctx, st.seen, st.retire.Heeds())
}

// read brings the state up to date with the sources, and finds out whose is what was
// read. full reads every item. What was read is kept, whatever becomes of the rest.
func (st *stages) read(ctx context.Context, listings *ingest.Listings, full bool) (map[string]ledger.Scan, error) {
	s := st.engine
	read, err := ingest.Run(ctx, listings, s.Ledger, ingest.Options{
		Masker: s.Masker, Sessions: st.assign, Now: s.Now, Progress: s.Progress, Full: full, Jobs: s.jobs(), Expiring: s.Mode.DryRun,
		Excluded: func(id string) bool { return index.ForgottenSession(s.Vault, id) },
	})
	st.rec.Read(read)
	if err == nil && len(read.Scans) > 0 { // there may be more empty sessions, or fewer
		err = s.Ledger.SetValue(ledger.Empty, nil)
	}
	if err = errors.Join(err, st.assignSessions(read.Stored)); err == nil {
		err = st.countSessions()
	}
	return read.Scans, errors.Join(err, st.notes.Commit())
}

// assignSessions finds out whose is what was read, and drops what is forgotten. reread tells
// that what is kept of some sessions changed.
func (st *stages) assignSessions(reread bool) error {
	records, err := st.assign.Assign(reread)
	if err != nil {
		return err
	}
	return st.retire.Purge(records)
}

// write renders and writes what is due, and what comes of that.
func (st *stages) write(ctx context.Context) error {
	err := st.scope.LoadIgnored(func(id string) error { return st.notes.Queue.Mark(ledger.DueSession, id) })
	if err != nil {
		return err
	}
	if err := st.remask.MarkDue(st.seen.Files); err != nil {
		return err
	}
	if err := st.publish.Write(ctx); err != nil {
		return err
	}
	if err := st.countSessions(); err != nil {
		return err
	}
	if err := st.maskNotes(ctx); err != nil {
		return err
	}
	for _, more := range []func() (bool, error){
		func() (bool, error) { return st.retire.LetGo(ctx) },
		func() (bool, error) { return st.observe.FindCopies(ctx) },
	} {
		due, err := more()
		if err == nil && due {
			err = st.publish.Write(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maskNotes masks the notes that nobody can render, then writes what shows their facts.
func (st *stages) maskNotes(ctx context.Context) error {
	looked, err := st.remask.MaskNotes(ctx)
	if err != nil || !looked {
		return err
	}
	if err := st.written.Remember(); err != nil {
		return err
	}
	if err := st.notes.Commit(); err != nil {
		return err
	}
	return st.publish.Write(ctx)
}

// end has what was done last, and what was forgotten leave no trace.
func (st *stages) end(scans map[string]ledger.Scan) error {
	if err := st.remember(scans); err != nil || !st.purged() {
		return err
	}
	return st.engine.Ledger.Scrub()
}

// purged tells whether something was taken out of the ledger that must leave no trace.
func (st *stages) purged() bool { return st.retire.Purged() || st.remask.Purged() }

// remember stores what lets the next run see at a glance that nothing changed, the
// scans of sources that moved among it.
func (st *stages) remember(scans map[string]ledger.Scan) error {
	if err := st.engine.Ledger.Begin(); err != nil {
		return err
	}
	if err := st.retire.End(); err != nil {
		return err
	}
	if !st.engine.Mode.NotesOff && !st.rec.Unsure() {
		st.notes.AtEnd(ledger.VaultPrint, st.seen.Fingerprint())
		st.notes.AtEnd(ledger.Searched, []byte("1"))
	}
	if err := st.rememberWritten(); err != nil {
		return err
	}
	for source, scan := range scans {
		if err := st.engine.Ledger.PutScan(source, scan); err != nil {
			return err
		}
	}
	if err := st.notes.End(); err != nil {
		return err
	}
	return st.engine.Ledger.Commit()
}

// rememberWritten remembers what was written until it is committed.
func (st *stages) rememberWritten() error {
	if err := st.written.Remember(); err != nil {
		return err
	}
	return st.forgetGone()
}

// forgetGone forgets, where something must leave no trace, the names of files that are
// gone.
func (st *stages) forgetGone() error {
	if !st.purged() || st.engine.Mode.NotesOff {
		return nil
	}
	return st.written.ForgetGone(func(at string) bool {
		_, there := st.seen.Files[at]
		return there
	})
}

// refusedDue has a run that shows texts look at all notes of which something
// was refused, so that it shows what they would say.
func (st *stages) refusedDue() error {
	if !st.engine.Mode.Texts || !st.engine.Mode.DryRun || st.engine.Mode.NotesOff {
		return nil
	}
	rows, err := st.engine.Ledger.NotesInState(ledger.Present)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.RejectedHash == "" {
			continue
		}
		if err := st.notes.Queue.MarkNote(r); err != nil {
			return err
		}
	}
	return nil
}
