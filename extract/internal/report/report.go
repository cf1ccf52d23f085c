// Package report holds the report of a run.
package report

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Report is what one run did. Its JSON form is fixed (schema 1): scripts rely
// on the names.
type Report struct {
	Schema     int                   `json:"schema"`
	DryRun     bool                  `json:"dry_run"`
	ElapsedMS  int64                 `json:"elapsed_ms"`
	Sessions   SessionCounts         `json:"sessions"`
	Notes      NoteCounts            `json:"notes"`
	Files      NoteCounts            `json:"files"` // generated files that are not notes: tables, canvases, pictures
	Sources    []ingest.SourceReport `json:"sources"`
	Redactions map[string]int        `json:"redactions"`
	Problems   []Problem             `json:"problems"`
	Changed    []Change              `json:"changed"`

	// Kept lists the notes that keep the user's text, with the reason.
	Kept []KeptNote `json:"kept"`
	// Partial names the sessions that could not be read completely.
	Partial []PartialSession `json:"partial"`
	// StoreOnly counts sessions known only from a store's rows.
	StoreOnly int `json:"store_only"`
	// LeftTo names the sessions without a note because another's note has all of them.
	LeftTo []LeftTo `json:"left_to"`
	// Ignored names the folders whose sessions are excluded by a file there.
	Ignored []IgnoredFolder `json:"ignored"`
	// Expiring names what agents are going to delete, in a dry run for `status`.
	Expiring []ingest.Expiring `json:"-"`
	// Asked has the results for names in a command.
	Asked []Asked `json:"-"`
}

// Asked is the result for a name in a command.
type Asked struct {
	Verb  string // accept, restore or forget
	Name  string
	Back  string   // the name for restoring something forgotten
	Notes []Change // written, restored or removed for it
}

// Answer adds the result for a name: changes with an outcome to notes with some ids. An empty outcome stands
// for all.
func (r *Report) Answer(verb, name, outcome string, ids func(id string) bool) {
	a := Asked{Verb: verb, Name: name}
	for _, c := range r.Changed {
		if ids(c.ID) && (outcome == "" || c.Outcome == outcome) {
			a.Notes = append(a.Notes, c)
		}
	}
	r.Asked = append(r.Asked, a)
}

// New returns an empty report.
func New(dryRun bool) Report {
	return Report{
		Schema: 1, DryRun: dryRun, Redactions: map[string]int{}, Problems: []Problem{},
		Changed: []Change{}, Sources: []ingest.SourceReport{}, Kept: []KeptNote{}, Partial: []PartialSession{},
		Ignored: []IgnoredFolder{}, LeftTo: []LeftTo{},
	}
}

// SessionCounts counts the sessions that a run looked at: listed ones are new, changed, unchanged or failed.
// Empty counts known sessions with nothing to show, Automatic all known ones.
type SessionCounts struct {
	Listed    int `json:"listed"` // logs and similar items: some are empty, and two may be of one session
	Noted     int `json:"noted"`  // number with a note
	New       int `json:"new"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Empty     int `json:"empty"`
	Automatic int `json:"automatic"` // in which nobody typed a prompt
	Vanished  int `json:"vanished"`
	Excluded  int `json:"excluded"`
	Failed    int `json:"failed"`
}

// NoteCounts counts outcomes. Unchanged notes were rendered and equal.
type NoteCounts struct {
	Created    int `json:"created"`
	Updated    int `json:"updated"`
	Merged     int `json:"merged"`
	Kept       int `json:"kept"`
	Unchanged  int `json:"unchanged"`
	Moved      int `json:"moved"`
	Tombstoned int `json:"tombstoned"`
	Removed    int `json:"removed"`
	Failed     int `json:"failed"`
}

// Written counts the notes that were written, moved or removed.
func (n NoteCounts) Written() int { return n.Created + n.Updated + n.Merged + n.Moved + n.Removed }

// Count adds the outcomes of notes.
func (n *NoteCounts) Count(outcomes map[string]vault.Outcome) {
	counters := map[vault.Outcome]*int{
		vault.Created: &n.Created, vault.Updated: &n.Updated, vault.Merged: &n.Merged, vault.Kept: &n.Kept,
		vault.Unchanged: &n.Unchanged, vault.Moved: &n.Moved, vault.Removed: &n.Removed, vault.Failed: &n.Failed,
	}
	for _, o := range outcomes {
		if c := counters[o]; c != nil {
			*c++
		}
	}
}

// afterAll combines two outcomes of one note in one run: a note that was created and then changed was
// created.
func afterAll(first, second vault.Outcome) vault.Outcome {
	if first == vault.Failed { // it was done after all
		return second
	}
	if first == vault.Created && second != vault.Removed || second == vault.Unchanged && first != "" {
		return first
	}
	return second
}

// Progress receives the progress of a run, see [ingest.Progress].
type Progress = ingest.Progress

// Problem is a failed item or note: named, counted, tried again.
type Problem struct {
	Source string `json:"source"`
	Item   string `json:"item"`
	Path   string `json:"path"`
	Error  string `json:"error"`
	Hint   string `json:"hint"`
	Fatal  bool   `json:"-"` // makes the run end with "done in part"
}

// Change names a note that a run wrote, moved or removed.
type Change struct {
	Note    string `json:"note"` // relative to the vault's root
	Outcome string `json:"outcome"`
	// From is the note's former path if the program moved it.
	From string `json:"from,omitempty"`
	ID   string `json:"-"` // id of the note
	// Saved is the path of the user's version after accept, or "".
	Saved string `json:"-"`
	// Old and New hold the texts if the caller requested them (dry run, diff).
	Old, New []byte `json:"-"`
	// Unmerged is the text without refusals, nil if nothing was refused.
	Unmerged []byte `json:"-"`
}

// KeptNote is a note that the run left as the user edited it.
type KeptNote struct {
	Note   string `json:"note"`
	Reason string `json:"reason"`
}

// PartialSession is a session that could not be read completely.
type PartialSession struct {
	Session string   `json:"session"`
	Damage  []string `json:"damage"`
}

// LeftTo is a copy of a session that adds nothing to another copy.
type LeftTo struct {
	Session string `json:"session"`
	To      string `json:"to"`
}

// IgnoredFolder is a folder that an ignore file excludes.
type IgnoredFolder struct {
	Folder   string `json:"folder"`
	Sessions int    `json:"sessions"`
}

// Sort sorts changes and problems, so that they do not depend on concurrency.
func (r *Report) Sort() {
	r.Changed = r.changes()
	slices.SortStableFunc(r.Problems, func(a, b Problem) int {
		return strings.Compare(a.Source+a.Item+a.Path, b.Source+b.Item+b.Path)
	})
	// A store that all sessions share fails each of them in the same way.
	told := map[Problem]bool{}
	r.Problems = slices.DeleteFunc(r.Problems, func(p Problem) bool {
		if p.Path != "" {
			p.Item, p.Hint = "", ""
		}
		again := told[p]
		told[p] = true
		return again
	})
}

// changes returns what was written, moved or removed, each note once.
func (r *Report) changes() []Change {
	out := make([]Change, 0, len(r.Changed))
	at := map[string]int{}
	for _, c := range r.Changed {
		i, twice := at[c.Note]
		if !twice || c.Outcome == string(vault.Moved) {
			if c.Outcome != string(vault.Moved) {
				at[c.Note] = len(out)
			}
			out = append(out, c)
			continue
		}
		out[i].Outcome = string(afterAll(vault.Outcome(out[i].Outcome), vault.Outcome(c.Outcome)))
		out[i].New, out[i].Unmerged = c.New, c.Unmerged
	}
	slices.SortStableFunc(out, func(a, b Change) int { return strings.Compare(a.Note, b.Note) })
	return out
}

// Part reports whether something was left undone.
func (r *Report) Part() bool {
	return r.Sessions.Failed > 0 || r.Notes.Failed+r.Files.Failed > 0 || slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Fatal })
}

func problemOf(p sources.Problem) Problem {
	q := Problem{Source: p.Source, Item: p.Item, Path: p.Path, Hint: p.Hint, Fatal: p.Fatal}
	if p.Err != nil {
		q.Error = p.Err.Error()
	}
	return q
}

// HideSecrets masks the texts of the report that come from a source: a reader may quote what it could not
// read, and names are the source's own.
func (r *Report) HideSecrets(m names.TextMasker) {
	hide := func(s *string) {
		masked, err := m.Text(*s)
		if err != nil {
			masked = "a text that could not be searched for secrets"
		}
		*s = redact.Number(masked)[0]
	}
	for i := range r.Problems {
		q := &r.Problems[i]
		hide(&q.Error)
		hide(&q.Hint)
		hide(&q.Item)
		hide(&q.Path)
	}
	for i := range r.Expiring {
		hide(&r.Expiring[i].Path)
	}
	for i := range r.Kept {
		hide(&r.Kept[i].Reason)
	}
	for i := range r.Partial {
		for j := range r.Partial[i].Damage {
			hide(&r.Partial[i].Damage[j])
		}
	}
	for i := range r.Sources {
		unknown := make(map[string]int, len(r.Sources[i].Unknown))
		for kind, n := range r.Sources[i].Unknown {
			hide(&kind)
			unknown[kind] += n
		}
		r.Sources[i].Unknown = unknown
	}
}
