// Package unmasked knows the notes that show what the rules mask by now.
package unmasked

import (
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Masker finds secrets in texts and takes them out.
type Masker interface {
	Text(s string) (string, error)
	Find(s string) ([]redact.Found, error)
}

// Notes are those that show what the rules mask by now, of one run.
type Notes struct {
	notes  *index.Notes
	masker Masker

	Shown    map[string]bool // ids of these notes; nil: nobody looked
	Misnamed map[string]bool // ids of those whose file name shows it
	Rendered map[string]bool // ids of notes whose body this run rendered; nil: nobody asks
	renamed  []ledger.Renamed
}

// New knows of no note before it is looked for.
func New(notes *index.Notes, masker Masker) *Notes { return &Notes{notes: notes, masker: masker} }

// Look begins to look for these notes, and loads what an earlier run was about to
// rename.
func (u *Notes) Look() (err error) {
	u.renamed, err = u.notes.Ledger.Renames()
	u.Shown, u.Misnamed, u.Rendered = map[string]bool{}, map[string]bool{}, map[string]bool{}
	return err
}

// SetRendered takes down that the body of a note was rendered.
func (u *Notes) SetRendered(id string) {
	if u.Rendered != nil {
		u.Rendered[id] = true
	}
}

// Rename remembers that links to a note are to lead elsewhere, before it is
// moved: notes that nobody can render follow after that, if need be in another run.
func (u *Notes) Rename(from, to string) error {
	r := ledger.Renamed{From: names.TrimMD(u.notes.FromRoot(from)), To: names.TrimMD(u.notes.FromRoot(to))}
	u.renamed = append(u.renamed, r)
	return u.notes.Ledger.PutRename(r)
}

// TakeBack forgets the last rename: the note could not be moved.
func (u *Notes) TakeBack() { u.renamed = u.renamed[:len(u.renamed)-1] }

// Links are the old and new link paths of renamed notes, in turns.
func (u *Notes) Links() []string {
	var links []string
	for _, r := range u.renamed {
		links = append(links, r.From, r.To)
	}
	return links
}

// Renames tells whether a run was about to rename a note when it ended: its user
// did not move it.
func (u *Notes) Renames(row ledger.NoteRow) bool {
	for _, r := range u.renamed {
		if r.From == names.TrimMD(u.notes.FromRoot(row.Path)) && r.To == names.TrimMD(u.notes.FromRoot(row.Home)) {
			return true
		}
	}
	return false
}

// MaskedID is the id that the rules leave a note: that of its session is another one
// then, by which two sessions stay two.
func (u *Notes) MaskedID(row ledger.NoteRow) (string, error) {
	f, err := facts.Decode(row.Facts)
	if err != nil {
		return row.ID, err
	}
	f.ID = row.ID
	id := row.ID
	if session := f.Session(); session != "" {
		id = strings.Replace(id, session, names.PlainForm{Masker: u.masker}.Ref(session), 1)
	}
	masked, err := u.masker.Text(id)
	return redact.Number(masked)[0], err
}

// NamedAnew tells whether a memory note is one of its family under the id that
// other rules gave it.
func (u *Notes) NamedAnew(r ledger.NoteRow, family map[string]bool) bool {
	if u.Shown == nil {
		return false
	}
	now, err := u.MaskedID(r)
	if err != nil {
		return false
	}
	parts := regexp.MustCompile(`\[redacted:[a-z0-9-]+#[0-9]+\]`).Split(r.ID, -1)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	then, err := regexp.Compile("^" + strings.Join(parts, ".+") + "$")
	if err != nil {
		return false
	}
	for id := range family {
		if id == now || then.MatchString(id) {
			return true
		}
	}
	return false
}

// Show tells whether the text of a note shows what the rules mask.
func (u *Notes) Show(text []byte) (bool, error) {
	for _, part := range note.Texts(text) {
		if found, err := u.masker.Find(part); err != nil || len(found) > 0 {
			return len(found) > 0, err
		}
	}
	return false, nil
}
