package observe

import (
	"context"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Renewed is the reason of a damaged file from before it is put aside until it is
// written anew: nobody misses it.
const Renewed = "it is damaged and about to be written anew"

// goneFiles are files of ours that lie nowhere.
type goneFiles struct {
	files   []ledger.OwnedFile
	missing tally // of those that are missed
}

// followFiles tells of the files of ours that lie elsewhere now, and returns those
// that are gone. What git hid is none of them.
func (k look) followFiles(ctx context.Context) (gone goneFiles, err error) {
	all, err := k.Ledger.OwnedFiles()
	if err != nil {
		return gone, err
	}
	gone.missing.missing = map[string]int{}
	var lost []ledger.OwnedFile
	var ask []string
	for _, f := range all {
		there, err := k.Vault.Attached(f.Path)
		switch {
		case err != nil:
			return gone, err
		case there:
			k.Files.Stands(f.Path)
		case f.Reason == Renewed:
			gone.files = append(gone.files, f)
			continue
		default:
			lost, ask = append(lost, f), append(ask, path.Join(k.Folder, f.Path))
		}
		gone.missing.all++
	}
	known, err := explain(k.Git, ask)
	if err != nil {
		return gone, err
	}
	for i, f := range lost {
		e := evidence{absence: known[ask[i]]}
		if e.fate() == HiddenByGit {
			continue
		}
		if e.at, err = k.Files.Find(ctx, f, nil); err != nil {
			return gone, err
		}
		if e.fate() == Moved {
			k.Files.Stands(e.at)
			if err := k.tell(FileMoved{f, e.at}); err != nil {
				return gone, err
			}
			continue
		}
		kind, _, _ := strings.Cut(f.ID, ":")
		gone.missing.missing[kind]++
		gone.files = append(gone.files, f)
	}
	return gone, nil
}

// missFiles tells what became of the files that are gone: they were deleted,
// unless they are too many, or they went with a checkout or with what was forgotten.
func (k look) missFiles(gone goneFiles) error {
	if len(gone.files) == 0 {
		return nil
	}
	if len(gone.missing.missing) > 0 {
		notes, err := k.Ledger.NoteFiles()
		if err != nil {
			return err
		}
		if err := k.allowed(0, len(notes), gone.missing); err != nil {
			return err
		}
	}
	checkout, err := k.otherCommit()
	if err != nil {
		return err
	}
	for _, f := range gone.files {
		e := evidence{checkout: checkout}
		if e.forgotten, err = k.unmissed(f, checkout); err != nil {
			return err
		}
		if err := k.tell(FileGone{e.fate(), f}); err != nil {
			return err
		}
	}
	return nil
}

// unmissed tells whether nobody misses a file that is gone.
func (k look) unmissed(f ledger.OwnedFile, checkout bool) (bool, error) {
	if !names.IsPictureFile(f.ID) {
		_, _, canvas := strings.Cut(f.ID, names.CanvasID(""))
		return f.Reason == Renewed || canvas && k.Forgetting, nil
	}
	users, err := k.usersLeft(f)
	if err != nil || len(users) == 0 {
		return true, err
	}
	if checkout {
		return false, nil
	}
	all, err := k.Ledger.OwnedFiles()
	if err != nil || !k.Files.haveContent(names.PictureID(f.ID), all) {
		return false, err
	}
	// It stands elsewhere too, for its project has another name now: it is missed
	// only where a note shows it here.
	for _, session := range users {
		if shown, err := Shows(k.Vault, k.Ledger, session, "![["+path.Join(k.Folder, f.Path)); err != nil || shown {
			return false, err
		}
	}
	return true, nil
}

// usersLeft are the sessions that show a picture, but for those it went with
// because they were forgotten, on another machine say.
func (k look) usersLeft(f ledger.OwnedFile) (left []string, err error) {
	uses, err := k.Ledger.OwnedUses()
	if err != nil {
		return nil, err
	}
	for _, u := range uses {
		if u.File != f.ID {
			continue
		}
		forgotten, err := k.Engine.ForgottenSession(u.Session)
		if err != nil {
			return nil, err
		}
		if !forgotten {
			left = append(left, u.Session)
		}
	}
	return left, nil
}
