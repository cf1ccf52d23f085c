package extract

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// alone does the work of one item, page or note: see [contain.Failure].
func (p *pass) alone(ctx context.Context, work func() error, fail func(error)) error {
	return contain.Failure(ctx, p.Ledger, work, fail)
}

// failDue tells that what is due could not be planned. It stays due, and what was
// planned of it is forgotten, so that nothing links to it.
func (p *pass) failDue(kind, id string, err error) {
	note := id
	if kind == ledger.DueSession {
		note = names.SessionID(id)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed[kind+id] = true
	p.unsure = true
	p.outcomes[note] = vault.Failed
	p.report.Problems = append(p.report.Problems, Problem{Item: note, Error: err.Error(), Hint: "it is tried again next time", Fatal: true})
}

// dropUnwritten forgets a note that was planned and cannot be written now.
func (p *pass) dropUnwritten(id string) error {
	row, known, err := p.Ledger.Note(id)
	if err != nil || !known || row.State != ledger.Planned {
		return err
	}
	return p.dropNote(row)
}
