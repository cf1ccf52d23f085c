package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// Move gives the note with this id another place in the managed folder, with
// all that a human wrote in it. It returns [ErrTaken] where another file has
// the new name, and [fs.ErrNotExist] where the note is gone. The name counts as
// durable only after the next [Vault.Flush].
func (v *Vault) Move(ctx context.Context, id, from, to string) (s Stamp, err error) {
	var was store.File
	if err = errors.Join(canceled(ctx), note.CheckPath(from), note.CheckPath(to)); err == nil {
		was, err = v.readID(id, from)
	}
	if err == nil {
		s, err = v.files.Move(from, to, was)
	}
	if err != nil {
		return Stamp{}, fmt.Errorf("move note %q to %q: %w", from, to, err)
	}
	return s, nil
}

// readID reads the note with this id; any note without one.
func (v *Vault) readID(id, p string) (store.File, error) {
	was, err := v.files.Read(p)
	if err == nil && id != "" && note.ParseDocument(was.Text).ID != id {
		err = fmt.Errorf("it is not the note %q any more", id)
	}
	return was, err
}
