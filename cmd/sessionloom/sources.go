package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// inventory is what `sources --json` prints (schema 1).
type inventory struct {
	Schema   int               `json:"schema"`
	Sources  []lookedAt        `json:"sources"`
	Problems []extract.Problem `json:"problems"`

	failed bool // something was found and could not be examined
}

// lookedAt is one root of a source.
type lookedAt struct {
	Name   string    `json:"name"`
	Root   string    `json:"root"`
	Found  bool      `json:"found"`
	Why    string    `json:"why,omitempty"` // why it was not found or is skipped
	Items  int       `json:"items"`
	Bytes  int64     `json:"bytes"`
	Newest time.Time `json:"newest,omitzero"` // modification time
	// Expiring counts what the agent is going to delete itself; see status.
	Expiring int      `json:"expiring"`
	Notes    []string `json:"notes,omitempty"`
	// Unknown counts event types and part kinds that no reader knows, as often as
	// passes met them, or with --details as often as they stand there.
	Unknown map[string]int `json:"unknown"`
	// Details are words of the source itself: titles of sessions that only an
	// index knows, secrets masked.
	Details []string `json:"details,omitempty"`
}

func newSources(a *app) *cobra.Command {
	var asJSON, details bool
	cmd := &cobra.Command{
		Use:   "sources",
		Short: "show where it looks for history and what it finds there",
		Long: "Show where it looks for history and what it finds there: the folders of each\n" +
			"source, how much is in them, why something is left out, sessions that only an index\n" +
			"still knows, and what passes met that no reader knows. With --details all of it is\n" +
			"read and counted now. Needs no vault and writes nothing.",
		Example: "  sessionloom sources\n  sessionloom sources --details --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			inv, err := a.inventory(cmd, details)
			if err != nil {
				return err
			}
			if asJSON {
				err = a.print.object(inv)
			} else {
				a.print.say(inv.table(a.home)...)
			}
			a.print.troubles(inv.Problems, a.home)
			if err == nil && inv.failed {
				return silent(exitPartial)
			}
			return err
		},
	}
	a.addSettings(cmd)
	helpsWith(cmd, ofSources)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&details, "details", false, "read everything, and count what no reader knows")
	return cmd
}

func (a *app) inventory(cmd *cobra.Command, details bool) (*inventory, error) {
	c, err := a.config(cmd)
	if err != nil {
		return nil, err
	}
	l := &loom{}
	readers, err := a.readers(c, l)
	var inv *inventory
	if err == nil {
		inv, err = takeInventory(cmd.Context(), readers)
	}
	masker, failed := maskerOf(c.redact)
	if err = errors.Join(err, failed); err == nil {
		err = inv.detail(cmd.Context(), readers, masker)
	}
	if err == nil && details {
		err = inv.readAll(cmd.Context(), readers, masker)
	} else if err == nil {
		inv.addMet(c)
	}
	if err == nil {
		err = inv.hideSecrets(masker)
	}
	return inv, errors.Join(err, l.close())
}

// hideSecrets masks what names and errors of a source say.
func (inv *inventory) hideSecrets(masker *redact.Masker) error {
	for i := range inv.Problems {
		q := &inv.Problems[i]
		for _, text := range []*string{&q.Item, &q.Path, &q.Error} {
			masked, err := masker.Text(*text)
			if err != nil {
				return err
			}
			*text = redact.Number(masked)[0]
		}
	}
	return nil
}

// items counts what all sources found.
func (inv *inventory) items() (n int) {
	for _, s := range inv.Sources {
		n += s.Items
	}
	return n
}

// takeInventory asks all sources what they find, without reading any of it.
func takeInventory(ctx context.Context, readers []sources.Source) (*inventory, error) {
	inv := &inventory{Schema: 1, Sources: []lookedAt{}, Problems: []extract.Problem{}}
	for _, s := range readers {
		l, err := s.List(ctx)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", s.Name(), err)
		}
		for _, r := range l.Roots {
			inv.Sources = append(inv.Sources, lookedAt{
				Name: s.Name(), Root: r.Path, Found: r.Found, Why: r.Why,
				Items: r.Items, Bytes: r.Bytes, Newest: r.New.UTC(), Notes: r.Notes, Unknown: map[string]int{},
			})
		}
		for _, it := range l.Items {
			if at := inv.root(s.Name(), it.Root); at != nil {
				at.Expiring += len(it.Expires)
			}
		}
		for _, p := range l.Problems {
			inv.failed = inv.failed || p.Fatal
			q := extract.Problem{Source: s.Name(), Item: p.Item, Path: p.Path, Hint: p.Hint}
			if p.Err != nil {
				q.Error = p.Err.Error()
			}
			inv.Problems = append(inv.Problems, q)
		}
	}
	return inv, nil
}

// root is one of the places that were looked at.
func (inv *inventory) root(source, path string) *lookedAt {
	for i := range inv.Sources {
		if at := &inv.Sources[i]; at.Name == source && at.Root == path {
			return at
		}
	}
	return nil
}

// maskerOf masks under a key that nobody learns.
func maskerOf(o redact.Options) (*redact.Masker, error) {
	key := make([]byte, 32)
	// crypto/rand never fails.
	_, _ = rand.Read(key)
	return redact.New(key, o)
}

// detail adds what sources can tell of their roots when they open them.
func (inv *inventory) detail(ctx context.Context, readers []sources.Source, masker *redact.Masker) error {
	for _, s := range readers {
		d, ok := s.(sources.Detailer)
		if !ok {
			continue
		}
		byRoot, err := d.Details(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			inv.failed = true
			inv.Problems = append(inv.Problems, extract.Problem{Source: s.Name(), Error: err.Error()})
		}
		for i := range inv.Sources {
			if at := &inv.Sources[i]; at.Name == s.Name() {
				if at.Details, err = plainLines(masker, byRoot[at.Root]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// plainLines makes text of a source fit to be shown: each one line, secrets
// masked, nothing in it that could speak to a terminal.
func plainLines(masker *redact.Masker, lines []string) ([]string, error) {
	masked := make([]string, len(lines))
	for i, l := range lines {
		var err error
		if masked[i], err = masker.Text(l); err != nil {
			return nil, err
		}
	}
	out := redact.Number(masked...)
	for i, l := range out {
		out[i] = clean(strings.Join(strings.Fields(l), " "))
	}
	return out, nil
}
