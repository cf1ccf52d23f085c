package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Remove deletes a note that is wholly ours: regions and properties as we
// rendered them, nothing added. Any other note is Kept. A file that is gone is
// [fs.ErrNotExist].
func (v *Vault) Remove(ctx context.Context, id, p string) (Result, error) {
	if err := canceled(ctx); err != nil {
		return Result{}, err
	}
	r, err := v.remove(id, p)
	r, err = v.rehearse(r, err)
	if err != nil {
		return Result{Outcome: Failed, Path: p}, fmt.Errorf("remove note %q: %w", p, err)
	}
	return r, nil
}

func (v *Vault) remove(id, p string) (Result, error) {
	if err := note.CheckPath(p); err != nil {
		return Result{}, err
	}
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return Result{}, err
	}
	defer v.folders.done(f)
	was, err := f.readFile(path.Base(p))
	if err != nil {
		return Result{}, err
	}
	doc := note.ParseDocument(was.text)
	stands := doc.Note(p)
	stands.Stamp = was.stamp
	reason := doc.Unwritable(id)
	if reason == "" {
		reason = doc.Edited()
	}
	if reason != "" {
		r := result(Kept, stands, was.text, was.text)
		r.Reason = reason
		return r, nil
	}
	if !v.opt.DryRun {
		if err := v.removeFile(f, path.Base(p), was); err != nil {
			return Result{}, err
		}
	}
	return result(Removed, stands, was.text, nil), nil
}

// removeFile takes the file out of sight first and removes it only if it is
// what was read; else it goes back, or to the rescue folder.
func (v *Vault) removeFile(f *folder, name string, was content) error {
	temp, err := v.tempName(was.text, was.text)
	if err != nil {
		return err
	}
	v.before(stepSwap)
	if err := v.renameNew(f, name, temp); err != nil {
		return err
	}
	v.folders.touched(f)
	out, err := f.readDisplaced(temp)
	if err == nil && bytes.Equal(out.text, was.text) {
		v.leave(f.path)
		v.wroteIn(f, name)
		return f.root.Remove(temp)
	}
	if err == nil {
		err = errMoved
	}
	return v.giveBack(f, temp, name, err)
}

// giveBack returns to its place what was taken away and is not what it was to
// be, or puts it into the rescue folder where its name is taken by now. The
// error says why.
func (v *Vault) giveBack(f *folder, temp, name string, why error) error {
	back := v.renameNew(f, temp, name)
	if errors.Is(back, ErrTaken) {
		back = v.rescue(f, temp)
	}
	return errors.Join(why, back)
}

// SetAside takes a note that a human wrote in out of sight, whole: into the
// rescue folder, which Obsidian does not show. It returns where it lies there,
// from the managed folder. Without an id it may be whatever lies there. A file that is
// gone is [fs.ErrNotExist].
func (v *Vault) SetAside(ctx context.Context, id, p string) (string, error) {
	if err := canceled(ctx); err != nil {
		return "", err
	}
	rescued, err := v.setAside(id, p)
	if err != nil {
		return "", fmt.Errorf("set note %q aside: %w", p, err)
	}
	return rescued, nil
}

func (v *Vault) setAside(id, p string) (string, error) {
	if err := note.CheckPath(p); err != nil {
		return "", err
	}
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return "", err
	}
	defer v.folders.done(f)
	was, err := f.readFile(path.Base(p))
	if err != nil {
		return "", err
	}
	if got := note.ParseDocument(was.text).ID; id != "" && got != id {
		return "", fmt.Errorf("it is not the note %q any more", id)
	}
	if v.opt.DryRun {
		if id == "" {
			v.folders.rehearsal.put(Result{Outcome: Removed, Path: p, Old: was.text})
		}
		return rescuedName(was.text), nil
	}
	rescued, err := v.takeAside(f, path.Base(p))
	if err != nil {
		return "", err
	}
	v.leave(f.path)
	return rescued, nil
}

// takeAside takes a file into the rescue folder; where that fails it goes back.
func (v *Vault) takeAside(f *folder, name string) (string, error) {
	// A name of ours first: what is saved there meanwhile is a file of its own.
	temp, err := v.tempName(nil, nil)
	if err != nil {
		return "", err
	}
	if err := v.renameNew(f, name, temp); err != nil {
		return "", err
	}
	v.folders.touched(f)
	rescued, err := v.rescueFile(f, temp)
	if err != nil {
		return "", v.giveBack(f, temp, name, err)
	}
	return rescued, nil
}
