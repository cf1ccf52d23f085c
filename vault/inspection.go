package vault

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"

	"github.com/sessionloom/sessionloom/vault/inspect"
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
	l := inspect.Listing{Folder: d.inner}
	visit := func(p store.Found) error {
		name, at := p.Info.Name(), p.Path()
		switch {
		case store.IsTemp(name):
			l.Temps = append(l.Temps, at)
		case store.Hidden(name):
		case note.IsNote(name):
			l.Notes = append(l.Notes, Entry{Path: at, Stamp: p.Stamp()})
		default:
			l.Others = append(l.Others, Entry{Path: at, Stamp: p.Stamp()})
		}
		return nil
	}
	if err := d.disk.Walk(ctx, store.Walk{LeaveOut: d.apart, Visit: visit}); err != nil {
		return inspect.Listing{}, fmt.Errorf("look at the vault: %w", err)
	}
	var err error
	if l.Unexpected, err = d.unexpected(); err != nil {
		return inspect.Listing{}, err
	}
	l.Rescued, err = d.Rescued(ctx)
	return l, err
}

// Read reads a file of the managed folder.
func (d disk) Read(p string) ([]byte, Stamp, error) {
	file, err := d.files.Read(p)
	return file.Text, file.Stamp, err
}

// Stands says whether a file stands at a path from the vault's root. Of what we
// may not look at nothing bad is said.
func (d disk) Stands(at string) bool {
	info, err := d.outer.Lstat(at)
	return err == nil && info.Mode().IsRegular() || errors.Is(err, fs.ErrPermission)
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
