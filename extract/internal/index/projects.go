package index

import (
	jsonv1 "encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Projects gives the pages what they are made of: the facts of the notes of one
// project at a time, read from the ledger once and dropped when they change.
// It is safe for concurrent use, an index never changes once it was given out.
type Projects struct {
	mu       sync.Mutex
	ledger   *ledger.Ledger
	projects map[string]*facts.ProjectIndex
}

// NewProjects loads nothing before it is asked.
func NewProjects(l *ledger.Ledger) *Projects {
	return &Projects{ledger: l, projects: map[string]*facts.ProjectIndex{}}
}

// changed records that a note's facts are new, different or gone.
func (p *Projects) changed(f *facts.Facts, there bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, loaded := p.projects[f.Project]
	switch {
	case !loaded:
	case f.Type == names.TypeSession || f.Type == names.TypeMemory:
		delete(p.projects, f.Project)
	case f.Type == names.TypeFile && r.HasFileNote(f.ID) != there:
		p.projects[f.Project] = r.WithFileNote(f.ID, there)
	}
}

// Index is what is known of the notes of a project, by its key.
func (p *Projects) Index(key string) *facts.ProjectIndex {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.projects[key]; ok {
		return r
	}
	sessions := decode(p.ledger, p.ledger.FactsOfProject(key, names.TypeSession))
	memory := slices.DeleteFunc(decode(p.ledger, p.ledger.FactsOfProject(key, names.TypeMemory)), isOwnMemory)
	files := p.ledger.NotesOfProject(key, names.TypeFile)
	r := facts.NewProjectIndex(sessions, memory, each(files, noteID))
	p.projects[key] = r
	return r
}

// Notes is what is known of the notes, and what follows when it changes. It is safe
// for concurrent use.
type Notes struct {
	Ledger   *ledger.Ledger
	Queue    *Queue    // is told of what changes
	Projects *Projects // are told of what changes
	masker   names.TextMasker
	folder   string         // the managed folder, from the vault's root
	zone     *time.Location // of the times in notes

	mu      sync.Mutex
	places  map[string]pages.Place // by id of the note
	skipped map[string]bool        // ids of notes that are gone and not to be rewritten in this run
	former  map[string][]string    // keys that projects had, by the one they have; nil: not yet asked for
	atEnd   map[ledger.Key][]byte  // values to store when the run ends well
}

// NewNotes tells queue of what changes. masker takes secrets out of what people wrote,
// where pages show it. folder is the managed folder, from the vault's root; zone is that of
// the times in notes.
func NewNotes(l *ledger.Ledger, queue *Queue, projects *Projects, masker names.TextMasker, folder string, zone *time.Location) *Notes {
	return &Notes{Ledger: l, Queue: queue, Projects: projects, masker: masker, folder: folder, zone: zone, places: map[string]pages.Place{}, skipped: map[string]bool{}, atEnd: map[ledger.Key][]byte{}}
}

// FromRoot is where something is in the vault that lies so in the managed folder,
// which may be the whole vault.
func (n *Notes) FromRoot(at string) string { return path.Join(n.folder, at) }

// Skip keeps a missing note from being rewritten in this run.
func (n *Notes) Skip(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.skipped[id] = true
}

// Skips reports whether a note is gone and not to be rewritten in this run.
func (n *Notes) Skips(id string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.skipped[id]
}

// Writable reports whether a note exists in a place where it may be written.
func (n *Notes) Writable(row ledger.NoteRow) bool {
	return row.State.IsInFolder() && !n.Skips(row.ID)
}

// Note implements [pages.Notes]: it finds a note. What was found once is remembered until
// it changes.
func (n *Notes) Note(id string) pages.Place {
	n.mu.Lock()
	found, ok := n.places[id]
	n.mu.Unlock()
	if ok {
		return found
	}
	if row, known := n.Ledger.Note(id); known {
		f := facts.Decode(row.Facts, n.Ledger.Harmed) // unreadable facts only cost the title
		found = pages.Place{Path: n.LinkPath(row), Title: f.Title}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if newer, ok := n.places[id]; ok { // it was moved or removed meanwhile
		return newer
	}
	n.places[id] = found
	return found
}

// SetPlace remembers where a note is, or is to be.
func (n *Notes) SetPlace(id string, at pages.Place) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.places[id] = at
}

// Commit commits what was done so far. What is known only in memory becomes due first: after an
// interruption it would be lost.
func (n *Notes) Commit() error {
	n.Queue.AddDeferred()
	return n.Ledger.Commit()
}

// AtEnd has a value be stored when the run ends well.
func (n *Notes) AtEnd(key ledger.Key, value []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.atEnd[key] = value
}

// End stores what is due to be stored when a run succeeds.
func (n *Notes) End() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for key, value := range n.atEnd {
		n.Ledger.SetValue(key, value)
	}
}

// Project implements [pages.Notes].
func (n *Notes) Project(key string) *facts.ProjectIndex {
	return n.Projects.Index(key)
}

// WithKey implements [pages.Notes].
func (n *Notes) WithKey(key string) []facts.Facts {
	return decode(n.Ledger, n.Ledger.FactsWithKey(key))
}

// CountWithKeys implements [pages.Notes].
func (n *Notes) CountWithKeys(keys ...string) int {
	ids := map[string]bool{}
	for _, key := range keys {
		for _, id := range n.Ledger.IDsWithKey(key) {
			ids[id] = true
		}
	}
	return len(ids)
}

// Latest implements [pages.Notes].
func (n *Notes) Latest(typ string, limit int) []facts.Facts {
	return decode(n.Ledger, n.Ledger.LatestFacts(typ, limit))
}

// Memory implements [pages.Notes].
func (n *Notes) Memory(project string) []facts.Facts {
	all := decode(n.Ledger, n.Ledger.FactsOfProject(project, names.TypeMemory))
	return slices.DeleteFunc(all, func(f facts.Facts) bool { return project == "" && !isOwnMemory(f) })
}

// MemoryBetween implements [pages.Notes].
func (n *Notes) MemoryBetween(project string, from, to time.Time) []facts.Facts {
	return decode(n.Ledger, n.Ledger.FactsBetween(project, names.TypeMemory, Stamp(from), Stamp(to)))
}

// isOwnMemory recognizes what agents keep of the person, which belongs to no project.
func isOwnMemory(f facts.Facts) bool { return names.IsOwnMemory(f.ID) }

// Neighbours implements [pages.Notes].
func (n *Notes) Neighbours(id string) (before, after string) {
	return neighbours(n.Ledger, id)
}

// Totals implements [pages.Notes].
func (n *Notes) Totals() (sessions int, first, last time.Time) {
	sessions, from, to := n.Ledger.Count(names.TypeSession)
	first, _ = time.Parse(time.RFC3339, from)
	last, _ = time.Parse(time.RFC3339, to)
	return sessions, first, last
}

func decode(l *ledger.Ledger, rows [][]byte) []facts.Facts {
	out := make([]facts.Facts, 0, len(rows))
	for _, r := range rows {
		out = append(out, facts.Decode(r, l.Harmed))
	}
	return out
}

// ActiveDays implements [pages.Notes].
func (n *Notes) ActiveDays(limit int) []string {
	days := n.Ledger.LastKeys("day:", limit)
	for i := range days {
		days[i] = strings.TrimPrefix(days[i], "day:")
	}
	return days
}

// TickedOn implements [pages.Notes].
func (n *Notes) TickedOn(page string) (ids []string) {
	row, known := n.Ledger.Note(page)
	if !known {
		return nil
	}
	for _, box := range facts.Decode(row.Facts, n.Ledger.Harmed).Boxes {
		ids = append(ids, box.ID)
	}
	return ids
}

// Threads implements [pages.Notes].
func (n *Notes) Threads(limit int) []pages.Thread {
	return Threads(n.Ledger, n.Ledger.OpenThreads(limit))
}

// ThreadsOf implements [pages.Notes].
func (n *Notes) ThreadsOf(project string) []pages.Thread {
	return Threads(n.Ledger, n.Ledger.OpenThreadsOf(project))
}

// Thread is the open thread with an id, empty if there is none.
func (n *Notes) Thread(id string) (t pages.Thread) {
	if row, known := n.Ledger.OpenThread(id); known {
		for _, found := range Threads(n.Ledger, []ledger.OpenThread{row}) {
			t = found
		}
	}
	return t
}

// Threads reads threads as [Notes.PutThreads] packed them.
func Threads(l *ledger.Ledger, rows []ledger.OpenThread) []pages.Thread {
	out := make([]pages.Thread, 0, len(rows))
	for _, r := range rows {
		var t pages.Thread
		if err := json.Unmarshal(r.Data, &t); err != nil {
			_ = l.Harmed(fmt.Errorf("decode open thread %q: %w", r.ID, err))
			continue
		}
		out = append(out, t)
	}
	return out
}

// PutThreads stores the open ends of a project.
func (n *Notes) PutThreads(project string, threads []pages.Thread) {
	rows := make([]ledger.OpenThread, 0, len(threads))
	for _, t := range threads {
		data, err := jsonv1.Marshal(t)
		if err != nil {
			_ = n.Ledger.Fail(fmt.Errorf("encode open thread %q: %w", t.ID(), err))
			return
		}
		rows = append(rows, ledger.OpenThread{Project: project, ID: t.ID(), At: Stamp(t.Newest().At), Data: data})
	}
	n.Ledger.PutOpenThreads(project, rows)
}

// CountThreads implements [pages.Notes].
func (n *Notes) CountThreads(before time.Time) (all, old int) {
	return n.Ledger.CountOpenThreads(Stamp(before))
}
