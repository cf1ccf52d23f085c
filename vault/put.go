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

// Note is a note in the vault, whoever wrote it.
type Note = note.Note

// Property is one of our lines of frontmatter.
type Property = note.Property

// Box is a task box of a note.
type Box = note.Box

// Stamp reports whether a file moved since it was last seen.
type Stamp = note.Stamp

// Draft is the intended content of a note.
type Draft = merge.Draft

// Outcome is the result of writing a draft.
type Outcome string

// The outcomes.
const (
	Created   Outcome = "created"
	Updated   Outcome = "updated"
	Merged    Outcome = "merged"
	Kept      Outcome = "kept" // the user's version stays, see Result.Reason
	Unchanged Outcome = "unchanged"
	Moved     Outcome = "moved"
	Removed   Outcome = "removed"
	Failed    Outcome = "failed"
)

// Result is what was done with a draft.
type Result struct {
	Outcome  Outcome
	Path     string // from the managed folder
	Reason   string // what of the draft was refused and why, in plain words; also beside Updated
	Note     Note   // the note as it stands now; in a dry run as it would stand. Of a file its Hash is that in its first line
	Old, New []byte // whole texts, only with Options.Texts
	// BaseBody and BaseNav are for the drafts to come, see there; nil: as before.
	BaseBody, BaseNav *string
	// RejectedHash has a word for each part of ours that was refused, which stays the
	// same as long as the same of it is: body, links, properties. It is empty
	// where all got in, where the user wants none of it, and where the note
	// must not be written at all.
	RejectedHash string
	// Unmerged is the whole text had nothing been refused, only with Options.Texts
	// and where something was that could be written at all.
	Unmerged []byte
	Saved    string // where the note lies as its user had edited it, with Draft.Accept; empty: it was not
}

// maxTries is how often a note is merged again that is saved at the same time.
const maxTries = 3

// beingEdited is why a note stays that its user saves again and again meanwhile.
const beingEdited = "it is being edited right now"

// Put writes what is new of a draft into its note, or creates it. What a human wrote stays; Result
// tells what was refused. [ErrTaken]: another file is there; [fs.ErrNotExist]: it is gone. It is
// durable after the next [Vault.Flush].
func (v *Vault) Put(ctx context.Context, d Draft) (Result, error) {
	return v.step(ctx, "write note", cmp.Or(d.At, d.Path), func() (Result, error) { return v.write(d) })
}

// Preview reports what Put would make of a draft, with its texts.
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
		if d.Accept {
			if r.Saved, err = v.saveEdited(was.Text); err != nil {
				return Result{}, err
			}
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

// saveEdited keeps a copy of a note that its user edited in the rescue folder, and reports where.
func (v *Vault) saveEdited(text []byte) (saved string, err error) {
	if note.ParseDocument(text).Edited() == "" {
		return "", nil
	}
	saved = store.RescuedName(rescuedPath, text)
	if err = v.createFile(saved, text); errors.Is(err, ErrTaken) { // the same text lies there
		err = nil
	}
	return saved, err
}

// plan reports what a draft makes of the note as it stands.
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
	findBases(d, doc)
	draft := *d
	if d.Transform != nil {
		if draft, err = merge.Transformed(doc, draft); err != nil {
			return was, r, err
		}
	}
	plan := merge.Note(doc, draft)
	r = resultOf(plan, doc, d.At)
	if v.opt.Texts && r.RejectedHash != "" {
		r.Unmerged = merge.Forced(doc, draft, plan)
	}
	if bytes.Equal(plan.Text, was.Text) {
		r.Note.Stamp = was.Stamp
	}
	return was, r, nil
}

// findBases learns what regions were made from: untouched ones, of what is there.
func findBases(d *Draft, doc *note.Document) {
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
		return
	}
	body, nav := d.Bases()
	d.Bases = nil
	d.BaseBody, d.BaseNav = cmp.Or(d.BaseBody, body), cmp.Or(d.BaseNav, nav)
}

// resultOf reports what a plan makes of a note; a refusal in the body makes it Kept.
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
	r.Reason, r.RejectedHash = strings.Join(p.Reasons, "; "), p.Rejected()
	r.BaseBody, r.BaseNav = p.BaseBody, p.BaseNav
	return r
}

func result(o Outcome, n Note, old, text []byte) Result {
	return Result{Outcome: o, Path: n.Path, Note: n, Old: old, New: text}
}

// Remove deletes a note that is wholly ours; others are Kept.
func (v *Vault) Remove(ctx context.Context, id, p string) (Result, error) {
	return v.step(ctx, "remove note", p, func() (Result, error) { return v.remove(id, p) })
}

func (v *Vault) remove(id, p string) (Result, error) {
	if err := note.CheckPath(p); err != nil {
		return Result{}, err
	}
	was, err := v.files.Read(p)
	if err != nil {
		return Result{}, err
	}
	doc := note.ParseDocument(was.Text)
	stands := doc.Note(p)
	stands.Stamp = was.Stamp
	reason := doc.Unwritable(id)
	if reason == "" {
		reason = doc.Edited()
	}
	if reason != "" {
		r := result(Kept, stands, was.Text, was.Text)
		r.Reason = reason
		return r, nil
	}
	if err := v.files.Remove(p, was); err != nil {
		return Result{}, err
	}
	return result(Removed, stands, was.Text, nil), nil
}

// Quarantine moves a note that a human wrote in, or a damaged file, to the rescue folder, and returns
// where. Without an id it takes whatever is there.
func (v *Vault) Quarantine(ctx context.Context, id, p string) (rescued string, err error) {
	defer annotate(&err, "set aside", p)
	var was store.File
	if err = cmp.Or(canceled(ctx), checkVisible(p)); err == nil {
		was, err = v.readID(id, p)
	}
	if err != nil {
		return "", err
	}
	// What is saved there meanwhile goes along, or is a file of its own.
	rescued = store.RescuedName(rescuedPath, was.Text)
	if _, err = v.files.Move(p, rescued, was); errors.Is(err, ErrTaken) { // the same text lies there
		err = v.files.Remove(p, was)
	}
	return rescued, err
}

// RenewFile replaces a damaged file of ours in one step: gone for a moment, it would count as
// deleted. What was there is in the rescue folder; it returns where.
func (v *Vault) RenewFile(ctx context.Context, p string, content []byte) (rescued string, err error) {
	defer annotate(&err, "renew file", p)
	var was store.File
	if err = cmp.Or(canceled(ctx), checkAttachment(p)); err == nil {
		was, err = v.files.Read(p)
	}
	if err != nil {
		return "", err
	}
	rescued = store.RescuedName(rescuedPath, was.Text)
	if err = v.createFile(rescued, was.Text); err == nil || errors.Is(err, ErrTaken) {
		_, err = v.files.Replace(p, was, content)
	}
	return rescued, err
}

// Move moves the note with this id; [ErrTaken] means that the name is taken. It is durable after the
// next [Vault.Flush].
func (v *Vault) Move(ctx context.Context, id, from, to string) (s Stamp, err error) {
	var was store.File
	if err = cmp.Or(canceled(ctx), note.CheckPath(from), note.CheckPath(to)); err == nil {
		was, err = v.readID(id, from)
	}
	if err == nil {
		s, err = v.files.Move(from, to, was)
	}
	if err != nil {
		return Stamp{}, fmt.Errorf("move note %q to %q: %w", from, to, err)
	}
	return s, nil
}

// readID reads the note with this id; any note without one.
func (v *Vault) readID(id, p string) (store.File, error) {
	was, err := v.files.Read(p)
	if err == nil && id != "" && note.ParseDocument(was.Text).ID != id {
		err = fmt.Errorf("it is not the note %q any more", id)
	}
	return was, err
}
