// Package index keeps all notes in the state: their facts, paths and dependents, and which are due.
package index

import (
	"cmp"
	"fmt"
	"maps"
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

// Stamp returns a time as the ledger sorts it.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// RowOf returns the row of a note in the vault.
func (n *Notes) RowOf(f facts.Facts, note vault.Note) ledger.NoteRow {
	row := n.PlannedRow(f, note.Path)
	row.Stamp, row.Hash, row.State = StampOf(note.Stamp), note.Hash, ledger.Present
	return row
}

// PlannedRow returns the row of a note planned for a path.
func (n *Notes) PlannedRow(f facts.Facts, path string) ledger.NoteRow {
	row := ledger.NoteRow{
		ID: f.ID, Path: path, Type: f.Type, Session: f.Session(), Project: f.Project,
		Created: Stamp(f.Created), Updated: Stamp(f.Updated), State: ledger.Planned,
	}
	n.setFacts(&row, f)
	return row
}

func (n *Notes) setFacts(row *ledger.NoteRow, f facts.Facts) {
	b, err := f.Encode()
	if err != nil {
		_ = n.Ledger.Fail(err)
	}
	row.Facts, row.Keys = b, f.Keys()
}

// Shows stores the changed facts of a note, and queues the notes that show them.
func (n *Notes) Shows(row ledger.NoteRow, f facts.Facts) {
	next := row
	n.setFacts(&next, f)
	n.Store(row, true, next, f)
}

// Store stores a row and queues the notes that show the difference.
func (n *Notes) Store(old ledger.NoteRow, known bool, row ledger.NoteRow, f facts.Facts) {
	var before *facts.Facts
	if known {
		o := facts.Decode(old.Facts, n.Ledger.Harmed)
		before = &o
	}
	n.PutRow(row, known)
	flagIdentityChange(n.Ledger, before, &f)
	n.SetPlace(row.ID, pages.Place{Path: n.LinkPath(row), Title: f.Title})
	moved := known && n.LinkPath(old) != n.LinkPath(row)
	n.wantsNow(row.ID, wantedBy(old), wantedBy(row))
	if before != nil && !moved && reflect.DeepEqual(*before, f) {
		return
	}
	n.changed(facts.Change{Before: before, After: &f, Moved: moved})
}

func (n *Notes) changed(c facts.Change) {
	kept := c.Before != nil && c.After != nil && c.Before.Type == c.After.Type && c.Before.Project == c.After.Project
	for _, f := range []*facts.Facts{c.Before, c.After} {
		if f == nil {
			continue
		}
		n.Projects.changed(f, f == c.After || kept)
		if f.Type == names.TypeSession {
			n.mu.Lock()
			n.totals = nil
			n.mu.Unlock()
		}
	}
	n.Queue.Changed(c)
}

// Drop forgets a note that is no longer in the vault.
func (n *Notes) Drop(row ledger.NoteRow) {
	f := facts.Decode(row.Facts, n.Ledger.Harmed)
	n.Ledger.DropNote(row.ID)
	n.SetPlace(row.ID, pages.Place{})
	n.wantsNow(row.ID, wantedBy(row), "")
	flagIdentityChange(n.Ledger, &f, nil)
	n.changed(facts.Change{Before: &f})
}

// flagIdentityChange records that a session's note has ids or a project that the ledger does not know. Both
// are decided once all is read.
func flagIdentityChange(l *ledger.Ledger, before, after *facts.Facts) {
	var was, is facts.Facts
	if before != nil && before.Type == names.TypeSession {
		was = *before
	}
	if after != nil && after.Type == names.TypeSession {
		is = *after
	}
	if !slices.Equal(was.Aliases, is.Aliases) {
		l.SetValue(ledger.AliasesDue, []byte{1})
	}
	if mappingOf(before) != mappingOf(after) {
		l.SetValue(ledger.ProjectsDue, []byte{1})
		return
	}
	if was.Project == is.Project && slices.Equal(was.Joined, is.Joined) {
		return
	}
	record, known := l.Session(cmp.Or(is.Session(), was.Session()))
	if known && record.Project == is.Project && record.Joined == strings.Join(is.Joined, "\n") {
		return
	}
	l.SetValue(ledger.ProjectsDue, []byte{1})
}

// mappingOf returns a text of the projects of a memory's folders, for comparison.
func mappingOf(f *facts.Facts) string {
	if f == nil || f.Type != names.TypeMemory || len(f.Folders) == 0 {
		return ""
	}
	return f.Project + "\n" + strings.Join(f.Folders, "\n") + "\n\n" + strings.Join(f.Joined, "\n")
}

// FormerKeys returns the keys that a project had before its remote was known or its user joined it, cached
// for the run once projects are assigned.
func (n *Notes) FormerKeys(project string) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.former == nil {
		n.former = map[string][]string{}
		former := n.Ledger.FormerProjects()
		for _, key := range slices.Sorted(maps.Keys(former)) {
			n.former[former[key]] = append(n.former[former[key]], key)
		}
	}
	return n.former[project]
}

// LinkPath returns the target of links to a note, relative to the vault's root.
func (n *Notes) LinkPath(row ledger.NoteRow) string { return names.TrimMD(n.PathOf(row)) }

// PathOf returns the path of a note, relative to the vault's root.
func (n *Notes) PathOf(row ledger.NoteRow) string {
	if row.State == ledger.MovedOut {
		return row.Path
	}
	return n.FromRoot(row.Path)
}

// DropUnwritten forgets a planned note that cannot be written now.
func (n *Notes) DropUnwritten(id string) {
	row, known := n.Ledger.Note(id)
	if !known || row.State != ledger.Planned {
		return
	}
	n.Drop(row)
}

// DropPlanned forgets earlier planned notes of a session that are not written in this run, so that nothing
// links to them. The session stays due.
func (n *Notes) DropPlanned(id string) {
	for _, r := range n.Ledger.NotesOfSession(id) {
		if r.State == ledger.Planned {
			n.Drop(r)
		}
	}
}

// IsOurs reports whether we made a note, and not its user by copying one with another id: only our notes may
// be removed. It is ours if the ledger knows that we put or wrote it or, if that is unknown (the ledger was
// lost, another machine wrote the note), if its comment says that it was written with its id.
func (n *Notes) IsOurs(r ledger.NoteRow) bool {
	return r.AssignedPath != "" || facts.Decode(r.Facts, n.Ledger.Harmed).Own == facts.OwnOf(r.ID)
}

// StampOf returns a stamp as stored in the state.
func StampOf(s vault.Stamp) [4]int64 {
	return [4]int64{s.Size, s.MTime, s.CTime, int64(s.Inode)}
}

// FactsIn returns the facts of a note for other pages, masked, as a person may have written a secret.
func (n *Notes) FactsIn(in vault.Note) (facts.Facts, error) {
	f := facts.From(in, n.zone)
	err := f.Mask(func(text string) (string, error) {
		masked, err := n.Masked(text)
		return redact.Number(masked)[0], err
	})
	if err != nil {
		return f, fmt.Errorf("look for secrets in %q: %w", in.Path, err)
	}
	return f, nil
}

// Masked returns a text as the rules mask it.
func (n *Notes) Masked(text string) (string, error) { return n.masker.Text(text) }

// FactsOf returns the facts of a note in the vault.
func (n *Notes) FactsOf(in *vault.Vault, row ledger.NoteRow) (facts.Facts, error) {
	text, err := in.Text(row.Path)
	if err != nil {
		return facts.Facts{}, err
	}
	return n.FactsIn(note.Parse(row.Path, text))
}

// MaskedID returns the id of a note after masking. Its session's id then changes, but two sessions stay two.
func (n *Notes) MaskedID(row ledger.NoteRow) (string, error) {
	f := facts.Decode(row.Facts, n.Ledger.Harmed)
	f.ID = row.ID
	id := row.ID
	if session := f.Session(); session != "" {
		id = strings.Replace(id, session, names.PlainForm{Masker: n.masker}.Ref(session), 1)
	}
	masked, err := n.masker.Text(id)
	return redact.Number(masked)[0], err
}

// DeletedOnce is why a deleted note that exists all the same is not touched.
const DeletedOnce = "it was deleted once and is not kept up to date: sessionloom restore lifts that, by its id"

// LiftTombstone removes a tombstone: the note with the id may come back.
func LiftTombstone(v *vault.Vault, l *ledger.Ledger, id string) error {
	if _, err := v.RemoveTombstone(id); err != nil {
		return err
	}
	l.RemoveTombstone(id)
	return nil
}

// Notes that want the same name all have a hash in it, and lose it when no other wants the name any more.

// wantedBy returns the name that a note wants, or "" if its name does not matter.
func wantedBy(row ledger.NoteRow) string {
	if row.State == ledger.MovedOut || !names.IsHashed(row.Type) {
		return ""
	}
	return names.Wanted(row.Path, row.ID)
}

// PutRow stores a row with the keys that find other notes with the same wanted name, or with that name and no
// hash.
func (n *Notes) PutRow(row ledger.NoteRow, known bool) {
	if name := wantedBy(row); name != "" {
		row.Keys = append(slices.Clip(row.Keys), nameKey(name))
		if row.Path != names.WithHash(row.Path, row.ID) {
			row.Keys = append(row.Keys, shortKey(name))
		}
	}
	n.Ledger.PutNote(row, known)
}

func nameKey(name string) string { return "name:" + name }

func shortKey(name string) string { return "short:" + name }

// others returns the ids of at most most other notes with a key.
func (n *Notes) others(key, id string, most int) []string {
	ids := slices.DeleteFunc(n.Ledger.SomeWithKey(key, most+1), func(other string) bool { return other == id })
	return ids[:min(most, len(ids))]
}

// SharesName reports whether another note wants the name in a path.
func (n *Notes) SharesName(at, id string) bool {
	name := names.Wanted(at, id)
	return name != "" && len(n.others(nameKey(name), id, 1)) > 0
}

// wantsNow records that a note wants another name, either of them possibly "". Notes that share the new name
// without a hash, and a single note left with the old one, are renamed.
func (n *Notes) wantsNow(id, before, now string) {
	if before == now {
		return
	}
	if now != "" {
		for _, other := range n.others(shortKey(now), id, 1) { // others without a hash were queued before
			n.Ledger.MarkDue(ledger.DueName, other)
		}
	}
	if before != "" {
		if left := n.others(nameKey(before), id, 2); len(left) == 1 {
			n.Ledger.MarkDue(ledger.DueName, left[0])
		}
	}
}
