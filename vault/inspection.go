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
// nothing. Only notes that changed since the check whose memory is given are
// read.
func (v *Vault) Inspect(ctx context.Context, o Inspect) (Inspection, error) {
	return inspect.Run(ctx, disk{v}, o)
}

// disk is a vault as an inspection sees it.
type disk struct{ *Vault }

// List tells what lies in the managed folder.
func (d disk) List(ctx context.Context) (inspect.Listing, error) {
	l := inspect.Listing{Folder: d.inner}
	visit := func(p place) error {
		name, at := p.info.Name(), p.path()
		switch {
		case isTemp(name):
			l.Temps = append(l.Temps, at)
		case hidden(name):
		case note.IsNote(name):
			l.Notes = append(l.Notes, Entry{Path: at, Stamp: stampOf(p.info)})
		default:
			l.Others = append(l.Others, Entry{Path: at, Stamp: stampOf(p.info)})
		}
		return nil
	}
	if err := (&walker{leaveOut: d.apart, visit: visit}).walk(ctx, d.folders.root); err != nil {
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
	if note.IsNote(p) {
		return d.read(p)
	}
	f, err := d.folders.open(path.Dir(p), false)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer d.folders.done(f)
	file, err := f.readFile(path.Base(p))
	return file.text, file.stamp, err
}

// Stands says whether a file stands at a path from the vault's root. Of what we
// may not look at nothing bad is said.
func (d disk) Stands(at string) bool {
	info, err := d.outer.Lstat(at)
	return err == nil && info.Mode().IsRegular() || errors.Is(err, fs.ErrPermission)
}

// ReadAt reads a file by its path from the vault's root.
func (d disk) ReadAt(at string) ([]byte, error) {
	root, err := d.outer.OpenRoot(path.Dir(at))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	c, err := (&folder{root: root}).readFile(path.Base(at))
	return c.text, err
}

// unexpected lists what lies in the folder of our own records and is none of
// them: a sync program's copies, what somebody dropped there.
func (v *Vault) unexpected() ([]string, error) {
	f, err := v.folders.open(metaPath, false)
	if err != nil {
		return nil, err
	}
	defer v.folders.done(f)
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	list, err := dir.ReadDir(-1)
	if err = errors.Join(err, dir.Close()); err != nil {
		return nil, err
	}
	var odd []string
	known := []string{markerFile, path.Base(tombstonesPath), path.Base(rescuedPath)}
	for _, e := range list {
		if !slices.Contains(known, e.Name()) && !hidden(e.Name()) {
			odd = append(odd, path.Join(metaPath, e.Name()))
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
