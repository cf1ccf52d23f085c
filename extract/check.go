package extract

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Check verifies a vault and what is remembered of it. It writes neither.
type Check struct {
	Vault  *vault.Vault
	Ledger *ledger.Ledger
	Folder string // name of the managed folder
	Lost   bool   // a ledger stood there and could not be used
	Full   bool   // read everything, whatever the last check remembers
	Memory []byte // of the last check, nil: none
	Now    time.Time
}

// CheckReport is what a check has to tell (schema 1).
type CheckReport struct {
	Schema   int       `json:"schema"`
	Notes    int       `json:"notes"` // notes of ours
	Read     int       `json:"read"`  // of these, the ones read by this check
	Findings []Finding `json:"findings"`
	// Memory is for the next check; nil where that would be this one's.
	Memory []byte `json:"-"`
}

// Finding is one thing that is wrong.
type Finding struct {
	Kind  string `json:"kind"`           // a word that does not change
	Note  string `json:"note"`           // path from the vault's root, empty: it is about no note
	Line  int    `json:"line,omitempty"` // from 1
	Words string `json:"words"`
	Hint  string `json:"hint"`
}

// findingLedger is the kind of what is wrong with the ledger, or between it and
// the vault; the other kinds are those of package vault.
const findingLedger = "ledger"

// Run does the check. Findings are no error.
func (c *Check) Run(ctx context.Context) (CheckReport, error) {
	memory := c.Memory
	if c.Full {
		memory = nil
	}
	seen, err := c.Vault.Inspect(ctx, vault.Inspect{Ours: c.knows, Memory: memory, Now: c.Now})
	if err != nil {
		return CheckReport{}, err
	}
	r := CheckReport{Schema: 1, Notes: seen.Notes, Read: len(seen.Read), Findings: []Finding{}, Memory: seen.Memory}
	for _, f := range seen.Findings {
		r.Findings = append(r.Findings, Finding{Kind: f.Kind, Note: f.Path, Line: f.Line, Words: f.Words, Hint: hintTo(f.Kind)})
	}
	if err := c.askLedger(&r, seen.Read); err != nil {
		return r, err
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Note, b.Note), cmp.Compare(a.Line, b.Line))
	})
	return r, nil
}

// askLedger compares what was read with what is remembered of it.
func (c *Check) askLedger(r *CheckReport, read []vault.Seen) error {
	wrong := func(note, words string) {
		r.Findings = append(r.Findings, Finding{Kind: findingLedger, Note: note, Words: words, Hint: hintTo(findingLedger)})
	}
	if c.Lost {
		wrong("", "the ledger could not be used: it is damaged, or of another version")
		return nil
	}
	for _, n := range read {
		row, known, err := c.Ledger.Note(n.ID)
		switch {
		case err != nil:
			return err
		case !known || !row.State.Stands() || row.Path != n.Path || row.Stamp != stampOf(n.Stamp):
			continue // the next pass takes in what happened to it
		case row.Hash != n.Hash:
			wrong(path.Join(c.Folder, n.Path), "it reads other than it was last seen, though its size and times do not say so")
		}
		if _, err := decodeFacts(row.Facts); err != nil {
			wrong(path.Join(c.Folder, n.Path), "what the ledger knows of it cannot be read: "+err.Error())
		}
	}
	if !c.Full {
		return nil
	}
	words, err := c.Ledger.Damage()
	if err != nil {
		return fmt.Errorf("check the ledger: %w", err)
	}
	for _, w := range words {
		wrong("", "the ledger is damaged: "+w)
	}
	return nil
}

// knows says that a note without markers is one of ours: its id is one that nobody
// else gives, or of the shape of ours and the ledger has its note at this path.
func (c *Check) knows(id, path string) bool {
	if isRareID(id) {
		return true
	}
	if kind, _, _ := strings.Cut(id, ":"); !slices.Contains(noteTypes, kind) {
		return false
	}
	row, known, err := c.Ledger.Note(id)
	return err == nil && known && row.Path == path && row.State != ledger.Away
}

// hintTo says what a person can do about a finding.
func hintTo(kind string) string {
	switch kind {
	case vault.FindingMarkers, vault.FindingNoID:
		return "bring the note back from version control, or delete it and run sessionloom restore with its id"
	case vault.FindingConflict:
		return "resolve the conflict; until then the note is left as it is"
	case vault.FindingFront:
		return "repair the properties at the top of the note; until then it is left as it is"
	case vault.FindingTwins:
		return "delete or move out all but one of them, or take the id out of the copies; until then none is written"
	case vault.FindingLink:
		return "sessionloom sync renews the links of notes that were moved or deleted"
	case vault.FindingName:
		return "give the note another name; it is followed by its id"
	case vault.FindingRescued:
		return "look at it, take over what you need, then delete it"
	case vault.FindingLeftover:
		return "sessionloom sync clears it away, or puts it aside where it holds your text"
	case vault.FindingUnreadable:
		return "make it readable for this user"
	}
	return "sessionloom sync --full reads everything anew and mends what is remembered"
}
