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

// Projects provides the facts of the notes of one project at a time for pages, read from the ledger once and
// dropped when they change. It is safe for concurrent use; an index never changes once returned.
type Projects struct {
	mu       sync.Mutex
	ledger   *ledger.Ledger
	projects map[string]*facts.ProjectIndex
}

// NewProjects returns Projects that load on demand.
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

// Index returns the index of a project, by key.
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

// Notes holds the data of all notes, and queues the consequences of changes. It is safe for concurrent use.
type Notes struct {
	Ledger   *ledger.Ledger
	Queue    *Queue    // receives changes
	Projects *Projects // receive changes
	masker   names.TextMasker
	folder   string         // the managed folder, relative to the vault's root
	zone     *time.Location // zone of the times in notes

	mu      sync.Mutex
	places  map[string]pages.Place // places of notes, by id
	skipped map[string]bool        // ids of missing notes that are not rewritten in this run
	former  map[string][]string    // former keys of projects by the present one; nil: not loaded
	atEnd   map[ledger.Key][]byte  // values to store at the end of a successful run
	totals  *facts.Facts           // number and times of all sessions; nil: to be counted
}

// NewNotes returns Notes that report changes to queue. masker masks people's text on pages. folder is the
// managed folder relative to the vault's root; zone is used for times in notes.
func NewNotes(l *ledger.Ledger, queue *Queue, projects *Projects, masker names.TextMasker, folder string, zone *time.Location) *Notes {
	return &Notes{Ledger: l, Queue: queue, Projects: projects, masker: masker, folder: folder, zone: zone, places: map[string]pages.Place{}, skipped: map[string]bool{}, atEnd: map[ledger.Key][]byte{}}
}

// FromRoot returns the path in the vault of a path in the managed folder, which may be the whole vault.
func (n *Notes) FromRoot(at string) string { return path.Join(n.folder, at) }

// Skip keeps a missing note from being rewritten in this run.
func (n *Notes) Skip(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.skipped[id] = true
}

// Skips reports whether a note is missing and not rewritten in this run.
func (n *Notes) Skips(id string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.skipped[id]
}

// Writable reports whether a note exists where it may be written.
func (n *Notes) Writable(row ledger.NoteRow) bool {
	return row.State.IsInFolder() && !n.Skips(row.ID)
}

// Note implements [pages.Notes]: it finds a note, and caches it until it changes.
func (n *Notes) Note(id string) pages.Place {
	n.mu.Lock()
	found, ok := n.places[id]
	n.mu.Unlock()
	if ok {
		return found
	}
	if row, known := n.Ledger.Note(id); known {
		found = pages.Place{Path: n.LinkPath(row), Title: facts.TitleIn(row.Facts, n.Ledger.Harmed)}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if newer, ok := n.places[id]; ok { // it was moved or removed meanwhile
		return newer
	}
	n.places[id] = found
	return found
}

// SetPlace caches the present or future path of a note.
func (n *Notes) SetPlace(id string, at pages.Place) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.places[id] = at
}

// Commit commits what was done so far. Data that is only in memory becomes due first, as an interruption
// would lose it.
func (n *Notes) Commit() error {
	n.Queue.AddDeferred()
	return n.Ledger.Commit()
}

// AtEnd sets a value to store at the end of a successful run.
func (n *Notes) AtEnd(key ledger.Key, value []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.atEnd[key] = value
}

// End stores these values.
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

// isOwnMemory reports whether facts are of a memory about the person, which belongs to no project.
func isOwnMemory(f facts.Facts) bool { return names.IsOwnMemory(f.ID) }

// Neighbours implements [pages.Notes].
func (n *Notes) Neighbours(id string) (before, after string) {
	return neighbours(n.Ledger, id)
}

// Totals implements [pages.Notes]. It counts anew once a session's note changed.
func (n *Notes) Totals() (sessions int, first, last time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.totals == nil {
		count, from, to := n.Ledger.Count(names.TypeSession)
		n.totals = &facts.Facts{Sessions: count}
		n.totals.Created, _ = time.Parse(time.RFC3339, from)
		n.totals.Updated, _ = time.Parse(time.RFC3339, to)
	}
	return n.totals.Sessions, n.totals.Created, n.totals.Updated
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

// Thread returns the open thread with an id, or an empty one.
func (n *Notes) Thread(id string) pages.Thread {
	return append(Threads(n.Ledger, n.Ledger.OpenThread(id)), pages.Thread{})[0]
}

// Threads reads threads packed by [Notes.PutThreads].
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

// PutThreads stores the open threads of a project.
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
