// Package verify finds faults of a vault and its state. It changes neither.
//
// It only judges generated text: links in properties and unchanged regions, and active content in such
// regions, unless the vault has its user's own templates, whose words may act. Secrets are searched in all
// generated regions.
package verify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/inspect"
)

// Check verifies a vault and its state. It writes neither.
type Check struct {
	Vault  *vault.Vault
	Ledger *ledger.Ledger
	Folder string // name of the managed folder
	Lost   bool   // there was an unusable ledger
	Full   bool   // read the whole ledger too
	Open   string // says in words that others can read the state folder; empty: they cannot
	// Settings reports a fault of the vault's settings, or nil.
	Settings error
	Masker   Searcher
	// Anew lists, by path, the notes that would change if all were rendered from stored data; nil: skip that.
	Anew func(ctx context.Context) ([]string, error)
}

// Searcher finds secrets by the current rules.
type Searcher interface {
	Find(s string) ([]redact.Found, error)
}

// CheckReport is the result of a check (schema 1).
type CheckReport struct {
	Schema   int       `json:"schema"`
	Notes    int       `json:"notes"` // number of generated notes
	Read     int       `json:"read"`  // equal to Notes, as every check reads them all
	Findings []Finding `json:"findings"`
	// Rescued are the texts set aside for their user, relative to the vault's root. They are the user's, and
	// no finding.
	Rescued []string `json:"rescued"`
}

// Finding is one fault.
type Finding struct {
	Kind  string `json:"kind"`           // a word that does not change
	Note  string `json:"note"`           // relative to the vault's root, or ""
	Line  int    `json:"line,omitempty"` // from 1
	Words string `json:"words"`
	Hint  string `json:"hint"`
}

// Kinds of findings, in addition to package vault's.
const (
	FindingLedger    = "ledger"    // the ledger, or a difference between it and the vault
	findingTombstone = "tombstone" // a deleted note that still exists
	findingSettings  = "settings"  // invalid settings of the vault
	findingOpen      = "open"      // a state folder that others can read
)

func (r *CheckReport) add(kind, note, words string) {
	r.Findings = append(r.Findings, Finding{Kind: kind, Note: note, Words: words, Hint: hintTo(kind)})
}

// secrets finds the secrets in a generated text. It returns their places, not the secrets.
func (c *Check) secrets(text string) ([]inspect.Secret, error) {
	found, err := c.Masker.Find(text)
	out := make([]inspect.Secret, 0, len(found))
	for _, f := range found {
		out = append(out, inspect.Secret{Rule: f.Rule, At: f.From})
	}
	return out, err
}

// Run runs the check. Findings are not an error.
func (c *Check) Run(ctx context.Context) (CheckReport, error) {
	seen, err := c.Vault.Inspect(ctx, inspect.Options{Ours: c.knows, Secrets: c.secrets, Trusting: c.Vault.Marker().Settings["templates"] != ""})
	if err != nil {
		return CheckReport{}, err
	}
	r := CheckReport{Schema: 1, Notes: seen.Notes, Read: seen.Notes, Findings: []Finding{}, Rescued: []string{}}
	rescued, err := c.Vault.Rescued(ctx)
	if err != nil {
		return CheckReport{}, err
	}
	for _, p := range rescued {
		r.Rescued = append(r.Rescued, c.fromRoot(p))
	}
	for _, f := range seen.Findings {
		r.Findings = append(r.Findings, Finding{Kind: f.Kind, Note: f.Path, Line: f.Line, Words: f.Words, Hint: hintTo(f.Kind)})
	}
	if c.Open != "" {
		r.add(findingOpen, "", c.Open)
	}
	if c.Settings != nil {
		r.add(findingSettings, path.Join(c.Folder, ".sessionloom/vault.yaml"), c.Settings.Error())
	}
	if err := c.askLedger(&r, seen.Standing); err != nil {
		return r, err
	}
	if err := c.compare(ctx, &r); err != nil {
		return r, err
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Note, b.Note), cmp.Compare(a.Line, b.Line))
	})
	return r, nil
}

// knows reports whether a note without markers is generated: its id is one that nobody else gives, or has our
// form and the ledger has its note at this path.
func (c *Check) knows(id, path string) bool {
	if id == "" {
		_, note := c.Ledger.NoteAt(path)
		_, file := c.Ledger.OwnedAt(path)
		return note || file
	}
	if names.IsRareID(id) {
		return true
	}
	row, known := c.Ledger.Note(id)
	return known && names.IsID(id) && row.Path == path && row.State != ledger.MovedOut
}

// compare finds the notes that would be rendered differently now, though nothing else is wrong with them:
// something that they show changed.
func (c *Check) compare(ctx context.Context, r *CheckReport) error {
	disagrees := func(f Finding) bool { return f.Kind == FindingLedger }
	if c.Anew == nil || slices.ContainsFunc(r.Findings, disagrees) { // then stored data is incomplete
		return nil
	}
	stale, err := c.Anew(ctx)
	if err != nil {
		return err
	}
	troubled := map[string]bool{}
	for _, f := range r.Findings {
		troubled[f.Note] = true
	}
	for _, p := range stale {
		if f := Stale(c.fromRoot(p)); !troubled[f.Note] {
			r.Findings = append(r.Findings, f)
		}
	}
	return nil
}

// Stale returns a finding about a note, by its path from the vault's root, that would be rendered differently
// now.
func Stale(note string) Finding {
	return Finding{Kind: inspect.FindingBack, Note: note, Words: "it is not as it would be written now: a link back, or what it shows of other notes, is missing", Hint: hintTo(inspect.FindingBack)}
}

func hintTo(kind string) string {
	return cmp.Or(hints[kind], "sessionloom check --repair reads everything anew and repairs what is remembered")
}

// hints maps kinds of findings to their own hints.
var hints = map[string]string{
	inspect.FindingMarkers:    "sessionloom check --repair repairs what is sure; else bring the note back from version control, or delete it and run sessionloom restore with its id",
	inspect.FindingNoID:       "sessionloom check --repair repairs what is sure; else bring the note back from version control, or delete it and run sessionloom restore with its id",
	inspect.FindingDamaged:    "sessionloom check --repair brings it back where nothing of yours is in it; else take it from a backup",
	inspect.FindingConflict:   "resolve the conflict; until then the note is left as it is",
	inspect.FindingFront:      "repair the properties at the top of the note; until then it is left as it is",
	inspect.FindingDuplicate:  "delete or move out all but one of them, or give the copies another id; until then none is written",
	inspect.FindingLink:       "sessionloom sync renews the links of notes that were moved or deleted, check --repair those of others",
	inspect.FindingBack:       "sessionloom check --repair renews the links of the note",
	inspect.FindingLive:       "do not open the note in an editor that runs what is in it; sessionloom check --repair writes it anew",
	inspect.FindingSecret:     "sessionloom check --repair writes anew what is ours; in a line that you edited take it out yourself, or have the session forgotten",
	inspect.FindingName:       "give the note another name; it is followed by its id",
	inspect.FindingLeftover:   "sessionloom sync clears it away, or puts it aside where it holds your text",
	inspect.FindingUnreadable: "make it readable for this user",
	inspect.FindingFile:       "sessionloom check --repair puts it aside and writes it anew where it is ours",
	inspect.FindingUnexpected: "a copy of a sync program may be deleted; nothing here is read but our own records",
	findingSettings:           "correct the file: until then nothing is written",
	findingOpen:               "sessionloom check --repair closes it; the texts of all transcripts lie there",
	findingTombstone:          "delete it again, or run sessionloom restore with its id",
}

func (c *Check) askLedger(r *CheckReport, standing []inspect.Seen) error {
	if c.Lost {
		r.add(FindingLedger, "", "the state could not be used: it is damaged, or of another version")
		return nil
	}
	c.compareRows(r, standing)
	if err := c.Ledger.Failed(); err != nil || !c.Full {
		return err
	}
	words, err := c.Ledger.Damage()
	if err != nil {
		return fmt.Errorf("check the state: %w", err)
	}
	for _, w := range words {
		r.add(FindingLedger, "", "the state is damaged: "+w)
	}
	for _, s := range c.Ledger.Sessions() {
		c.Ledger.Layers(s.ID) // this unpacks them
	}
	if c.Ledger.Failed() != nil {
		r.add(FindingLedger, "", c.Ledger.Failed().Error())
	}
	return nil
}

func (c *Check) compareRows(r *CheckReport, standing []inspect.Seen) {
	exact := c.sawAll(standing)
	rows := c.Ledger.NoteFiles()
	taken, at := map[string]string{}, map[string]inspect.Seen{} // ids and notes by path
	for _, row := range rows {
		taken[row.Path] = row.ID
	}
	for _, n := range standing {
		at[n.Path] = n
		if n.ID == "" {
			continue
		}
		note := c.fromRoot(n.Path)
		if c.Vault.HasTombstone(n.ID) { // nobody updates it
			r.add(findingTombstone, note, fmt.Sprintf("it was deleted once and stands all the same: its id is %q", n.ID))
		}
		row, known := c.Ledger.Note(n.ID)
		other, lay := taken[n.Path]
		switch {
		case !known && lay && !c.Vault.HasTombstone(other):
			r.add(inspect.FindingNoID, note, fmt.Sprintf("its id is %q, and nobody knows a note of that id: here lay %q", n.ID, other))
		case !known && !lay && exact:
			r.add(FindingLedger, note, fmt.Sprintf("the state does not know this note, whose id is %q", n.ID))
		case !known || !row.State.IsInFolder() || row.Path != n.Path || row.Stamp != index.StampOf(n.Stamp):
			continue // the next run records what happened to it
		case row.Hash != n.Hash:
			r.add(FindingLedger, note, "it reads other than it was last seen, though its size and times do not say so")
		}
		facts.Decode(row.Facts, func(err error) error {
			r.add(FindingLedger, note, "what the state knows of it cannot be read: "+err.Error())
			return nil
		})
	}
	for _, row := range rows {
		if words := stale(row, at); exact && words != "" {
			r.add(FindingLedger, c.fromRoot(row.Path), words)
		}
	}
}

func (c *Check) fromRoot(p string) string { return path.Join(c.Folder, p) }

// sawAll reports whether the state knows the folder exactly as it is. If not, the next run records the
// differences.
func (c *Check) sawAll(standing []inspect.Seen) bool {
	last := observe.Snapshot{Files: make(map[string]vault.Stamp, len(standing)), Elsewhere: observe.LoadElsewhere(c.Ledger, c.Vault)}
	for _, n := range standing {
		last.Files[n.Path] = n.Stamp
	}
	mark := c.Ledger.Value(ledger.VaultPrint)
	return mark != nil && bytes.Equal(mark, last.Fingerprint())
}

// stale returns the fault of a row, or "" if it matches the note.
func stale(row ledger.NoteRow, at map[string]inspect.Seen) string {
	if !row.State.IsInFolder() {
		return ""
	}
	n, there := at[row.Path]
	switch {
	case !there || n.ID != row.ID:
		return fmt.Sprintf("the state says that the note %q stands here, and it does not", row.ID)
	case row.Stamp != [4]int64{} && row.Stamp != index.StampOf(n.Stamp):
		return fmt.Sprintf("the state knows an older version of the note %q", row.ID)
	}
	return ""
}
