package observe

import (
	"context"
	"path"
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
)

// missNotes tells what became of the notes that are gone, but for those that went
// with a checkout: these are to be told of when all else is.
func (s *survey) missNotes(ctx context.Context, files tally) (left []ledger.NoteFile, err error) {
	gone, err := s.dropUnmissed()
	if err != nil || len(gone) == 0 {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, r := range gone {
		wanted[r.ID] = true
	}
	found, closed, err := s.look.Vault.Find(ctx, wanted)
	if err != nil {
		return nil, err
	}
	fates, err := s.fates(gone, found, len(closed) > 0 || s.unread)
	if err != nil {
		return nil, err
	}
	if unlooked := fates[Unknown]; len(closed) > 0 && len(unlooked) > 0 {
		if err := s.look.tell(Unlooked{closed, unlooked}); err != nil {
			return nil, err
		}
	}
	for _, fate := range []Fate{Forgotten, HiddenByGit} {
		if err := s.tellGone(fate, fates[fate]); err != nil {
			return nil, err
		}
	}
	if err := s.look.allowed(len(fates[LeftByCheckout])+len(fates[Deleted]), len(s.rows), files); err != nil {
		return nil, err
	}
	if err := TellOutside(s.look.Vault, found, s.look.tell); err != nil {
		return nil, err
	}
	return fates[LeftByCheckout], s.tellGone(Deleted, fates[Deleted])
}

func (s *survey) tellGone(fate Fate, notes []ledger.NoteFile) error {
	if len(notes) == 0 {
		return nil
	}
	return s.look.tell(NotesGone{fate, notes})
}

// fates parts notes that are gone by what became of them.
func (s *survey) fates(gone []ledger.NoteFile, found map[string]string, unlooked bool) (map[Fate][]ledger.NoteFile, error) {
	checkout, err := s.look.otherCommit()
	if err != nil {
		return nil, err
	}
	var all []evidence
	var ask []string
	for _, r := range gone {
		row, _, err := s.look.Ledger.Note(r.ID)
		if err != nil {
			return nil, err
		}
		e := evidence{at: found[r.ID], unlooked: unlooked, checkout: checkout}
		// One that has a tombstone already was deleted on another machine, and both
		// came with the vault.
		e.forgotten = s.look.Vault.HasTombstone(r.ID) || s.look.Engine.ForgottenNote(row)
		if all = append(all, e); e.fate() == Deleted || e.fate() == LeftByCheckout {
			ask = append(ask, FromRoot(s.look.Folder, r))
		}
	}
	known, err := explain(s.look.Git, ask)
	if err != nil {
		return nil, err
	}
	fates := map[Fate][]ledger.NoteFile{}
	for i, r := range gone {
		all[i].absence = known[FromRoot(s.look.Folder, r)]
		fate := all[i].fate()
		fates[fate] = append(fates[fate], r)
	}
	return fates, nil
}

// FromRoot is where a note lay, from the vault's root.
func FromRoot(folder string, r ledger.NoteFile) string {
	if r.State == ledger.MovedOut {
		return r.Path
	}
	return path.Join(folder, r.Path)
}

// dropUnmissed takes out the notes that nobody deleted: those that an interrupted
// run removed itself, then copies to which their user gave another id.
func (s *survey) dropUnmissed() (gone []ledger.NoteFile, err error) {
	left := func(r ledger.NoteFile) bool { return r.State == ledger.Leaving }
	for _, r := range s.missing {
		if !left(r) {
			continue
		}
		if err := s.tellGone(Forgotten, []ledger.NoteFile{r}); err != nil {
			return nil, err
		}
	}
	for _, r := range slices.DeleteFunc(slices.Clone(s.missing), left) {
		row, known, err := s.look.Ledger.Note(r.ID)
		if err != nil {
			return nil, err
		}
		theirs := known
		if known {
			theirs, err = s.look.Engine.Theirs(row)
		}
		if err == nil && theirs {
			err = s.tellGone(Forgotten, []ledger.NoteFile{r})
		} else if err == nil {
			gone = append(gone, r)
		}
		if err != nil {
			return nil, err
		}
	}
	return gone, nil
}
