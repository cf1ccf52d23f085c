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
	return v.step(ctx, "remove note", p, func() (Result, error) { return v.remove(id, p) })
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

// Quarantine takes a note that a human wrote in, or a damaged file, out of sight, whole: into the
// rescue folder, which Obsidian does not show. It returns where it lies there,
// from the managed folder. Without an id it may be whatever lies there. A file that is
// gone is [fs.ErrNotExist].
func (v *Vault) Quarantine(ctx context.Context, id, p string) (rescued string, err error) {
	var was store.File
	if err = errors.Join(canceled(ctx), checkVisible(p)); err == nil {
		was, err = v.readID(id, p)
	}
	if err == nil {
		rescued, err = v.moveToRescued(p, was)
	}
	if err != nil {
		return "", fmt.Errorf("set %q aside: %w", p, err)
	}
	return rescued, nil
}

// RenewFile puts content in the place of a damaged file of ours that is no note,
// in one step: a file that is gone for a moment would count as deleted. What stood
// there is kept in the rescue folder; it returns where. A file that is gone is
// [fs.ErrNotExist].
func (v *Vault) RenewFile(ctx context.Context, p string, content []byte) (rescued string, err error) {
	var was store.File
	if err = errors.Join(canceled(ctx), checkAttachment(p)); err == nil {
		was, err = v.files.Read(p)
	}
	if err == nil {
		rescued, err = v.rescueText(was.Text)
	}
	if err == nil {
		_, err = v.files.Replace(p, was, content)
	}
	if err != nil {
		return "", fmt.Errorf("renew file %q: %w", p, err)
	}
	return rescued, nil
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
