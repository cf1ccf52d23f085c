package observe

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
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
	all, err := k.ledger.OwnedFiles()
	if err != nil {
		return gone, err
	}
	gone.missing.missing = map[string]int{}
	var away []ledger.OwnedFile
	var ask []string
	for _, f := range all {
		there, err := k.vault.Attached(f.Path)
		switch {
		case err != nil:
			return gone, err
		case there:
			k.files.Settle(f.Path)
		case f.Reason == Renewed:
			gone.files = append(gone.files, f)
			continue
		default:
			away, ask = append(away, f), append(ask, path.Join(k.Folder, f.Path))
		}
		gone.missing.all++
	}
	known, err := explain(k.git, ask)
	if err != nil {
		return gone, err
	}
	for i, f := range away {
		e := evidence{absence: known[ask[i]]}
		if e.fate() == HiddenByGit {
			continue
		}
		if e.at, err = k.files.Find(ctx, f, nil); err != nil {
			return gone, err
		}
		if e.fate() == Moved {
			k.files.Settle(e.at)
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
		notes, err := k.ledger.NoteFiles()
		if err = errors.Join(err, k.allowed(0, len(notes), gone.missing)); err != nil {
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
	all, err := k.ledger.OwnedFiles()
	if err != nil || !k.files.stands(names.PictureID(f.ID), all) {
		return false, err
	}
	// It stands elsewhere too, for its project has another name now: it is missed
	// only where a note shows it here.
	for _, session := range users {
		if shown, err := Shows(k.vault, k.ledger, session, "![["+path.Join(k.Folder, f.Path)); err != nil || shown {
			return false, err
		}
	}
	return true, nil
}

// usersLeft are the sessions that show a picture, but for those it went with
// because they were forgotten, on another machine say.
func (k look) usersLeft(f ledger.OwnedFile) (left []string, err error) {
	uses, err := k.ledger.OwnedUses()
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

// Shows tells whether a note of a session holds what embeds a file.
func Shows(v *vault.Vault, l *ledger.Ledger, session, embed string) (bool, error) {
	rows, err := l.NotesOfSession(session)
	if err != nil {
		return false, err
	}
	for _, r := range rows {
		if r.Type != names.TypeSession && r.Type != names.TypePart || !r.State.Stands() {
			continue
		}
		text, err := v.Text(r.Path)
		if errors.Is(err, fs.ErrNotExist) { // it went while this pass is at work
			continue
		}
		if err != nil {
			return false, err
		}
		if strings.Contains(string(text), embed) {
			return true, nil
		}
	}
	return false, nil
}
