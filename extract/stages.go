package extract

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/assign"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/forget"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/publish"
	"github.com/sessionloom/sessionloom/extract/internal/remask"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
	"github.com/sessionloom/sessionloom/extract/internal/written"
)

// stages are the stages of a run, each with those it needs. Values and the state pass between them.
type stages struct {
	engine  *Engine
	rec     *report.Recorder
	notes   *index.Notes
	written *written.Files
	scope   *scope.Selection
	loader  *loader.Loader
	assign  *assign.Assigner
	observe *observe.Observer
	publish *publish.Publisher
	forget  *forget.Forgetter
	remask  *remask.Remasker
	seen    observe.Snapshot // the current vault
}

// stages builds the stages of a run; all of them report to rec.
func (s *Engine) stages(rec *report.Recorder) (*stages, error) {
	zone, err := time.LoadLocation(s.Settings.Timezone)
	if err != nil {
		return nil, fmt.Errorf("load time zone %q: %w", s.Settings.Timezone, err)
	}
	namesZone, err := time.LoadLocation(s.Settings.NamesZone)
	if err != nil {
		return nil, fmt.Errorf("load time zone %q: %w", s.Settings.NamesZone, err)
	}
	projects := index.NewProjects(s.Ledger)
	queue := index.LoadQueue(s.Ledger, projects, s.Settings.HotFiles)
	st := &stages{engine: s, rec: rec}
	st.notes = index.NewNotes(s.Ledger, queue, projects, s.Masker, s.Folder, zone)
	st.written = s.newWritten()
	st.scope = scope.Select(s.Scope, s.Ignored, s.Ledger)
	st.loader = loader.New(st.notes, s.Vault, st.scope, s.Mode.NotesOff)
	st.assign = assign.New(st.notes, s.Vault, st.loader, s.OnDisk)
	files := &owned.Files{Vault: s.Vault, Notes: st.notes, Recorder: st.rec, Written: st.written, Templates: s.Pages, ShowPictures: s.Settings.Transcript != "none"}
	builder := &pages.Builder{
		Templates: s.Pages, Notes: st.notes, Files: files, Zone: zone, NamesZone: namesZone,
		HotFiles: s.Settings.HotFiles, Transcript: s.Settings.Transcript, Tokens: s.Settings.Tokens, HomeCount: s.Settings.HomeCount, StaleDays: s.Settings.StaleDays,
	}
	st.publish = &publish.Publisher{
		Vault: s.Vault, Notes: st.notes, Loader: st.loader, Builder: builder, Recorder: st.rec, Written: st.written, Owned: files, Scope: st.scope,
		Options: publish.Options{Journal: names.Journal(s.Settings.JournalNames), Edited: s.Mode.Edited, Accept: s.accepted, Jobs: s.jobs(), MaxDrafts: s.maxDrafts, Progress: s.progress()},
	}
	st.observe = &observe.Observer{
		Vault: s.Vault, Notes: st.notes, Recorder: st.rec, Written: st.written, Owned: files, Loader: st.loader, Page: st.publish.Page,
		Folder: s.Folder, Force: s.Mode.Force,
	}
	st.publish.Options.Unclear = st.observe.Unclear
	st.forget = &forget.Forgetter{Vault: s.Vault, Notes: st.notes, Recorder: st.rec, Loader: st.loader, Assigner: st.assign, Owned: files, NotesOff: s.Mode.NotesOff}
	st.remask = &remask.Remasker{Vault: s.Vault, Notes: st.notes, Recorder: st.rec, Assigner: st.assign, Owned: files, Publisher: st.publish, Masker: s.Masker}
	return st, nil
}

func (s *Engine) newWritten() *written.Files {
	in := s.Vault
	if s.Mode.NotesOff {
		in = nil
	}
	return written.New(s.Ledger, in, s.Git, s.Folder)
}

func (s *Engine) jobs() int { return cmp.Or(max(s.Mode.Jobs, 0), 2) }

func (s *Engine) progress() Progress { return cmp.Or[Progress](s.Progress, ingest.Silent{}) }

// HotFiles decides which files get a note of their own.
type HotFiles = facts.HotFiles

// Settings change the rendering. They are in the vault's .sessionloom/vault.yaml, so that all machines render
// the same.
type Settings struct {
	Transcript string // full, digest, none
	Timezone   string // IANA name; days and clock times of the pages
	NamesZone  string // IANA name; times in the names of notes. Empty: UTC
	HotFiles   HotFiles
	HomeCount  int    // latest sessions on Home.md
	StaleDays  int    // days after which an untouched open thread is old; 0: never
	Templates  string // folder of the user's own templates, relative to the vault's root with slashes, or ""
	Tokens     bool   // notes show the tokens used

	JournalNames string // names of the pages of days and weeks, with [JournalDate]
}

// JournalDate is the placeholder for the day or week in [Settings.JournalNames].
const JournalDate = names.InJournal

// FitsJournal reports whether a pattern is valid for the names of days and weeks.
func FitsJournal(journal string) bool { return names.Journal(journal).Fits() }

// DefaultSettings are the settings of a new vault.
func DefaultSettings() Settings {
	return Settings{
		Transcript: "digest",
		Timezone:   "UTC",
		HotFiles:   HotFiles{MinSessions: 2, HalfLife: 30, Listed: 15},
		HomeCount:  20,
		StaleDays:  30,
		Tokens:     true,

		JournalNames: JournalDate + " agents", // a person's own note of a day is named by its date
	}
}

// Scope limits what a run looks at, see [scope.Scope].
type Scope = scope.Scope

// Mode says how a run behaves.
type Mode struct {
	DryRun   bool // write neither notes nor ledger
	KeepRead bool // in a dry run: store what was read in the ledger (sync --plan)
	NotesOff bool // update the ledger, write no note (export)
	Full     bool // read every item, whatever its fingerprint
	Force    bool // exceed the deletion limit
	Edited   bool // forget: also notes with a person's text, which are quarantined
	Texts    bool // keep old and new texts of changed notes in the report
	Jobs     int  // concurrent readers and writers, 0: two
}

// Progress receives the progress of a run, see [report.Progress].
type Progress = report.Progress
