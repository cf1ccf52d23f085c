package vault

import (
	"context"
	"fmt"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Rename gives a note another id and changes no other byte of it. at is where it
// lies. It returns an error where the note is no longer what it was.
func (v *Vault) Rename(ctx context.Context, at, id, to string) (Result, error) {
	if err := canceled(ctx); err != nil {
		return Result{}, err
	}
	r, err := v.rename(at, id, to)
	if err != nil {
		return r, fmt.Errorf("give the note %q another id: %w", at, err)
	}
	return v.rehearse(r, nil)
}

func (v *Vault) rename(at, id, to string) (Result, error) {
	if err := note.CheckPath(at); err != nil {
		return Result{}, err
	}
	f, err := v.folders.open(path.Dir(at), false)
	if err != nil {
		return Result{}, err
	}
	defer v.folders.done(f)
	was, err := f.readFile(path.Base(at))
	if err != nil {
		return Result{}, err
	}
	doc := note.ParseDocument(was.text)
	field := doc.Front.Field(note.KeyID)
	if reason := doc.Unwritable(id); reason != "" || field == nil || doc.Front.Rigid {
		return Result{}, fmt.Errorf("it cannot be changed safely: %s", reason)
	}
	line := string(note.AppendProperty(nil, Property{Key: note.KeyID, Value: to}))
	text := note.Splice(doc.Raw, doc.EOL, []note.Edit{{Start: field.Start, End: field.End, Text: line}})
	r := result(Updated, note.Parse(at, text), was.text, text)
	if v.opt.DryRun {
		return r, nil
	}
	r.Note.Stamp, err = v.replace(f, path.Base(at), was, text)
	return r, err
}
