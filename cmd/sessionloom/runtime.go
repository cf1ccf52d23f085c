package main

import (
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/gitvault"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources/distilled"
	"github.com/sessionloom/sessionloom/templates"
)

type engine struct {
	extract.Engine
	config config.Config
	opened *openedVault
	repo   *gitvault.Repo // repository of the vault, or nil
	ends   []func() error // in order of opening
}

// withEngine calls a function with an engine configured for cmd.
func (a *app) withEngine(cmd *cobra.Command, mode extract.Mode, work func(*engine) error) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	e, err := a.openEngine(c, mode)
	if err != nil {
		return err
	}
	return errors.Join(work(e), e.close())
}

// openEngine wires the parts. It writes nothing that mode forbids.
func (a *app) openEngine(c config.Config, mode extract.Mode) (e *engine, err error) {
	e = &engine{}
	defer func() {
		if err != nil {
			err = errors.Join(explain(err), e.close())
			e = nil
		}
	}()
	read, err := a.history().Open(c)
	if err != nil {
		return e, err
	}
	e.ends = append(e.ends, read.Close)
	if err := e.stand(a, c, mode); err != nil {
		return e, err
	}
	e.Sources = append(slices.Clip(read.Sources), distilled.New(e.opened.vault.DistilledFolder()))
	if e.Settings, e.Pages, err = a.look(e, c, mode); err != nil {
		return e, err
	}
	if err := e.wire(c); err != nil {
		return e, err
	}
	a.announce(e.opened, c, mode)
	e.Scope = extract.Scope{Sources: c.Source, Projects: c.Project, Excluded: c.ExcludeProject, Since: c.Since}
	return e, nil
}

// wire sets the engine's masker, and its functions that examine the machine.
func (e *engine) wire(c config.Config) error {
	key, err := maskKey(e.Ledger, e.Vault.Marker().ID)
	if err != nil {
		return err
	}
	if e.Masker, err = redact.New(key, c.Redact); err != nil {
		return exit.Usage("look at the section redact of the configuration", "%w", err)
	}
	e.Ignored, e.OnDisk = discover.Ignored, discover.Repository
	return nil
}

func (e *engine) stand(a *app, c config.Config, mode extract.Mode) (err error) {
	if err := e.openVault(c, mode); err != nil {
		return err
	}
	return e.openLedger(c, a.print.Progress(), mode)
}

func (e *engine) openVault(c config.Config, mode extract.Mode) (err error) {
	e.config = c
	if e.opened, err = openVault(c, mode); err == nil {
		e.ends = append(e.ends, e.opened.close)
	}
	return err
}

func (e *engine) openLedger(c config.Config, progress extract.Progress, mode extract.Mode) error {
	mode.Jobs = c.Jobs
	known, err := ledger.Open(e.opened.state, ledger.Options{Discard: mode.DryRun && !mode.KeepRead || e.opened.scratch != ""})
	if err != nil {
		return err
	}
	e.ends = append(e.ends, known.Close)
	e.Engine = extract.Engine{Ledger: known, Vault: e.opened.vault, Folder: c.Folder, Mode: mode, Progress: progress, Now: time.Now}
	if e.opened.scratch == "" {
		e.repo, err = gitvault.Find(c.Vault, c.Folder)
	}
	if e.repo != nil {
		e.Git = e.repo.Answers()
	}
	return err
}

func (e *engine) close() error {
	var errs []error
	for _, end := range slices.Backward(e.ends) {
		errs = append(errs, end())
	}
	e.ends = nil
	return errors.Join(errs...)
}

// look sets settings and templates, as changed by flags. Only rendering settings are stored.
func (a *app) look(e *engine, c config.Config, mode extract.Mode) (extract.Settings, *templates.Set, error) {
	p := e.opened
	a.dropGivenUp(p)
	s, err := config.Rendering(p.vault.Marker().Settings, c.Marker())
	if err != nil {
		return s, nil, err
	}
	changes := c.Overrule(&s)
	folder := s.Templates
	if mode.NotesOff {
		folder = ""
	}
	tried, err := extract.RenderedBy(e.Ledger)
	if err != nil {
		return s, nil, err
	}
	pages, err := pagesOf(p.vault, folder, tried)
	if err != nil {
		return s, nil, err
	}
	if err := p.vault.SetSettings(changes); err != nil {
		return s, nil, err
	}
	return s, pages, nil
}

// dropGivenUp removes dropped settings from a vault, and warns once.
func (a *app) dropGivenUp(p *openedVault) {
	gone, warnings := config.GivenUp(p.vault.Marker().Settings)
	a.print.Warn(warnings...)
	if len(gone) == 0 {
		return
	}
	if err := p.vault.DropSettings(gone...); err != nil {
		a.print.Detail("%v", err) // they are ignored in any case
	}
}

func (a *app) announce(p *openedVault, c config.Config, mode extract.Mode) {
	at := a.short(c.Managed())
	switch {
	case !p.created || mode.NotesOff:
	case p.scratch != "":
		a.print.Note("would create %s", at)
	default:
		a.print.Note("created %s", at)
		a.print.Note("times in %s", p.vault.Marker().Settings["timezone"])
	}
}

// maskKey returns the key of masks, stored in the ledger. Its first value follows from the vault, so that
// sorting by masks is stable.
func maskKey(l *ledger.Ledger, vault string) ([]byte, error) {
	key := l.Value(ledger.MaskKey)
	if len(key) == 0 {
		sum := sha256.Sum256([]byte("masks of " + vault))
		key = sum[:]
		l.SetValue(ledger.MaskKey, key)
	}
	return key, l.Failed()
}
