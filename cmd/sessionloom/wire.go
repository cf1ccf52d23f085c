package main

import (
	"crypto/sha256"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// loom is a pass with everything it needs, open until close.
type loom struct {
	extract.Sync
	config config
	place  *place
	repo   *repo.Repo     // the vault lies in; nil: in none
	ends   []func() error // in order of opening
}

// loom wires the parts as flags and configuration of cmd have it. What mode
// forbids to write is not written here either.
func (a *app) loom(cmd *cobra.Command, mode extract.Mode) (*loom, error) {
	c, err := a.config(cmd)
	if err != nil {
		return nil, err
	}
	return a.loomOf(c, mode)
}

// loomOf is loom of a configuration.
func (a *app) loomOf(c config, mode extract.Mode) (l *loom, err error) {
	l = &loom{config: c}
	defer func() {
		if err != nil {
			err = errors.Join(explain(err), l.close())
			l = nil
		}
	}()
	mode.Jobs = c.jobs
	var readers []sources.Source
	if !mode.RenderOnly { // which reads none, even where they are named wrongly
		if readers, err = a.readers(c, l); err != nil {
			return l, err
		}
	}
	p, err := openPlace(c, mode)
	if err != nil {
		return l, err
	}
	l.place = p
	l.ends = append(l.ends, p.close)
	notes, err := ledger.Open(p.state, ledger.Options{Discard: mode.DryRun && !mode.KeepRead || p.scratch != ""})
	if err != nil {
		return l, err
	}
	l.ends = append(l.ends, notes.Close)
	look, pages, err := a.look(p, c, mode)
	if err != nil {
		return l, err
	}
	key, err := maskKey(notes, p.vault.Marker().ID)
	if err != nil {
		return l, err
	}
	masker, err := redact.New(key, c.redact)
	if err != nil {
		return l, usage("look at the section redact of the configuration", "%w", err)
	}
	a.announce(p, c, mode)
	if l.repo, err = p.repo(c); err != nil {
		return l, err
	}
	l.Sync = extract.Sync{
		Sources: readers, Ledger: notes, Vault: p.vault, Folder: c.folder, Pages: pages, Masker: masker,
		Settings: look, WikiKept: keepsWiki(c.vault), Mode: mode, Progress: a.print.progress(), Now: time.Now,
		Ignored: ignored,
		Scope:   extract.Scope{Sources: c.source, Projects: c.project, Excluded: c.excludeProject, Since: c.since},
	}
	if l.repo != nil {
		l.Head, l.Holds, l.Aside = l.repo.Head, l.asking(l.repo.Holds), l.asking(l.repo.Aside)
		l.Busy, l.Recorded = busy(l.repo), l.asking(l.repo.Recorded)
	}
	if !mode.DryRun {
		l.Purged = p.forgetChecked
	}
	return l, nil
}

// close releases everything, last opened first.
func (l *loom) close() error {
	var errs []error
	for _, end := range slices.Backward(l.ends) {
		errs = append(errs, end())
	}
	l.ends = nil
	return errors.Join(errs...)
}

// look gives the settings of the rendering and the templates: those of the
// vault, and what flags change of them. What cannot be rendered with is not
// stored.
func (a *app) look(p *place, c config, mode extract.Mode) (extract.Settings, *templates.Set, error) {
	a.dropGivenUp(p)
	s, err := rendering(p.vault.Marker().Settings, filepath.Join(c.vault, c.folder, ".sessionloom", "vault.yaml"))
	if err != nil {
		return s, nil, err
	}
	changes := map[string]string{}
	if c.transcriptGiven {
		s.Transcript = c.render.Transcript
		changes["transcript"] = s.Transcript
	}
	if c.layoutGiven {
		s.Layout = c.render.Layout
		changes["layout"] = s.Layout
	}
	if c.templatesGiven {
		s.Templates = c.render.Templates
		changes["templates"] = s.Templates
	}
	used := s
	if mode.NotesOff {
		used.Templates = ""
	}
	pages, err := pagesOf(p.vault, used)
	if err != nil {
		return s, nil, err
	}
	if err := p.vault.SetSettings(changes); err != nil {
		return s, nil, err
	}
	for _, line := range unseeded(c.render, s) {
		a.print.detail("%s", line)
	}
	return s, pages, nil
}

// pagesOf are the templates that settings name.
func pagesOf(v *vault.Vault, s extract.Settings) (*templates.Set, error) {
	if s.Templates != "" {
		return ownPages(v, s.Templates)
	}
	return templates.Embedded()
}

// announce tells of a vault that is new.
func (a *app) announce(p *place, c config, mode extract.Mode) {
	at := tilde(filepath.Join(c.vault, c.folder), a.home)
	switch {
	case !p.created || mode.NotesOff:
	case p.scratch != "":
		a.print.note("would create %s", at)
	default:
		a.print.note("created %s", at)
	}
}

// maskKey is the key under which secrets become opaque. It is as lasting as the
// ledger that holds what was masked with it, and what an empty ledger begins with
// follows from the vault: what is sorted by a masked text has one order.
func maskKey(l *ledger.Ledger, vault string) ([]byte, error) {
	key, err := l.Value(ledger.MaskKey)
	if err != nil || len(key) > 0 {
		return key, err
	}
	sum := sha256.Sum256([]byte("masks of " + vault))
	key = sum[:]
	return key, l.SetValue(ledger.MaskKey, key)
}

// explain gives errors of the parts the exit code and the hint of the program.
func explain(err error) error {
	var f *failure
	var held *extract.HeldError
	var not *extract.NotPlanError
	var lost *lostError
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.Is(err, ledger.ErrLocked):
		return &failure{code: exitLocked, err: err, hint: "wait until it is done, then try again"}
	case errors.Is(err, ledger.ErrNoLocks):
		return failed("name a folder on a local disk with --state: without a lock two runs could write at once", "%w", err)
	case errors.As(err, &lost):
		return failed(lost.hint, "%w", err)
	case errors.As(err, &held):
		return &failure{code: exitFailed, err: err, hint: held.Hint}
	case errors.As(err, &not):
		return usage("sessionloom sync --plan FILE makes one for this vault", "%w", err)
	case errors.Is(err, ledger.ErrDamaged):
		return failed("it is set aside: run again, the next pass reads everything anew", "%w", err)
	case errors.Is(err, vault.ErrNewer):
		return failed("update sessionloom on this machine: another one has a newer version", "%w", err)
	case errors.Is(err, vault.ErrNoMarker), errors.Is(err, vault.ErrNoVault):
		return failed("was the vault unmounted meanwhile?", "%w", err)
	case systemHint(err) != "":
		return failed(systemHint(err), "%w", err)
	}
	return err
}
