package extract

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// alone does the work of one item, page or note. What goes wrong in it is told by
// fail and ends nothing else; only what concerns all of them comes back: the
// ledger failed, or the run is to stop.
func (p *pass) alone(ctx context.Context, work func() error, fail func(error)) error {
	err := contained(work)
	if failed := p.Ledger.Failed(); failed != nil {
		return cmp.Or(err, failed)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	fail(err)
	return nil
}

// contained turns a panic into an error: what nobody foresaw in one session must
// not take the others with it.
func contained(work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return work()
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

// keepOnCalendar leaves out the times of a session that no page can show.
func keepOnCalendar(s *sources.Session) {
	s.Created, s.Updated = sources.OnCalendar(s.Created), sources.OnCalendar(s.Updated)
	for i := range s.Turns {
		t := &s.Turns[i]
		t.At, t.End = sources.OnCalendar(t.At), sources.OnCalendar(t.End)
	}
	for i := range s.Checkpoints {
		s.Checkpoints[i].At = sources.OnCalendar(s.Checkpoints[i].At)
	}
	for i := range s.Artifacts {
		s.Artifacts[i].At = sources.OnCalendar(s.Artifacts[i].At)
	}
	for i := range s.Todos {
		s.Todos[i].At = sources.OnCalendar(s.Todos[i].At)
	}
	for i := range s.Files {
		s.Files[i].At = sources.OnCalendar(s.Files[i].At)
	}
}
