package publish

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// plan works out what a draft's note will say, given what the user made of it,
// and stores that as the note's facts, so that links and pages rendered before
// it is written agree with it. It tells whether the draft is to be written.
func (p *Publisher) plan(d *draft, m *pages.OpenSession) (bool, error) {
	row, known := ledger.Found(p.Notes.Ledger.Note(d.facts.ID))
	stands := known && p.Notes.Writable(row)
	if p.Notes.Skips(d.facts.ID) || known && !stands && row.State != ledger.Planned {
		return false, nil
	}
	if p.isDeleted(d, stands) {
		return false, nil
	}
	d.row = row
	p.layOut(d)
	if d.facts.Type == names.TypeSession {
		d.shown.Open = d.shown.Unticked()
	}
	d.row.Session = d.session
	if !known || row.State == ledger.Planned {
		home := p.freeName(d)
		d.planned, d.place.path, d.place.long = d.shown, p.Owned.InProject(d.facts.Project, home), p.Owned.InProject(d.facts.Project, d.place.long)
		next, err := index.PlannedRow(d.planned, d.place.path)
		if err != nil {
			return false, err
		}
		next.Session, next.AssignedPath = d.session, home
		return true, p.Notes.Store(row, known, next, d.planned)
	}
	var err error
	if d.planned, err = p.predict(d, m); err != nil {
		p.Recorder.Fail(d.due.kind, d.due.owner, d.facts.ID, d.place.path, err)
		return false, nil
	}
	path, home := p.newName(d)
	next, err := index.PlannedRow(d.planned, path)
	if err != nil {
		return false, err
	}
	next.Session, next.AssignedPath = d.session, home
	next.Stamp, next.Hash, next.State, next.Reason, next.Base = row.Stamp, row.Hash, ledger.Present, row.Reason, row.Base
	next.RejectedHash = row.RejectedHash
	return true, p.Notes.Store(row, true, next, d.planned)
}

// newName is where a note is to lie that lies somewhere already, and where we put
// it: elsewhere its user did. It keeps its place, but where the facts its name is
// made of changed after all (the first prompt was rewound, the project became known
// late) and its user did not move it. Until it is moved we put it where it is: a
// run that ends before must not take the old name for its user's choice.
func (p *Publisher) newName(d *draft) (path, home string) {
	row := d.row
	if row.Path == d.place.path || row.Path == d.place.long {
		return row.Path, row.Path
	}
	if row.Path != row.AssignedPath && !names.IsPlacedByUs(row.Path, d.place.plain[0], d.place.plain[1]) {
		return row.Path, row.AssignedPath
	}
	to := p.Owned.InProject(d.facts.Project, p.freeName(d))
	if _, taken := p.paths.seen[to]; taken {
		return row.Path, row.AssignedPath
	}
	d.place.moveTo = to
	return to, row.AssignedPath
}

// freeName is where a new note will lie: at its short name, or at its long one
// where another note has the short name. It is decided before anything is
// rendered, for links are rendered with it.
func (p *Publisher) freeName(d *draft) string {
	_, taken := p.paths.seen[p.Owned.InProject(d.facts.Project, d.place.path)]
	if owner := p.paths.given[strings.ToLower(d.place.path)]; owner != "" && owner != d.facts.ID {
		taken = true
	}
	if taken && d.place.long != "" {
		return d.place.long
	}
	p.paths.given[strings.ToLower(d.place.path)] = d.facts.ID
	return d.place.path
}

// predict tells which facts a note will show once ours are merged with the
// user's. Only a session's body holds facts, its boxes.
func (p *Publisher) predict(d *draft, m *pages.OpenSession) (facts.Facts, error) {
	f, err := p.preview(d, m)
	if open := f.Unticked(); err == nil && d.facts.Type == names.TypeSession && open != d.shown.Open {
		d.shown.Open = open // the user ticked some: the frontmatter counts what the note shows
		f, err = p.preview(d, m)
	}
	return f, err
}

func (p *Publisher) preview(d *draft, m *pages.OpenSession) (facts.Facts, error) {
	v, err := p.predictable(d, m)
	if err != nil {
		return facts.Facts{}, err
	}
	res, err := p.Vault.Preview(v)
	if err != nil {
		return facts.Facts{}, fmt.Errorf("look at note %q: %w", d.row.Path, err)
	}
	return p.Notes.FactsIn(res.Note)
}

// predictable is as much of a draft as its facts depend on.
func (p *Publisher) predictable(d *draft, m *pages.OpenSession) (vault.Draft, error) {
	if d.facts.Type == names.TypeSession {
		return p.fill(d, m)
	}
	v := vault.Draft{ID: d.facts.ID, At: d.at(), Path: d.place.path, Base: facts.DecodeProperties(d.row.Base), Props: p.properties(d.shown), AtHand: facts.AtHand(nil)}
	if m != nil {
		v.AtHand = facts.AtHand(m.AtHand)
	}
	return v, nil
}

// layOut gives a draft its place and its facts in the vault's layout.
func (p *Publisher) layOut(d *draft) {
	d.place.plain = [2]string{d.place.path, d.place.long}
	d.place.path = p.Builder.Layout.Place(d.place.path)
	d.place.long = p.Builder.Layout.Place(d.place.long)
	d.shown = d.facts.Normalized().Complete(p.Builder.Layout)
}

// properties are those of a note, links and what the layout asks for included.
func (p *Publisher) properties(f facts.Facts) []vault.Property {
	return f.Properties(p.Builder.Links(f), p.Builder.Layout)
}
