package report

import (
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// HideSecrets masks the texts of the report that come from a source: a reader may
// quote what it could not read, and names are the source's own.
func (r *Report) HideSecrets(m names.TextMasker) {
	hide := func(s *string) {
		masked, err := m.Text(*s)
		if err != nil {
			masked = "a text that could not be searched for secrets"
		}
		*s = redact.Number(masked)[0]
	}
	for i := range r.Problems {
		q := &r.Problems[i]
		hide(&q.Error)
		hide(&q.Hint)
		hide(&q.Item)
		hide(&q.Path)
	}
	for i := range r.Expiring {
		hide(&r.Expiring[i].Path)
	}
	for i := range r.Kept {
		hide(&r.Kept[i].Reason)
	}
	for i := range r.Partial {
		for j := range r.Partial[i].Damage {
			hide(&r.Partial[i].Damage[j])
		}
	}
	for i := range r.Sources {
		unknown := make(map[string]int, len(r.Sources[i].Unknown))
		for kind, n := range r.Sources[i].Unknown {
			hide(&kind)
			unknown[kind] += n
		}
		r.Sources[i].Unknown = unknown
	}
}
