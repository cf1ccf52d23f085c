package extract

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/catalog"
)

// Accept writes notes as though their users had never edited them: body, links and properties of
// ours. What stands outside of these stays, and a copy of the edited note is kept in the rescue
// folder. A name is one that [catalog.Catalog.Note] knows. It returns a [*catalog.NameError] where
// a name stands for no note, or for several.
func (s *Engine) Accept(ctx context.Context, names []string) (Report, error) {
	if err := s.beginKnowing(ctx); err != nil {
		return Report{}, err
	}
	s.accepted = map[string]bool{}
	var asked []catalog.Entry
	for _, name := range names {
		e, err := catalog.New(s.Ledger, s.Folder).Note(name)
		if err != nil {
			return Report{}, err
		}
		s.accepted[e.ID] = true
		s.due(e.ID)
		asked = append(asked, e)
	}
	report, err := s.Run(ctx)
	for _, e := range asked {
		report.Answer("accept", e.Path, "", func(id string) bool { return id == e.ID })
	}
	return report, err
}
