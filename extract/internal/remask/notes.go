package remask

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// A note that no run can render, because what it was made from is not here, is
// masked where it lies: in what is ours of it. What its user wrote stays and is
// told of.

// Notes masks the notes that showed what is masked by now and were not rendered in this
// run. It tells whether there were any: what shows their facts is due then.
func (r *Remasker) Notes(ctx context.Context) (some bool, err error) {
	if r.unmasked.Shown == nil {
		return false, nil
	}
	if err := r.notes.Ledger.Begin(); err != nil {
		return false, err
	}
	left := false // some could not be looked at, or written
	for id := range r.unmasked.Shown {
		left = left || r.rec.Outcome(id) == vault.Failed
	}
	for _, step := range []func(context.Context, ledger.NoteRow) error{r.maskName, r.maskNote} {
		for _, id := range r.unrendered() {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			err := contain.Failure(ctx, r.notes.Ledger, func() error {
				row, known, err := r.notes.Ledger.Note(id)
				if err == nil && known && row.State != ledger.Planned {
					err = step(ctx, row)
				}
				return err
			}, func(err error) {
				r.rec.Fail(ledger.DueNav, id, id, "", err)
				left = true
			})
			if err != nil {
				return false, err
			}
		}
	}
	if err := r.maskBesides(ctx); err != nil {
		return false, errors.Join(err, r.notes.Ledger.Rollback())
	}
	if !left {
		r.notes.AtEnd(ledger.Unmasked, nil)
		if err := r.notes.Ledger.DropRenames(); err != nil {
			return false, err
		}
	}
	r.purged = r.purged || len(r.unmasked.Shown) > 0
	return true, nil
}

// maskBesides makes last what was masked, and sees to what is no note.
func (r *Remasker) maskBesides(ctx context.Context) error {
	if err := r.vault.Flush(); err != nil {
		return err
	}
	if err := r.dropUnmaskedBases(); err != nil {
		return err
	}
	if err := r.maskCanvases(ctx); err != nil {
		return err
	}
	return r.tellOfRescued(ctx)
}

// TellOfRendered tells of notes that were rendered and still show what the rules
// mask: their user wrote it, or it is the name of a note that stays as it is.
func (r *Remasker) TellOfRendered() error {
	masked := r.unrendered()
	for _, id := range slices.Sorted(maps.Keys(r.unmasked.Shown)) {
		row, known, err := r.notes.Ledger.Note(id)
		if err != nil || !known || !row.State.Stands() && row.State != ledger.Away || slices.Contains(masked, id) {
			if err != nil {
				return err
			}
			continue
		}
		shows, err := r.stillShows(vault.Result{Path: row.Path}, row)
		if err != nil {
			r.rec.Unreadable(row.Path, err)
		}
		if shows {
			r.tellUnmasked(row, row.Path)
		}
	}
	return nil
}

// unrendered are the notes that still are to be masked where they lie. Pages are
// made of the facts of others.
func (r *Remasker) unrendered() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.unmasked.Shown)), func(id string) bool { return r.unmasked.Rendered[id] || pages.Order(id) >= 0 })
}

// maskNote masks what is ours of a note.
func (r *Remasker) maskNote(ctx context.Context, row ledger.NoteRow) error {
	if !r.notes.Writable(row) {
		r.tellUnmasked(row, row.Path)
		return nil
	}
	text, err := textOf(r.vault, row)
	if err != nil {
		r.rec.Unreadable(row.Path, err)
		return nil
	}
	f, err := r.notes.FactsIn(note.Parse(row.Path, text))
	if err != nil {
		return err
	}
	v := vault.Draft{ID: row.ID, Path: row.Path, Bases: index.BasesOf(r.notes.Ledger, row.ID)}
	numbers, links := redact.NumbersAfter(string(text)), strings.NewReplacer(r.unmasked.Links()...)
	mask := func(s string) (string, error) {
		masked, err := r.masker.Text(links.Replace(s))
		return numbers.Text(masked), err
	}
	if v.Base, err = facts.DecodeProperties(row.Base); err != nil {
		return err
	}
	base, err := maskedBase(v.Base, row.Base, mask)
	if err != nil {
		return err
	}
	res, err := r.writer.Rework(ctx, row, f, base, v, mask)
	if err != nil {
		r.rec.Fail(ledger.DueNav, row.ID, f.ID, row.Path, err)
		return nil
	}
	shows, err := r.stillShows(res, row)
	if shows {
		r.tellUnmasked(row, res.Path)
	}
	// It was written: that must be known, whatever else failed.
	return errors.Join(err, r.notes.Queue.Mark(ledger.DueNav, row.ID))
}

// maskedBase masks the properties that the next merge starts from; packed are they as
// they are kept.
func maskedBase(base []vault.Property, packed []byte, mask func(string) (string, error)) ([]byte, error) {
	if base == nil {
		return packed, nil
	}
	var failed error
	masked := facts.MaskedProps(base, func(s string) string {
		out, err := mask(s)
		failed = errors.Join(failed, err)
		return out
	})
	if failed != nil {
		return nil, failed
	}
	return facts.EncodeProperties(masked)
}

// stillShows tells whether a note still shows something the rules mask.
func (r *Remasker) stillShows(res vault.Result, row ledger.NoteRow) (bool, error) {
	if r.dryRun {
		return false, nil
	}
	row.Path = res.Path
	text, err := textOf(r.vault, row)
	if err != nil {
		return false, err
	}
	return r.unmasked.Show(text)
}

// tellUnmasked tells of a note that shows what is not ours to mask.
func (r *Remasker) tellUnmasked(row ledger.NoteRow, at string) {
	if row.State != ledger.Away {
		at = r.notes.FromRoot(at)
	}
	r.rec.Keep(at, "it shows what your rules mask, in a text that is yours: change it there")
}

// dropUnmaskedBases forgets the texts that merges start from where they hold what
// is masked by now. A note that could not be written needs its own for the next try;
// one that was created is masked.
func (r *Remasker) dropUnmaskedBases() error {
	ids, err := r.notes.Ledger.BasesOf()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if o := r.rec.Outcome(id); o == vault.Failed || o == vault.Created {
			continue
		}
		body, nav, err := index.BasesOf(r.notes.Ledger, id)()
		if err != nil {
			return err
		}
		for _, text := range []*string{body, nav} {
			if text == nil {
				continue
			}
			if found, err := r.masker.Find(*text); err != nil || len(found) > 0 {
				if err := r.notes.Ledger.DropBases(id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tellOfRescued names texts that were put aside and show what is masked by now.
func (r *Remasker) tellOfRescued(ctx context.Context) error {
	rescued, err := r.vault.Rescued(ctx)
	if err != nil {
		return err
	}
	for _, at := range rescued {
		text, err := r.vault.RescuedText(at)
		if err != nil {
			continue // it was taken away meanwhile
		}
		if found, err := r.masker.Find(string(text)); err != nil || len(found) > 0 {
			r.rec.Problem(report.Problem{Path: r.notes.FromRoot(at), Error: "a text that was put aside shows what your rules mask",
				Hint: "take over what you need, then delete it"})
		}
	}
	return nil
}

// maskCanvases has canvases that show what is masked by now be drawn anew. One
// that its user changed is told of and stays.
func (r *Remasker) maskCanvases(ctx context.Context) error {
	files, err := r.notes.Ledger.OwnedFiles()
	if err != nil {
		return err
	}
	for _, f := range files {
		if !strings.HasPrefix(f.ID, names.CanvasID("")) {
			continue
		}
		shows := false
		var failed error
		removed, err := r.vault.Detach(ctx, f.Path, func(content []byte) bool {
			found, err := r.masker.Find(string(content))
			failed, shows = err, len(found) > 0
			return shows && texts.Digest(string(content), 16) == f.Ours
		})
		switch err = errors.Join(err, failed); {
		case err != nil:
			return err
		case removed:
			err = r.owned.Forget(f)
		case shows:
			r.rec.Keep(r.notes.FromRoot(f.Path), "it shows what your rules mask, and holds what you changed: change it there")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
