package extract

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/adopt"
	"github.com/sessionloom/sessionloom/extract/internal/assign"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/extract/internal/unmasked"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// Sync is one pass with all it needs.
type Sync struct {
	Sources  []sources.Source
	Ledger   *ledger.Ledger
	Vault    *vault.Vault // may be nil with Mode.NotesOff
	Folder   string       // the managed folder from the vault's root, for links; "." is the vault itself
	Pages    *templates.Set
	Masker   Masker
	Settings Settings
	WikiKept bool // a wiki stands at the vault's root that has an index and a hot page of its own
	Scope    Scope
	// Ignored tells whether a folder of this machine holds a file that says to
	// leave out the sessions at work there or below. nil: none does.
	Ignored func(folder string) bool
	Mode    Mode
	// Rerendered is told of a re-rendering before the pass that follows it, so
	// that it can be committed apart; may be nil.
	Rerendered func(context.Context)
	Progress   Progress         // may be nil
	Now        func() time.Time // for the time a pass took and for stamps too young to trust
	Git        Git              // the repository that the vault lies in; nil: it lies in none
	// Purged is told when something was taken out of the ledger that must leave no
	// trace: what else is remembered of notes is to go too. nil: nothing is.
	Purged func() error

	held int // most drafts of sessions kept at a time; 0: mostHeld
}

// pass is the state of one Run.
type pass struct {
	*Sync
	zone     *time.Location
	layout   names.Layout
	rec      *report.Recorder
	mu       sync.Mutex // guards places and what was found out while notes are written
	settling sync.Mutex // one outcome at a time goes into the ledger
	notes    *index.Notes
	queue    *index.Queue
	projects *index.Projects
	builder  *pages.Builder
	written  *written.Files
	loader   *loader.Loader
	assign   *assign.Assigner
	adopt    *adopt.Adopter
	scope    *scope.Selection
	names    map[string]string // id of the new note that gets a path, in lower case
	seen     observe.Snapshot  // the vault as it stands
	owned    *owned.Files
	removed  map[string]bool // ids of notes that this pass took away
	forget   forgetting
	unmasked *unmasked.Notes
	purged   bool // something was taken out of the ledger that must leave no trace
}

// Run looks at the vault, reads what changed and writes what is due. Where
// templates or settings changed, a pass that renders anew what is kept goes
// before. Failed items and notes are in the report; an error means that the pass
// as a whole could not be done.
func (s *Sync) Run(ctx context.Context) (Report, error) {
	if s.Mode.DryRun || s.Mode.NotesOff || s.Mode.RenderOnly {
		return s.once(ctx)
	}
	first, due, err := s.Rerender(ctx)
	if err != nil {
		return first, err
	}
	if due && s.Rerendered != nil {
		s.Rerendered(ctx)
	}
	r, err := s.once(ctx)
	if due {
		r.Add(&first)
	}
	return r, err
}

// once does one pass.
func (s *Sync) once(ctx context.Context) (Report, error) {
	began := s.Now()
	p, err := s.newPass()
	if err != nil {
		return Report{}, err
	}
	err = p.run(ctx)
	p.rec.Edit(func(r *Report) {
		r.ElapsedMS = s.Now().Sub(began).Milliseconds()
		r.Sessions.Excluded = p.scope.Excluded()
		r.Ignored = p.scope.Ignored()
	})
	r := p.rec.Finish(p.assign.Merges())
	r.HideSecrets(p.Masker)
	return r, err
}

func (s *Sync) newPass() (*pass, error) {
	zone, err := time.LoadLocation(s.Settings.Timezone)
	if err != nil {
		return nil, fmt.Errorf("load time zone %q: %w", s.Settings.Timezone, err)
	}
	p := &pass{
		Sync: s, rec: report.NewRecorder(s.Folder, s.Mode.DryRun, s.Mode.Texts), zone: zone, layout: names.NewLayout(s.Settings.Layout, s.WikiKept),
		projects: index.NewProjects(s.Ledger),
		names:    map[string]string{},
		removed:  map[string]bool{},
	}
	if p.queue, err = index.LoadQueue(s.Ledger, p.projects, p.layout.Catalogue(), s.Settings.HotFiles); err != nil {
		return nil, err
	}
	p.notes = index.NewNotes(s.Ledger, p.queue, p.projects, s.Masker, s.Folder)
	p.written = p.newWritten()
	p.unmasked = unmasked.New(p.notes, s.Masker)
	p.scope = scope.Select(s.Scope, s.Ignored, s.Ledger)
	p.loader = loader.New(p.notes, s.Vault, p.scope, s.Mode.NotesOff)
	p.assign = assign.New(p.notes, s.Vault, p.loader)
	p.owned = owned.New(s.Vault, p.notes, p.rec, p.written, s.Pages, s.Settings.Transcript != "none")
	p.builder = p.newBuilder()
	p.adopt = adopt.New(s.Vault, p.notes, p.rec, p.written, p.owned, p.loader, p, s.Folder)
	return p, nil
}

func (p *pass) run(ctx context.Context) error {
	if err := p.inPeace(); err != nil {
		return err
	}
	if err := errors.Join(p.written.Begin(), p.lookAtRules()); err != nil {
		return err
	}
	if p.Mode.RenderOnly {
		return p.renderKept(ctx)
	}
	back, err := p.lookAtGraves()
	if err != nil {
		return err
	}
	listings := ingest.List(ctx, p.Sources, p.Now())
	if !p.Mode.NotesOff {
		if err := errors.Join(p.checkRendering(), p.refusedDue(), p.lookAtVault(ctx)); err != nil {
			return err
		}
	}
	// What was read is kept, whatever becomes of the rest.
	read, err := p.readSources(ctx, listings, p.Mode.Full || back)
	cards, failed := p.assign.Assign(read.Stored)
	if err = errors.Join(err, failed, p.purge(cards)); err == nil {
		err = p.countSessions()
	}
	if err = errors.Join(err, p.tellPurged(), p.notes.Commit()); err != nil {
		return err
	}
	if !p.Mode.NotesOff {
		if err := errors.Join(p.scope.LoadIgnored(func(id string) error { return p.queue.Mark(ledger.DueSession, id) }), p.unmaskedDue()); err != nil {
			return err
		}
		if err := errors.Join(p.writeNotes(ctx), p.countSessions()); err != nil {
			return err
		}
		if err := p.maskNotes(ctx); err != nil {
			return err
		}
		if err := errors.Join(p.letParentsGo(ctx), p.findCopies(ctx), p.dropShown(ctx)); err != nil {
			return err
		}
	}
	if err := errors.Join(p.tellPurged(), p.remember(read.Scans)); err != nil || !p.purged {
		return err
	}
	return p.Ledger.Scrub()
}

// lookAtVault finds what people did to the notes since the last run.
func (p *pass) lookAtVault(ctx context.Context) (err error) {
	if p.seen, err = observe.TakeSnapshot(ctx, p.Vault, p.Ledger); err != nil {
		return err
	}
	return p.adopt.Look(ctx, p.seen, adopt.Look{Git: p.Git, Force: p.Mode.Force, Forgetting: p.forget.heed})
}

// findCopies has copies, elsewhere in the vault, of notes that this run took away stand
// for them.
func (p *pass) findCopies(ctx context.Context) error {
	found, err := p.adopt.FindCopies(ctx, p.removed)
	if err != nil || !found {
		return err
	}
	return p.writeNotes(ctx)
}

// tellPurged has others forget what this pass takes out of the ledger for good,
// before that is done with.
func (p *pass) tellPurged() error {
	if !p.purged || p.Purged == nil {
		return nil
	}
	return p.Purged()
}

// newWritten remembers what is written, unless no note is.
func (s *Sync) newWritten() *written.Files {
	in, git := s.Vault, written.Git(nil)
	if s.Mode.NotesOff {
		in = nil
	}
	if s.Git != nil {
		git = s.Git
	}
	return written.New(s.Ledger, in, git, s.Folder)
}

// forgetGone forgets, where something must leave no trace, the names of files that are
// gone.
func (p *pass) forgetGone() error {
	if !p.purged || p.Mode.NotesOff {
		return nil
	}
	return p.written.ForgetGone(func(at string) bool {
		_, there := p.seen.Files[at]
		return there
	})
}

// remember stores what lets the next pass see at a glance that nothing changed, the
// scans of sources that moved among it.
func (p *pass) remember(scans map[string]ledger.Scan) error {
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	if err := p.noteGraves(); err != nil {
		return err
	}
	for _, id := range p.loader.Owing() {
		if err := p.queue.Mark(ledger.DueSession, id); err != nil {
			return err
		}
	}
	if !p.Mode.NotesOff && !p.rec.Unsure() {
		p.notes.AtEnd(ledger.VaultPrint, p.seen.Fingerprint())
		p.notes.AtEnd(ledger.Searched, []byte("1"))
		if err := p.Ledger.SetMovedOut(slices.Sorted(maps.Keys(p.seen.Elsewhere))); err != nil {
			return err
		}
	}
	if err := errors.Join(p.written.Remember(), p.forgetGone()); err != nil {
		return err
	}
	for source, scan := range scans {
		if err := p.Ledger.PutScan(source, scan); err != nil {
			return err
		}
	}
	if err := p.notes.End(); err != nil {
		return err
	}
	return p.Ledger.Commit()
}

func (p *pass) step(stage string, total int) {
	if p.Progress != nil {
		p.Progress.Step(stage, total)
	}
}

func (p *pass) advance(n int) {
	if p.Progress != nil {
		p.Progress.Advance(n)
	}
}
