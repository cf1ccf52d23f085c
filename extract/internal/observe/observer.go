// Package observe finds out what people did to the vault since the last run (edits, moves,
// deletions, copies) and takes it into the state: each becomes a fact and queues what
// shows it. What became of a note that is gone is decided in one place, gone.go.
//
// A note or file that is missing is looked for before it counts as deleted: elsewhere in the
// vault (but not in the managed folder of another vault within it), in folders that cannot be
// read, among tombstones, in git. Where more is missing than max(20, a tenth) at once, notes
// and other files in one count, the run stops. A note whose name not every system takes is
// read and never written to.
package observe

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Observer records what people changed in the vault.
type Observer struct {
	Vault    *vault.Vault
	Notes    *index.Notes
	Recorder *report.Recorder
	Written  *written.Files
	Owned    *owned.Files
	Loader   *loader.Loader
	Page     func(id string) *pages.Page // makes a page of what is known, nil where it has nothing to say
	Folder   string                      // the managed folder, from the vault's root
	Force    bool                        // what is missing was deleted, be it many

	seen  Snapshot
	same  bool // it equals the last one
	found findings
}

// findings are notes of one snapshot.
type findings struct {
	edited  map[facts.DueKey]bool // what renders the changed notes
	unclear map[string]vault.Note // see [Observer.Unclear], by path in lower case
}

// Look finds what people did since the last run and takes it in. seen is the vault as it
// stands; forgetting tells that something was forgotten or restored since then. A
// snapshot that equals the last one is not gone through. A [HeldError] says that too much
// is missing.
func (o *Observer) Look(ctx context.Context, seen Snapshot, forgetting bool) error {
	o.seen, o.found = seen, findings{map[facts.DueKey]bool{}, map[string]vault.Note{}}
	then := o.Notes.Ledger.Value(ledger.VaultPrint)
	if err := o.cleanTemp(ctx); err != nil {
		return err
	}
	checkout := o.otherCommit()
	files, err := o.Owned.Look(ctx, seen.Files)
	if err != nil {
		return err
	}
	// A note that was about to go when a run was interrupted is looked at again.
	o.same = seen.searched && bytes.Equal(then, seen.Fingerprint()) && len(o.Notes.Ledger.NotesInState(ledger.Removing)) == 0
	if o.same {
		err = o.allowed(0, files)
	} else {
		err = o.notes(ctx, files, checkout)
	}
	if err != nil {
		return err
	}
	if err := o.Owned.Miss(files, checkout, forgetting); err != nil {
		return err
	}
	if !o.same && !seen.searched && len(seen.entries) > 0 {
		if err := o.firstSearch(ctx); err != nil {
			return err
		}
	}
	if err := o.Owned.Discover(ctx); err != nil {
		return err
	}
	o.Notes.AtEnd(ledger.Head, []byte(o.Written.Head()))
	return o.Written.Flush()
}

// Same reports whether the vault was as the last run left it.
func (o *Observer) Same() bool { return o.same }

func (o *Observer) cleanTemp(ctx context.Context) error {
	left, err := o.Vault.CleanTemp(ctx)
	for _, l := range left {
		if l.Rescued != "" {
			o.Recorder.Problem(report.Problem{Path: l.Rescued, Error: "text of an interrupted run was put aside",
				Hint: "look at it, take over what you need, then delete it"})
		}
	}
	return err
}

// otherCommit reports whether another commit is checked out in the vault than when
// nothing was missing.
func (o *Observer) otherCommit() bool {
	then := o.Notes.Ledger.Value(ledger.Head)
	return len(then) > 0 && o.Written.Head() != string(then) && !o.Force
}

// allowed refuses to take many missing notes and files for deletions, or any where
// the vault's marker went too (design: absence is not deletion).
func (o *Observer) allowed(notes int, files owned.Gone) error {
	missing := notes + files.Missed
	if missing == 0 {
		return nil
	}
	if err := o.Vault.Standing(); err != nil {
		return err
	}
	rows := o.Notes.Ledger.NoteFiles()
	all := len(rows) + files.Known
	if limit := max(20, all/10); missing <= limit || o.Force {
		return nil
	}
	return &HeldError{
		What: fmt.Sprintf("%d of %d notes and other files are missing: nothing was written", missing, all),
		Hint: "if you deleted them on purpose, run again with --force; to have them back, sessionloom restore --last; or bring the folder back first",
	}
}

// HeldError says that a run stopped before it wrote anything, because what it
// found looks like an accident rather than a wish.
type HeldError struct{ What, Hint string }

func (e *HeldError) Error() string { return e.What }

// firstSearch looks for notes of ours outside the folder, once, where the ledger
// cannot know of them.
func (o *Observer) firstSearch(ctx context.Context) error {
	found, _, err := o.Vault.Find(ctx, nil)
	if err != nil {
		return err
	}
	for id := range found {
		if _, known := o.Notes.Ledger.Note(id); known {
			delete(found, id)
		}
	}
	return o.takeOutside(found)
}

func (o *Observer) takeOutside(found map[string]string) error {
	for _, id := range slices.Sorted(maps.Keys(found)) {
		n, _, err := o.Vault.Elsewhere(found[id])
		if err != nil {
			o.Recorder.Unreadable(found[id], err)
			continue
		}
		n.ID = id // of a broken note Find salvaged it
		if err := o.takeMovedOut(n); err != nil {
			return err
		}
	}
	return nil
}

// Edited reports whether nothing is due but the notes that people changed themselves: then
// no other note shows what they changed.
func (o *Observer) Edited() bool { return o.Notes.Queue.Only(o.found.edited) }

// conflictCopy tells the names that programs give to the copy they leave when two
// machines changed a file: Dropbox, Nextcloud and Obsidian Sync ("conflicted
// copy"), Syncthing (".sync-conflict-").
var conflictCopy = regexp.MustCompile(`(?i)[( _-]conflict(ed|ing)?[ _-]?copy|\.sync-conflict-\d{8}-\d{6}`)

// isConflictCopy recognizes by its name a copy that a sync program left, if its original
// has none of that kind.
func isConflictCopy(at string) bool { return conflictCopy.MatchString(path.Base(at)) }

func duplicateReason(paths []string) string {
	sorted := slices.Sorted(slices.Values(paths))
	why := "two notes carry its id: " + strings.Join(sorted, ", ")
	var copies []string
	for _, at := range sorted {
		if isConflictCopy(at) && at != paths[0] {
			copies = append(copies, path.Base(at))
		}
	}
	if len(copies) > 0 {
		why += "; " + strings.Join(copies, ", ") + " was left by a sync program: take over what you need of it, then delete it"
	}
	return why
}

// takeChanged stores a note that is new in the managed folder, or has changed since it was last
// seen.
func (o *Observer) takeChanged(n vault.Note) error {
	row, err := o.take(n, false)
	if err != nil {
		return err
	}
	due := facts.DueKey{Kind: ledger.DuePage, ID: n.ID}
	switch {
	case row.Session != "":
		due = facts.DueKey{Kind: ledger.DueSession, ID: row.Session}
	case n.Broken != "":
		return nil
	case row.Type == names.TypeMemory:
		due.Kind = ledger.DueNav
	}
	o.found.edited[due] = true
	o.Notes.Queue.Mark(string(due.Kind), due.ID)
	return nil
}

// takeMovedOut stores the content of a note that its user moved out of the folder. Links follow
// it, and it is no longer written.
func (o *Observer) takeMovedOut(n vault.Note) error {
	o.seen.Elsewhere[n.Path] = n.Stamp
	_, err := o.take(n, true)
	return err
}

// take stores the row of a note as it is, with what only its former row has: what we last wrote,
// where we put it, its session, why it is left alone.
func (o *Observer) take(n vault.Note, outside bool) (ledger.NoteRow, error) {
	// movedOut is why a note that is elsewhere in the vault is not kept up to date.
	const movedOut = "moved out of the folder"
	old, known := o.Notes.Ledger.Note(n.ID)
	f, err := o.Notes.FactsIn(n)
	if err != nil {
		return old, err
	}
	if n.Broken == idGone { // the rest of its properties may be gone too
		f = facts.Decode(old.Facts, o.Notes.Ledger.Harmed)
	}
	row := o.Notes.RowOf(f, n)
	row.AssignedPath = old.AssignedPath
	if old.Session != "" {
		row.Session = old.Session
	}
	at := o.Notes.FromRoot(n.Path)
	switch {
	case outside:
		row.State, row.Reason, at = ledger.MovedOut, movedOut, n.Path
	case n.Broken != "":
		row.State, row.Reason = ledger.Unwritable, n.Broken
	case o.Vault.HasTombstone(n.ID):
		row.Reason = index.DeletedOnce
	case old.State.IsInFolder():
		row.Reason = old.Reason
	}
	if row.State == ledger.Present && (old.State == ledger.MovedOut || old.State == ledger.Unwritable) {
		o.Notes.Ledger.SetValue(ledger.Unmasked, []byte("1")) // nobody masked it while it was away
	}
	if old.State.IsInFolder() && !outside {
		row.RejectedHash = old.RejectedHash
	}
	news := row.State != ledger.Present && row.State != old.State || row.Reason != old.Reason // it is told once
	if row.Reason != "" && news && (known || !outside) {
		o.Recorder.Keep(at, row.Reason)
	}
	if known && old.State != ledger.Planned && row.State != ledger.Unwritable && written.PathOf(old) != written.PathOf(row) {
		if !outside {
			o.Recorder.Moved(n.ID, "", n.Path)
		}
		o.Written.Add(written.PathOf(old), written.PathOf(row))
	}
	o.takeTicks(facts.Decode(old.Facts, o.Notes.Ledger.Harmed), f)
	o.Notes.Store(old, known, row, f)
	return row, nil
}

// takeTicks remembers which threads were ticked since a note was last seen: on a page of lists, or in
// one of several sessions that tell of them.
func (o *Observer) takeTicks(before, now facts.Facts) {
	l := o.Notes.Ledger
	for _, box := range now.Boxes {
		i := slices.IndexFunc(before.Boxes, func(b vault.Box) bool { return b.ID == box.ID })
		switch {
		case pages.Order(now.ID) >= 0 && i < 0:
			l.MarkDue(ledger.DueTick, box.ID)
		case pages.Order(now.ID) < 0 && i >= 0 && box.ID != "" && box.Ticked && !before.Boxes[i].Ticked:
			for _, t := range o.Notes.ThreadsOf(now.Project) {
				if len(t.Mentions) > 1 && slices.ContainsFunc(t.Mentions, func(m ends.Mention) bool { return m.Session == now.ID && m.ID == box.ID }) {
					l.MarkDue(ledger.DueTick, t.ID())
				}
			}
		}
	}
}
