package remask

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault/note"
)

// What is masked by now may stand in the id or the file name of a note that
// nobody can render. Both change before any text does, so that links lead on.

// maskName gives a note another id and name where its own show what is masked.
func (r *Remasker) maskName(ctx context.Context, row ledger.NoteRow) error {
	if !r.notes.Writable(row) {
		return nil
	}
	row, err := r.maskID(ctx, row)
	if err != nil || row.Home != "" && row.Home != row.Path && !r.unmasked.Renames(row) {
		return err
	}
	text, err := textOf(r.vault, row)
	if err != nil {
		r.rec.Unreadable(row.Path, err)
		return nil
	}
	to, err := r.maskedPath(row, text)
	if err != nil || to == row.Path {
		return err
	}
	f, err := r.notes.FactsIn(note.Parse(row.Path, text))
	if err != nil {
		return err
	}
	if err := r.unmasked.Rename(row.Path, to); err != nil {
		return err
	}
	if err := r.notes.Ledger.Commit(); err != nil {
		return err
	}
	if err := r.notes.Ledger.Begin(); err != nil {
		return err
	}
	next, err := r.writer.Move(ctx, row, f, to)
	if err != nil {
		r.rec.LookAgain()
		r.unmasked.TakeBack()
		r.rec.Problem(report.Problem{Item: row.ID, Path: r.notes.FromRoot(to), Error: err.Error(), Hint: "it is tried again next time", Fatal: true})
		return nil
	}
	next.Home, next.Keys = to, f.Keys()
	return r.notes.Store(row, true, next, f)
}

// announceID makes last that a note is about to get another id: neither was it
// deleted, nor is the id it then has a damaged one.
func announceID(l *ledger.Ledger, row ledger.NoteRow, to string) error {
	next := row
	next.ID, next.State, next.Stamp, next.Home = to, ledger.Planned, [4]int64{}, row.Path
	if err := l.PutNote(next, false); err != nil {
		return err
	}
	if err := l.SetState(row.ID, ledger.Leaving); err != nil {
		return err
	}
	if err := l.Commit(); err != nil {
		return err
	}
	return l.Begin()
}

// maskID gives a note another id and returns its row as it is then.
func (r *Remasker) maskID(ctx context.Context, row ledger.NoteRow) (ledger.NoteRow, error) {
	to, err := r.unmasked.MaskedID(row)
	if err != nil || to == row.ID {
		return row, err
	}
	if there, taken, err := r.notes.Ledger.Note(to); err != nil || taken && there.State != ledger.Planned {
		return row, err
	}
	if err := announceID(r.notes.Ledger, row, to); err != nil {
		return row, err
	}
	res, err := r.vault.Rename(ctx, row.Path, row.ID, to)
	if err != nil {
		r.rec.Problem(report.Problem{Item: to, Path: r.notes.FromRoot(row.Path), Error: err.Error(), Hint: "it is tried again next time", Fatal: true})
		r.rec.LookAgain()
		if err := r.notes.Ledger.DropNote(to); err != nil {
			return row, err
		}
		return row, r.notes.Ledger.SetState(row.ID, row.State)
	}
	bases, err := r.notes.Ledger.Bases(row.ID)
	if err != nil {
		return row, err
	}
	f, err := r.notes.FactsIn(res.Note)
	if err != nil {
		return row, err
	}
	next := row
	next.ID, next.Stamp, next.Hash, next.Keys = to, index.StampOf(res.Note.Stamp), res.Note.Hash, f.Keys()
	if next.Facts, err = f.Encode(); err != nil {
		return row, err
	}
	r.seen.Files[row.Path] = res.Note.Stamp
	delete(r.unmasked.Shown, row.ID)
	r.unmasked.Shown[to] = true
	if err := r.notes.Drop(row); err != nil {
		return next, err
	}
	if err := r.notes.Store(ledger.NoteRow{}, false, next, f); err != nil {
		return next, err
	}
	return next, r.notes.Ledger.PutBases(to, bases)
}

// maskedPath is the path of a note without what its text holds and the rules
// mask, its own where it shows nothing of it or the other name is taken.
func (r *Remasker) maskedPath(row ledger.NoteRow, text []byte) (string, error) {
	name := names.TrimMD(path.Base(row.Path))
	for _, part := range note.Texts(text) {
		found, err := r.masker.Find(part)
		if err != nil {
			return row.Path, fmt.Errorf("look for secrets in %q: %w", row.Path, err)
		}
		for _, s := range found {
			if slug := note.Slug(part[s.From:s.To], 60); len(slug) > 3 {
				name = strings.ReplaceAll(strings.ReplaceAll(name, slug+"-", ""), slug, "")
			}
		}
	}
	to := path.Join(path.Dir(row.Path), note.FileName(name)+".md")
	if _, taken := r.seen.Files[to]; taken {
		return row.Path, nil
	}
	return to, nil
}
