package publish

import (
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// The memories of one project, or of the person, are one family whatever kept
// them: several clones, editions and agents may each have one. The memory with the
// smallest id speaks for all.

// planMemory plans the notes of all memories that belong together.
func (p *Publisher) planMemory(record ledger.SessionRecord) ([]*draft, error) {
	records := ledger.Got(p.Notes.Ledger.MemoryOf(record.Scope, record.Project))
	if len(records) == 0 || !p.Scope.HoldsAny(records) {
		return nil, p.Notes.DropPlanned(record.ID)
	}
	if left, err := p.memoryLeftOut(record, records); err != nil || left {
		return nil, err
	}
	x := pages.NewMemorySet(record.Project)
	for _, c := range records {
		x.Add(p.Loader.Alone(c.ID), c.OwnProject)
	}
	out, err := p.planOwned(record.ID, p.Builder.Memory(x), nil)
	if err != nil {
		return nil, err
	}
	old, err := p.movedMemory(x, records)
	if err != nil {
		return nil, err
	}
	return p.planned(record.ID, append(out, old...))
}

// memoryLeftOut sees to the memory of a project as leaveOut does to a session: a memory may
// not know the folder, so those of the project's sessions are asked.
func (p *Publisher) memoryLeftOut(record ledger.SessionRecord, memories []ledger.SessionRecord) (bool, error) {
	if !p.Scope.AsksFolders() || record.Project == "" {
		return false, nil
	}
	records := ledger.Got(p.Notes.Ledger.SessionsIn(record.Project))
	seen := map[string]bool{}
	for _, c := range slices.Concat(memories, records) {
		if seen[c.Kind+c.Folder] && c.Folder != "" || c.Kind == ledger.KindForgotten {
			continue
		}
		seen[c.Kind+c.Folder] = true
		place := p.Loader.Alone(c.ID).Session.Place
		if left, err := p.leaveOut(record.ID, place); left || err != nil {
			return left, err
		}
	}
	return false, nil
}

// movedMemory are the notes of memories that belonged to another project before
// the remote of their folder was known, or had a name of their own for what
// is alike in two memories now.
func (p *Publisher) movedMemory(x *pages.MemorySet, records []ledger.SessionRecord) ([]*draft, error) {
	var out []*draft
	for _, id := range slices.Sorted(maps.Keys(x.Spare)) {
		r, known := ledger.Found(p.Notes.Ledger.Note(id))
		if !known {
			continue
		}
		gone, err := p.planAliasNote(r, x.Spare[id], x.Layers, records[0].ID)
		if err != nil {
			return nil, err
		}
		out = append(out, gone...)
	}
	for _, c := range records {
		for _, r := range notesBefore(p.Notes.Ledger, c) {
			_, name, ok := strings.Cut(r.ID, ":repo:")
			if !ok || r.Project == x.Project {
				continue
			}
			gone, err := p.planAliasNote(r, "memory:"+x.Project+":repo:"+name, x.Layers, records[0].ID)
			if err != nil {
				return nil, err
			}
			out = append(out, gone...)
		}
	}
	return out, nil
}

// notesBefore are the notes that a memory had elsewhere: those the ledger knows
// to be its, and those of the project that its folder alone gives.
func notesBefore(l *ledger.Ledger, c ledger.SessionRecord) []ledger.NoteRow {
	rows := ledger.Got(l.NotesOfSession(c.ID))
	if c.OwnProject == c.Project || len(ledger.Got(l.MemoryOf(c.Scope, c.OwnProject))) > 0 {
		return rows
	}
	for _, r := range ledger.Got(l.NotesOfProject(c.OwnProject, names.TypeMemory)) {
		known := slices.ContainsFunc(rows, func(have ledger.NoteRow) bool { return have.ID == r.ID })
		if strings.HasPrefix(r.ID, "memory:"+c.OwnProject+":repo:") && !known {
			rows = append(rows, r)
		}
	}
	return rows
}
