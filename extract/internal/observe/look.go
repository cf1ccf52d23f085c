package observe

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Knowledge is what only the engine knows of what is gone.
type Knowledge interface {
	// Theirs tells whether nothing of ours would make a note, as it is a copy that
	// its user gave another id.
	Theirs(row ledger.NoteRow) (bool, error)
	// ForgottenNote tells whether what a note shows was forgotten.
	ForgottenNote(row ledger.NoteRow) bool
	// ForgottenSession tells whether a session was forgotten.
	ForgottenSession(id string) (bool, error)
}

// Input is what a look at the vault needs.
type Input struct {
	Vault      *vault.Vault
	Ledger     *ledger.Ledger
	Git        Git // nil: the vault lies in no repository
	Seen       Snapshot
	Files      *OwnedFiles
	Folder     string // the managed folder from the vault's root; "." is the vault itself
	Force      bool   // what is missing was deleted, be it many
	Forgetting bool   // something was forgotten or asked back since the last run
	Engine     Knowledge
}

// look is one look at the vault.
type look struct {
	Input
	tell func(Event) error
}

// Look compares the vault with the state and says what people did since the last
// run: edits, moves, deletions, copies. Events are told one by one, for what
// becomes of one rests on what was told before. A snapshot that equals the last one
// is not gone through: same. A [HeldError] says that too much is missing.
func Look(ctx context.Context, in Input, tell func(Event) error) (same bool, err error) {
	k := look{in, tell}
	then, err := in.Ledger.Value(ledger.VaultPrint)
	if err != nil {
		return false, err
	}
	if err := k.sweep(ctx); err != nil {
		return false, err
	}
	gone, err := k.followFiles(ctx)
	if err != nil {
		return false, err
	}
	if in.Seen.searched && bytes.Equal(then, in.Seen.Fingerprint()) {
		return true, k.missFiles(gone)
	}
	clear(in.Seen.Elsewhere)
	if err := k.notes(ctx, gone.missing); err != nil {
		return false, err
	}
	if err := k.missFiles(gone); err != nil || in.Seen.searched || len(in.Seen.entries) == 0 {
		return false, err
	}
	return false, k.firstSearch(ctx)
}

// sweep clears what an interrupted run left behind.
func (k look) sweep(ctx context.Context) error {
	left, err := k.Vault.Sweep(ctx)
	for _, l := range left {
		if l.Rescued != "" && err == nil {
			err = k.tell(Rescued{l.Rescued})
		}
	}
	return err
}

// otherCommit tells whether another commit is checked out in the vault than when
// nothing was missing.
func (k look) otherCommit() (bool, error) {
	then, err := k.Ledger.Value(ledger.Head)
	return len(then) > 0 && Head(k.Git) != string(then) && !k.Force, err
}

// firstSearch looks for notes of ours outside the folder, once, where the ledger
// cannot know of them.
func (k look) firstSearch(ctx context.Context) error {
	found, _, err := k.Vault.Find(ctx, nil)
	if err != nil {
		return err
	}
	for id := range found {
		if _, known, err := k.Ledger.Note(id); err != nil {
			return err
		} else if known {
			delete(found, id)
		}
	}
	return TellOutside(k.Vault, found, k.tell)
}

// TellOutside tells of notes, by id, that were found elsewhere in the vault.
func TellOutside(v *vault.Vault, found map[string]string, tell func(Event) error) error {
	for _, id := range slices.Sorted(maps.Keys(found)) {
		n, err := v.Elsewhere(found[id])
		if err != nil {
			err = tell(Unreadable{found[id], err})
		} else {
			n.ID = id // of a broken note Find salvaged it
			err = tell(Outside{n})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
