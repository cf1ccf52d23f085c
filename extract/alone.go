package extract

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
)

// alone does the work of one item, page or note: see [contain.Failure].
func (p *pass) alone(ctx context.Context, work func() error, fail func(error)) error {
	return contain.Failure(ctx, p.Ledger, work, fail)
}
