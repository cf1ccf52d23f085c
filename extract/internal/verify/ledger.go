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
	if err := c.compareRows(r, standing); err != nil {
		return err
	}
	c.findDeleted(r, standing)
	if err := c.compareAll(r, standing); err != nil || !c.Full {
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
	for _, n := range standing {
		if n.ID == "" {
			continue
		}
		row, known, err := c.Ledger.Note(n.ID)
		if err == nil && !known {
			err = c.findRelabelled(r, n)
		}
		switch {
		case err != nil:
			return err
		case !known || !row.State.Stands() || row.Path != n.Path || row.Stamp != index.StampOf(n.Stamp):
			continue // the next run takes in what happened to it
		case row.Hash != n.Hash:
			r.add(FindingLedger, c.fromRoot(n.Path), "it reads other than it was last seen, though its size and times do not say so")
		}
		if _, err := facts.Decode(row.Facts); err != nil {
			r.add(FindingLedger, c.fromRoot(n.Path), "what the ledger knows of it cannot be read: "+err.Error())
		}
	}
	return nil
}

// findRelabelled finds a note that lies where another one lay and bears an id that
// nobody knows.
func (c *Check) findRelabelled(r *CheckReport, n vault.Seen) error {
	row, known, err := c.Ledger.NoteAt(n.Path)
	if err == nil && known && row.ID != n.ID && !c.Vault.HasTombstone(row.ID) {
		r.add(inspect.FindingNoID, c.fromRoot(n.Path), fmt.Sprintf("its id is %q, and nobody knows a note of that id: here lay %q", n.ID, row.ID))
	}
	return err
}

func (c *Check) fromRoot(p string) string { return path.Join(c.Folder, p) }

// findDeleted finds notes that stand although they were deleted once: nobody keeps
// them up to date.
func (c *Check) findDeleted(r *CheckReport, standing []vault.Seen) {
	for _, n := range standing {
		if n.ID != "" && c.Vault.HasTombstone(n.ID) {
			r.add(findingTombstone, c.fromRoot(n.Path), fmt.Sprintf("it was deleted once and stands all the same: its id is %q", n.ID))
		}
	}
}

// compareAll compares the list of notes with the ledger's, where the ledger says
// that it has seen the folder exactly as it is. Else the next run takes in what
// is other.
func (c *Check) compareAll(r *CheckReport, standing []vault.Seen) error {
	last := observe.Snapshot{Files: make(map[string]vault.Stamp, len(standing))}
	at := make(map[string]vault.Seen, len(standing))
	for _, n := range standing {
		last.Files[n.Path], at[n.Path] = n.Stamp, n
	}
	mark, err := c.Ledger.Value(ledger.VaultPrint)
	if err != nil {
		return err
	}
	if last.Elsewhere, _, err = observe.LoadElsewhere(c.Ledger, c.Vault); err != nil {
		return err
	}
	if mark == nil || !bytes.Equal(mark, last.Fingerprint()) {
		return nil
	}
	rows, err := c.Ledger.NoteFiles()
	if err != nil {
		return err
	}
	known, taken := make(map[string]bool, len(rows)), make(map[string]bool, len(rows))
	for _, row := range rows {
		known[row.ID], taken[row.Path] = true, true
		if words := stale(row, at); words != "" {
			r.add(FindingLedger, c.fromRoot(row.Path), words)
		}
	}
	for _, n := range standing {
		if n.ID != "" && !known[n.ID] && !taken[n.Path] {
			r.add(FindingLedger, c.fromRoot(n.Path), fmt.Sprintf("the ledger does not know this note, whose id is %q", n.ID))
		}
	}
	return nil
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
