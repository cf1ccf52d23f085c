package retire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// A session or project that its user had forgotten has a tombstone of its own
// kind in the vault, so that every machine keeps to it: nothing of it is read,
// kept or written any more. What is left in the ledger is a bare card, which says
// where the session worked: by it others of a forgotten project are still known
// to be of that project, whatever was read first.

// Look sees whether something was forgotten or asked back since the last
// run, on whatever machine. What was asked back is to be read again, and as nobody
// knows where it lies, everything is: that is told.
func (f *Forgetter) Look() (askedBack bool, err error) {
	if f.vault == nil {
		return false, nil
	}
	now, err := f.vault.Tombstones()
	if err != nil {
		return false, err // whoever cannot read them must not write: a deleted note would come back
	}
	then, err := f.notes.Ledger.Value(ledger.Graves)
	if err != nil || bytes.Equal(now, then) {
		return false, err
	}
	f.heed = true
	cards, err := f.notes.Ledger.Sessions()
	if err != nil {
		return false, err
	}
	for _, c := range cards {
		if c.Kind != ledger.KindForgotten || index.Forgotten(f.vault, c) {
			continue
		}
		askedBack = true
		for _, name := range []string{names.SessionID(c.ID), names.ProjectID(c.Project)} {
			if err := f.notes.Ledger.DropGrave(index.ForgottenID(name)); err != nil {
				return false, err
			}
		}
		if err := f.notes.Ledger.DropSession(c.ID); err != nil {
			return false, err
		}
	}
	return askedBack, nil
}

// End remembers the tombstones as this run leaves them.
func (f *Forgetter) End() error {
	if f.vault == nil {
		return nil
	}
	graves, err := f.vault.Tombstones()
	f.notes.AtEnd(ledger.Graves, graves)
	return err
}

// Purge takes out of the ledger, once all is read, what was forgotten, and has
// the notes of it go. The cards are all there are, none where they are as they were.
func (f *Forgetter) Purge(cards []ledger.SessionRow) (err error) {
	if f.heed && cards == nil {
		if cards, err = f.notes.Ledger.Sessions(); err != nil {
			return err
		}
	}
	for _, c := range cards {
		if c.Kind == ledger.KindForgotten || !index.Forgotten(f.vault, c) {
			continue
		}
		forked, err := f.hasForks(c.ID)
		if forked {
			f.parting = append(f.parting, c)
		} else if err == nil {
			err = f.purgeSession(c)
		}
		if err != nil {
			return err
		}
	}
	if !f.heed {
		return nil
	}
	return index.EachNote(f.notes.Ledger, func(r ledger.NoteRow) error {
		if !index.ForgottenNote(f.vault, r) {
			return f.tellOfGrave(r)
		}
		return f.notes.Queue.Mark(ledger.DueNav, r.ID)
	})
}

// tellOfGrave tells of a note that has a tombstone and yet stands: its user put
// it back, or another machine's deletion came without the file's. Nobody knows,
// so it is neither taken away nor brought up to date.
func (f *Forgetter) tellOfGrave(r ledger.NoteRow) error {
	if r.State != ledger.Present || r.Reason == index.DeletedOnce || !f.vault.Buried(r.ID) {
		return nil
	}
	f.rec.Keep(f.notes.FromRoot(r.Path), index.DeletedOnce)
	return f.notes.Ledger.SetReason(r.ID, index.DeletedOnce)
}

// purgeSession forgets what was read of a session under any of its ids.
func (f *Forgetter) purgeSession(c ledger.SessionRow) error {
	m, err := f.loader.Alone(c.ID)
	if err != nil {
		return err
	}
	f.purged = true
	f.canvases = append(f.canvases, c)
	pr := identity.ProjectFromKey(c.Project)
	err = f.owned.EachPicture(&m.Session, pr, func(at string, _ []byte) error {
		lies, err := f.owned.PictureAt(pr.Key, at)
		if err != nil {
			return err
		}
		there, err := f.vault.Attached(lies)
		if err == nil && there {
			err = f.owned.PutPicture(at, lies, c.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range append(slices.Clone(m.Also), c.ID) {
		if err := f.dropRead(id); err != nil {
			return err
		}
	}
	if err := f.notes.Ledger.DropThreads(c.ID); err != nil {
		return err
	}
	if err := f.notes.Ledger.PutSession(c.Bare()); err != nil {
		return err
	}
	if err := f.notes.Queue.Mark(ledger.DueSession, c.ID); err != nil {
		return err
	}
	f.loader.Forget(c.ID)
	f.assign.Forget(c.ID)
	return f.dropInherited(c.ID)
}

// dropRead forgets what was read under an id.
func (f *Forgetter) dropRead(id string) error {
	if err := f.notes.Ledger.DropLayers(id); err != nil {
		return err
	}
	if err := f.notes.Ledger.PutAlias(id, id); err != nil {
		return err
	}
	if err := f.notes.Ledger.DropSession(id); err != nil {
		return err
	}
	return f.dropGraves(id)
}

// dropInherited has the forks of a session forget what they have from it.
func (f *Forgetter) dropInherited(parent string) error {
	forks, err := f.notes.Ledger.Forks(parent)
	if err != nil {
		return err
	}
	for _, fork := range forks {
		if err := f.dropInheritedOf(fork.ID); err != nil {
			return err
		}
		if err := f.notes.Queue.Mark(ledger.DueSession, fork.ID); err != nil {
			return err
		}
	}
	return nil
}

// dropInheritedOf forgets what a fork has from its parent.
func (f *Forgetter) dropInheritedOf(fork string) error {
	f.loader.Forget(fork)
	layers, err := f.notes.Ledger.KeptLayers()
	if err != nil {
		return err
	}
	for _, k := range layers {
		if k.Session != fork {
			continue
		}
		if _, err := f.notes.Ledger.Rework(k, func(s *sources.Session) error { session.DropInherited(s); return nil }); err != nil {
			return err
		}
	}
	return nil
}

// dropGraves replaces the names of a session's deleted notes, which tell of what
// was said, by its id alone.
func (f *Forgetter) dropGraves(session string) error {
	graves, err := f.notes.Ledger.Graves()
	if err != nil {
		return err
	}
	for _, g := range graves {
		_, rest, _ := strings.Cut(g.ID, ":")
		if rest != session && !strings.HasPrefix(rest, session+":") {
			continue
		}
		if err := f.notes.Ledger.DropGrave(g.ID); err != nil {
			return err
		}
	}
	if !index.ForgottenSession(f.vault, session) {
		return nil
	}
	return f.notes.Ledger.PutGrave(ledger.Grave{ID: index.ForgottenID(names.SessionID(session))})
}
