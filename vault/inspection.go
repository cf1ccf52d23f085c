package vault

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/sessionloom/sessionloom/vault/inspect"
	"github.com/sessionloom/sessionloom/vault/store"
)

// Inspect looks at every note of ours and at what the notes link to. It writes
// nothing.
func (v *Vault) Inspect(ctx context.Context, o inspect.Options) (inspect.Report, error) {
	l, err := v.list(ctx)
	if err != nil {
		return inspect.Report{}, err
	}
	odd, err := v.unexpected()
	if err != nil {
		return inspect.Report{}, err
	}
	read := func(p string) ([]byte, Stamp, error) {
		file, err := v.files.Read(p)
		return file.Text, file.Stamp, err
	}
	stands := func(at string) bool {
		_, err := v.outer.Stat(at)
		return err == nil || errors.Is(err, fs.ErrPermission) // of what we may not look at nothing bad is said
	}
	return inspect.Run(ctx, inspect.Vault{Folder: v.inner, Notes: l.notes, Others: l.others, Temps: l.temps,
		Unexpected: odd, Read: read, Stands: stands}, o)
}

// unexpected lists what lies in the folder of our own records and is none of
// them, such as a sync program's copies. The templates that help and settings
// propose to keep there are expected.
func (v *Vault) unexpected() ([]string, error) {
	files, others, err := v.disk.List(metaPath)
	if err != nil {
		return nil, err
	}
	var odd []string
	known := []string{markerFile, path.Base(tombstonesPath), path.Base(rescuedPath), "templates"}
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
