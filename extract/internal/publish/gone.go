package publish

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// planGone plans the removal of a note, none if it stays because a human edited it. A note that
// was only planned is dropped.
func (p *Publisher) planGone(r ledger.NoteRow, owned due) []*draft {
	if r.State == ledger.Planned {
		p.Notes.Drop(r)
		return nil
	}
	if !p.Notes.Writable(r) || !p.Notes.IsOurs(r) {
		return nil
	}
	return p.removal(r, owned, goes)
}

// removal plans that a note goes, and makes known that it was us.
func (p *Publisher) removal(r ledger.NoteRow, owned due, how fate) []*draft {
	d := p.draftKnown(r, owned)
	d.fate = how
	p.Notes.Ledger.SetState(r.ID, ledger.Removing)
	return []*draft{d}
}

// planForgotten plans the removal of a forgotten note. One at a place where nothing is removed is
// reported.
func (p *Publisher) planForgotten(r ledger.NoteRow) []*draft {
	p.Notes.Ledger.DropBases(r.ID) // what its user took out of it stays with them alone
	switch {
	case r.State == ledger.Planned:
		p.Notes.Drop(r)
		return nil
	case r.State == ledger.MovedOut:
		p.Recorder.Keep(r.Path, "it is forgotten, but lies outside of the folder: delete it there")
	case r.State == ledger.Unwritable:
		p.Recorder.Keep(p.Notes.FromRoot(r.Path), "it is forgotten, but cannot be taken apart ("+r.Reason+"): delete it yourself")
	case p.Notes.Writable(r):
		return p.removal(r, due{ledger.DueNav, r.ID}, purged)
	}
	return nil
}

// planRemoval plans that a page which lists nothing any more goes, if it is
// wholly ours.
func (p *Publisher) planRemoval(d *draft) bool {
	row, known := p.Notes.Ledger.Note(d.facts.ID)
	if !known {
		return false
	}
	going := p.planGone(row, d.due)
	if len(going) == 0 {
		return false
	}
	d.shown, d.planned, d.row, d.place.path = d.facts.Normalized(p.Builder.Zone), going[0].planned, row, row.Path
	return true
}

// aliasNotes are notes made of a session while it was known under another id:
// they go where the session's own stand, and all that they were made of is at
// hand. sessionPages are the ids of its own.
func (p *Publisher) aliasNotes(m session.Merged, sessionPages map[string]bool) (out []*draft) {
	for _, id := range m.Aliases {
		rows := p.Notes.Ledger.NotesOfSession(id)
		if len(rows) == 0 {
			continue
		}
		layers := p.Notes.Ledger.LayerNames(id)
		renamed := len(layers) == 0 && !sources.IsUUID(id) // all that was read under it is read under the new id
		if renamed {
			layers = p.Notes.Ledger.LayerNames(m.Session.ID)
		}
		layers = append(layers, m.Layers...)
		for _, r := range rows {
			other := names.UnderOtherID(r.ID, r.Type, id, m.Session.ID)
			if !renamed && !sessionPages[other] {
				other = names.SessionID(m.Session.ID) // it has the same from its parent, say
			}
			out = append(out, p.planAliasNote(r, other, layers, m.Session.ID)...)
		}
		p.Notes.Queue.MarkNavs(id, idsOf(out))
	}
	return out
}

// planAliasNote plans that a note goes because another is in its place, none if it
// stays.
func (p *Publisher) planAliasNote(r ledger.NoteRow, other string, layers []string, owner string) []*draft {
	if r.State == ledger.Planned {
		p.Notes.Drop(r)
		return nil
	}
	if other == "" || other == r.ID {
		return nil
	}
	if t, known := p.Notes.Ledger.Note(other); !known || !t.State.IsInFolder() && t.State != ledger.Planned {
		return nil
	}
	f := facts.Decode(r.Facts, p.Notes.Ledger.Harmed)
	if slices.ContainsFunc(f.Sources, func(s string) bool { return s != session.ParentLayer && !slices.Contains(layers, s) }) {
		return nil
	}
	if slices.Contains(f.Sources, session.ParentLayer) && !p.Loader.HasLayers(f.Parent) {
		return nil
	}
	return p.planGone(r, due{ledger.DueSession, owner})
}

// isDeleted reports whether a note must not be written because its user deleted it,
// be it under another id of its session or project. One that stands is not deleted.
func (p *Publisher) isDeleted(d *draft, stands bool) bool {
	if p.Vault.HasTombstone(d.facts.ID) {
		return true
	}
	if stands || !p.Vault.HasTombstones() {
		return false
	}
	if d.session == "" {
		return slices.ContainsFunc(p.Notes.FormerKeys(d.facts.Project), func(key string) bool {
			return p.Vault.HasTombstone(names.UnderOtherKey(d.facts.ID, d.facts.Project, key))
		})
	}
	return slices.ContainsFunc(p.Notes.Ledger.AliasesOf(d.session), func(id string) bool {
		return p.Vault.HasTombstone(names.UnderOtherID(d.facts.ID, "", d.session, id))
	})
}

// staleNotes are notes of a session that it no longer makes: a checkpoint or a
// part that a rewind took back. Memories stay, for their file may only be gone, but
// for those that its parent has. sessionPages are the ids of the notes it makes.
func (p *Publisher) staleNotes(m session.Merged, sessionPages map[string]bool, whole bool) (out []*draft, err error) {
	id := m.Session.ID
	left := leftNotes(&m)
	for _, r := range p.Notes.Ledger.NotesOfSession(id) {
		if sessionPages[r.ID] {
			continue
		}
		renamed, err := p.isNamedAnew(r, sessionPages)
		if err != nil {
			return nil, err
		}
		stays := r.Type == names.TypeMemory && !left[r.ID] && !renamed || !whole && r.Type != names.TypePart || p.knowsMore(r, &m)
		if stays && r.State != ledger.Planned {
			continue
		}
		out = append(out, p.planGone(r, due{ledger.DueSession, id})...)
	}
	return out, nil
}

func (p *Publisher) knowsMore(r ledger.NoteRow, m *session.Merged) bool {
	return slices.ContainsFunc(facts.Decode(r.Facts, p.Notes.Ledger.Harmed).Sources, func(s string) bool {
		return s != session.ParentLayer && !slices.Contains(m.Layers, s) && !slices.Contains(m.Available, s)
	})
}

func leftNotes(m *session.Merged) map[string]bool {
	left := map[string]bool{}
	for _, a := range m.LeftToParent {
		left[names.MemoryID(m.Session.ID, a)] = true
	}
	for _, a := range m.Session.Artifacts {
		delete(left, names.MemoryID(m.Session.ID, a))
	}
	return left
}

// maskedPart replaces a masked part of an id.
var maskedPart = regexp.MustCompile(`\[redacted:[a-z0-9-]+#[0-9]+\]`)

// isNamedAnew reports whether the rules changed and a memory note is one of its session's pages
// under the id that others gave it.
func (p *Publisher) isNamedAnew(r ledger.NoteRow, sessionPages map[string]bool) (bool, error) {
	if changed := p.Notes.Ledger.Value(ledger.Unmasked); len(changed) == 0 || r.Type != names.TypeMemory {
		return false, nil
	}
	now, err := p.Notes.MaskedID(r)
	if err != nil || sessionPages[now] {
		return err == nil, err
	}
	parts := maskedPart.Split(r.ID, -1)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	then := regexp.MustCompile("^" + strings.Join(parts, ".+") + "$")
	return slices.ContainsFunc(slices.Collect(maps.Keys(sessionPages)), then.MatchString), nil
}
