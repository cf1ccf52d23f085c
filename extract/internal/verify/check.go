// Package verify finds what is wrong with a vault and with what is remembered of it,
// and lists where secrets are masked. It changes neither.
//
// Only text of ours is judged: links in properties and regions that nobody changed, and what
// would act in such regions. What would act is not judged in a vault with templates of its user,
// whose words may mean to. Secrets are looked for in all regions of ours.
package verify

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/inspect"
)

// Check verifies a vault and what is remembered of it. It writes neither.
type Check struct {
	Vault  *vault.Vault
	Ledger *ledger.Ledger
	Folder string // name of the managed folder
	Lost   bool   // a ledger stood there and could not be used
	Full   bool   // read the whole ledger too
	Open   string // says in words that others can look into the state folder; empty: they cannot
	// Settings tells what is wrong with those of the vault, nil: nothing.
	Settings error
	Masker   Searcher
	// Anew lists by their paths the notes that would read otherwise if all of them were
	// rendered from what is kept; nil: that is not asked.
	Anew func(ctx context.Context) ([]string, error)
}

// Searcher finds secrets by the rules as they are now.
type Searcher interface {
	Find(s string) ([]redact.Found, error)
}

// CheckReport is what a check has to tell (schema 1).
type CheckReport struct {
	Schema   int       `json:"schema"`
	Notes    int       `json:"notes"` // notes of ours
	Read     int       `json:"read"`  // the same: every check reads them all
	Findings []Finding `json:"findings"`
}

// Finding is one thing that is wrong.
type Finding struct {
	Kind  string `json:"kind"`           // a word that does not change
	Note  string `json:"note"`           // path from the vault's root, empty: it is about no note
	Line  int    `json:"line,omitempty"` // from 1
	Words string `json:"words"`
	Hint  string `json:"hint"`
}

// Kinds of findings beside those of package vault.
const (
	FindingLedger    = "ledger"    // the ledger, or what it and the vault do not agree on
	findingTombstone = "tombstone" // a note that was deleted once and stands all the same
	findingSettings  = "settings"  // of the vault, that nobody can render with
	findingOpen      = "open"      // a state folder that others can look into
)

// add adds a finding.
func (r *CheckReport) add(kind, note, words string) {
	r.Findings = append(r.Findings, Finding{Kind: kind, Note: note, Words: words, Hint: hintTo(kind)})
}

// secrets finds the secrets in a text of ours. What was found is not told.
func (c *Check) secrets(text string) ([]vault.Secret, error) {
	found, err := c.Masker.Find(text)
	out := make([]vault.Secret, 0, len(found))
	for _, f := range found {
		out = append(out, vault.Secret{Rule: f.Rule, At: f.From})
	}
	return out, err
}

// Run does the check. Findings are no error.
func (c *Check) Run(ctx context.Context) (CheckReport, error) {
	seen, err := c.Vault.Inspect(ctx, vault.Inspect{Ours: c.knows, Secrets: c.secrets, Trusting: c.Vault.Marker().Settings["templates"] != ""})
	if err != nil {
		return CheckReport{}, err
	}
	r := CheckReport{Schema: 1, Notes: seen.Notes, Read: seen.Notes, Findings: []Finding{}}
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

// knows says that a note without markers is one of ours: its id is one that nobody
// else gives, or of the shape of ours and the ledger has its note at this path.
func (c *Check) knows(id, path string) bool {
	if id == "" {
		_, note, err := c.Ledger.NoteAt(path)
		_, file, failed := c.Ledger.OwnedAt(path)
		return errors.Join(err, failed) == nil && (note || file)
	}
	if names.IsRareID(id) {
		return true
	}
	if kind, _, _ := strings.Cut(id, ":"); !slices.Contains(names.NoteTypes(), kind) {
		return false
	}
	row, known, err := c.Ledger.Note(id)
	return err == nil && known && row.Path == path && row.State != ledger.MovedOut
}

// compare finds the notes that are not as they would be rendered now, though nothing else
// is wrong with them: something that they show changed, and they do not show it.
func (c *Check) compare(ctx context.Context, r *CheckReport) error {
	disagrees := func(f Finding) bool { return f.Kind == FindingLedger }
	if c.Anew == nil || slices.ContainsFunc(r.Findings, disagrees) { // then what is kept does not tell
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

// Stale is a finding about a note, by its path from the vault's root, that is not as it
// would be rendered now.
func Stale(note string) Finding {
	return Finding{Kind: inspect.FindingBack, Note: note, Words: "it is not as it would be written now: a link back, or what it shows of other notes, is missing", Hint: hintTo(inspect.FindingBack)}
}

// hintTo says what a person can do about a finding.
func hintTo(kind string) string {
	switch kind {
	case inspect.FindingMarkers, inspect.FindingNoID:
		return "sessionloom check --repair mends what can be told for sure; else bring the note back from version control, or delete it and run sessionloom restore with its id"
	case inspect.FindingDamaged:
		return "sessionloom check --repair brings it back where nothing of yours is in it; else take it from a backup"
	case inspect.FindingConflict:
		return "resolve the conflict; until then the note is left as it is"
	case inspect.FindingFront:
		return "repair the properties at the top of the note; until then it is left as it is"
	case inspect.FindingDuplicate:
		return "delete or move out all but one of them, or take the id out of the copies; until then none is written"
	case inspect.FindingLink:
		return "sessionloom sync renews the links of notes that were moved or deleted, check --repair those of others"
	case inspect.FindingBack:
		return "sessionloom check --repair renews the links of the note"
	case inspect.FindingLive:
		return "do not open the note in an editor that runs what is in it; sessionloom check --repair writes it anew"
	case inspect.FindingSecret:
		return "sessionloom check --repair writes anew what is ours; in a line that you edited take it out yourself, or have the session forgotten"
	case inspect.FindingName:
		return "give the note another name; it is followed by its id"
	case inspect.FindingRescued:
		return "look at it, take over what you need, then delete it"
	case inspect.FindingLeftover:
		return "sessionloom sync clears it away, or puts it aside where it holds your text"
	case inspect.FindingUnreadable:
		return "make it readable for this user"
	case inspect.FindingFile:
		return "sessionloom check --repair puts it aside and writes it anew where it is ours"
	case inspect.FindingUnexpected:
		return "a copy of a sync program may be deleted; nothing here is read but our own records"
	case findingSettings:
		return "correct the file: until then nothing is written"
	case findingOpen:
		return "sessionloom check --repair closes it; the texts of all transcripts lie there"
	case findingTombstone:
		return "delete it again, or run sessionloom restore with its id"
	}
	return "sessionloom check --repair reads everything anew and mends what is remembered"
}
