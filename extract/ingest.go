package extract

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/ingest"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// readSources brings the ledger up to date with the sources and reports what was
// read. full reads every item.
func (p *pass) readSources(ctx context.Context, listings *ingest.Listings, full bool) (ingest.Changes, error) {
	read, err := ingest.Run(ctx, listings, p.Ledger, ingest.Options{
		Masker: p.Masker, Sessions: p.assign, Now: p.Now, Progress: p.Progress, Full: full, Jobs: p.jobs(), Expiring: p.Mode.DryRun,
		Excluded: func(id string) bool { return index.ForgottenSession(p.Vault, id) },
	})
	p.rec.Read(read)
	if err == nil && len(read.Scans) > 0 { // there may be more empty sessions, or fewer
		err = p.Ledger.SetValue(ledger.Empty, nil)
	}
	return read, err
}
