// Package index is what is known of all notes: their facts, where they lie, what depends
// on what, and what is due by it.
package index

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Stamp is a time as the ledger orders it.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// RowOf makes the ledger's row of a note that stands in the vault.
func RowOf(f facts.Facts, note vault.Note) (ledger.NoteRow, error) {
	row, err := PlannedRow(f, note.Path)
	row.Stamp, row.Hash, row.State = StampOf(note.Stamp), note.Hash, ledger.Present
	return row, err
}

// PlannedRow makes the row of a note that is to stand at a path.
func PlannedRow(f facts.Facts, path string) (ledger.NoteRow, error) {
	b, err := f.Encode()
	return ledger.NoteRow{
		ID: f.ID, Path: path, Type: f.Type, Session: f.Session(), Project: f.Project,
		Created: Stamp(f.Created), Updated: Stamp(f.Updated), State: ledger.Planned, Facts: b, Keys: f.Keys(),
	}, err
}

// Store puts a row and makes due what shows the difference.
func (n *Notes) Store(old ledger.NoteRow, known bool, row ledger.NoteRow, f facts.Facts) error {
	var before *facts.Facts
	if known {
		o, err := facts.Decode(old.Facts)
		if err != nil {
			return err
		}
		before = &o
	}
	if err := n.Ledger.PutNote(row, known); err != nil {
		return err
	}
	if err := noteSays(n.Ledger, before, &f); err != nil {
		return err
	}
	n.SetPlace(row.ID, pages.Place{Path: n.LinkPath(row), Title: f.Title, Project: f.Project})
	moved := known && n.LinkPath(old) != n.LinkPath(row)
	if before != nil && !moved && reflect.DeepEqual(*before, f) {
		return nil
	}
	return n.changed(facts.Change{Before: before, After: &f, Moved: moved})
}

// changed takes in other facts of a note.
func (n *Notes) changed(c facts.Change) error {
	kept := c.Before != nil && c.After != nil && c.Before.Type == c.After.Type && c.Before.Project == c.After.Project
	for _, f := range []*facts.Facts{c.Before, c.After} {
		if f != nil {
			n.Projects.changed(f, f == c.After || kept)
		}
	}
	return n.Queue.Changed(c)
}

// Drop forgets a note that is no longer in the vault.
func (n *Notes) Drop(row ledger.NoteRow) error {
	f, err := facts.Decode(row.Facts)
	if err != nil {
		return err
	}
	if err := n.Ledger.DropNote(row.ID); err != nil {
		return err
	}
	n.SetPlace(row.ID, pages.Place{})
	if err := noteSays(n.Ledger, &f, nil); err != nil {
		return err
	}
	return n.changed(facts.Change{Before: &f})
}

// noteSays remembers that the note of a session says what the ledger does not
// know: which ids and which project are its. Both are decided once all is read.
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
	if memorySays(before) != memorySays(after) {
		return l.SetValue(ledger.ProjectsDue, []byte{1})
	}
	if was.Project == is.Project {
		return nil
	}
	record, known, err := l.Session(cmp.Or(is.Session(), was.Session()))
	if err != nil || known && record.Project == is.Project {
		return err
	}
	return l.SetValue(ledger.ProjectsDue, []byte{1})
}

// memorySays is what the note of a memory says of where folders belong.
func memorySays(f *facts.Facts) string {
	if f == nil || f.Type != names.TypeMemory || len(f.Folders) == 0 {
		return ""
	}
	return f.Project + "\n" + strings.Join(f.Folders, "\n")
}

// LinkPath is where links to a note point, from the vault's root.
func (n *Notes) LinkPath(row ledger.NoteRow) string {
	path := row.Path
	if row.State != ledger.MovedOut {
		path = n.FromRoot(path)
	}
	return names.TrimMD(path)
}

// DropUnwritten forgets a note that was planned and cannot be written now.
func (n *Notes) DropUnwritten(id string) error {
	row, known, err := n.Ledger.Note(id)
	if err != nil || !known || row.State != ledger.Planned {
		return err
	}
	return n.Drop(row)
}

// DropPlanned forgets the notes of a session that were planned once and are not
// written in this run, so that nothing links to them. The session stays due.
func (n *Notes) DropPlanned(id string) error {
	rows, err := n.Ledger.NotesOfSession(id)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.State == ledger.Planned {
			if err := n.Drop(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// BasesOf looks up, when somebody asks, what the regions of a note were made
// from. Nobody asks for a note that its user left alone. What cannot be unpacked
// is unknown, as in a lost ledger.
func BasesOf(l *ledger.Ledger, id string) func() (body, nav *string, err error) {
	return func() (body, nav *string, err error) {
		body, nav, _ = l.Bases(id)
		return body, nav, l.Failed()
	}
}

// IsOurs tells a note that we made from a copy to which its user gave another id:
// nothing but what we wrote may be taken away. We did where the ledger knows that
// we put or wrote it, and, where that is not known (the ledger was lost, another
// machine wrote the note), where it has the name that we give its id.
func IsOurs(r ledger.NoteRow) bool {
	return r.AssignedPath != "" || len(r.Base) > 0 || names.IsNamedByUs(NamedNote(r))
}

// NamedNote is what tells of a row whether it has a name of ours.
func NamedNote(r ledger.NoteRow) names.Note {
	return names.Note{ID: r.ID, Type: r.Type, Session: r.Session, Path: r.Path}
}

// StampOf is a stamp as the state keeps it.
func StampOf(s vault.Stamp) [4]int64 {
	return [4]int64{s.Size, s.MTime, s.CTime, int64(s.Inode)}
}

// VaultStamp is a stamp that the state kept.
func VaultStamp(s [4]int64) vault.Stamp {
	return vault.Stamp{Size: s[0], MTime: s[1], CTime: s[2], Inode: uint64(s[3])}
}

// FactsIn are the facts of a note as other pages may show them: a human may have
// written into it what the rules mask.
func (n *Notes) FactsIn(in vault.Note) (facts.Facts, error) {
	f := facts.From(in)
	texts := []*string{&f.Title, &f.Summary, &f.Branch}
	f.Boxes = slices.Clone(f.Boxes)
	for i := range f.Boxes {
		texts = append(texts, &f.Boxes[i].Text)
	}
	for _, text := range texts {
		masked, err := n.masker.Text(*text)
		if err != nil {
			return f, fmt.Errorf("look for secrets in %q: %w", in.Path, err)
		}
		if masked != *text {
			*text = redact.Number(masked)[0]
		}
	}
	return f, nil
}

// FactsOf are the facts of a note as it stands in the vault.
func (n *Notes) FactsOf(in *vault.Vault, row ledger.NoteRow) (facts.Facts, error) {
	text, err := in.Text(row.Path)
	if err != nil {
		return facts.Facts{}, err
	}
	return n.FactsIn(note.Parse(row.Path, text))
}

// MaskedID is the id that the rules leave a note: that of its session is another one
// then, by which two sessions stay two.
func (n *Notes) MaskedID(row ledger.NoteRow) (string, error) {
	f, err := facts.Decode(row.Facts)
	if err != nil {
		return row.ID, err
	}
	f.ID = row.ID
	id := row.ID
	if session := f.Session(); session != "" {
		id = strings.Replace(id, session, names.PlainForm{Masker: n.masker}.Ref(session), 1)
	}
	masked, err := n.masker.Text(id)
	return redact.Number(masked)[0], err
}
