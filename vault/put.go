package vault

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/vault/merge"
	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// maxTries is how often a note is read and merged anew when a human saves it
// at the same time.
const maxTries = 3

// beingEdited is why a note stays that its user saves again and again meanwhile.
const beingEdited = "it is being edited right now"

// Put writes what is new of a draft into its note, or creates the note. What a
// human wrote stays, byte for byte; Result tells what was refused because of
// it. Equal bytes are not written.
//
// It returns [ErrTaken] when another file stands where the note was to be
// created, and [fs.ErrNotExist] when the file at Draft.At is gone. A note
// counts as durable only after the next [Vault.Flush].
func (v *Vault) Put(ctx context.Context, d Draft) (Result, error) {
	return v.step(ctx, "write note", cmp.Or(d.At, d.Path), func() (Result, error) { return v.write(d) })
}

// Rework passes what is ours of a note through change and writes what came of it
// by the steps of [Vault.Put]: a region nobody touched becomes what change makes
// of it; in one that its user edited the lines that are still ours do, as far as it
// is known what it was made from ([Draft.Bases]). Of the properties those change
// that stand as we wrote them. The note gets the id to. Where change fails nothing is
// written. d.Props, d.Body and d.Nav are not looked at.
func (v *Vault) Rework(ctx context.Context, d Draft, to string, change func(text string) (string, error)) (Result, error) {
	d.Props, d.Body, d.Nav, d.NewID, d.Transform = nil, nil, nil, to, change
	return v.Put(ctx, d)
}

// Preview tells what Put would make of a draft, always with its texts, and writes
// nothing.
func (v *Vault) Preview(d Draft) (Result, error) {
	p := cmp.Or(d.At, d.Path)
	_, r, err := v.plan(&d)
	if err == nil && d.At == "" {
		if _, gone := v.files.Stat(p); gone == nil {
			err = ErrTaken
		}
	}
	if err != nil {
		return Result{Outcome: Failed, Path: p}, fmt.Errorf("write note %q: %w", p, err)
	}
	return r, nil
}

// write brings a note up to date, and tries again where its user saves it meanwhile.
func (v *Vault) write(d Draft) (Result, error) {
	for try := 1; ; try++ {
		was, r, err := v.plan(&d)
		switch {
		case err != nil:
			return Result{}, err
		case d.At == "":
			r.Note.Stamp, err = v.files.Create(d.Path, r.New)
			return r, err
		case bytes.Equal(r.New, r.Old):
			return r, nil
		}
		if r.Note.Stamp, err = v.files.Replace(d.At, was, r.New); !errors.Is(err, store.ErrChanged) {
			return r, err
		}
		if try == maxTries {
			kept := result(Kept, parse(d.At, was), was.Text, was.Text)
			kept.Reason = beingEdited
			return kept, nil
		}
	}
}

// plan tells what a draft makes of the note as it stands.
func (v *Vault) plan(d *Draft) (was store.File, r Result, err error) {
	says := d.Content()
	if err := cmp.Or(says.Verify(), note.CheckPath(cmp.Or(d.At, d.Path))); err != nil {
		return was, r, err
	}
	if d.At == "" {
		text := note.Render(says)
		r = result(Created, says.Note(d.Path, text), nil, text)
		r.BaseBody, r.BaseNav = says.Regions()
		return was, r, nil
	}
	if was, err = v.files.Read(d.At); err != nil {
		return was, r, err
	}
	doc := note.ParseDocument(was.Text)
	if err := findBases(d, doc); err != nil {
		return was, r, err
	}
	plan := merge.Note(doc, *d)
	if plan.Err != nil {
		return was, r, plan.Err
	}
	r = resultOf(plan, doc, d.At)
	if v.opt.Texts && r.Refused != "" {
		r.Wanted = merge.Forced(doc, *d, plan)
	}
	if bytes.Equal(plan.Text, was.Text) {
		r.Note.Stamp = was.Stamp
	}
	return was, r, nil
}

// findBases learns what the regions of a note were made from: of one nobody
// touched that is what stands there, and counts still when a human saves the
// note before we write it.
func findBases(d *Draft, doc *note.Document) error {
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
