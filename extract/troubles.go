package extract

import (
	"fmt"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/templates"
)

// lookAtTroubles finds the machines on which scheduled runs fail, as the vault
// has it, and makes Home due where it shows others.
func (p *pass) lookAtTroubles() error {
	if p.Settings.HomeCallout {
		var err error
		if p.troubles, err = p.Vault.Troubles(); err != nil {
			return err
		}
	}
	now := ""
	if len(p.troubles) > 0 {
		now = fmt.Sprint(p.troubles)
	}
	then, err := p.Ledger.Meta(markTrouble)
	if err != nil || string(then) == now {
		return err
	}
	p.marks[markTrouble] = []byte(now)
	return p.due.mark(ledger.DuePage, homeID)
}

// trouble is what Home says of them.
func (p *pass) trouble() templates.Trouble {
	v := templates.Trouble{Machines: len(p.troubles)}
	for i, t := range p.troubles {
		if i == 0 || t.Since.Before(v.Since) {
			v.Since = t.Since
		}
	}
	return v
}
