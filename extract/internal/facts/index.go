package facts

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// ProjectIndex indexes the facts of the notes of one project. It is immutable and safe for concurrent use.
type ProjectIndex struct {
	Sessions []Facts // oldest first
	Memory   []Facts // oldest first

	files     map[string][]int // path → indexes of the sessions that edited it, oldest first
	fileNotes map[string]bool  // ids of file notes in the vault
	threads   func() []ends.Thread
}

// NewProjectIndex returns the index of the notes of a project: sessions and memory in any order, and the ids
// of its notes of files.
func NewProjectIndex(sessions, memory []Facts, fileNotes []string) *ProjectIndex {
	x := &ProjectIndex{Sessions: sessions, Memory: memory, files: map[string][]int{}, fileNotes: map[string]bool{}}
	x.threads = sync.OnceValue(x.findThreads)
	slices.SortFunc(x.Sessions, OlderFirst)
	slices.SortFunc(x.Memory, OlderFirst)
	for i, s := range x.Sessions {
		for _, f := range s.Files {
			x.files[f] = append(x.files[f], i)
		}
	}
	for _, id := range fileNotes {
		x.fileNotes[id] = true
	}
	return x
}

// WithFileNote returns the index with one note of a file added or removed.
func (x *ProjectIndex) WithFileNote(id string, there bool) *ProjectIndex {
	next := &ProjectIndex{Sessions: x.Sessions, Memory: x.Memory, files: x.files, fileNotes: maps.Clone(x.fileNotes), threads: x.threads}
	if there {
		next.fileNotes[id] = true
	} else {
		delete(next.fileNotes, id)
	}
	return next
}

// HasFileNote reports whether the vault has a note of a file.
func (x *ProjectIndex) HasFileNote(id string) bool { return x.fileNotes[id] }

// FileNamed returns the path of the file with a part of an id, or the part itself if no session edited it.
func (x *ProjectIndex) FileNamed(part string) string {
	if _, known := x.files[part]; known || names.IsPlainPart(part) {
		return part
	}
	for path := range x.files {
		if names.PlainPart(path) == part {
			return path
		}
	}
	return part
}

// EditedIn returns the sessions that edited a file, oldest first.
func (x *ProjectIndex) EditedIn(path string) []Facts {
	var out []Facts
	for _, i := range x.files[path] {
		out = append(out, x.Sessions[i])
	}
	return out
}

// Neighbours returns the sessions before and after one, or nil.
func (x *ProjectIndex) Neighbours(of Facts) (before, after *Facts) {
	i, found := slices.BinarySearchFunc(x.Sessions, of, OlderFirst)
	if !found { // the stored session is not the planned one
		i = slices.IndexFunc(x.Sessions, func(f Facts) bool { return f.ID == of.ID })
	}
	if i < 0 {
		return nil, nil
	}
	if i > 0 {
		before = &x.Sessions[i-1]
	}
	if i+1 < len(x.Sessions) {
		after = &x.Sessions[i+1]
	}
	return before, after
}

// Around returns the sessions next to the position of one by its facts, and itself.
func (x *ProjectIndex) Around(of Facts) []Facts {
	i, _ := slices.BinarySearchFunc(x.Sessions, of, OlderFirst)
	return x.Sessions[max(0, i-1):min(i+2, len(x.Sessions))]
}

// Threads returns the open items of the project, last mentioned first.
func (x *ProjectIndex) Threads() []ends.Thread { return x.threads() }

func (x *ProjectIndex) findThreads() []ends.Thread {
	out := ends.Fold(openEnds(x.Sessions))
	slices.SortStableFunc(out, func(a, b ends.Thread) int {
		return cmp.Or(b.Newest().At.Compare(a.Newest().At), cmp.Compare(a.Newest().Session, b.Newest().Session), cmp.Compare(a.Newest().Place, b.Newest().Place))
	})
	return out
}

// HotFiles decides which files get a note of their own.
type HotFiles struct {
	MinSessions int // sessions in which a file was edited
	HalfLife    int // days after which an edit counts half
	Listed      int // limit of files on a project's page
}

// HotFile is an often edited file.
type HotFile struct {
	Path     string
	Sessions int // number that edited it; for Together, both files
	Last     time.Time
	Score    float64 // higher is hotter
}

// IsHot reports whether a file gets a note.
func (x *ProjectIndex) IsHot(path string, h HotFiles) bool {
	return len(x.files[path]) >= h.MinSessions
}

// Hot returns the files that get a note, hottest first.
func (x *ProjectIndex) Hot(h HotFiles) []HotFile {
	var out []HotFile
	for path := range x.files {
		if x.IsHot(path, h) {
			out = append(out, x.hotFile(path, h))
		}
	}
	slices.SortFunc(out, hotterFirst)
	return out
}

func (x *ProjectIndex) hotFile(path string, h HotFiles) HotFile {
	f := HotFile{Path: path, Sessions: len(x.files[path])}
	var times []time.Time
	for _, i := range x.files[path] {
		at := x.Sessions[i].changed(path)
		times = append(times, at)
		if at.After(f.Last) {
			f.Last = at
		}
	}
	f.Score = content.HotScore(times, time.Duration(min(h.HalfLife, 100_000))*24*time.Hour)
	return f
}

// changed returns when a session last changed a file, or itself if that is unknown.
func (f Facts) changed(path string) (last time.Time) {
	for _, r := range f.Of(RowFile) {
		if r.Text == path && r.At.After(last) {
			last = r.At
		}
	}
	return cmp.Or(last, f.LastChange())
}

// EditsOf returns the first and the last change of a file.
func (x *ProjectIndex) EditsOf(path string) (first, last time.Time) {
	for _, i := range x.files[path] {
		for _, r := range x.Sessions[i].Of(RowFile) {
			if r.Text == path && !r.At.IsZero() && (first.IsZero() || r.At.Before(first)) {
				first = r.At
			}
		}
		if at := x.Sessions[i].changed(path); at.After(last) {
			last = at
		}
	}
	if first.IsZero() {
		first, _ = Span(x.EditedIn(path))
	}
	return first, last
}

// Together returns the files most often edited in the same sessions as one, up to limit.
func (x *ProjectIndex) Together(path string, h HotFiles, limit int) []HotFile {
	counts := map[string]int{}
	for _, i := range x.files[path] {
		for _, other := range x.Sessions[i].Files {
			if other != path {
				counts[other]++
			}
		}
	}
	var out []HotFile
	for other, n := range counts {
		if n >= h.MinSessions {
			out = append(out, HotFile{Path: other, Sessions: n, Score: float64(n), Last: x.hotFile(other, h).Last})
		}
	}
	slices.SortFunc(out, hotterFirst)
	return out[:min(limit, len(out))]
}

func hotterFirst(a, b HotFile) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
}

// Until returns the index of sessions and memory up to a time, filtered by keep. A tick has no time and
// always counts.
func (x *ProjectIndex) Until(at time.Time, keep func(Facts) bool) *ProjectIndex {
	sessions, moved := clipped(x.Sessions, at, keep)
	memory, fewer := clipped(x.Memory, at, func(f Facts) bool { return f.Session() == "" || keep(f) })
	if !moved && !fewer {
		return x
	}
	return NewProjectIndex(sessions, memory, nil)
}

// clipped returns facts up to a time; moved says that they changed.
func clipped(all []Facts, at time.Time, keep func(Facts) bool) (out []Facts, moved bool) {
	for _, f := range all {
		switch {
		case f.Created.After(at), !keep(f):
			moved = true
		case !f.Updated.After(at):
			out = append(out, f)
		case f.Type == names.TypeSession:
			moved = true
			out = append(out, f.until(at))
		default: // its state then is unknown
			moved = true
		}
	}
	return out, moved
}

// until returns the facts of a note as of a time: its outcome is its last answer then.
func (f Facts) until(at time.Time) Facts {
	f.Rows = slices.DeleteFunc(slices.Clone(f.Rows), func(r Row) bool { return r.At.After(at) || r.Key == RowPrompt || r.Key == RowDetail })
	f.Updated, f.Summary = f.Created, ""
	for _, r := range f.Rows {
		if r.At.After(f.Updated) {
			f.Updated = r.At
		}
		if r.Key == RowDay {
			f.Summary = r.Text
		}
	}
	f.find()
	return f
}
