package remask

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// MarkDue queues whatever renders the notes that show something the rules mask by now,
// and remembers under which names they lie that show it: links lead on by that. standing
// are the notes in the vault.
func (r *Remasker) MarkDue(standing map[string]vault.Stamp) error {
	if len(r.Notes.Ledger.Value(ledger.Unmasked)) == 0 {
		return nil
	}
	r.looking, r.names = true, map[string]name{}
	r.Purged = r.Purged || !r.Notes.Ledger.Fresh() // also where an earlier run masked all of it and got no further
	for row := range index.EachNote(r.Notes.Ledger) {
		text := r.textOf(row)
		if text == nil {
			continue
		}
		shows, err := r.shows(text)
		if err == nil && !shows && r.Notes.Writable(row) { // of the others the rules may hide less than they did
			continue
		}
		r.shown = append(r.shown, row.ID)
		if err != nil { // it is told when the note is to be masked, and tried again
			continue
		}
		r.Notes.Queue.MarkNote(row)
		if !r.Notes.Writable(row) {
			continue
		}
		if err := r.planName(row, text, standing); err != nil {
			return err
		}
	}
	return nil
}

// textOf is the text of a note, nil if it is of no interest or cannot be read.
func (r *Remasker) textOf(row ledger.NoteRow) (text []byte) {
	var err error
	switch row.State {
	case ledger.Planned:
	case ledger.MovedOut:
		_, text, err = r.Vault.Elsewhere(row.Path)
	default:
		text, err = r.Vault.Text(row.Path)
	}
	if err != nil {
		r.Recorder.Unreadable(row.Path, err)
	}
	return text
}

// planName finds another name for a note if its own shows what the rules mask.
func (r *Remasker) planName(row ledger.NoteRow, text []byte, standing map[string]vault.Stamp) error {
	to, err := r.maskedPath(row, text, standing)
	if err != nil || to == row.Path {
		return err
	}
	r.names[row.ID] = name{row.Path, to}
	r.Notes.Ledger.SetAssignedPath(row.ID, row.Path) // whoever gave it: it gets its name, and its place, anew
	r.Notes.Ledger.PutRename(ledger.Renamed{From: names.TrimMD(r.Notes.FromRoot(row.Path)), Note: row.ID})
	return nil
}

// maskedPath is the path of a note without the secrets of its text, unchanged if it shows none.
func (r *Remasker) maskedPath(row ledger.NoteRow, text []byte, standing map[string]vault.Stamp) (string, error) {
	at := row.Path
	name := names.TrimMD(path.Base(at))
	for _, part := range note.Texts(text) {
		found, err := r.Masker.Find(part)
		if err != nil {
			return at, fmt.Errorf("look for secrets in %q: %w", at, err)
		}
		for _, s := range found {
			name = withoutWords(name, note.Words(part[s.From:s.To], 60))
		}
	}
	to := path.Join(path.Dir(at), note.FileName(name)+".md")
	if _, taken := standing[to]; taken && to != at {
		to = names.WithHash(to, row.ID)
	}
	return to, nil
}

// withoutWords is a name without some words, or without as much of them as is at its end: it
// may be cut there.
func withoutWords(name, words string) string {
	for n := len(words); n > 3; n-- {
		switch {
		case n == len(words) && strings.Contains(name, words):
			return strings.ReplaceAll(name, words, "")
		case n >= 8 && strings.HasSuffix(name, words[:n]):
			return strings.TrimSuffix(name, words[:n])
		}
	}
	return name
}

// MaskNotes masks the notes that nobody could render in what is ours of them, names
// first. It reports whether it looked: what shows their facts is due then.
func (r *Remasker) MaskNotes(ctx context.Context) (looked bool, err error) {
	if !r.looking {
		return false, nil
	}
	whole := true
	for _, id := range slices.Sorted(maps.Keys(r.names)) {
		if err := r.alone(ctx, id, &whole, r.rename); err != nil {
			return false, err
		}
	}
	var l links
	if len(r.shown) > 0 {
		if l, err = r.links(); err != nil {
			return false, err
		}
	}
	for _, id := range r.shown {
		err := r.alone(ctx, id, &whole, func(ctx context.Context, row ledger.NoteRow) error { return r.mask(ctx, row, l) })
		if err != nil {
			return false, err
		}
	}
	if err := r.Vault.Flush(); err != nil {
		return false, err
	}
	if !r.Notes.Ledger.Fresh() { // else all of them were made by these rules
		r.dropMergeBases()
	}
	err = r.Owned.NameCanvases("it shows what your rules mask, and holds what you changed: change it there", func(_ string, text []byte) (bool, error) { return r.shows(text) })
	if err != nil {
		return false, err
	}
	if whole {
		r.Notes.AtEnd(ledger.Unmasked, nil)
		r.Notes.Ledger.DropRenames()
	}
	r.Publisher.Written.Remember()
	return true, r.Notes.Commit()
}

// alone does something with one note. What goes wrong with it is reported, and tried again.
func (r *Remasker) alone(ctx context.Context, id string, whole *bool, do func(context.Context, ledger.NoteRow) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	*whole = *whole && r.Recorder.Outcome(id) != vault.Failed
	return contain.Failure(ctx, r.Notes.Ledger, func() error {
		row, known := r.Notes.Ledger.Note(id)
		if !known {
			return nil
		}
		return do(ctx, row)
	}, func(err error) {
		r.Recorder.Fail(ledger.DueNav, id, id, "", err)
		*whole = false
	})
}

// rename gives a note a name without what the rules mask, unless this run or its user gave it
// another one.
func (r *Remasker) rename(ctx context.Context, row ledger.NoteRow) error {
	n := r.names[row.ID]
	if row.Path != n.from || row.AssignedPath != row.Path {
		return nil
	}
	f, err := r.Notes.FactsOf(r.Vault, row)
	if err != nil {
		return err
	}
	if err := r.Notes.Ledger.Commit(); err != nil { // that links are to follow
		return err
	}
	to := n.to
	if names.IsHashed(row.Type) && r.Notes.SharesName(to, row.ID) { // since it was planned too
		to = names.WithHash(to, row.ID)
	}
	next, err := r.Publisher.Move(ctx, row, f, to)
	if err != nil {
		r.Recorder.LookAgain()
		return err
	}
	next.AssignedPath, next.Keys = to, f.Keys()
	r.Notes.Store(row, true, next, f)
	return nil
}

// links keep the names that notes are linked by out of what is masked: a note that got another
// name is linked by that, one whose name shows something and stays by the name it has.
type links struct{ hide, show *strings.Replacer }

func (r *Remasker) links() (links, error) {
	to := map[string]string{}
	for _, row := range r.Notes.Ledger.NoteFiles() { // those that cannot be read too
		at := r.Notes.LinkPath(row)
		found, err := r.Masker.Find(at)
		if err != nil {
			return links{}, fmt.Errorf("look for secrets in %q: %w", at, err)
		}
		if len(found) > 0 {
			to[at] = at
		}
	}
	for _, was := range r.Notes.Ledger.Renames() {
		at := r.Notes.Note(was.Note).Path
		if at == "" {
			masked, err := r.Masker.Text(was.Note)
			if err != nil {
				return links{}, err
			}
			at = r.Notes.Note(redact.Number(masked)[0]).Path
		}
		if at != "" {
			to[was.From] = at
		}
	}
	var hide, show []string
	for i, from := range slices.Backward(slices.Sorted(maps.Keys(to))) { // of two that begin alike the longer one first
		sign := fmt.Sprintf("\uE000link~%012x\uE001", i) // a mask of its own form: maskers leave it alone
		hide, show = append(hide, from, sign), append(show, sign, to[from])
	}
	return links{strings.NewReplacer(hide...), strings.NewReplacer(show...)}, nil
}

func (r *Remasker) mask(ctx context.Context, row ledger.NoteRow, l links) error {
	text := r.textOf(row)
	if text == nil {
		return nil
	}
	if !r.Notes.Writable(row) || pages.Order(row.ID) >= 0 { // pages are made of the facts of others
		n := note.Parse(row.Path, text)
		n.ID = row.ID // of a broken one too
		f, err := r.Notes.FactsIn(n)
		if err != nil {
			return err
		}
		r.Notes.Shows(row, f)
		return nil
	}
	hidden := l.hide.Replace(string(text))
	if shows, err := r.shows([]byte(hidden)); err != nil || !shows && l.show.Replace(hidden) == string(text) {
		return err
	}
	to, err := r.Notes.MaskedID(row)
	if err != nil {
		return err
	}
	if _, taken := r.Notes.Ledger.Note(to); taken {
		to = row.ID
	}
	if to != row.ID {
		if err := r.announce(row, to); err != nil {
			return err
		}
	}
	numbers := redact.NumbersAfter(string(text))
	done, err := r.Publisher.Transform(ctx, row, to, func(s string) (string, error) {
		masked, err := r.Masker.Text(l.hide.Replace(s))
		return numbers.Text(l.show.Replace(masked)), err
	})
	if to != row.ID && !done {
		r.Notes.Ledger.DropNote(to)
		r.Notes.Ledger.SetState(row.ID, row.State)
	}
	if err != nil {
		return err
	}
	r.Notes.Queue.Mark(ledger.DueNav, to)
	return nil
}

// announce makes last that a note is about to get another id: neither was it deleted,
// nor is the id it then has a damaged one.
func (r *Remasker) announce(row ledger.NoteRow, to string) error {
	l, next := r.Notes.Ledger, row
	next.ID, next.State, next.Stamp, next.AssignedPath = to, ledger.Planned, [4]int64{}, row.Path
	r.Notes.PutRow(next, false)
	l.SetState(row.ID, ledger.Removing)
	return l.Commit()
}

func (r *Remasker) shows(text []byte) (bool, error) {
	for _, part := range note.Texts(text) {
		if found, err := r.Masker.Find(part); err != nil || len(found) > 0 {
			return len(found) > 0, err
		}
	}
	return false, nil
}

// dropMergeBases forgets the texts that merges start from where they hold what is masked
// by now. A note that could not be written needs its own for the next try.
func (r *Remasker) dropMergeBases() {
	for _, id := range r.Notes.Ledger.BasesOf() {
		body, nav := r.Notes.Ledger.Bases(id)
		for _, text := range []*string{body, nav} {
			if text == nil || r.Recorder.Outcome(id) == vault.Failed {
				continue
			}
			if found, err := r.Masker.Find(*text); err != nil || len(found) > 0 {
				r.Notes.Ledger.DropBases(id)
			}
		}
	}
}
