package extract

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// basesOf looks up, when somebody asks, what the regions of a note were made
// from. Nobody asks for a note that its user left alone. What cannot be unpacked
// is unknown, as in a lost ledger.
func basesOf(l *ledger.Ledger, id string) func() (body, nav *string, err error) {
	return func() (body, nav *string, err error) {
		b, err := l.Bases(id)
		if err != nil {
			return nil, nil, err
		}
		if body, err = ledger.UnpackBase(b.Body); err != nil {
			body = nil
		}
		if nav, err = ledger.UnpackBase(b.Nav); err != nil {
			nav = nil
		}
		return body, nav, nil
	}
}

// packBases packs what the next merge starts from, before the ledger is held.
func packBases(res vault.Result) ledger.Bases {
	return ledger.Bases{Body: ledger.PackBase(res.BaseBody), Nav: ledger.PackBase(res.BaseNav)}
}

// refusedNow is what of a note stays refused: a draft of the navigation alone
// tells nothing of the rest.
func (d *draft) refusedNow(res vault.Result) string {
	if d.body != nil || d.remove {
		return res.Refused
	}
	words := strings.Fields(d.row.Refused)
	for _, w := range strings.Fields(res.Refused) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// refusedDue has a pass that shows texts look at all notes of which something
// was refused, so that it shows what they would say.
func (p *pass) refusedDue() error {
	if !p.Mode.Texts || !p.Mode.DryRun || p.Mode.NotesOff {
		return nil
	}
	rows, err := p.Ledger.NotesInState(ledger.Present)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Refused == "" {
			continue
		}
		if err := p.queue.MarkNote(r); err != nil {
			return err
		}
	}
	return nil
}
