package vault

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/sessionloom/sessionloom/vault/merge"
	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// OwnedFile is a view of the notes in a format of Obsidian's own (.base, .canvas).
type OwnedFile struct {
	Path string // from the managed folder, with slashes
	Text string // with LF line ends
	// Stands says that it was there when the vault was looked at: where it is gone since,
	// its user deleted it, and it is not created.
	Stands bool
}

// PutFile creates a file of ours or brings it up to date. One that its user changed, which the hash in
// its first line tells, is theirs and stays. It is durable after the next [Vault.Flush].
func (v *Vault) PutFile(ctx context.Context, d OwnedFile) (Result, error) {
	return v.step(ctx, "write file", d.Path, func() (Result, error) { return v.putFile(d) })
}

func (v *Vault) putFile(d OwnedFile) (Result, error) {
	if err := checkAttachment(d.Path); err != nil {
		return Result{}, err
	}
	for range maxTries {
		was, err := v.files.Read(d.Path)
		if errors.Is(err, fs.ErrNotExist) {
			if d.Stands {
				return Result{Outcome: Unchanged, Path: d.Path}, nil
			}
			r := d.result(Created, nil, merge.NewFile(d.Path, d.Text))
			if err = v.createFile(d.Path, r.New); !errors.Is(err, ErrTaken) {
				return r, err
			}
			continue // it came into being meanwhile
		}
		if err != nil {
			return Result{}, err
		}
		r := d.result(Updated, was.Text, merge.File(d.Path, was.Text, d.Text))
		if bytes.Equal(r.New, was.Text) {
			r.Outcome = Unchanged
			return r, nil
		}
		if _, err = v.files.Replace(d.Path, was, r.New); !errors.Is(err, store.ErrChanged) {
			return r, err
		}
	}
	return Result{Outcome: Kept, Path: d.Path, Reason: beingEdited}, nil
}

func (d OwnedFile) result(o Outcome, old, text []byte) Result {
	return Result{Outcome: o, Path: d.Path, Note: Note{Hash: merge.HashHeader(d.Path, text)}, Old: old, New: text}
}

// createFile makes a file that is to last before a page can show it.
func (v *Vault) createFile(p string, text []byte) error {
	_, err := v.files.Create(p, text)
	if err == nil && v.dry == nil {
		err = v.disk.FlushFolder(p)
	}
	return err
}

// Attach writes a file that notes show, and reports whether it did. What is there stays, for its
// name tells its content. It lasts before a note can show it.
func (v *Vault) Attach(ctx context.Context, p string, content []byte) (created bool, err error) {
	defer annotate(&err, "write attachment", p)
	if err = cmp.Or(canceled(ctx), checkAttachment(p)); err == nil {
		err = v.createFile(p, content)
	}
	if errors.Is(err, ErrTaken) {
		return false, nil
	}
	return err == nil, err
}

// Attached reports whether an attachment exists.
func (v *Vault) Attached(p string) (there bool, err error) {
	defer annotate(&err, "look for attachment", p)
	if err = checkAttachment(p); err == nil {
		_, err = v.files.Stat(p)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// File reads a file that is not a note.
func (v *Vault) File(p string) (text []byte, err error) {
	defer annotate(&err, "read file", p)
	var file store.File
	if err = checkAttachment(p); err == nil {
		file, err = v.files.Read(p)
	}
	return file.Text, err
}

// Detach removes a file that notes showed, if ours knows its content.
func (v *Vault) Detach(ctx context.Context, p string, ours func(content []byte) bool) (removed bool, err error) {
	defer annotate(&err, "remove attachment", p)
	var was store.File
	if err = cmp.Or(canceled(ctx), checkAttachment(p)); err == nil {
		was, err = v.files.Read(p)
	}
	if err == nil && ours(was.Text) {
		err = v.files.Remove(p, was)
		removed = err == nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return removed, err
}

// checkAttachment accepts the path of a visible file that is not a note.
func checkAttachment(p string) error {
	if note.IsNote(p) {
		return fmt.Errorf("path %q: no path of an attachment", p)
	}
	return checkVisible(p)
}

// checkVisible refuses whatever is not the path of a visible file inside the managed folder.
func checkVisible(p string) error {
	if !fs.ValidPath(p) || p == "." {
		return fmt.Errorf("path %q: no path of a file", p)
	}
	return note.CheckNames(p)
}
