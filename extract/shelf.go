package extract

import (
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// The shelves of one project, or of the person, are one family whatever kept
// them: several clones, editions and agents may each have one. The shelf with the
// smallest id speaks for all.

// shelved is an artifact of a shelf with the id and place of its note.
type shelved struct {
	sources.Artifact
	id, path string
}

// shelves holds those of one scope and project.
type shelves struct {
	project string // key, empty for the person's
	cards   []ledger.SessionRow
	list    []shelved
	folders []string          // projects that the folders of the shelves alone give, where it is another
	spare   map[string]string // id a note had while its text stood nowhere else → the note that has it now
	layers  []string          // of all of them
}

// shelfSuffix tells what stands on one shelf from what is called alike.
func shelfSuffix(id string) string { return texts.Digest(id, 4) }

// planShelf plans the notes of all shelves that belong together.
func (p *pass) planShelf(card ledger.SessionRow) ([]*draft, error) {
	cards, err := p.Ledger.Shelves(card.Scope, card.Project)
	if err != nil {
		return nil, err
	}
	if !p.shelfInScope(cards) {
		return nil, p.dropPlanned(card.ID)
	}
	if left, err := p.shelvesLeftOut(card, cards); err != nil || left {
		return nil, err
	}
	x, err := p.gatherShelves(card.Project, cards)
	if err != nil {
		return nil, err
	}
	var out []*draft
	for _, a := range x.list {
		d := p.shelfNote(x, a)
		d.kind, d.owner, d.session = ledger.DueSession, card.ID, card.ID
		ok, err := p.plan(d, nil)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, d)
		}
	}
	old, err := p.movedShelf(x)
	if err != nil {
		return nil, err
	}
	out = append(out, old...)
	if p.failed[ledger.DueSession+card.ID] {
		return nil, p.dropPlanned(card.ID)
	}
	if len(out) == 0 {
		return nil, p.due.done(ledger.DueSession, card.ID)
	}
	return out, nil
}

func (p *pass) shelfInScope(cards []ledger.SessionRow) bool {
	if cards[0].Project == "" { // the person's
		return len(p.Scope.Projects) == 0
	}
	return slices.ContainsFunc(cards, func(c ledger.SessionRow) bool {
		return p.inScope(c.ID, identity.ProjectFromKey(c.Project), c.Updated)
	})
}

// gatherShelves names what stands on the shelves: what several have alike once,
// what is called alike and says something else apart.
func (p *pass) gatherShelves(project string, cards []ledger.SessionRow) (shelves, error) {
	x := shelves{project: project, cards: cards, spare: map[string]string{}}
	held := map[string]map[string]string{} // name as shown → text → id of its note
	for _, c := range cards {
		m, err := p.mergedAlone(c.ID)
		if err != nil {
			return x, err
		}
		x.layers = append(x.layers, m.Layers...)
		if c.Own != project {
			x.folders = append(x.folders, c.Own)
		}
		for _, a := range m.Session.Artifacts {
			if a.Text == "" {
				continue
			}
			suffix := shelfSuffix(c.ID)
			apart := names.ShelfID(project, a, suffix)
			name := names.PlainName(a)
			if id, known := held[name][a.Text]; known {
				x.spare[apart] = id
				continue
			}
			if held[name] == nil {
				held[name] = map[string]string{}
				suffix = ""
			}
			id := names.ShelfID(project, a, suffix)
			if id != apart {
				x.spare[apart] = id
			}
			held[name][a.Text] = id
			x.list = append(x.list, shelved{a, id, names.ShelfPath(project, a, suffix)})
		}
	}
	slices.Sort(x.layers)
	x.layers = slices.Compact(x.layers)
	slices.Sort(x.folders)
	x.folders = slices.Compact(x.folders)
	slices.SortStableFunc(x.list, func(a, b shelved) int { return strings.Compare(a.id, b.id) })
	x.list = slices.CompactFunc(x.list, func(a, b shelved) bool { return a.id == b.id })
	return x, nil
}

func (p *pass) shelfNote(x shelves, a shelved) *draft {
	title, scope := content.ArtifactTitle(a.Artifact, ""), string(sources.ScopeRepo)
	var project templates.Link
	if x.project == "" {
		scope = string(sources.ScopeUser)
	}
	return &draft{
		facts: facts.Facts{ID: a.id, Type: names.TypeMemory, Kind: a.Kind, Title: title, Created: a.At, Updated: a.At, Project: x.project, Folders: x.folders, Sources: x.layers},
		path:  a.path,
		body: func(*openSession) (string, error) {
			if x.project != "" {
				project = p.projectLink(x.project)
			}
			return p.Pages.Memory(templates.Memory{Kind: a.Kind, Name: a.Name, Title: title, Scope: scope,
				At: p.local(a.At), Project: project, Text: a.Text, Left: a.Left})
		},
	}
}

// movedShelf are the notes of shelves that belonged to another project before
// the remote of their folder was known, or had a name of their own for what
// stands on two shelves alike now.
func (p *pass) movedShelf(x shelves) ([]*draft, error) {
	var out []*draft
	for _, id := range slices.Sorted(maps.Keys(x.spare)) {
		r, known, err := p.Ledger.Note(id)
		if err != nil {
			return nil, err
		}
		if !known {
			continue
		}
		d, err := p.planDouble(r, x.spare[id], x.layers)
		if err != nil {
			return nil, err
		}
		if d != nil {
			d.owner, d.session = x.cards[0].ID, r.Session
			out = append(out, d)
		}
	}
	for _, c := range x.cards {
		rows, err := p.notesBefore(c)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			_, name, ok := strings.Cut(r.ID, ":repo:")
			if !ok || r.Project == x.project {
				continue
			}
			d, err := p.planDouble(r, "memory:"+x.project+":repo:"+name, x.layers)
			if err != nil {
				return nil, err
			}
			if d != nil {
				d.owner, d.session = x.cards[0].ID, r.Session
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// notesBefore are the notes that a shelf had elsewhere: those the ledger knows
// to be its, and those of the project that its folder alone gives.
func (p *pass) notesBefore(c ledger.SessionRow) ([]ledger.NoteRow, error) {
	rows, err := p.Ledger.NotesOfSession(c.ID)
	if err != nil || c.Own == c.Project {
		return rows, err
	}
	others, err := p.Ledger.Shelves(c.Scope, c.Own)
	if err != nil || len(others) > 0 {
		return rows, err
	}
	old, err := p.Ledger.NotesOfProject(c.Own, names.TypeMemory)
	for _, r := range old {
		known := slices.ContainsFunc(rows, func(have ledger.NoteRow) bool { return have.ID == r.ID })
		if strings.HasPrefix(r.ID, "memory:"+c.Own+":repo:") && !known {
			rows = append(rows, r)
		}
	}
	return rows, err
}
