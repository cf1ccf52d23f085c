package publish

import (
	"path"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// A folder of which we took the last note goes too, once all is written
// (vault.Tidy). Which folders that may be is in the ledger before the first note
// goes: a run that is killed in between leaves no empty one for ever.

// willLeave notes the folders that notes are about to go from.
func willLeave(l *ledger.Ledger, drafts []*draft) error {
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
	if err := l.SetValue(ledger.VaultPrint, nil); err != nil {
		return err
	}
	return NoteLeft(l, from)
}

// NoteLeft remembers the folders that notes are about to go from.
func NoteLeft(l *ledger.Ledger, notes []string) error {
	if len(notes) == 0 {
		return nil
	}
	folders, err := l.LeftFolders()
	if err != nil {
		return err
	}
	for _, n := range notes {
		folders = append(folders, path.Dir(n))
	}
	slices.Sort(folders)
	return l.SetLeftFolders(slices.Compact(folders))
}

// removeFolders removes the folders that are empty because we took their last note, in
// this run or in one that was killed.
func (p *Publisher) removeFolders() error {
	folders, err := p.Notes.Ledger.LeftFolders()
	if err != nil {
		return err
	}
	stay, failed := p.Vault.Tidy(folders...)
	if failed != nil {
		p.Recorder.Problem(report.Problem{Path: p.Notes.FromRoot(stay[0]), Error: failed.Error(), Hint: "it is tried again next time", Fatal: true})
	}
	if err := p.Notes.Ledger.SetLeftFolders(stay); err != nil {
		return err
	}
	return p.Written.Flush()
}
