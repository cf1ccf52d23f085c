package extract

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// readSources brings the ledger up to date with the sources and reports what was
// read. full reads every item.
func (p *pass) readSources(ctx context.Context, listings *ingest.Listings, full bool) (ingest.Changes, error) {
	read, err := ingest.Run(ctx, listings, p.Ledger, ingest.Options{
		Masker: p.Masker, Sessions: readSessions{p}, Now: p.Now, Progress: p.Progress, Full: full, Jobs: p.jobs(), Expiring: p.Mode.DryRun,
		Excluded: func(id string) bool { return index.ForgottenSession(p.Vault, id) },
	})
	p.rec.Read(read)
	if err == nil && len(read.Scans) > 0 { // there may be more empty sessions, or fewer
		err = p.Ledger.SetValue(ledger.Empty, nil)
	}
	return read, err
}

// readSessions works out the card of each session whose layers changed, while they
// are at hand.
type readSessions struct{ run *pass }

// LayersChanged implements [ingest.Sessions].
func (s readSessions) LayersChanged(id string, layers []sources.Layer, size int) (err error) {
	p := s.run
	p.cache.forget(id)
	var m session.Merged
	if layers == nil {
		m, err = p.mergedAlone(id)
	} else if m, err = p.identified(id, session.Merge(layers)); err == nil {
		p.cache.put(id, m, size)
	}
	if err != nil {
		return err
	}
	return p.putCard(id, m)
}

// LayersMoved implements [ingest.Sessions].
func (s readSessions) LayersMoved(was string) error { return s.run.recard(was) }
