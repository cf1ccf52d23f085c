package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// standing is what `status --json` prints (schema 1).
type standing struct {
	Schema int    `json:"schema"`
	Vault  string `json:"vault"` // the managed folder
	State  string `json:"state"`

	Last *lastPass        `json:"last"` // null: none yet
	Held string           `json:"held,omitempty"`
	Due  []extract.Change `json:"due"` // what a sync would do now

	Kept      []extract.KeptNote       `json:"kept"`      // edited by the user, so that they stay
	Broken    []extract.KeptNote       `json:"broken"`    // cannot be written
	Away      []string                 `json:"away"`      // moved out of the managed folder
	Deleted   []ledger.Grave           `json:"deleted"`   // notes that will not come back; `restore` takes their ids
	Forgotten []string                 `json:"forgotten"` // sessions and projects that are kept out, by id; `restore` takes these too
	Graves    int                      `json:"tombstones"`
	Rescued   []string                 `json:"rescued"` // texts to be looked at
	Saved     int64                    `json:"rescued_bytes"`
	Partial   []extract.PartialSession `json:"partial"`

	Ignored   []extract.IgnoredFolder `json:"ignored"`    // folders whose sessions are left out
	Vanished  int                     `json:"vanished"`   // sessions no longer on this machine
	StoreOnly int                     `json:"store_only"` // sessions of which only rows are left
	LeftTo    []extract.LeftTo        `json:"left_to"`    // copies that say nothing of their own

	Expiring []expiring `json:"expiring"` // what agents are going to delete themselves
	Schedule *scheduled `json:"schedule"` // null: there is no timer

	Problems []extract.Problem `json:"problems"`

	hint string // to Held
}

// expiring is something that an agent is going to delete by itself.
type expiring struct {
	extract.Expiring
	DaysLeft *int `json:"days_left,omitempty"` // whole days from now on; below 0: it may be gone any moment
}

// scheduled is what status tells of the timer of a vault.
type scheduled struct {
	Words   string    `json:"words"`           // how often, and by which timer of the system
	Failing int       `json:"failing"`         // runs in a row that failed, up to the last one
	Since   time.Time `json:"since,omitzero"`  // of the first of them
	Error   string    `json:"error,omitempty"` // of the last of them, secrets masked
}

// timers tells of the timer of a vault.
type timers interface {
	// Scheduled returns nil where there is none and no run of one is known.
	Scheduled(ctx context.Context) (*scheduled, error)
}

func newStatus(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "show the last pass, what is due, and notes that need a look",
		Long: "Show the last pass, what the next one would do, and what needs a look: notes kept as\n" +
			"you edited them, deleted, moved away, put aside or forgotten. Nothing is written.",
		Example: "  sessionloom status\n  sessionloom status -v",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			l, err := a.loom(cmd, extract.Mode{DryRun: true})
			if err != nil {
				if !asJSON {
					a.sayKnown(cmd)
				}
				return err
			}
			defer func() { err = errors.Join(err, l.close()) }()
			s, err := l.standing(cmd.Context(), vaultTimers{a, cmd})
			if err != nil {
				return explain(err)
			}
			if a.sample { // it comes with the program
				s.Expiring = []expiring{}
			}
			if asJSON {
				return a.print.object(s)
			}
			a.print.say(s.words(a.home, a.print.lineWidth(), a.print.verbose)...)
			a.print.troubles(s.Problems, a.home)
			return nil
		},
	}
	a.addSettings(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	a.addSample(cmd)
	return cmd
}

// sayKnown tells what is known of a vault that cannot be looked at now, for it is away
// or another run is at work on it.
func (a *app) sayKnown(cmd *cobra.Command) {
	folder, known := a.stateOfVault(cmd)
	c, err := a.config(cmd)
	if !known || err != nil {
		return
	}
	s := &standing{Vault: filepath.Join(c.vault, c.folder), Last: readLast(folder)}
	s.Schedule, _ = vaultTimers{a, cmd}.Scheduled(cmd.Context()) // schedule status tells why it cannot be known
	a.print.say(s.known(a.home, a.print.lineWidth())...)
}

// standing gathers what a dry run, the ledger, the vault and the timers know;
// timers may be nil.
func (l *loom) standing(ctx context.Context, t timers) (*standing, error) {
	s := &standing{
		Schema: 1, Vault: filepath.Join(l.config.vault, l.config.folder), State: l.place.state, Last: readLast(l.place.state),
		Due: []extract.Change{}, Away: []string{}, Rescued: []string{}, Forgotten: []string{}, Deleted: []ledger.Grave{}, Expiring: []expiring{},
		Partial: []extract.PartialSession{}, Problems: []extract.Problem{}, Ignored: []extract.IgnoredFolder{},
		LeftTo: []extract.LeftTo{},
	}
	if t != nil {
		var err error
		if s.Schedule, err = t.Scheduled(ctx); err != nil {
			return nil, err
		}
	}
	report, err := l.Run(ctx)
	var held *extract.HeldError
	switch {
	case errors.As(err, &held):
		s.Held, s.hint = held.What, held.Hint
	case err != nil:
		return nil, err
	default:
		s.Problems, s.Ignored = report.Problems, report.Ignored
		s.Vanished, s.StoreOnly, s.LeftTo = report.Sessions.Vanished, report.StoreOnly, report.LeftTo
		s.Expiring = leftOf(report.Expiring, l.Now())
		for _, c := range report.Changed {
			if c.Outcome != "kept" {
				s.Due = append(s.Due, c)
			}
		}
	}
	return s, errors.Join(s.askLedger(l.Ledger, l.Folder), s.askVault(ctx, l))
}

func (s *standing) askLedger(l *ledger.Ledger, folder string) error {
	kept, err := l.NotesInState(ledger.Present)
	if err != nil {
		return err
	}
	broken, err := l.NotesInState(ledger.Broken)
	if err != nil {
		return err
	}
	away, err := l.NotesInState(ledger.Away)
	if err != nil {
		return err
	}
	s.Kept, s.Broken = reasons(kept, folder), reasons(broken, folder)
	files, err := l.OwnedFiles()
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Reason != "" {
			s.Kept = append(s.Kept, extract.KeptNote{Note: folder + "/" + f.Path, Reason: f.Reason})
		}
	}
	for _, n := range away {
		s.Away = append(s.Away, n.Path)
	}
	graves, err := l.Graves()
	if err != nil {
		return err
	}
	for _, g := range graves {
		if id, ok := extract.Forgotten(g); ok {
			s.Forgotten = append(s.Forgotten, id)
		} else {
			s.Deleted = append(s.Deleted, g)
		}
	}
	damaged, err := l.Damaged()
	for _, row := range damaged {
		s.Partial = append(s.Partial, extract.PartialSession{Session: row.ID, Damage: strings.Split(row.Damage, "\n")})
	}
	return err
}

func reasons(rows []ledger.NoteRow, folder string) []extract.KeptNote {
	out := []extract.KeptNote{}
	for _, n := range rows {
		out = append(out, extract.KeptNote{Note: path.Join(folder, n.Path), Reason: n.Reason})
	}
	return out
}

func (s *standing) askVault(ctx context.Context, l *loom) error {
	rescued, err := l.Vault.Rescued(ctx)
	for _, p := range rescued {
		s.Rescued = append(s.Rescued, path.Join(l.Folder, p))
		if info, err := os.Lstat(filepath.Join(s.Vault, filepath.FromSlash(p))); err == nil { // else it was taken away meanwhile
			s.Saved += info.Size()
		}
	}
	if err != nil || l.place.scratch != "" {
		return err
	}
	stones, err := os.ReadDir(filepath.Join(s.Vault, ".sessionloom", "tombstones"))
	s.Graves = len(stones)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("count deleted notes: %w", err)
	}
	return nil
}
