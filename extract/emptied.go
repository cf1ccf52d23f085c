package extract

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/observe"
)

// A folder of which we took the last note goes too, once all is written
// (vault.Tidy). Which folders that may be is in the ledger before the first note
// goes: a pass that is killed in between leaves no empty one for ever.

// willLeave notes the folders that notes are about to go from.
func (p *pass) willLeave(drafts []*draft) error {
	var from []string
	for _, d := range drafts {
		if d.leaves() {
			from = append(from, d.row.Path)
		}
	}
	if len(from) == 0 {
		return nil
	}
	// The ledger has them at their new places from now on. Where the run ends
	// before any of them moved, the vault is as it was and yet to be looked at.
	return errors.Join(p.Ledger.SetMeta(observe.KeyVault, nil), p.noteLeft(from))
}

// leaves says that a note is about to go from where it lies.
func (d *draft) leaves() bool { return d.remove || d.moveTo != "" }

func (s *Sync) noteLeft(notes []string) error {
	if len(notes) == 0 {
		return nil
	}
	folders, err := s.left()
	if err != nil {
		return err
	}
	for _, n := range notes {
		folders = append(folders, path.Dir(n))
	}
	slices.Sort(folders)
	return s.Ledger.SetMeta(markLeft, []byte(strings.Join(slices.Compact(folders), "\n")))
}

// left lists the folders that notes were about to go from.
func (s *Sync) left() ([]string, error) {
	text, err := s.Ledger.Meta(markLeft)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	return strings.Split(string(text), "\n"), nil
}

// tidy removes the folders that are empty because we took their last note, in
// this pass or in one that was killed.
func (p *pass) tidy() error {
	folders, err := p.left()
	if err != nil {
		return err
	}
	p.Vault.Tidy(folders...)
	if len(folders) > 0 {
		p.marks[markLeft] = []byte{}
	}
	return p.flush()
}
