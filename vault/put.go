package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
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

// Preview tells what Put would make of a draft, always with its texts, and writes
// nothing.
func (v *Vault) Preview(d Draft) (Result, error) { return v.put(d, true) }

func (v *Vault) put(d Draft, dry bool) (Result, error) {
	p := d.At
	if p == "" {
		p = d.Path
	}
	failed := Result{Outcome: Failed, Path: p}
	err := d.verify()
	if err == nil {
		err = checkNotePath(p)
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
	text := Render(d)
	r := v.result(Created, d.note(text), nil, text)
	r.BaseBody, r.BaseNav = d.bases()
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
	var doc *document
	var was content
	for range maxTries {
		if was, err = f.readFile(name); err != nil {
			return Result{}, err
		}
		doc = takeApart(was.text)
		if v.testOnlyTrust {
			doc.trust()
		}
		if err := d.findBases(doc); err != nil {
			return Result{}, err
		}
		d.rework(doc)
		plan := reconcile(doc, d)
		r := v.resultOf(plan, doc, d.At)
		if v.opt.Texts && r.Refused != "" {
			r.Wanted = insisted(doc, d, plan)
		}
		if bytes.Equal(plan.text, was.text) {
			r.Note.Stamp = was.stamp
			return r, nil
		}
		if dry {
			return r, nil
		}
		if r.Note.Stamp, err = v.replace(f, name, was, plan.text); !errors.Is(err, errMoved) {
			return r, err
		}
	}
	note := doc.note(d.At)
	note.Stamp = was.stamp
	r := v.result(Kept, note, was.text, was.text)
	r.Reason = "it is being edited right now"
	return r, nil
}

// findBases learns what the regions of a note were made from: of one nobody
// touched that is what stands there, and counts still when a human saves the
// note before we write it.
func (d *Draft) findBases(doc *document) error {
	touched := false
	look := func(r *region, base **string) {
		if r != nil && r.untouched() {
			*base = &r.text
		}
		touched = touched || r != nil && !r.untouched() && *base == nil
	}
	look(doc.body, &d.BaseBody)
	look(doc.nav, &d.BaseNav)
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
func (v *Vault) resultOf(p plan, doc *document, at string) Result {
	written := !bytes.Equal(p.text, doc.raw)
	outcome := Unchanged
	switch {
	case p.held || !written && len(p.reasons) > 0:
		outcome = Kept
	case written && p.merged:
		outcome = Merged
	case written:
		outcome = Updated
	}
	note := doc.note(at)
	if written {
		note = Parse(at, p.text)
	}
	r := v.result(outcome, note, doc.raw, p.text)
	r.Reason, r.Refused = strings.Join(p.reasons, "; "), strings.Join(p.refused, " ")
	r.BaseBody, r.BaseNav = p.baseBody, p.baseNav
	return r
}

func (v *Vault) result(o Outcome, n Note, old, text []byte) Result {
	r := Result{Outcome: o, Path: n.Path, Note: n, Old: old, New: text}
	return r
}

// trust takes all regions for untouched.
func (doc *document) trust() {
	for _, r := range []*region{doc.body, doc.nav} {
		if r != nil {
			r.begin.sum = textHash([]byte(r.text))
		}
	}
}
