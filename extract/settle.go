package extract

import (
	"reflect"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// settle stores what stands in the vault now. Where that says something else
// than planned, what shows it is due again.
func (p *pass) settle(d *draft, res vault.Result) error {
	p.settling.Lock()
	defer p.settling.Unlock()
	p.count(d, res)
	if res.Outcome == vault.Removed {
		delete(p.files, res.Path)
		return p.dropNote(d.row)
	}
	if res.Note.ID != d.facts.ID || res.Note.Broken != "" {
		return nil // changed since it was looked at: the next pass does so again
	}
	p.files[res.Path] = res.Note.Stamp
	base, err := d.nextBase(res)
	if err != nil {
		return err
	}
	reason := res.Reason
	if d.body == nil && !d.remove {
		reason = d.row.Reason
	}
	other := res.Path != d.path // another file took the place it was planned at
	if res.Outcome != vault.Created {
		other = !reflect.DeepEqual(factsOf(res.Note), d.planned)
	}
	if other {
		return p.settleFacts(d, res, reason, base)
	}
	return p.Ledger.Settle(d.facts.ID, res.Path, stampOf(res.Note.Stamp), res.Note.Hash, reason, base)
}

// settleFacts stores a place or facts other than planned.
func (p *pass) settleFacts(d *draft, res vault.Result, reason string, base []byte) error {
	actual := factsOf(res.Note)
	now, err := rowOf(actual, res.Note)
	if err != nil {
		return err
	}
	old, known, err := p.Ledger.Note(d.facts.ID)
	if err != nil {
		return err
	}
	if actual.Type == typeSession && actual.unticked() != d.planned.unticked() {
		// Ticked while it was written: what it counts is to follow.
		if err := p.due.mark(ledger.DueSession, actual.session()); err != nil {
			return err
		}
	}
	now.Base, now.Reason, now.Session, now.Home = base, reason, d.row.Session, old.Home
	return p.storeFacts(old, known, now, actual)
}

// nextBase remembers key by key what we last wrote and the vault took: ours
// where the note shows ours, else what the base was.
func (d *draft) nextBase(res vault.Result) ([]byte, error) {
	if d.body == nil {
		return d.row.Base, nil
	}
	if res.Outcome == vault.Created {
		return encodeProps(d.props)
	}
	before, err := decodeProps(d.row.Base)
	if err != nil {
		return nil, err
	}
	next := make([]vault.Property, 0, len(d.props))
	for _, o := range d.props {
		if v, ok := valueOf(res.Note.Props, o.Key); ok && reflect.DeepEqual(v, o.Value) || o.Key == "tags" || o.Key == "aliases" {
			next = append(next, o)
		} else if v, ok := valueOf(before, o.Key); ok {
			next = append(next, vault.Property{Key: o.Key, Value: v})
		}
	}
	return encodeProps(next)
}

func valueOf(props []vault.Property, key string) (any, bool) {
	for _, p := range props {
		if p.Key == key {
			return p.Value, true
		}
	}
	return nil, false
}

// count enters an outcome into the report.
func (p *pass) count(d *draft, res vault.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.outcomes[d.facts.ID] = afterAll(p.outcomes[d.facts.ID], res.Outcome)
	if res.Reason != "" {
		p.report.Kept = append(p.report.Kept, KeptNote{Note: p.fromRoot(res.Path), Reason: res.Reason})
	}
	if res.Outcome == vault.Unchanged || res.Outcome == vault.Kept && len(res.New) == 0 {
		return
	}
	p.report.Changed = append(p.report.Changed, Change{
		Note: p.fromRoot(res.Path), Outcome: string(res.Outcome), Old: res.Old, New: res.New})
}
