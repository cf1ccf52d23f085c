package vault

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/sessionloom/sessionloom/vault/inspect"
	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// Inspect tells an inspection what it needs to know.
type Inspect = inspect.Options

// Inspection is how a check of the vault went.
type Inspection = inspect.Report

// Seen is a note as a check read it.
type Seen = inspect.Seen

// Secret is what a search for secrets found in a text, at that offset.
type Secret = inspect.Secret

// Inspect looks at every note of ours and at what the notes link to. It writes
// nothing.
func (v *Vault) Inspect(ctx context.Context, o Inspect) (Inspection, error) {
	return inspect.Run(ctx, disk{v}, o)
}

// disk is a vault as an inspection sees it.
type disk struct{ *Vault }

// List tells what lies in the managed folder.
func (d disk) List(ctx context.Context) (inspect.Listing, error) {
	l, err := d.list(ctx)
	if err != nil {
		return inspect.Listing{}, err
	}
	odd, err := d.unexpected()
	if err != nil {
		return inspect.Listing{}, err
	}
	rescued, err := d.Rescued(ctx)
	return inspect.Listing{Folder: d.inner, Notes: l.notes, Others: l.others, Temps: l.temps, Unexpected: odd, Rescued: rescued}, err
}

// Read reads a file of the managed folder.
func (d disk) Read(p string) ([]byte, Stamp, error) {
	file, err := d.files.Read(p)
	return file.Text, file.Stamp, err
}

// Stands says whether a file stands at a path from the vault's root. Of what we
// may not look at nothing bad is said.
func (d disk) Stands(at string) bool {
	_, err := d.outer.Stat(at)
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// unexpected lists what lies in the folder of our own records and is none of
// them: a sync program's copies, what somebody dropped there.
func (v *Vault) unexpected() ([]string, error) {
	files, others, err := v.disk.List(metaPath)
	if err != nil {
		return nil, err
	}
	var odd []string
	known := []string{markerFile, path.Base(tombstonesPath), path.Base(rescuedPath)}
	for _, name := range append(files, others...) {
		if !slices.Contains(known, name) && !store.Hidden(name) {
			odd = append(odd, path.Join(metaPath, name))
		}
	}
	stones, err := v.metaNames(tombstonesPath)
	for _, name := range stones {
		if _, bad := hex.DecodeString(name); bad != nil || len(name) != len(tombstone("")) {
			odd = append(odd, path.Join(tombstonesPath, name))
		}
	}
	return odd, err
}

// Known is what is remembered of a note of ours: what mending it starts from.
type Known = inspect.LastKnown

// Mended is what became of a damaged note.
type Mended = inspect.Repaired

// Mend brings a note back into a form in which it is kept up to date: marker
// lines that are damaged or gone, an id that is gone, bytes that a crash of the
// system left, the end that was cut off. Where a line that a human may have written
// has no place in it, what stood there is put aside first, whole. A file that is gone
// is [fs.ErrNotExist].
func (v *Vault) Mend(ctx context.Context, p string, k Known) (Mended, error) {
	if err := errors.Join(canceled(ctx), note.CheckPath(p)); err != nil {
		return Mended{}, err
	}
	m, err := v.mend(p, k)
	if err != nil {
		return Mended{}, fmt.Errorf("mend note %q: %w", p, err)
	}
	return m, nil
}

func (v *Vault) mend(p string, k Known) (Mended, error) {
	for range maxTries {
		was, err := v.files.Read(p)
		if err != nil {
			return Mended{}, err
		}
		m := k.Repair(was.Text, was.Stamp)
		if m.Done == "" {
			return m, nil
		}
		if m.Rescue {
			if m.Rescued, err = v.rescueText(was.Text); err != nil {
				return m, err
			}
		}
		if _, err = v.files.Replace(p, was, m.Text); !errors.Is(err, store.ErrChanged) {
			return m, err
		}
	}
	return Mended{Left: beingEdited}, nil
}
