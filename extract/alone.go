package extract

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// alone does the work of one item, page or note: see [contain.Failure].
func (p *pass) alone(ctx context.Context, work func() error, fail func(error)) error {
	return contain.Failure(ctx, p.Ledger, work, fail)
}

// dropUnwritten forgets a note that was planned and cannot be written now.
func (p *pass) dropUnwritten(id string) error {
	row, known, err := p.Ledger.Note(id)
	if err != nil || !known || row.State != ledger.Planned {
		return err
	}
	return p.dropNote(row)
}
