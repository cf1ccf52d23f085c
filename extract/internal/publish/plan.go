// Package publish plans the notes that are due and writes them.
//
// The facts of a planned note are stored before anything is written, so that links and pages
// of one round agree. Where the vault then shows other facts than planned (a title that the
// user gave, a box that they ticked), what shows them is due again. Pages wait for the next
// round where the note of a session could not be written, so that they are not written twice.
// The open ends that a session note counts are those of its boxes as its user ticked them.
package publish

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// plan works out what a draft's note will say, given what the user made of it,
// and stores that as the note's facts, so that links and pages rendered before
// it is written agree with it. It reports whether the draft is to be written.
func (p *Publisher) plan(d *draft, m *pages.OpenSession) (write bool, err error) {
	row, known := p.Notes.Ledger.Note(d.facts.ID)
	stands := known && p.Notes.Writable(row)
	if p.Notes.Skips(d.facts.ID) || known && !stands && row.State != ledger.Planned {
		return false, nil
	}
	if p.isDeleted(d, stands) {
		return false, nil
	}
	d.row, d.stands = row, stands
	if err := p.mask(d); err != nil {
		return false, err
	}
	p.keepName(d)
	p.layOut(d)
	if d.facts.Type == names.TypeSession {
		d.shown.Open = d.shown.Unticked()
	}
	d.row.Session = d.session
	d.planned = d.shown
	if stands {
		if d.planned, err = p.predict(d, m); err != nil {
			return false, err
		}
	}
	return p.assign(d), nil
}

// mask takes out of the facts and the name of a draft what only they show of a session, as they are in one line, and
// what a name and the place in a note that a link leads to would show together.
func (p *Publisher) mask(d *draft) error {
	const place = "#^t-0a1b2c3d"
	if err := d.facts.Mask(p.Notes.Masked); err != nil {
		return err
	}
	name := names.TrimMD(d.place.path) + place
	masked, err := p.Notes.Masked(name)
	if err == nil && masked != name {
		d.place.path = strings.TrimSuffix(redact.Elide(masked), place) + ".md"
		if d.facts.Untitled != "" {
			d.facts.Untitled = names.GivenName(d.place.path, d.facts.ID)
		}
	}
	return err
}

// predict reports which facts a note will show once ours are merged with the user's. Only a session's body
// holds facts, its boxes: where the user ticked some, the frontmatter counts what the note shows.
func (p *Publisher) predict(d *draft, m *pages.OpenSession) (f facts.Facts, err error) {
	for range 2 {
		v := p.front(d, m)
		if d.facts.Type == names.TypeSession {
			if v, err = p.fill(d, m); err != nil {
				return f, err
			}
		}
		res, err := p.Vault.Preview(v)
		if err != nil {
			return f, fmt.Errorf("look at note %q: %w", d.row.Path, err)
		}
		f, err = p.Notes.FactsIn(res.Note)
		if err != nil || d.facts.Type != names.TypeSession || f.Unticked() == d.shown.Open {
			return f, err
		}
		d.shown.Open = f.Unticked()
	}
	return f, nil
}

// layOut sets the names that a draft may have, and its facts as they are shown.
func (p *Publisher) layOut(d *draft) {
	d.place.plain = [2]string{d.place.path, names.TrimMD(d.place.path) + names.PageTaken}
	if names.IsHashed(d.facts.Type) {
		d.place.plain[1] = names.WithHash(d.place.path, d.facts.ID)
	}
	d.facts.Own = facts.OwnOf(d.facts.ID)
	d.shown = d.facts.Normalized(p.Builder.Zone)
}

// wikiLayer stands among the sources of notes that an older version wrote as pages of a wiki. Nothing
// reads it, so it is never missing.
const wikiLayer = "agent:sessionloom/notes"

// front is a draft with only its properties, links included.
func (p *Publisher) front(d *draft, m *pages.OpenSession) vault.Draft {
	props := d.shown.Properties(p.Builder.Links(d.shown), p.Builder.Zone)
	v := vault.Draft{ID: d.facts.ID, At: d.at(), Path: d.place.path, Props: props, Facts: d.shown.Comment(p.Builder.Zone), Available: []string{wikiLayer}, HasOwnLine: d.facts.Type == names.TypeWeek, Accept: p.Options.Accept[d.facts.ID]}
	if m != nil {
		v.Available = append([]string{wikiLayer}, m.Available...)
	}
	return v
}

// Publisher plans and writes what is due. It is used by one goroutine; the writers it
// starts are its own.
type Publisher struct {
	Vault    *vault.Vault
	Notes    *index.Notes
	Loader   *loader.Loader
	Builder  *pages.Builder
	Recorder *report.Recorder
	Written  *written.Files
	Owned    *owned.Files
	Scope    *scope.Selection
	Options  Options

	paths     paths
	ready     ready
	recording sync.Mutex // one result at a time goes into the ledger
}

// ready caches results until they are used.
type ready struct {
	ticks    map[string]note.Ticks // boxes that were ticked elsewhere, by id of the note
	sessions map[string]*prepared  // sessions about to be planned, by id
}

// Options configure how notes are written.
type Options struct {
	// Unclear finds the file that may be the note of an id, which is to lie at one of these paths.
	Unclear   func(id string, paths ...string) (vault.Note, bool)
	Edited    bool            // what is forgotten goes also where a human wrote in it, and is quarantined
	Accept    map[string]bool // ids of the notes of which ours is taken, whatever their user made of it
	Jobs      int             // writers; at least one
	Journal   names.Journal   // names of the pages of days and weeks
	MaxDrafts int             // most drafts of sessions kept at a time; 0: as many as is good
	Progress  report.Progress
}

type paths struct {
	seen  map[string]vault.Stamp // the managed folder as it stands
	alike map[string]int         // how many of its files have a path in lower case: not every system tells them apart; nil: not counted
	given map[string]string      // id of the new note that gets a path, in lower case
	wrote bool                   // it stands otherwise than it was looked at
	// want are the ids of the notes that have their long name since a file is at their short one,
	// in lower case.
	want map[string][]string
}

// Looked describes the managed folder.
func (p *Publisher) Looked(at map[string]vault.Stamp) {
	p.paths = paths{seen: at, given: map[string]string{}, want: map[string][]string{}}
}

// count adds to the number of files at a path, once somebody asked for it.
func (p *paths) count(path string, n int) {
	if p.alike != nil {
		p.alike[strings.ToLower(path)] += n
	}
}

// put records that a path holds a file.
func (p *paths) put(path string, stamp vault.Stamp) {
	if _, stands := p.seen[path]; !stands {
		p.count(path, 1)
	}
	p.seen[path] = stamp
}

// drop notes that nothing is at a path any more.
func (p *paths) drop(path string) {
	if _, stands := p.seen[path]; stands {
		p.count(path, -1)
	}
	delete(p.seen, path)
}

// taken reports whether another file than that of a note itself is at a path, in whatever case.
func (p *paths) taken(path, own string) bool {
	if p.alike == nil {
		p.alike = make(map[string]int, len(p.seen))
		for at := range p.seen {
			p.count(at, 1)
		}
	}
	lower := strings.ToLower(path)
	others := p.alike[lower]
	if _, stands := p.seen[own]; stands && strings.ToLower(own) == lower {
		others--
	}
	return others > 0
}

// Wrote reports whether anything was written, moved or removed since then.
func (p *Publisher) Wrote() bool { return p.paths.wrote }

// alone plans or writes one note, or those of one owner, so that what goes wrong is told
// and does not stop the others: see [contain.Failure]. It reports whether all went well. at
// is the path of the note, empty if it has none yet.
func (p *Publisher) alone(ctx context.Context, owner due, note, at string, work func() error) (ok bool, err error) {
	ok = true
	err = contain.Failure(ctx, p.Notes.Ledger, work, func(err error) {
		p.Recorder.Fail(owner.kind, owner.owner, note, at, err)
		ok = false
	})
	return ok, err
}

func (p *Publisher) advance() {
	p.recording.Lock()
	defer p.recording.Unlock()
	p.Options.Progress.Advance(1)
}

// draft is a note that is due: its facts, and how to render it.
type draft struct {
	facts   facts.Facts                              // with masks
	shown   facts.Facts                              // as our frontmatter shows them
	planned facts.Facts                              // as the note will show them, with what the user changed
	row     ledger.NoteRow                           // what the ledger knew of the note when it was planned
	stands  bool                                     // it lies in the vault, and we may write it
	session string                                   // id of the session it belongs to, empty for a page
	body    func(*pages.OpenSession) (string, error) // nil: only the navigation is due
	place   place
	fate    fate
	due     due
}

type place struct {
	path   string    // where to create it
	long   string    // where to create it when path is taken or shared
	shared bool      // another note has the same name
	plain  [2]string // its short and its long name as agents' layout has them
	was    string    // the short name that it had so far there, if it gets the title of its session now
	moveTo string    // the note is to get this name first
}

// due is what is done when a note is written: owner in the list kind of the ledger.
type due struct{ kind, owner string }

type fate int

const (
	stays  fate = iota
	goes        // it is no longer wanted
	purged      // it goes, and what it tells of is forgotten
)

func draftOf(page *pages.Page, owned due) *draft {
	d := &draft{facts: page.Facts, place: place{path: page.Path}, body: page.Body, due: owned}
	if page.Gone {
		d.fate = goes
	}
	return d
}

// draftKnown is a draft of a note as it is known, of which nothing but the navigation
// is due.
func (p *Publisher) draftKnown(row ledger.NoteRow, owned due) *draft {
	f := facts.Decode(row.Facts, p.Notes.Ledger.Harmed)
	return &draft{facts: f, shown: f, planned: f, row: row, place: place{path: row.Path}, session: row.Session, due: owned}
}

func (d *draft) at() string {
	if d.row.State.IsInFolder() {
		return d.row.Path
	}
	return ""
}

// leaves reports whether a note is about to go from where it is.
func (d *draft) leaves() bool { return d.fate != stays || d.place.moveTo != "" }
