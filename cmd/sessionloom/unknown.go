package main

import (
	"context"
	"path/filepath"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// addMet adds what the passes of the configured vault met that no reader knows.
func (inv *inventory) addMet(c config) {
	if c.vault == "" {
		return
	}
	name, err := recordedAt(c.state, record{vault: c.vault, folder: c.folder})
	if err != nil || name == "" {
		return // nothing is known of that vault yet
	}
	last := readLast(filepath.Join(c.state, name))
	if last == nil {
		return
	}
	for _, u := range last.Unknown {
		if at := inv.root(u.Source, u.Root); at != nil && u.Kinds != nil {
			at.Unknown = u.Kinds
		}
	}
}

// readAll reads everything there is and counts what no reader knows. What cannot
// be read is a problem, and the rest is counted.
func (inv *inventory) readAll(ctx context.Context, readers []sources.Source, masker *redact.Masker) error {
	for _, s := range readers {
		l, err := s.List(ctx)
		if err != nil {
			return err
		}
		for _, it := range l.Items {
			r, err := s.Read(ctx, it)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				if err := inv.unread(it, err, masker); err != nil {
					return err
				}
				continue
			}
			at := inv.root(s.Name(), it.Root)
			if at == nil { // it came after the first look
				continue
			}
			for kind, n := range r.Unknown {
				plain, err := plainLines(masker, []string{kind})
				if err != nil {
					return err
				}
				at.Unknown[plain[0]] += n
			}
		}
	}
	return nil
}

// unread tells of an item that could not be read.
func (inv *inventory) unread(it sources.Item, cause error, masker *redact.Masker) error {
	plain, err := plainLines(masker, []string{cause.Error()})
	if err == nil {
		inv.failed = true
		inv.Problems = append(inv.Problems, extract.Problem{Source: it.Source, Item: it.Key, Path: it.Path, Error: plain[0]})
	}
	return err
}
