package extract

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// stamp is a time as the ledger orders it.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// rowOf makes the ledger's row of a note that stands in the vault.
func rowOf(f facts.Facts, n vault.Note) (ledger.NoteRow, error) {
	row, err := plannedRow(f, n.Path)
	row.Stamp, row.Hash, row.State = observe.StampOf(n.Stamp), n.Hash, ledger.Present
	return row, err
}

func plannedRow(f facts.Facts, path string) (ledger.NoteRow, error) {
	b, err := f.Encode()
	return ledger.NoteRow{
		ID: f.ID, Path: path, Type: f.Type, Session: f.Session(), Project: f.Project,
		Created: stamp(f.Created), Updated: stamp(f.Updated), State: ledger.Planned, Facts: b, Keys: f.Keys(),
	}, err
}

// storeFacts puts a row and makes due what shows the difference.
func (p *pass) storeFacts(old ledger.NoteRow, known bool, row ledger.NoteRow, f facts.Facts) error {
	var before *facts.Facts
	if known {
		o, err := facts.Decode(old.Facts)
		if err != nil {
			return err
		}
		before = &o
	}
	if err := p.Ledger.PutNote(row, known); err != nil {
		return err
	}
	if err := noteSays(p.Ledger, before, &f); err != nil {
		return err
	}
	p.setPlace(row.ID, pages.Place{Path: p.linkPath(row), Title: f.Title, Project: f.Project})
	moved := known && p.linkPath(old) != p.linkPath(row)
	if before != nil && !moved && reflect.DeepEqual(*before, f) {
		return nil
	}
	return p.noteChanged(facts.Change{Before: before, After: &f, Moved: moved})
}

// noteChanged takes in other facts of a note.
func (p *pass) noteChanged(c facts.Change) error {
	kept := c.Before != nil && c.After != nil && c.Before.Type == c.After.Type && c.Before.Project == c.After.Project
	for _, f := range []*facts.Facts{c.Before, c.After} {
		if f != nil {
			p.atlas.changed(f, f == c.After || kept)
		}
	}
	return p.changed(c)
}

// dropNote forgets a note that is no longer in the vault.
func (p *pass) dropNote(row ledger.NoteRow) error {
	f, err := facts.Decode(row.Facts)
	if err != nil {
		return err
	}
	if err := p.Ledger.DropNote(row.ID); err != nil {
		return err
	}
	p.setPlace(row.ID, pages.Place{})
	if err := noteSays(p.Ledger, &f, nil); err != nil {
		return err
	}
	return p.noteChanged(facts.Change{Before: &f})
}

// noteSays remembers that the note of a session says what the ledger does not
// know: which ids and which project are its. Both are settled once all is read.
func noteSays(l *ledger.Ledger, before, after *facts.Facts) error {
	var was, is facts.Facts
	if before != nil && before.Type == names.TypeSession {
		was = *before
	}
	if after != nil && after.Type == names.TypeSession {
		is = *after
	}
	if !slices.Equal(was.Also, is.Also) {
		if err := l.SetValue(ledger.AliasesDue, []byte{1}); err != nil {
			return err
		}
	}
	if shelfSays(before) != shelfSays(after) {
		return l.SetValue(ledger.ProjectsDue, []byte{1})
	}
	if was.Project == is.Project {
		return nil
	}
	card, known, err := l.Session(cmp.Or(is.Session(), was.Session()))
	if err != nil || known && card.Project == is.Project {
		return err
	}
	return l.SetValue(ledger.ProjectsDue, []byte{1})
}

// shelfSays is what the note of a shelf says of where folders belong.
func shelfSays(f *facts.Facts) string {
	if f == nil || f.Type != names.TypeMemory || len(f.Folders) == 0 {
		return ""
	}
	return f.Project + "\n" + strings.Join(f.Folders, "\n")
}

// linkPath is where links to a note point, from the vault's root.
func (p *pass) linkPath(row ledger.NoteRow) string {
	path := row.Path
	if row.State != ledger.Away {
		path = p.fromRoot(path)
	}
	return names.TrimMD(path)
}
