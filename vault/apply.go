package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/vault/merge"
	"github.com/sessionloom/sessionloom/vault/note"
)

// ErrChanged says that a file is not as a plan expects it, or holds what the
// plan would lose: it was left alone.
var ErrChanged = errors.New("it is not as the plan saw it")

// Target is one file of a plan: what is expected to stand there and what is to
// stand there then.
type Target struct {
	ID   string // of a note; empty: a file that is none
	Path string // from the managed folder, with slashes
	From string // where the note lies now, if it is to be moved
	// Was is the SHA-256 of all bytes that stand at From or Path, in hex
	// digits. Empty: nothing may stand at Path.
	Was    string
	Text   []byte // all bytes that are to stand at Path
	Remove bool   // nothing is to stand there; Text is empty
	// Outcome and Reason are those of [Result].
	Outcome Outcome
	Reason  string
	// BaseBody and BaseNav are those of [Result].
	BaseBody, BaseNav *string
}

// turn is when a target is written: what notes show comes before them, names
// are free before they are used, and nothing goes before all else stands.
func (t Target) turn() int {
	switch {
	case t.Remove:
		return 3
	case t.From != "":
		return 1
	case t.ID != "":
		return 2
	}
	return 0
}

// Apply brings a file from what a plan saw to what it wants, in the same way as
// [Vault.Put]: a human's save at the same moment survives. A file that has the
// wanted bytes already is Unchanged. It returns [ErrChanged] where another text
// stands than the plan saw, or where the plan would lose what is a human's; any
// path but that of a visible file in the managed folder is an error. Apply trusts
// a plan in nothing else than the words of our own regions.
//
// What was applied counts as durable only after the next [Vault.Flush].
func (v *Vault) Apply(ctx context.Context, t Target) (Result, error) {
	if err := canceled(ctx); err != nil {
		return Result{}, err
	}
	err := t.check()
	var r Result
	if err == nil {
		r, err = v.applyIn(t)
	}
	if err != nil {
		return Result{Outcome: Failed, Path: t.Path}, fmt.Errorf("apply the plan to %q: %w", t.Path, err)
	}
	if !v.opt.Texts {
		r.Old, r.New = nil, nil
	}
	return r, nil
}

// check refuses what no plan of ours says.
func (t Target) check() error {
	if t.ID == "" {
		if t.From != "" || t.Remove || t.Was != "" && !isKeptUp(t.Path) {
			return errors.New("a file that is no note is never moved, removed or replaced")
		}
		if !isFileOfOurs(t.Path) {
			return fmt.Errorf("path %q: no file that is written here", t.Path)
		}
		return checkAttachment(t.Path)
	}
	err := note.CheckPath(t.Path)
	if t.From != "" {
		err = errors.Join(err, note.CheckPath(t.From))
	}
	switch {
	case err != nil:
		return err
	case t.Was == "" && (t.Remove || t.From != ""):
		return errors.New("the plan does not say what stands there")
	case t.Remove:
		return nil
	}
	return t.checkText()
}

func (t Target) checkText() error {
	doc := note.ParseDocument(t.Text)
	if doc.Broken != "" || doc.ID != t.ID {
		return fmt.Errorf("the planned text is not the note %q", t.ID)
	}
	if t.Was == "" && doc.Edited() != "" {
		return fmt.Errorf("the planned text is not a note as it is written: %s", doc.Edited())
	}
	return nil
}

// isFileOfOurs tells a file that may stand beside the notes by its name.
func isFileOfOurs(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".png", ".jpg", ".gif", ".webp", ".base", ".canvas":
		return true
	}
	return false
}

// isKeptUp tells a file that is no note and is renewed nevertheless.
func isKeptUp(p string) bool { return strings.EqualFold(path.Ext(p), ".base") }

func (v *Vault) applyIn(t Target) (Result, error) {
	switch {
	case t.Remove:
		return v.applyRemoval(t)
	case t.From != "":
		return v.applyMove(t)
	case t.Was == "":
		return v.applyNew(t)
	}
	return v.applyText(t, t.Path)
}

// written is the outcome of a text that is written, first that of one of which
// the plan says nothing special.
func (t Target) written(first Outcome) Outcome {
	if t.Outcome == Merged || t.Outcome == Kept || t.Outcome == Updated {
		return t.Outcome
	}
	return first
}

func (v *Vault) applied(o Outcome, t Target, old []byte) Result {
	return Result{Outcome: o, Path: t.Path, Reason: t.Reason, Old: old, New: t.Text}
}

func (v *Vault) applyNew(t Target) (Result, error) {
	f, err := v.folders.open(path.Dir(t.Path), !v.opt.DryRun)
	if errors.Is(err, fs.ErrNotExist) {
		return v.applied(Created, t, nil), nil
	}
	if err != nil {
		return Result{}, err
	}
	defer v.folders.done(f)
	name := path.Base(t.Path)
	if !f.exists(name) {
		if v.opt.DryRun {
			return v.applied(Created, t, nil), nil
		}
		if _, err = v.create(f, name, t.Text); !errors.Is(err, ErrTaken) {
			return v.applied(Created, t, nil), err
		}
	}
	if now, err := f.readFile(name); err == nil && bytes.Equal(now.text, t.Text) {
		return v.applied(Unchanged, t, now.text), nil
	}
	return Result{}, fmt.Errorf("%w: another file has its name", ErrChanged)
}

// expected reads a file and tells whether it has the wanted bytes already.
func (v *Vault) expected(f *folder, name string, t Target) (was content, done bool, err error) {
	was, err = f.readFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return was, false, fmt.Errorf("%w: it is gone", ErrChanged)
	case err != nil:
		return was, false, err
	case !t.Remove && bytes.Equal(was.text, t.Text):
		return was, true, nil
	case fileHash(was.text) != t.Was && !v.seams.believe:
		return was, false, fmt.Errorf("%w: it was changed", ErrChanged)
	}
	return was, false, nil
}

// applyText replaces the text of a file; at is where it lies.
func (v *Vault) applyText(t Target, at string) (Result, error) {
	f, err := v.folders.open(path.Dir(at), false)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, fmt.Errorf("%w: it is gone", ErrChanged)
	}
	if err != nil {
		return Result{}, err
	}
	defer v.folders.done(f)
	was, done, err := v.expected(f, path.Base(at), t)
	if err != nil || done {
		return v.applied(Unchanged, t, was.text), err
	}
	outcome := t.written(Updated)
	if t.ID != "" {
		if lost := merge.Loses(note.ParseDocument(was.text), t.ID, t.Text); lost != "" {
			return Result{}, fmt.Errorf("%w: %s", ErrChanged, lost)
		}
	}
	if v.opt.DryRun {
		return v.applied(outcome, t, was.text), nil
	}
	_, err = v.replace(f, path.Base(at), was, t.Text)
	if errors.Is(err, errMoved) {
		err = fmt.Errorf("%w: it is being edited right now", ErrChanged)
	}
	return v.applied(outcome, t, was.text), err
}

// applyMove moves a note and then writes it. It was moved already where it
// stands at its new place with the wanted bytes.
func (v *Vault) applyMove(t Target) (Result, error) {
	old, err := v.Text(t.From)
	if errors.Is(err, fs.ErrNotExist) {
		if now, there := v.Text(t.Path); there == nil && bytes.Equal(now, t.Text) {
			return v.applied(Unchanged, t, now), nil
		}
		return Result{}, fmt.Errorf("%w: it is gone from %q", ErrChanged, t.From)
	}
	switch {
	case err != nil:
		return Result{}, err
	case fileHash(old) != t.Was:
		return Result{}, fmt.Errorf("%w: it was changed", ErrChanged)
	}
	if lost := merge.Loses(note.ParseDocument(old), t.ID, t.Text); lost != "" {
		return Result{}, fmt.Errorf("%w: %s", ErrChanged, lost)
	}
	if _, err := v.move(t.ID, t.From, t.Path); errors.Is(err, ErrTaken) {
		return Result{}, fmt.Errorf("%w: another file has its name", ErrChanged)
	} else if err != nil {
		return Result{}, err
	}
	if v.opt.DryRun {
		return v.applied(t.written(Moved), t, old), nil
	}
	r, err := v.applyText(t, t.Path)
	if r.Outcome == Unchanged {
		r.Outcome = Moved
	}
	return r, err
}

// applyRemoval takes away a note that is wholly ours, as Remove does.
func (v *Vault) applyRemoval(t Target) (Result, error) {
	f, err := v.folders.open(path.Dir(t.Path), false)
	if errors.Is(err, fs.ErrNotExist) {
		return v.applied(Unchanged, t, nil), nil
	}
	if err != nil {
		return Result{}, err
	}
	defer v.folders.done(f)
	if !f.exists(path.Base(t.Path)) {
		return v.applied(Unchanged, t, nil), nil
	}
	was, _, err := v.expected(f, path.Base(t.Path), t)
	if err != nil {
		return Result{}, err
	}
	r, err := v.remove(t.ID, t.Path)
	switch {
	case errors.Is(err, errMoved):
		return r, fmt.Errorf("%w: it is being edited right now", ErrChanged)
	case err == nil && r.Outcome == Kept:
		return r, fmt.Errorf("%w: %s", ErrChanged, r.Reason)
	}
	return v.applied(Removed, t, was.text), err
}
