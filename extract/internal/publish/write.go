package publish

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
)

// writersPerJob is how many writers wait for the disk together: the vault syncs
// what they have ready in one go.
const writersPerJob = 16

func (p *Publisher) writeBatches(ctx context.Context, batches [][]*draft) error {
	// Neighbours in the vault one after the other keep few folders open.
	slices.SortStableFunc(batches, func(a, b []*draft) int { return strings.Compare(a[0].place.path, b[0].place.path) })
	return contain.Each(ctx, p.Options.Jobs*writersPerJob, batches, p.writeBatch)
}

// writeBatch writes the notes of one owner, and queues the owner again if that fails. It ceases to
// be due before it is written, for what is written meanwhile may make it due once more. A page
// that became so since it was planned is left to the next round.
func (p *Publisher) writeBatch(ctx context.Context, batch []*draft) error {
	kind, owner := batch[0].due.kind, batch[0].due.owner
	if !p.Notes.Queue.Take(kind, owner) {
		p.putBack(batch)
		return nil
	}
	err := p.writeNotesOf(ctx, batch)
	if err != nil || p.Recorder.HasFailed(kind, owner) {
		p.Notes.Queue.Mark(kind, owner)
	}
	return err
}

// putBack undoes the planned moves of notes that are planned again.
func (p *Publisher) putBack(batch []*draft) {
	p.recording.Lock()
	defer p.recording.Unlock()
	for _, d := range batch {
		row, known := p.Notes.Ledger.Note(d.facts.ID)
		if !known || d.place.moveTo == "" || row.Path != d.place.moveTo {
			continue
		}
		lies := row
		lies.Path = d.row.Path
		p.Notes.Store(row, true, lies, d.planned)
	}
}

func (p *Publisher) writeNotesOf(ctx context.Context, batch []*draft) error {
	var m pages.OpenSession
	for _, d := range batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d.fate != stays && p.Recorder.HasFailed(d.due.kind, d.due.owner) {
			continue // what was to stand in its place does not
		}
		if err := p.write(ctx, d, &m); err != nil {
			return err
		}
		p.advance()
	}
	return nil
}

// write brings one draft into the vault and the outcome into ledger and report. m is its
// session, loaded for the first note of it.
func (p *Publisher) write(ctx context.Context, d *draft, m *pages.OpenSession) error {
	ok, err := p.alone(ctx, d.due, d.facts.ID, d.place.path, func() error {
		if d.due.kind == ledger.DueSession && m.Session.ID == "" {
			m.Merged = p.Loader.Merged(d.due.owner)
		}
		res, err := p.put(ctx, d, m)
		if err != nil {
			return err
		}
		return p.record(d, res)
	})
	if err != nil || ok || d.at() != "" {
		return err
	}
	p.recording.Lock()
	defer p.recording.Unlock()
	p.Notes.DropUnwritten(d.facts.ID) // so that nothing links to it
	return nil
}

// put renders a draft and hands it to the vault, or removes a note that is no longer
// wanted. One that a human wrote in stays and is told of; what of it is ours is renewed,
// so that it does not link to what is gone too.
func (p *Publisher) put(ctx context.Context, d *draft, m *pages.OpenSession) (vault.Result, error) {
	if d.fate == stays {
		return p.putText(ctx, d, m)
	}
	kept, err := p.Vault.Remove(ctx, d.facts.ID, d.at())
	if err != nil || kept.Outcome != vault.Kept {
		return kept, err
	}
	if d.fate == purged {
		return p.removeForgotten(ctx, d, kept)
	}
	res, err := p.keepEdited(ctx, d, m, kept.Reason)
	if err != nil || res.Outcome != vault.Updated {
		return res, err
	}
	if kept, err = p.Vault.Remove(ctx, d.facts.ID, d.at()); err == nil && kept.Outcome == vault.Kept {
		return res, nil
	} // else nothing of an edit was left, of a tick that another note took, say
	return kept, err
}

// keepEdited renews our part of a note that stays because its user edited it.
func (p *Publisher) keepEdited(ctx context.Context, d *draft, m *pages.OpenSession, why string) (vault.Result, error) {
	res, err := p.putText(ctx, d, m)
	res.Reason = cmp.Or(res.Reason, why)
	if res.Outcome == vault.Unchanged {
		res.Outcome = vault.Kept
	}
	return res, err
}

func (p *Publisher) putText(ctx context.Context, d *draft, m *pages.OpenSession) (vault.Result, error) {
	if err := p.move(ctx, d); err != nil {
		return vault.Result{}, err
	}
	v, err := p.render(d, m)
	if err == nil {
		err = p.putPictures(ctx, d, m, v)
	}
	if err != nil {
		return vault.Result{}, err
	}
	res, err := putNote(p.Vault, ctx, v)
	if errors.Is(err, vault.ErrTaken) && d.place.long != "" && v.At == "" {
		v.Path = d.place.long
		p.Recorder.LookAgain() // the file that came may be gone by the next run
		p.Notes.SetPlace(d.facts.ID, pages.Place{Path: names.TrimMD(p.Notes.FromRoot(d.place.long)), Title: d.planned.Title})
		res, err = putNote(p.Vault, ctx, v)
	}
	return res, err
}

// putNote writes a note where it is or is to be. One that came to be there
// since the vault was looked at, from another machine say, is taken for what it
// is: there is to be no second one beside it.
func putNote(in *vault.Vault, ctx context.Context, v vault.Draft) (vault.Result, error) {
	res, err := in.Put(ctx, v)
	if !errors.Is(err, vault.ErrTaken) || v.At != "" {
		return res, err
	}
	if there, unread := in.Load(v.Path); unread != nil || there.ID != v.ID {
		return res, err
	}
	v.At = v.Path
	return in.Put(ctx, v)
}

// Move renames a note that is not due. It returns its row as it is
// then.
func (p *Publisher) Move(ctx context.Context, row ledger.NoteRow, f facts.Facts, to string) (ledger.NoteRow, error) {
	d := &draft{facts: f, row: row, place: place{moveTo: to}}
	err := p.move(ctx, d)
	return d.row, err
}

// basesOf looks up, when somebody asks, what the regions of a note were made from. Nobody
// asks for a note that its user left alone.
func (p *Publisher) basesOf(id string) func() (body, nav *string) {
	return func() (body, nav *string) { return p.Notes.Ledger.Bases(id) }
}

// Transform passes what is ours of a note through change where it is, and returns it the id
// to. It reports whether the note has that now.
func (p *Publisher) Transform(ctx context.Context, row ledger.NoteRow, to string, change func(string) (string, error)) (done bool, err error) {
	d := p.draftKnown(row, due{ledger.DueNav, to})
	d.facts.ID, d.row.ID = to, to
	v := vault.Draft{ID: row.ID, At: d.at(), Path: row.Path, Bases: p.basesOf(row.ID), NewID: to, Transform: change}
	res, err := p.Vault.Put(ctx, v)
	if err == nil {
		err = p.record(d, res)
	}
	done = err == nil && res.Note.ID == to
	if done && to != row.ID {
		p.Notes.Drop(row)
	}
	return done, err
}

func (p *Publisher) move(ctx context.Context, d *draft) error {
	if d.place.moveTo == "" {
		return nil
	}
	stamp, err := p.Vault.Move(ctx, d.facts.ID, d.row.Path, d.place.moveTo)
	if err != nil {
		return err
	}
	p.recording.Lock()
	defer p.recording.Unlock()
	p.Recorder.Moved(d.facts.ID, d.row.Path, d.place.moveTo)
	p.paths.wrote = true
	p.vacate(d.row.Path)
	p.paths.put(d.place.moveTo, stamp)
	d.row.Path = d.place.moveTo
	p.Notes.Ledger.SetAssignedPath(d.facts.ID, d.place.moveTo)
	return nil
}

// removeForgotten sees to a note of something forgotten that a human wrote in:
// it stays, without links to what went, or goes where Obsidian does not show it, if
// that was asked for.
func (p *Publisher) removeForgotten(ctx context.Context, d *draft, kept vault.Result) (vault.Result, error) {
	if !p.Options.Edited {
		res, err := p.keepEdited(ctx, d, nil, kept.Reason)
		res.Reason = "it is forgotten, but holds what you wrote (" + kept.Reason + "): delete it, or forget it with --edited"
		return res, err
	}
	at, err := p.Vault.Quarantine(ctx, d.facts.ID, d.at())
	if err != nil {
		return kept, err
	}
	kept.Outcome, kept.New = vault.Removed, nil
	kept.Reason = "it is forgotten and held what you wrote: that lies in " + p.Notes.FromRoot(at) + " now"
	return kept, nil
}

func (p *Publisher) render(d *draft, m *pages.OpenSession) (vault.Draft, error) {
	v := vault.Draft{ID: d.facts.ID, At: d.at(), Path: d.place.path}
	if d.body != nil {
		var err error
		if v, err = p.fill(d, m); err != nil {
			return v, err
		}
	}
	v.Forget = d.fate == purged
	nav, err := p.Builder.Nav(d.planned)
	v.Nav, v.Bases = &nav, p.basesOf(d.facts.ID)
	return v, err
}

// fill renders frontmatter and body, with the masks of both numbered together.
func (p *Publisher) fill(d *draft, m *pages.OpenSession) (vault.Draft, error) {
	v := p.front(d, m)
	body, err := d.body(m)
	if err != nil {
		return v, err
	}
	numbered := redact.Number(append(d.facts.MaskedTexts(), body)...)
	v.Body, v.Bases, v.Ticks = &numbered[len(numbered)-1], p.basesOf(d.facts.ID), p.ready.ticks[d.facts.ID]
	return v, nil
}

func (p *Publisher) putPictures(ctx context.Context, d *draft, m *pages.OpenSession, v vault.Draft) error {
	if d.body == nil || d.facts.Type != names.TypeSession && d.facts.Type != names.TypePart {
		return nil
	}
	return p.Owned.PutPictures(ctx, &m.Session, d.facts.Project, v)
}

// record stores what is in the vault now. If that differs from the plan, the notes that show it
// are due again.
func (p *Publisher) record(d *draft, res vault.Result) error {
	p.recording.Lock()
	defer p.recording.Unlock()
	p.Recorder.Written(d.facts.ID, d.row, res)
	p.paths.wrote = true
	if res.Outcome == vault.Removed {
		p.vacate(res.Path)
		p.Notes.Drop(d.row)
		return nil
	}
	if res.Note.ID != d.facts.ID || res.Note.Broken != "" {
		return nil // changed since it was looked at: the next run does so again
	}
	p.paths.put(res.Path, res.Note.Stamp)
	reason := res.Reason
	if d.body == nil && d.fate == stays {
		reason = d.row.Reason
	}
	other := res.Path != d.place.path // another file took the place it was planned at
	if res.Outcome == vault.Created {
		// Templates of a user may show other boxes than planned, or none.
		other = other || !slices.Equal(facts.OwnBoxes(d.facts.Type, res.Note.Boxes), d.planned.Boxes)
	} else {
		actual, err := p.Notes.FactsIn(res.Note)
		if err != nil {
			return err
		}
		other = !reflect.DeepEqual(actual, d.planned)
	}
	p.Notes.Ledger.PutBases(d.facts.ID, res.BaseBody, res.BaseNav)
	now := ledger.NoteRow{
		ID: d.facts.ID, Path: res.Path, Stamp: index.StampOf(res.Note.Stamp), Hash: res.Note.Hash,
		Reason: reason, RejectedHash: d.rejectedHash(res),
	}
	if other {
		return p.recordFacts(d, res, now)
	}
	p.Notes.Ledger.RecordWritten(now)
	return nil
}

func (p *Publisher) recordFacts(d *draft, res vault.Result, written ledger.NoteRow) error {
	actual, err := p.Notes.FactsIn(res.Note)
	if err != nil {
		return err
	}
	now := p.Notes.RowOf(actual, res.Note)
	old, known := p.Notes.Ledger.Note(d.facts.ID)
	if actual.Type == names.TypeSession && actual.Unticked() != d.planned.Unticked() {
		// Ticked while it was written: what it counts is to follow.
		p.Notes.Queue.Mark(ledger.DueSession, actual.Session())
	}
	now.Reason, now.RejectedHash = written.Reason, written.RejectedHash
	now.Session, now.AssignedPath = d.row.Session, old.AssignedPath
	p.Notes.Store(old, known, now, actual)
	return nil
}

// rejectedHash is the hash of what stays refused of a note: a draft of the navigation alone does
// not change the rest.
func (d *draft) rejectedHash(res vault.Result) string {
	if d.body != nil || d.fate != stays {
		return res.RejectedHash
	}
	words := strings.Fields(d.row.RejectedHash)
	for _, w := range strings.Fields(res.RejectedHash) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
