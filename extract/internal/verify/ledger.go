package verify

import (
	"bytes"
	"fmt"
	"path"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/inspect"
)

// askLedger compares what stands in the vault with what is remembered of it.
func (c *Check) askLedger(r *CheckReport, standing []vault.Seen) error {
	if c.Lost {
		r.add(FindingLedger, "", "the ledger could not be used: it is damaged, or of another version")
		return nil
	}
	if err := c.compareRows(r, standing); err != nil || !c.Full {
		return err
	}
	words, err := c.Ledger.Damage()
	if err != nil {
		return fmt.Errorf("check the ledger: %w", err)
	}
	for _, w := range words {
		r.add(FindingLedger, "", "the ledger is damaged: "+w)
	}
	if len(words) == 0 {
		return c.unpackAll(r)
	}
	return nil
}

// compareRows holds the notes of ours against their rows.
func (c *Check) compareRows(r *CheckReport, standing []vault.Seen) error {
	exact, err := c.sawAll(standing)
	if err != nil {
		return err
	}
	rows, err := c.Ledger.NoteFiles()
	if err != nil {
		return err
	}
	taken, at := map[string]string{}, map[string]vault.Seen{} // ids and notes by path
	for _, row := range rows {
		taken[row.Path] = row.ID
	}
	for _, n := range standing {
		at[n.Path] = n
		if n.ID == "" {
			continue
		}
		note := c.fromRoot(n.Path)
		if c.Vault.HasTombstone(n.ID) { // nobody keeps it up to date
			r.add(findingTombstone, note, fmt.Sprintf("it was deleted once and stands all the same: its id is %q", n.ID))
		}
		row, known, err := c.Ledger.Note(n.ID)
		if err != nil {
			return err
		}
		other, lay := taken[n.Path]
		switch {
		case !known && lay && !c.Vault.HasTombstone(other):
			r.add(inspect.FindingNoID, note, fmt.Sprintf("its id is %q, and nobody knows a note of that id: here lay %q", n.ID, other))
		case !known && !lay && exact:
			r.add(FindingLedger, note, fmt.Sprintf("the ledger does not know this note, whose id is %q", n.ID))
		case !known || !row.State.Stands() || row.Path != n.Path || row.Stamp != index.StampOf(n.Stamp):
			continue // the next run takes in what happened to it
		case row.Hash != n.Hash:
			r.add(FindingLedger, note, "it reads other than it was last seen, though its size and times do not say so")
		}
		if _, err := facts.Decode(row.Facts); err != nil {
			r.add(FindingLedger, note, "what the ledger knows of it cannot be read: "+err.Error())
		}
	}
	for _, row := range rows {
		if words := stale(row, at); exact && words != "" {
			r.add(FindingLedger, c.fromRoot(row.Path), words)
		}
	}
	return nil
}

func (c *Check) fromRoot(p string) string { return path.Join(c.Folder, p) }

// sawAll tells whether the ledger says that it has seen the folder exactly as it is. Else the
// next run takes in what is other.
func (c *Check) sawAll(standing []vault.Seen) (bool, error) {
	last := observe.Snapshot{Files: make(map[string]vault.Stamp, len(standing))}
	for _, n := range standing {
		last.Files[n.Path] = n.Stamp
	}
	last.Elsewhere, _ = observe.LoadElsewhere(c.Ledger, c.Vault)
	mark, err := c.Ledger.Value(ledger.VaultPrint)
	return mark != nil && bytes.Equal(mark, last.Fingerprint()), err
}

// stale says what is wrong with a row, nothing where it is as the note.
func stale(row ledger.NoteFile, at map[string]vault.Seen) string {
	if !row.State.Stands() {
		return ""
	}
	n, there := at[row.Path]
	switch {
	case !there || n.ID != row.ID:
		return fmt.Sprintf("the ledger says that the note %q stands here, and it does not", row.ID)
	case row.Stamp != [4]int64{} && row.Stamp != index.StampOf(n.Stamp):
		return fmt.Sprintf("the ledger knows an older state of the note %q", row.ID)
	}
	return ""
}

// unpackAll reads all that the ledger keeps of sessions and notes.
func (c *Check) unpackAll(r *CheckReport) error {
	sessions, err := c.Ledger.Sessions()
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if _, err := c.Ledger.Layers(s.ID); err != nil {
			r.add(FindingLedger, "", fmt.Sprintf("what it keeps of the session %q cannot be read: %v", s.ID, err))
		}
	}
	rows, err := c.Ledger.NoteFiles()
	if err != nil {
		return err
	}
	for _, row := range rows {
		if _, _, err := c.Ledger.Bases(row.ID); err != nil {
			r.add(FindingLedger, c.fromRoot(row.Path), "what it was last made from cannot be read: "+err.Error())
		}
	}
	return nil
}
