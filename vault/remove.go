package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// Remove deletes a note that is wholly ours: regions and properties as we
// rendered them, nothing added. Any other note is Kept. A file that is gone is
// [fs.ErrNotExist].
func (v *Vault) Remove(ctx context.Context, id, p string) (Result, error) {
	if err := canceled(ctx); err != nil {
		return Result{}, err
	}
	r, err := v.remove(id, p)
	if err != nil {
		return Result{Outcome: Failed, Path: p}, fmt.Errorf("remove note %q: %w", p, err)
	}
	return v.done(r), nil
}

func (v *Vault) remove(id, p string) (Result, error) {
	if err := note.CheckPath(p); err != nil {
		return Result{}, err
	}
	was, err := v.files.Read(p)
	if err != nil {
		return Result{}, err
	}
	doc := note.ParseDocument(was.Text)
	stands := doc.Note(p)
	stands.Stamp = was.Stamp
	reason := doc.Unwritable(id)
	if reason == "" {
		reason = doc.Edited()
	}
	if reason != "" {
		r := result(Kept, stands, was.Text, was.Text)
		r.Reason = reason
		return r, nil
	}
	if err := v.files.Remove(p, was); err != nil {
		return Result{}, err
	}
	return result(Removed, stands, was.Text, nil), nil
}

// Quarantine takes a note that a human wrote in out of sight, whole: into the
// rescue folder, which Obsidian does not show. It returns where it lies there,
// from the managed folder. Without an id it may be whatever lies there. A file that is
// gone is [fs.ErrNotExist].
func (v *Vault) Quarantine(ctx context.Context, id, p string) (string, error) {
	if err := canceled(ctx); err != nil {
		return "", err
	}
	rescued, err := v.quarantine(id, p)
	if err != nil {
		return "", fmt.Errorf("set note %q aside: %w", p, err)
	}
	return rescued, nil
}

func (v *Vault) quarantine(id, p string) (string, error) {
	if err := note.CheckPath(p); err != nil {
		return "", err
	}
	was, err := v.readID(id, p)
	if err != nil {
		return "", err
	}
	return v.moveToRescued(p, was)
}

// moveToRescued takes a file into the rescue folder. What is saved there meanwhile goes along,
// or is a file of its own.
func (v *Vault) moveToRescued(p string, was store.File) (string, error) {
	rescued := store.RescuedName(rescuedPath, was.Text)
	_, err := v.files.Move(p, rescued, was)
	if errors.Is(err, ErrTaken) { // the same text lies there
		err = v.files.Remove(p, was)
	}
	return rescued, err
}

// rescueText puts a copy of a text into the rescue folder and tells where it lies there.
func (v *Vault) rescueText(text []byte) (string, error) {
	rescued := store.RescuedName(rescuedPath, text)
	if err := v.createFile(rescued, text); err != nil && !errors.Is(err, ErrTaken) {
		return "", err
	}
	return rescued, nil
}
