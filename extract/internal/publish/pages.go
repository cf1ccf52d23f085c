package publish

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

func (p *Publisher) planPages(ctx context.Context, r *round) error {
	list := p.Notes.Queue.List(ledger.DuePage)
	slices.SortStableFunc(list, func(a, b string) int { return pages.Order(a) - pages.Order(b) })
	return p.planEach(ctx, r, ledger.DuePage, list, p.planPage)
}

// Page makes a page of what is known; nil if it has nothing to say. The open threads of
// a project are stored with its page.
func (p *Publisher) Page(id string) *pages.Page {
	if key, ok := strings.CutPrefix(id, names.ProjectID("")); ok {
		p.Notes.PutThreads(key, pages.ThreadsIn(key, p.Notes.Project(key)))
	}
	return p.Builder.List(id)
}

func (p *Publisher) planPage(_ context.Context, id string) (drafts []*draft, err error) {
	var d *draft
	ok := false
	if page := p.Page(id); page != nil {
		d = draftOf(page, due{ledger.DuePage, id})
		if page.Gone {
			ok = p.planRemoval(d)
		} else if ok, err = p.plan(d, nil); err != nil {
			return nil, err
		}
	}
	if !ok {
		p.Notes.Queue.Mark(ledger.DueNav, id) // of one that stays though it lists nothing, say
		p.Notes.Queue.Done(ledger.DuePage, id)
		return nil, nil
	}
	return []*draft{d}, nil
}

func projectsOf(planned map[due]bool) (keys []string) {
	for owner := range planned {
		if key, ok := strings.CutPrefix(owner.owner, names.ProjectID("")); ok && owner.kind == ledger.DuePage {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// planNav plans the navigation of one note, none if nothing is to be written.
// whole says that all of the note is drafted.
func (p *Publisher) planNav(id string, whole bool) []*draft {
	row, known := p.Notes.Ledger.Note(id)
	if known && !p.Scope.HoldsNote(row) {
		return nil
	}
	if known && index.ForgottenNote(p.Vault, p.Notes.Ledger, row) {
		if going := p.planForgotten(row); len(going) > 0 {
			return going
		}
		known = false
	}
	if !known || !p.Notes.Writable(row) || whole || p.Vault.HasTombstone(id) {
		p.Notes.Queue.Done(ledger.DueNav, id)
		return nil
	}
	return []*draft{p.draftKnown(row, due{ledger.DueNav, id})}
}

// The memories of one project, or of the person, are one set whatever kept
// them: several clones, editions and agents may each have one. The memory with the
// smallest id speaks for all.

func (p *Publisher) planMemory(record ledger.SessionRecord) ([]*draft, error) {
	records := p.Notes.Ledger.MemoryOf(record.Scope, record.Project)
	if len(records) == 0 || !p.Scope.HoldsAny(records) {
		p.Notes.DropPlanned(record.ID)
		return nil, nil
	}
	if p.memoryLeftOut(record, records) {
		return nil, nil
	}
	x := p.memorySet(record.Project, records)
	out, err := p.planOwned(record.ID, p.Builder.Memory(x), nil)
	if err != nil {
		return nil, err
	}
	return p.planned(record.ID, append(out, p.movedMemory(x, records)...)), nil
}

// memorySet puts the memories of a project together, but for what was deleted while they belonged
// to another.
func (p *Publisher) memorySet(project string, records []ledger.SessionRecord) *pages.MemorySet {
	x := pages.NewMemorySet(project)
	for _, c := range records {
		m := p.Loader.Alone(c.ID)
		m.Session.Artifacts = slices.DeleteFunc(slices.Clone(m.Session.Artifacts), func(a sources.Artifact) bool {
			return slices.ContainsFunc([]string{c.OwnProject, c.Joined}, func(key string) bool {
				return key != "" && key != project && (p.Vault.HasTombstone(names.SharedMemoryID(key, a, "")) ||
					p.Vault.HasTombstone(names.SharedMemoryID(key, a, names.CollectionSuffix(c.ID))))
			})
		})
		x.Add(m, c.OwnProject, c.Joined)
	}
	return x
}

// memoryLeftOut sees to the memory of a project as leaveOut does to a session: a memory may
// not know the folder, so those of the project's sessions are asked.
func (p *Publisher) memoryLeftOut(record ledger.SessionRecord, memories []ledger.SessionRecord) bool {
	if !p.Scope.AsksFolders() || record.Project == "" {
		return false
	}
	records := p.Notes.Ledger.SessionsIn(record.Project)
	seen := map[string]bool{}
	for _, c := range slices.Concat(memories, records) {
		if seen[c.Kind+c.Folder] && c.Folder != "" || c.Kind == ledger.KindForgotten {
			continue
		}
		seen[c.Kind+c.Folder] = true
		place := p.Loader.Alone(c.ID).Session.Place
		if p.leaveOut(record.ID, place) {
			return true
		}
	}
	return false
}

// movedMemory are the notes of memories that belonged to another project before
// the remote of their folder was known or their user joined it, or had a name of their own for
// what is alike in two memories now.
func (p *Publisher) movedMemory(x *pages.MemorySet, records []ledger.SessionRecord) []*draft {
	var out []*draft
	for _, id := range slices.Sorted(maps.Keys(x.Spare)) {
		r, known := p.Notes.Ledger.Note(id)
		if !known {
			continue
		}
		gone := p.planAliasNote(r, x.Spare[id], x.Layers, records[0].ID)
		out = append(out, gone...)
	}
	for _, r := range notesBefore(p.Notes.Ledger, records) {
		other := names.UnderOtherKey(r.ID, r.Project, x.Project)
		if other == "" || r.Project == x.Project || p.memorySet(r.Project, p.Notes.Ledger.MemoryOf(records[0].Scope, r.Project)).Has(r.ID) {
			continue
		}
		out = append(out, p.planAliasNote(r, cmp.Or(x.Spare[other], other), x.Layers, records[0].ID)...)
	}
	return out
}

// notesBefore are the notes that memories had elsewhere: those the ledger knows to be theirs,
// those of the projects that their folders alone give, or that they had if their user joined none,
// and those that were joined from theirs.
func notesBefore(l *ledger.Ledger, records []ledger.SessionRecord) []ledger.NoteRow {
	out := l.NotesWithKey("joined:" + records[0].Project)
	for _, c := range records {
		out = append(out, l.NotesOfSession(c.ID)...)
		for _, key := range []string{c.OwnProject, c.Joined} {
			if key != "" && key != c.Project {
				out = append(out, l.NotesOfProject(key, names.TypeMemory)...)
			}
		}
	}
	slices.SortFunc(out, func(a, b ledger.NoteRow) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(out, func(a, b ledger.NoteRow) bool { return a.ID == b.ID })
}
