// Package forget takes out of the state, and out of the vault, what its user had
// forgotten.
//
// A note that stays because its user wrote in it keeps its pictures and gets its links renewed;
// the text that merges start from is forgotten. The ledger overwrites what leaves it.
package forget

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/assign"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Forgetter makes a run respect what was forgotten.
type Forgetter struct {
	Vault    *vault.Vault // nil: there is none
	Notes    *index.Notes
	Recorder *report.Recorder
	Loader   *loader.Loader
	Assigner *assign.Assigner
	Owned    *owned.Files
	NotesOff bool // no note is going to be written: what is forgotten waits

	// What came of it.
	Heeds  bool // there are other tombstones than in the last run
	Purged bool // something is taken out of the ledger that must leave no trace

	going []ledger.SessionRecord // goes once the notes of its forks are written
}

// A session or project that its user had forgotten has a tombstone of its own
// kind in the vault, so that every machine keeps to it: nothing of it is read,
// kept or written any more. What is left in the ledger is a bare record, which says
// where the session worked: by it others of a forgotten project are still known
// to be of that project, whatever was read first.

// Look sees whether something was forgotten or restored since the last
// run, on whatever machine. What was restored is to be read again, and as nobody
// knows where it is, everything is: that is reported.
func (f *Forgetter) Look() (askedBack bool, err error) {
	if f.Vault == nil {
		return false, nil
	}
	now, err := f.Vault.Tombstones()
	if err != nil {
		return false, err // whoever cannot read them must not write: a deleted note would come back
	}
	then := f.Notes.Ledger.Value(ledger.TombstonePrint)
	if bytes.Equal(now, then) {
		return false, err
	}
	f.Heeds = true
	for _, c := range f.Notes.Ledger.Sessions() {
		if c.Kind != ledger.KindForgotten || index.Forgotten(f.Vault, c) {
			continue
		}
		askedBack = true
		for _, name := range index.IDsOf(c) {
			f.Notes.Ledger.RemoveTombstone(index.ForgottenID(name))
		}
		f.Notes.Ledger.DropSession(c.ID)
	}
	f.bringBack()
	return askedBack, nil
}

// bringBack has deleted notes written again whose records are gone: they were restored on another
// machine, or a backup from before was put back. Where all records are gone, and there were several,
// the folder is lost, and what was deleted stays so.
func (f *Forgetter) bringBack() {
	all := f.Notes.Ledger.Tombstones()
	if len(all) > 1 && !f.Vault.HasTombstones() {
		return
	}
	for _, g := range all {
		if strings.HasPrefix(g.ID, index.ForgottenID("")) || f.Vault.HasTombstone(g.ID) {
			continue
		}
		f.Notes.Ledger.RemoveTombstone(g.ID)
		if session := (facts.Facts{ID: g.ID}).Named().Session(); session != "" {
			f.Notes.Queue.Mark(ledger.DueSession, f.Notes.Ledger.CanonicalID(session))
		} else {
			f.Notes.Queue.Mark(ledger.DuePage, g.ID)
		}
	}
}

// End remembers the tombstones as this run leaves them.
func (f *Forgetter) End() error {
	if f.Vault == nil || f.NotesOff {
		return nil
	}
	tombstones, err := f.Vault.Tombstones()
	f.Notes.AtEnd(ledger.TombstonePrint, tombstones)
	return err
}

// Purge finds, once all is read, what is forgotten and still in the ledger, and has its
// notes go. What its forks inherited can be distinguished from their own as long as it is
// there: their notes are rendered once more before [Forgetter.Finish]. The records are all
// there are, none if they are as they were.
func (f *Forgetter) Purge(records []ledger.SessionRecord) {
	if f.NotesOff {
		if slices.ContainsFunc(records, f.isToGo) {
			f.Notes.Ledger.SetValue(ledger.TombstonePrint, nil) // the next run looks
		}
		return
	}
	if f.Heeds && records == nil {
		records = f.Notes.Ledger.Sessions()
	}
	for _, c := range records {
		if !f.isToGo(c) {
			continue
		}
		f.going, f.Purged = append(f.going, c), true
		for _, fork := range f.Notes.Ledger.NotesWithKey("fork:" + c.ID) { // is rendered once more
			f.Notes.Queue.Mark(ledger.DueSession, fork.Session)
		}
	}
	if !f.Heeds {
		return
	}
	for r := range index.EachNote(f.Notes.Ledger) {
		if index.ForgottenNote(f.Vault, f.Notes.Ledger, r) {
			f.Notes.Queue.Mark(ledger.DueNav, r.ID)
		} else {
			f.tellOfTombstone(r)
		}
	}
}

func (f *Forgetter) isToGo(c ledger.SessionRecord) bool {
	return c.Kind != ledger.KindForgotten && index.Forgotten(f.Vault, c)
}

// tellOfTombstone reports a note that has a tombstone and yet stands: its user put
// it back, or another machine's deletion came without the file's. Nobody knows,
// so it is neither removed nor brought up to date.
func (f *Forgetter) tellOfTombstone(r ledger.NoteRow) {
	if r.State != ledger.Present || r.Reason == index.DeletedOnce || !f.Vault.HasTombstone(r.ID) {
		return
	}
	f.Recorder.Keep(f.Notes.FromRoot(r.Path), index.DeletedOnce)
	f.Notes.Ledger.SetReason(r.ID, index.DeletedOnce)
}

// Finish takes out of the ledger what is forgotten, and out of the vault the files of ours
// that showed it. It reports whether something is due by it.
func (f *Forgetter) Finish(ctx context.Context) (due bool, err error) {
	if len(f.going) == 0 {
		return false, nil
	}
	canvases, gone := map[string]bool{}, []string{}
	for _, c := range f.going { // who shows which picture is known of all, before any goes
		m := f.Loader.Alone(c.ID)
		if err := f.Owned.LookAtPictures(ctx, &m.Session, identity.ProjectFromKey(c.Project)); err != nil {
			return false, err
		}
	}
	for _, c := range f.going {
		canvases[names.CanvasID(c.Project)] = true
		gone = append(append(gone, c.ID), f.Notes.Ledger.AliasesOf(c.ID)...)
		if err := f.purgeSession(ctx, c); err != nil {
			return false, err
		}
	}
	f.going = nil
	err = f.Vault.ReviseDistilled(func(text []byte) ([]byte, error) {
		if slices.ContainsFunc(gone, func(id string) bool { return bytes.Contains(text, []byte(strconv.Quote(id))) }) {
			return nil, nil
		}
		return text, nil
	})
	if _, err := f.Vault.Tidy(); err != nil {
		f.Recorder.Problem(report.Problem{Error: err.Error(), Hint: "remove it yourself", Fatal: true})
	}
	err = errors.Join(err, f.Owned.NameCanvases("it may show a session that is forgotten, and holds what you changed: take the card out of it",
		func(id string, _ []byte) (bool, error) { return canvases[id], nil }))
	if err != nil {
		return false, err
	}
	return true, f.Notes.Commit()
}

func (f *Forgetter) purgeSession(ctx context.Context, c ledger.SessionRecord) error {
	aliases := f.Notes.Ledger.AliasesOf(c.ID)
	rows := f.Notes.Ledger.NotesOfSession(c.ID)
	if !slices.ContainsFunc(rows, func(r ledger.NoteRow) bool { return r.State.IsInFolder() }) { // else its user wrote in one, which shows them
		if err := f.Owned.DropPictures(ctx, c.ID); err != nil {
			return err
		}
	}
	for _, id := range append(aliases, c.ID) {
		f.dropRead(id)
	}
	delete(f.Assigner.Damage, c.ID)
	f.Notes.Ledger.PutOpenThreads(c.Project, nil)
	f.Notes.Queue.Mark(ledger.DuePage, names.ProjectID(c.Project))
	f.Notes.Ledger.PutSession(c.Bare())
	f.Notes.Queue.Mark(ledger.DueSession, c.ID)
	for _, memory := range f.Notes.Ledger.MemoryOf(c.Scope, c.Project) { // it may have had texts in common with it
		f.Notes.Queue.Mark(ledger.DueSession, memory.ID)
	}
	return f.dropInherited(c.ID)
}

func (f *Forgetter) dropRead(id string) {
	l := f.Notes.Ledger
	l.DropLayers(id)
	l.PutAlias(id, id)
	l.DropSession(id)
	f.dropTombstones(id)
}

func (f *Forgetter) dropInherited(parent string) error {
	forks := f.Notes.Ledger.Forks(parent)
	if len(forks) == 0 {
		return nil
	}
	layers := f.Notes.Ledger.KeptLayers()
	for _, fork := range forks {
		for _, k := range layers {
			if k.Session != fork.ID {
				continue
			}
			if _, err := f.Notes.Ledger.TransformLayer(k, func(s *sources.Session) error { session.DropInherited(s); return nil }); err != nil {
				return err
			}
		}
		f.Notes.Queue.Mark(ledger.DueSession, fork.ID)
	}
	return nil
}

// dropTombstones replaces the names of a session's deleted notes, which may quote it, by its id.
func (f *Forgetter) dropTombstones(session string) {
	for _, g := range f.Notes.Ledger.Tombstones() {
		_, rest, _ := strings.Cut(g.ID, ":")
		if rest == session || strings.HasPrefix(rest, session+":") {
			f.Notes.Ledger.RemoveTombstone(g.ID)
		}
	}
	if index.ForgottenSession(f.Vault, session) {
		f.Notes.Ledger.AddTombstone(ledger.Tombstone{ID: index.ForgottenID(names.SessionID(session))})
	}
}
