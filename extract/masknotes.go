package extract

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// A note that no pass can render, because what it was made from is not here, is
// masked where it lies: in what is ours of it. What its user wrote stays and is
// told of.

// maskNotes masks the notes that showed what is masked by now and were not
// rendered in this pass, then writes what shows their facts.
func (p *pass) maskNotes(ctx context.Context) error {
	if p.unmasked.Shown == nil {
		return nil
	}
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	left := false // some could not be looked at, or written
	for id := range p.unmasked.Shown {
		left = left || p.rec.Outcome(id) == vault.Failed
	}
	for _, step := range []func(context.Context, ledger.NoteRow) error{p.maskName, p.maskNote} {
		for _, id := range p.unrendered() {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := p.alone(ctx, func() error {
				row, known, err := p.Ledger.Note(id)
				if err == nil && known && row.State != ledger.Planned {
					err = step(ctx, row)
				}
				return err
			}, func(err error) {
				p.rec.Fail(ledger.DueNav, id, id, "", err)
				left = true
			})
			if err != nil {
				return err
			}
		}
	}
	if err := errors.Join(p.Vault.Flush(), p.dropUnmaskedBases(), p.maskCanvases(ctx), p.tellOfRescued(ctx)); err != nil {
		return errors.Join(err, p.Ledger.Rollback())
	}
	if !left {
		p.notes.AtEnd(ledger.Unmasked, nil)
		if err := p.Ledger.DropRenames(); err != nil {
			return err
		}
	}
	p.purged = p.purged || len(p.unmasked.Shown) > 0
	if err := p.written.Remember(); err != nil {
		return err
	}
	if err := p.notes.Commit(); err != nil {
		return err
	}
	if err := p.writeNotes(ctx); err != nil {
		return err
	}
	return p.tellOfRendered()
}

// tellOfRendered tells of notes that were rendered and still show what the rules
// mask: their user wrote it, or it is the name of a note that stays as it is.
func (p *pass) tellOfRendered() error {
	masked := p.unrendered()
	for _, id := range slices.Sorted(maps.Keys(p.unmasked.Shown)) {
		row, known, err := p.Ledger.Note(id)
		if err != nil || !known || !row.State.Stands() && row.State != ledger.Away || slices.Contains(masked, id) {
			if err != nil {
				return err
			}
			continue
		}
		shows, err := p.stillShows(vault.Result{Path: row.Path}, row)
		if err != nil {
			p.rec.Unreadable(row.Path, err)
		}
		if shows {
			p.tellUnmasked(row, row.Path)
		}
	}
	return nil
}

// unrendered are the notes that still are to be masked where they lie. Pages are
// made of the facts of others.
func (p *pass) unrendered() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.unmasked.Shown)), func(id string) bool { return p.unmasked.Rendered[id] || pages.Order(id) >= 0 })
}

// maskNote masks what is ours of a note.
func (p *pass) maskNote(ctx context.Context, row ledger.NoteRow) error {
	if !p.notes.Writable(row) {
		p.tellUnmasked(row, row.Path)
		return nil
	}
	text, err := textOf(p.Vault, row)
	if err != nil {
		p.rec.Unreadable(row.Path, err)
		return nil
	}
	f, err := p.notes.FactsIn(note.Parse(row.Path, text))
	if err != nil {
		return err
	}
	d := &draft{facts: f, shown: f, planned: f, row: row, path: row.Path, session: row.Session, kind: ledger.DueNav, owner: row.ID}
	v := vault.Draft{ID: row.ID, At: d.at(), Path: row.Path, Bases: basesOf(p.Ledger, row.ID)}
	numbers, links := redact.NumbersAfter(string(text)), strings.NewReplacer(p.unmasked.Links()...)
	var failed error
	mask := func(s string) string {
		masked, err := p.Masker.Text(links.Replace(s))
		failed = errors.Join(failed, err)
		return numbers.Text(masked)
	}
	if v.Base, err = facts.DecodeProperties(row.Base); err != nil {
		return err
	}
	if v.Base != nil {
		if d.row.Base, err = facts.EncodeProperties(facts.MaskedProps(v.Base, mask)); err != nil {
			return err
		}
	}
	res, err := p.Vault.Rework(ctx, v, mask)
	if err = errors.Join(err, failed); err != nil {
		p.rec.Fail(d.kind, d.owner, d.facts.ID, d.path, err)
		return nil
	}
	shows, err := p.stillShows(res, row)
	if shows {
		p.tellUnmasked(row, res.Path)
	}
	// It was written: that must be known, whatever else failed.
	return errors.Join(err, p.settle(d, res), p.queue.Mark(ledger.DueNav, row.ID))
}

// stillShows tells whether a note still shows something the rules mask.
func (p *pass) stillShows(res vault.Result, row ledger.NoteRow) (bool, error) {
	if p.Mode.DryRun {
		return false, nil
	}
	row.Path = res.Path
	text, err := textOf(p.Vault, row)
	if err != nil {
		return false, err
	}
	return p.unmasked.Show(text)
}

// tellUnmasked tells of a note that shows what is not ours to mask.
func (p *pass) tellUnmasked(row ledger.NoteRow, at string) {
	if row.State != ledger.Away {
		at = p.notes.FromRoot(at)
	}
	p.rec.Keep(at, "it shows what your rules mask, in a text that is yours: change it there")
}

// dropUnmaskedBases forgets the texts that merges start from where they hold what
// is masked by now. A note that could not be written needs its own for the next try;
// one that was created is masked.
func (p *pass) dropUnmaskedBases() error {
	ids, err := p.Ledger.BasesOf()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if o := p.rec.Outcome(id); o == vault.Failed || o == vault.Created {
			continue
		}
		body, nav, err := basesOf(p.Ledger, id)()
		if err != nil {
			return err
		}
		for _, text := range []*string{body, nav} {
			if text == nil {
				continue
			}
			if found, err := p.Masker.Find(*text); err != nil || len(found) > 0 {
				if err := p.Ledger.DropBases(id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tellOfRescued names texts that were put aside and show what is masked by now.
func (p *pass) tellOfRescued(ctx context.Context) error {
	rescued, err := p.Vault.Rescued(ctx)
	if err != nil {
		return err
	}
	for _, at := range rescued {
		text, err := p.Vault.RescuedText(at)
		if err != nil {
			continue // it was taken away meanwhile
		}
		if found, err := p.Masker.Find(string(text)); err != nil || len(found) > 0 {
			p.rec.Problem(Problem{Path: p.notes.FromRoot(at), Error: "a text that was put aside shows what your rules mask",
				Hint: "take over what you need, then delete it"})
		}
	}
	return nil
}

// maskCanvases has canvases that show what is masked by now be drawn anew. One
// that its user changed is told of and stays.
func (p *pass) maskCanvases(ctx context.Context) error {
	files, err := p.Ledger.OwnedFiles()
	if err != nil {
		return err
	}
	for _, f := range files {
		if !strings.HasPrefix(f.ID, names.CanvasID("")) {
			continue
		}
		shows := false
		var failed error
		removed, err := p.Vault.Detach(ctx, f.Path, func(content []byte) bool {
			found, err := p.Masker.Find(string(content))
			failed, shows = err, len(found) > 0
			return shows && texts.Digest(string(content), 16) == f.Ours
		})
		switch err = errors.Join(err, failed); {
		case err != nil:
			return err
		case removed:
			err = p.owned.Forget(f)
		case shows:
			p.rec.Keep(p.notes.FromRoot(f.Path), "it shows what your rules mask, and holds what you changed: change it there")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
