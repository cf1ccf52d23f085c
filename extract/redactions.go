package extract

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/verify"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// Redactions brings the ledger up to date, writes no note, and hands every place
// where a secret is masked to found, by session.
func (s *Sync) Redactions(ctx context.Context, found func(Redaction) error) (Report, error) {
	s.Mode.NotesOff = true
	report, err := s.Run(ctx)
	if err != nil {
		return report, err
	}
	layers, err := s.Ledger.KeptLayers()
	if err != nil {
		return report, err
	}
	told := map[Redaction]bool{} // several layers may hold one text
	for _, k := range layers {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		all, err := s.redactionsIn(k)
		if err != nil {
			return report, err
		}
		for _, r := range all {
			if told[r] {
				continue
			}
			told[r] = true
			if err := found(r); err != nil {
				return report, err
			}
		}
	}
	return report, nil
}

func (s *Sync) redactionsIn(k ledger.KeptLayer) (out []Redaction, err error) {
	layer, _, err := s.Ledger.Layer(k)
	if err != nil || layer == nil {
		return nil, err
	}
	home, err := s.Ledger.CanonicalID(k.Session)
	if err != nil {
		return nil, err
	}
	record, _, err := s.Ledger.Session(home)
	if err != nil || index.Forgotten(s.Vault, record) {
		return nil, err
	}
	out = verify.RedactionsIn(layer)
	for i := range out {
		r := &out[i]
		r.Session, r.Project, r.Source, r.Item = k.Session, redact.Number(record.Project)[0], k.Source, k.Item
	}
	return out, nil
}
