package discover

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/agents"
)

// Look lists what sources find, without reading any of it.
func Look(ctx context.Context, readers []sources.Source) (*present.Inventory, error) {
	inv := &present.Inventory{Schema: 1, Sources: []present.SourceRoot{}, Problems: []extract.Problem{}}
	for _, s := range readers {
		l, err := s.List(ctx)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", s.Name(), err)
		}
		for _, r := range l.Roots {
			inv.Sources = append(inv.Sources, present.SourceRoot{
				Name: s.Name(), Root: r.Path, Found: r.Found, Why: r.Why,
				Items: r.Items, Bytes: r.Bytes, Newest: r.New.UTC(), Notes: r.Notes, KeptDays: r.KeptDays, Unknown: map[string]int{},
			})
		}
		for _, it := range l.Items {
			if at := inv.Root(s.Name(), it.Root); at != nil {
				at.Expiring += len(it.Expires)
				for _, x := range it.Expires {
					if !x.At.IsZero() && (at.FirstLoss.IsZero() || x.At.Before(at.FirstLoss)) {
						at.FirstLoss = x.At.UTC()
					}
				}
			}
		}
		for _, p := range l.Problems {
			inv.Failed = inv.Failed || p.Fatal
			q := extract.Problem{Source: s.Name(), Item: p.Item, Path: p.Path, Hint: p.Hint}
			if p.Err != nil {
				q.Error = p.Err.Error()
			}
			inv.Problems = append(inv.Problems, q)
		}
	}
	return inv, nil
}

// KeepPrompts returns the settings by which the prompts that found agents keep of deleted sessions become
// notes, if they do not yet.
func KeepPrompts(inv *present.Inventory, c config.Config) (keys []string) {
	for _, a := range agents.AtHome() {
		found := slices.ContainsFunc(inv.Sources, func(s present.SourceRoot) bool { return s.Name == a.Name && s.Items > 0 })
		if a.Home.Prompts && found && c.Homes[a.Name].PromptOnly != "write" {
			keys = append(keys, config.SourceKey(a.Name)+".prompt_only")
		}
	}
	return keys
}

// Examine is Look with the sources' details of their roots, masked.
func Examine(ctx context.Context, readers []sources.Source, secrets redact.Options) (*present.Inventory, error) {
	inv, err := Look(ctx, readers)
	if err != nil {
		return nil, err
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	masker, err := redact.New(key, secrets)
	if err == nil {
		err = addDetails(ctx, inv, readers, masker)
	}
	if err != nil {
		return nil, err
	}
	for i := range inv.Problems {
		q := &inv.Problems[i]
		plain, err := present.Masked(masker, q.Item, q.Path, q.Error)
		if err != nil {
			return nil, err
		}
		q.Item, q.Path, q.Error = plain[0], plain[1], plain[2]
	}
	return inv, nil
}

func addDetails(ctx context.Context, inv *present.Inventory, readers []sources.Source, masker *redact.Masker) error {
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
			inv.Failed = true
			inv.Problems = append(inv.Problems, extract.Problem{Source: s.Name(), Error: err.Error()})
		}
		for i := range inv.Sources {
			if at := &inv.Sources[i]; at.Name == s.Name() {
				if at.Details, err = present.PlainLines(masker, byRoot[at.Root]...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
