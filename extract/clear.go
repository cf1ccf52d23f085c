package extract

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// A project that is not to be masked (Sync.Unmasked) is known only once its
// sessions were read. So everything is masked first; what turns out to be of such
// a project is read again, in the same pass, and kept as it is, but for the place,
// by which the project is told. What can no longer be read stays masked.

const (
	markClear = "clear" // ids whose layers are kept without masks, by line
	markOff   = "off"   // the projects that were not to be masked in the last pass
)

// loadClear learns which ids are kept without masks.
func (p *pass) loadClear() error {
	ids, err := p.Ledger.MetaLines(markClear)
	p.clear = map[string]bool{}
	for _, id := range ids {
		p.clear[id] = true
	}
	return err
}

// leftUnmasked tells whether a project is not to be masked.
func (s *Sync) leftUnmasked(project string) bool { return leftUnmasked(s.Unmasked, project) }

func leftUnmasked(globs []string, project string) bool {
	return project != "" && slices.ContainsFunc(globs, projectFromKey(project).matches)
}

// switchMasks masks the sessions whose project is to be masked again, and reads
// again without masks those of projects that are not to be. It looks at the cards
// only where one of them, or the setting, changed. It tells whether anything did.
func (p *pass) switchMasks(ctx context.Context, cards []ledger.SessionRow) (changed bool, err error) {
	off := []byte(strings.Join(p.Unmasked, "\n"))
	then, err := p.Ledger.Meta(markOff)
	if err != nil || string(then) == string(off) && (cards == nil || len(off) == 0) {
		return false, err
	}
	if cards == nil {
		if cards, err = p.Ledger.Sessions(); err != nil {
			return false, err
		}
	}
	want, err := p.wantClear(cards)
	if err != nil {
		return false, err
	}
	masked := slices.DeleteFunc(slices.Sorted(maps.Keys(p.clear)), func(id string) bool { return want[id] })
	bared := slices.DeleteFunc(slices.Sorted(maps.Keys(want)), func(id string) bool { return p.clear[id] })
	p.clear = want
	err = errors.Join(p.Ledger.SetMeta(markOff, off), p.Ledger.SetMeta(markClear, []byte(strings.Join(slices.Sorted(maps.Keys(want)), "\n"))))
	if err != nil {
		return false, err
	}
	if len(masked) > 0 {
		if _, err := p.maskKept(); err != nil {
			return false, err
		}
		p.purged = true
	}
	if len(masked)+len(bared) > 0 {
		if err := p.Ledger.SetMeta(markUnmasked, []byte("1")); err != nil {
			return false, err
		}
	}
	if len(bared) > 0 {
		if err := p.readAgain(bared); err != nil {
			return false, err
		}
		err = p.readOnceMore(ctx)
	}
	return len(masked)+len(bared) > 0, err
}

// wantClear are the ids of the sessions and shelves of projects that are not to
// be masked.
func (p *pass) wantClear(cards []ledger.SessionRow) (map[string]bool, error) {
	want := map[string]bool{}
	for _, c := range cards {
		if c.Kind == ledger.KindForgotten || !p.leftUnmasked(c.Project) {
			continue
		}
		also, err := p.Ledger.Also(c.ID)
		if err != nil {
			return nil, err
		}
		want[c.ID] = true
		for _, id := range also {
			want[id] = true
		}
	}
	return want, nil
}

// readOnceMore reads what became due since the sources were listed. They are
// listed again, for to keep what all passes list would cost more.
func (p *pass) readOnceMore(ctx context.Context) error {
	p.again = true
	defer func() { p.again = false }()
	for _, src := range p.Sources {
		if !p.listed[src.Name()] { // which was told
			continue
		}
		l, err := src.List(ctx)
		if err == nil {
			err = p.readSource(ctx, src, l)
		}
		if c, ok := src.(sources.Closer); ok {
			err = errors.Join(err, c.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
