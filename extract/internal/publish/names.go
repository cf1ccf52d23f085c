package publish

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// assign gives a draft its path. A note that lies somewhere already keeps its place, but where its
// session got a title, its project became known late, or another note has the same name now or has
// it no more, and its user did not move it.
// It reports whether the draft is to be written: where a note lies that may be the one, none is made.
func (p *Publisher) assign(d *draft) bool {
	d.place.path, d.place.long = p.Options.Journal.Place(d.place.plain[0]), p.Options.Journal.Place(d.place.plain[1])
	d.place.shared = names.IsHashed(d.facts.Type) && p.Notes.SharesName(d.place.path, d.facts.ID)
	row, known := p.Notes.Ledger.Note(d.facts.ID)
	var next ledger.NoteRow
	there, unclear := vault.Note{}, false
	if !d.stands {
		there, unclear = p.Options.Unclear(d.facts.ID, p.Owned.InProject(d.facts.Project, d.place.path), p.Owned.InProject(d.facts.Project, d.place.long))
	}
	switch {
	case unclear:
		next = p.Notes.PlannedRow(d.planned, there.Path)
		next.State, next.Reason = ledger.Unwritable, there.Broken
		p.Recorder.Keep(p.Notes.FromRoot(there.Path), there.Broken)
	case d.stands:
		path, home := p.newName(d)
		next = p.Notes.PlannedRow(d.planned, path)
		next.AssignedPath, next.State = home, ledger.Present
		next.Stamp, next.Hash, next.Reason, next.RejectedHash = row.Stamp, row.Hash, row.Reason, row.RejectedHash
	default:
		home := p.freeName(d)
		d.place.path = p.Owned.InProject(d.facts.Project, home)
		d.place.long = p.Owned.InProject(d.facts.Project, d.place.long)
		next = p.Notes.PlannedRow(d.planned, d.place.path)
		next.AssignedPath = home
	}
	next.Session = d.session
	p.Notes.Store(row, known, next, d.planned)
	return !unclear
}

// keepName has a note of a session that stands keep its name, whoever gave it and whatever becomes of
// its session. One that we called by a prompt is called by the title once there is one,
// and a name that shows what the rules mask is given again.
func (p *Publisher) keepName(d *draft) {
	if !d.stands || d.facts.Session() == "" {
		return
	}
	given, has := facts.Decode(d.row.Facts, p.Notes.Ledger.Harmed).Untitled, names.GivenName(d.row.Path, d.facts.ID)
	ours := given != "" && (given == has || d.facts.Untitled == has) // the latter where a rule took words out of it
	kept := path.Join(path.Dir(d.place.path), names.Stem(d.row.Path, d.facts.ID)+".md")
	if masked, err := p.Notes.Masked(kept); ours && d.facts.Untitled == "" || err == nil && masked != kept {
		d.place.was = kept
		return
	}
	d.place.path, d.facts.Untitled = kept, ""
	if ours {
		d.facts.Untitled = has
	}
}

// newName is where a note that stands is to lie, and where we put it: elsewhere its user did.
// Until it is moved we put it where it is: a run that ends before must not take the old name
// for its user's choice.
func (p *Publisher) newName(d *draft) (path, home string) {
	row, at := d.row, d.place.path
	if d.place.shared {
		at = d.place.long
	}
	d.place.moveTo = ""
	switch {
	case row.Path == at, row.Path == d.place.long && !names.IsHashed(d.facts.Type):
		return row.Path, row.Path
	case row.Path == p.Owned.InProject(d.facts.Project, at):
		return row.Path, cmp.Or(row.AssignedPath, row.Path)
	}
	inProject := p.Owned.InProject(row.Project, row.AssignedPath)
	if row.Path != row.AssignedPath && row.Path != inProject && !p.isPlacedByUs(d) {
		return row.Path, row.AssignedPath
	}
	to := p.Owned.InProject(d.facts.Project, p.freeName(d))
	_, err := p.Vault.Text(to)
	if free := errors.Is(err, fs.ErrNotExist) || strings.EqualFold(to, row.Path); !free || p.paths.taken(to, row.Path) {
		return row.Path, cmp.Or(row.AssignedPath, row.Path)
	}
	d.place.moveTo = to
	return to, cmp.Or(row.AssignedPath, row.Path)
}

// isPlacedByUs reports whether a note lies where we put it, or put it while it was of another
// project, which tells so where the state was lost since.
func (p *Publisher) isPlacedByUs(d *draft) bool {
	at, folder := d.row.Path, func(key string) string { return names.ProjectFolder(identity.ProjectFromKey(key)) + "/" }
	if rest, inProject := strings.CutPrefix(at, folder(d.row.Project)); inProject {
		at = folder(d.facts.Project) + rest
	}
	named := slices.Clone(d.place.plain[:])
	if d.place.was != "" {
		named = append(named, d.place.was, names.WithHash(d.place.was, d.facts.ID))
	}
	return slices.Contains(named, at)
}

// freeName is where a note will lie: at its short name, or at its long one where another has
// the short name. It is decided before anything is rendered, for links are rendered with it.
func (p *Publisher) freeName(d *draft) string {
	short := p.Owned.InProject(d.facts.Project, d.place.path)
	taken := p.paths.taken(short, d.row.Path)
	if taken && !d.place.shared {
		key := strings.ToLower(short)
		p.paths.want[key] = append(p.paths.want[key], d.facts.ID)
	}
	if taken || d.place.shared {
		return d.place.long
	}
	if names.IsHashed(d.facts.Type) {
		return d.place.path
	}
	if owner := p.paths.given[strings.ToLower(d.place.path)]; owner != "" && owner != d.facts.ID {
		return d.place.long
	}
	p.paths.given[strings.ToLower(d.place.path)] = d.facts.ID
	return d.place.path
}

// vacate records that a path is free: notes that want it get new names.
func (p *Publisher) vacate(path string) {
	p.paths.drop(path)
	key := strings.ToLower(path)
	for _, id := range p.paths.want[key] {
		p.Notes.Ledger.MarkDue(ledger.DueName, id)
	}
	delete(p.paths.want, key)
}

// nameAnew names notes again that share a name since they were planned, or share them no more, and
// reports whether there were any. Those that are not drafted become due.
func (p *Publisher) nameAnew(r *round) bool {
	ids := p.Notes.Ledger.Due(ledger.DueName)
	if len(ids) == 0 {
		return false
	}
	drafts := map[string]*draft{}
	for _, d := range r.drafts {
		drafts[d.facts.ID] = d
	}
	for _, id := range ids {
		p.Notes.Ledger.Done(ledger.DueName, id)
		row, known := p.Notes.Ledger.Note(id)
		switch d := drafts[id]; {
		case !known || d != nil && (d.body == nil || d.fate != stays):
		case d != nil:
			p.assign(d)
		default:
			owner := due{ledger.DuePage, id}
			if row.Session != "" {
				owner = due{ledger.DueSession, row.Session}
			}
			p.Notes.Queue.Mark(owner.kind, owner.owner)
			delete(r.planned, owner)
		}
	}
	return true
}
