package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/sessionloom/sessionloom/vault/merge"
)

// KeptFile is what we want a file of ours to say that is no note: a view of the
// notes in a format of Obsidian's own (.base, .canvas).
type KeptFile struct {
	Path string // from the managed folder, with slashes
	Text string // with LF line ends
	// Once says that the file is only created: what stands there is the user's.
	Once bool
	// Base is the text as we last wrote it, without its first line, see
	// [FileResult]; empty where that is unknown.
	Base string
}

// FileResult tells what was done with a [KeptFile].
type FileResult struct {
	Outcome  Outcome
	Path     string // from the managed folder
	Reason   string // why the user's version stays, in plain words
	Base     string // the Base of the next time, empty where there is none
	Old, New []byte // whole texts, only with Options.Texts
}

// PutFile creates a file of ours or brings it up to date. Where its user changed
// it both changes are merged by line; where that cannot be done without losing
// one of theirs, or would break the file, theirs stays and the outcome is Kept.
// Equal bytes are not written. It counts as durable only after the next
// [Vault.Flush].
//
// A file that is kept up to date begins with a comment line that holds the hash of
// our text, so that a file nobody changed can be told without a base. A user's
// program may drop that line; it is not put back.
func (v *Vault) PutFile(ctx context.Context, d KeptFile) (FileResult, error) {
	failed := FileResult{Outcome: Failed, Path: d.Path}
	err := canceled(ctx)
	if err == nil {
		err = checkAttachment(d.Path)
	}
	if err != nil {
		return failed, err
	}
	r, err := v.putFile(d)
	if err != nil {
		return failed, fmt.Errorf("write file %q: %w", d.Path, err)
	}
	r.Path = d.Path
	if v.opt.DryRun {
		v.folders.rehearsal.put(Result{Outcome: r.Outcome, Path: r.Path, Reason: r.Reason, Old: r.Old, New: r.New})
	}
	if !v.opt.Texts {
		r.Old, r.New = nil, nil
	}
	return r, nil
}

func (v *Vault) putFile(d KeptFile) (FileResult, error) {
	f, err := v.folders.open(path.Dir(d.Path), !v.opt.DryRun)
	if v.opt.DryRun && errors.Is(err, fs.ErrNotExist) {
		return d.fresh(), nil
	}
	if err != nil {
		return FileResult{}, err
	}
	defer v.folders.done(f)
	name := path.Base(d.Path)
	for range maxTries {
		was, err := f.readFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			r := d.fresh()
			if !v.opt.DryRun {
				if _, err = v.create(f, name, r.New); err == nil {
					err = syncFolder(f.dir) // before a page can show it
				}
			} else {
				err = nil
			}
			if errors.Is(err, ErrTaken) {
				continue // it came into being meanwhile
			}
			return r, err
		}
		if err != nil {
			return FileResult{}, err
		}
		r := d.onto(was.text)
		if v.opt.DryRun || bytes.Equal(r.New, was.text) {
			return r, nil
		}
		if _, err = v.replace(f, name, was, r.New); !errors.Is(err, errMoved) {
			return r, err
		}
	}
	return FileResult{Outcome: Kept, Reason: "it is being edited right now", Base: d.Base}, nil
}

// PreviewFile is the text that [Vault.PutFile] would have a file hold now.
func (v *Vault) PreviewFile(d KeptFile) ([]byte, error) {
	was, err := v.File(d.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.fresh().New, nil
	case err != nil:
		return nil, err
	}
	return d.onto(was).New, nil
}

// fresh is what becomes of a file that does not exist.
func (d KeptFile) fresh() FileResult {
	if d.Once {
		return FileResult{Outcome: Created, New: []byte(d.Text)}
	}
	return FileResult{Outcome: Created, New: merge.NewFile(d.Text), Base: d.Text}
}

// onto is what becomes of a file that holds a text already.
func (d KeptFile) onto(was []byte) FileResult {
	if d.Once {
		return FileResult{Outcome: Unchanged, Base: d.Base, Old: was, New: was}
	}
	p := merge.File(d.Path, was, d.Text, d.Base)
	r := FileResult{Outcome: Updated, Reason: p.Refused, Base: p.Base, Old: was, New: p.Text}
	switch {
	case p.Refused != "":
		r.Outcome = Kept
	case bytes.Equal(p.Text, was):
		r.Outcome = Unchanged
	case p.Merged:
		r.Outcome = Merged
	}
	return r
}
