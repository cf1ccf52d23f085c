package report

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// triedAgain is the hint for a failure that stays due.
const triedAgain = "it is tried again next time"

// Recorder records what a run does. It is safe for concurrent use.
type Recorder struct {
	mu       sync.Mutex
	report   Report
	folder   string                   // the managed folder, relative to the vault's root
	texts    bool                     // report everything that is refused
	outcomes map[string]vault.Outcome // outcome of each note, by id
	earlier  map[string]vault.Outcome // outcomes of the pass before
	files    map[string]bool          // ids of files that are not notes
	held     map[string]bool          // paths of notes that were kept without being rendered
	failed   map[string]bool          // failures, by kind and id of what is due
	unsure   bool
}

// NewRecorder begins a report. Paths of notes are relative to the vault's root, which has the managed folder.
// texts reports everything that is refused, not only what is new.
func NewRecorder(folder string, dryRun, texts bool) *Recorder {
	return &Recorder{report: New(dryRun), folder: folder, texts: texts, outcomes: map[string]vault.Outcome{}, files: map[string]bool{}, held: map[string]bool{}, failed: map[string]bool{}}
}

// Again begins another pass of the same run: failures are tried once more, and each note counts once.
func (r *Recorder) Again() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.earlier, r.outcomes = r.outcomes, map[string]vault.Outcome{}
	r.failed, r.unsure = map[string]bool{}, false
}

// Edit changes the report directly.
func (r *Recorder) Edit(change func(*Report)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.report)
}

// Problem reports a failure.
func (r *Recorder) Problem(q Problem) {
	r.Edit(func(to *Report) { to.Problems = append(to.Problems, q) })
}

// Read reports what was read from the sources. Another pass finds nothing new there.
func (r *Recorder) Read(read ingest.Changes) {
	r.Edit(func(to *Report) {
		for _, q := range read.Problems {
			to.Problems = append(to.Problems, problemOf(q))
		}
		if len(to.Sources) > 0 {
			return
		}
		maps.Copy(to.Redactions, read.Redactions)
		to.Sources = append(to.Sources, read.Sources...)
		to.Expiring = read.Expiring
		c, n := &to.Sessions, read.Counts
		c.Listed, c.New, c.Changed, c.Failed, c.Vanished = n.Listed, n.New, n.Changed, n.Failed, n.Vanished
	})
}

// Unreadable reports a note that could not be read, and makes the next run look again. A note that vanished
// meanwhile is not a problem.
func (r *Recorder) Unreadable(at string, err error) {
	r.LookAgain()
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	r.Problem(Problem{Path: at, Error: err.Error(), Hint: "the note is left as it is", Fatal: true})
}

// Fail reports that a note could not be planned or written, and that id stays due in the list kind. at is its
// path in the managed folder, or "".
func (r *Recorder) Fail(kind, id, note, at string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed[kind+id] = true
	r.unsure = true // it may be elsewhere than planned
	r.outcomes[note] = vault.Failed
	if at != "" { // else it has none yet
		at = r.fromRoot(at)
	}
	r.report.Problems = append(r.report.Problems, Problem{Item: note, Path: at, Error: err.Error(), Hint: triedAgain, Fatal: true})
}

// Retry keeps something due without a report.
func (r *Recorder) Retry(kind, id string) { r.Edit(func(*Report) { r.failed[kind+id] = true }) }

// HasFailed reports whether something due failed in this run.
func (r *Recorder) HasFailed(kind, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed[kind+id]
}

// Failures counts failures.
func (r *Recorder) Failures() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failed)
}

// LookAgain makes the next run look at the vault in any case, as it may differ from the state.
func (r *Recorder) LookAgain() { r.Edit(func(*Report) { r.unsure = true }) }

// Unsure reports whether something in the vault may differ from the state.
func (r *Recorder) Unsure() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unsure
}

// Outcome returns the outcome of a note so far, or "".
func (r *Recorder) Outcome(note string) vault.Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outcomes[note]
}

// Keep counts a note whose text stays the user's. at is relative to the vault's root.
func (r *Recorder) Keep(at, reason string) {
	r.Edit(func(to *Report) {
		if !r.held[at] {
			to.Notes.Kept++
		}
		r.held[at] = true
		to.Kept = append(to.Kept, KeptNote{Note: at, Reason: reason})
	})
}

// Moved reports that a note got another name. An empty id stands for a file that is not a note; an empty from
// for a move by its user.
func (r *Recorder) Moved(id, from, to string) {
	c := Change{Note: r.fromRoot(to), ID: id, Outcome: string(vault.Moved)}
	if from != "" {
		c.From = r.fromRoot(from)
	}
	r.Edit(func(to *Report) {
		if id == "" {
			to.Files.Moved++
		} else {
			to.Notes.Moved++
		}
		to.Changed = append(to.Changed, c)
	})
}

// Written reports the outcome of a note. was is its earlier row. Refused text is reported once.
func (r *Recorder) Written(id string, was ledger.NoteRow, res vault.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	outcome := res.Outcome
	if res.Reason != "" {
		if r.isNews(was, res) {
			r.report.Kept = append(r.report.Kept, KeptNote{Note: r.fromRoot(res.Path), Reason: res.Reason})
		} else if outcome == vault.Kept {
			outcome = vault.Unchanged
			if res.Note.Hash != was.Hash {
				outcome = vault.Merged
			}
		}
	}
	r.outcomes[id] = afterAll(r.outcomes[id], outcome)
	if outcome == vault.Unchanged || outcome == vault.Kept && len(res.New) == 0 {
		return
	}
	c := Change{Note: r.fromRoot(res.Path), ID: id, Outcome: string(outcome), Old: res.Old, New: res.New, Unmerged: res.Unmerged}
	if res.Saved != "" {
		c.Saved = r.fromRoot(res.Saved)
	}
	r.report.Changed = append(r.report.Changed, c)
}

// isNews reports whether text is refused, or a note is left alone, for a new reason.
func (r *Recorder) isNews(was ledger.NoteRow, res vault.Result) bool {
	if r.texts {
		return true
	}
	if res.RejectedHash == "" {
		return res.Reason != was.Reason
	}
	told := strings.Fields(was.RejectedHash)
	return slices.ContainsFunc(strings.Fields(res.RejectedHash), func(w string) bool { return !slices.Contains(told, w) })
}

// File reports the outcome of a generated file that is not a note.
func (r *Recorder) File(id string, res vault.Result, failed error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes[id], r.files[id] = res.Outcome, true
	at := r.fromRoot(res.Path)
	switch res.Outcome {
	case vault.Failed:
		r.report.Problems = append(r.report.Problems, Problem{Item: id, Path: at, Error: failed.Error(), Hint: triedAgain, Fatal: true})
	case vault.Kept:
		r.report.Kept = append(r.report.Kept, KeptNote{Note: at, Reason: res.Reason})
	case vault.Created, vault.Updated, vault.Merged, vault.Removed:
		r.report.Changed = append(r.report.Changed, Change{Note: at, Outcome: string(res.Outcome), Old: res.Old, New: res.New})
	}
}

func (r *Recorder) fromRoot(at string) string { return path.Join(r.folder, at) }

// Damaged records the unreadable parts of sessions.
func (r *Recorder) Damaged(parts map[string][]string) {
	r.Edit(func(to *Report) {
		for id, damage := range parts {
			to.Partial = append(to.Partial, PartialSession{Session: id, Damage: damage})
		}
	})
}

// Finish returns the report in an order that does not depend on concurrency.
func (r *Recorder) Finish() Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := &r.report
	out.Problems = slices.DeleteFunc(out.Problems, func(q Problem) bool { // it existed after all
		now, again := r.outcomes[q.Item]
		return r.earlier[q.Item] == vault.Failed && again && now != vault.Failed
	})
	for id, was := range r.earlier {
		if now, again := r.outcomes[id]; again {
			was = afterAll(was, now)
		}
		r.outcomes[id] = was
	}
	notes, files := maps.Clone(r.outcomes), maps.Clone(r.outcomes)
	maps.DeleteFunc(notes, func(id string, _ vault.Outcome) bool { return r.files[id] })
	maps.DeleteFunc(files, func(id string, _ vault.Outcome) bool { return !r.files[id] })
	out.Notes.Count(notes)
	out.Files.Count(files)
	out.Sort()
	slices.SortStableFunc(out.Kept, func(a, b KeptNote) int { return strings.Compare(a.Note, b.Note) })
	out.Kept = slices.CompactFunc(out.Kept, func(a, b KeptNote) bool { return a.Note == b.Note })
	slices.SortStableFunc(out.Partial, func(a, b PartialSession) int { return strings.Compare(a.Session, b.Session) })
	out.Partial = slices.CompactFunc(out.Partial, func(a, b PartialSession) bool { return a.Session == b.Session })
	slices.SortFunc(out.Sources, func(a, b ingest.SourceReport) int { return strings.Compare(a.Name+a.Root, b.Name+b.Root) })
	return *out
}
