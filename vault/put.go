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

// maxTries is how often a note is read and merged anew when a human saves it
// at the same time.
const maxTries = 3

// Put writes what is new of a draft into its note, or creates the note. What a
// human wrote stays, byte for byte; Result tells what was refused because of
// it. Equal bytes are not written.
//
// It returns [ErrTaken] when another file stands where the note was to be
// created, and [fs.ErrNotExist] when the file at Draft.At is gone. A note
// counts as durable only after the next [Vault.Flush].
func (v *Vault) Put(ctx context.Context, d Draft) (Result, error) {
	if err := canceled(ctx); err != nil {
		return Result{}, err
	}
	r, err := v.put(d, v.opt.DryRun)
	return v.rehearse(r, err)
}

// Rework passes what is ours of a note through change and writes what came of it
// by the steps of [Vault.Put]: a region nobody touched becomes what change makes
// of it; in one that its user edited the lines that are still ours do, as far as it
// is known what it was made from ([Draft.Bases]). Of the properties those change
// that stand as we wrote them. The note gets the id to. Where change fails nothing is
// written. d.Props, d.Body and d.Nav are not looked at.
func (v *Vault) Rework(ctx context.Context, d Draft, to string, change func(text string) (string, error)) (Result, error) {
	var failed error
	d.Props, d.Body, d.Nav, d.to, d.failed = nil, nil, nil, to, &failed
	d.transform = func(text string) string {
		changed, err := change(text)
		failed = errors.Join(failed, err)
		return changed
	}
	return v.Put(ctx, d)
}

// Preview tells what Put would make of a draft, always with its texts, and writes
// nothing.
func (v *Vault) Preview(d Draft) (Result, error) { return v.put(d, true) }

func (v *Vault) put(d Draft, dry bool) (Result, error) {
	p := d.At
	if p == "" {
		p = d.Path
	}
	failed := Result{Outcome: Failed, Path: p}
	err := d.content().Verify()
	if err == nil {
		err = note.CheckPath(p)
	}
	if err != nil {
		return failed, err
	}
	var r Result
	if d.At == "" {
		r, err = v.putNew(d, dry)
	} else {
		r, err = v.putOld(d, dry)
	}
	if err != nil {
		return failed, fmt.Errorf("write note %q: %w", p, err)
	}
	return r, nil
}

func (v *Vault) putNew(d Draft, dry bool) (Result, error) {
	says := d.content()
	text := note.Render(says)
	r := result(Created, says.Note(d.Path, text), nil, text)
	r.BaseBody, r.BaseNav = says.Regions()
	f, err := v.folders.open(path.Dir(d.Path), !dry)
	if dry && errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return Result{}, err
	}
	defer v.folders.done(f)
	if dry {
		if f.exists(path.Base(d.Path)) {
			return Result{}, ErrTaken
		}
		return r, nil
	}
	r.Note.Stamp, err = v.create(f, path.Base(d.Path), text)
	return r, err
}

func (v *Vault) putOld(d Draft, dry bool) (Result, error) {
	f, err := v.folders.open(path.Dir(d.At), false)
	if err != nil {
		return Result{}, err
	}
	defer v.folders.done(f)
	name := path.Base(d.At)
	var doc *note.Document
	var was content
	for range maxTries {
		if was, err = f.readFile(name); err != nil {
			return Result{}, err
		}
		doc = note.ParseDocument(was.text)
		if v.seams.trust {
			trust(doc)
		}
		if err := d.findBases(doc); err != nil {
			return Result{}, err
		}
		in := d.input()
		plan := merge.Note(doc, in)
		if d.failed != nil && *d.failed != nil {
			return Result{}, *d.failed
		}
		r := resultOf(plan, doc, d.At)
		if v.opt.Texts && r.Refused != "" {
			r.Wanted = merge.Forced(doc, in, plan)
		}
		if bytes.Equal(plan.Text, was.text) {
			r.Note.Stamp = was.stamp
			return r, nil
		}
		if dry {
			return r, nil
		}
		if r.Note.Stamp, err = v.replace(f, name, was, plan.Text); !errors.Is(err, errMoved) {
			return r, err
		}
	}
	stands := doc.Note(d.At)
	stands.Stamp = was.stamp
	r := result(Kept, stands, was.text, was.text)
	r.Reason = "it is being edited right now"
	return r, nil
}

// findBases learns what the regions of a note were made from: of one nobody
// touched that is what stands there, and counts still when a human saves the
// note before we write it.
func (d *Draft) findBases(doc *note.Document) error {
	touched := false
	look := func(r *note.Region, base **string) {
		if r != nil && r.Untouched() {
			*base = &r.Text
		}
		touched = touched || r != nil && !r.Untouched() && *base == nil
	}
	look(doc.Body, &d.BaseBody)
	look(doc.Nav, &d.BaseNav)
	if !touched || d.Bases == nil {
		return nil
	}
	body, nav, err := d.Bases()
	d.Bases = nil
	if d.BaseBody == nil {
		d.BaseBody = body
	}
	if d.BaseNav == nil {
		d.BaseNav = nav
	}
	return err
}

// resultOf tells what a plan makes of a note. A body of which something was
// refused makes the note a kept one even where the rest was renewed.
func resultOf(p merge.Plan, doc *note.Document, at string) Result {
	written := !bytes.Equal(p.Text, doc.Raw)
	outcome := Unchanged
	switch {
	case p.Held || !written && len(p.Reasons) > 0:
		outcome = Kept
	case written && p.Merged:
		outcome = Merged
	case written:
		outcome = Updated
	}
	stands := doc.Note(at)
	if written {
		stands = note.Parse(at, p.Text)
	}
	r := result(outcome, stands, doc.Raw, p.Text)
	r.Reason, r.Refused = strings.Join(p.Reasons, "; "), p.Rejected()
	r.BaseBody, r.BaseNav = p.BaseBody, p.BaseNav
	return r
}

func result(o Outcome, n Note, old, text []byte) Result {
	return Result{Outcome: o, Path: n.Path, Note: n, Old: old, New: text}
}

// trust takes all regions for untouched.
func trust(doc *note.Document) {
	for _, r := range []*note.Region{doc.Body, doc.Nav} {
		if r != nil {
			r.Begin.Sum = note.Hash([]byte(r.Text))
		}
	}
}
