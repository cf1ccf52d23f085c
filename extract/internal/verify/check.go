package verify

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
)

// Check verifies a vault and what is remembered of it. It writes neither.
type Check struct {
	Vault  *vault.Vault
	Ledger *ledger.Ledger
	Folder string // name of the managed folder
	Lost   bool   // a ledger stood there and could not be used
	Full   bool   // read everything, whatever the last check remembers
	Agreed bool   // vault and ledger were found to agree, and the ledger is as it was then
	Memory []byte // of the last check, nil: none
	Open   string // says in words that others can look into the state folder; empty: they cannot
	// Settings tells what is wrong with those of the vault, nil: nothing.
	Settings error
	Masker   Searcher
	Now      time.Time
}

// Searcher finds secrets by the rules as they are now.
type Searcher interface {
	Find(s string) ([]redact.Found, error)
	// Fingerprint is another one where another set of rules decides.
	Fingerprint() string
}

// CheckReport is what a check has to tell (schema 1).
type CheckReport struct {
	Schema   int       `json:"schema"`
	Notes    int       `json:"notes"` // notes of ours
	Read     int       `json:"read"`  // of these, the ones read by this check
	Findings []Finding `json:"findings"`
	// Memory is for the next check; nil where that would be this one's.
	Memory []byte `json:"-"`
	// Agreed says that vault and ledger were compared as a whole, and agree.
	Agreed bool `json:"-"`
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
	memory := c.Memory
	if c.Full {
		memory = nil
	}
	seen, err := c.Vault.Inspect(ctx, vault.Inspect{
		Ours: c.knows, Answers: c.answers, Secrets: c.secrets, Rules: c.Masker.Fingerprint(),
		Trusting: c.Vault.Marker().Settings["templates"] != "", Memory: memory, Now: c.Now})
	if err != nil {
		return CheckReport{}, err
	}
	r := CheckReport{Schema: 1, Notes: seen.Notes, Read: len(seen.Read), Findings: []Finding{}, Memory: seen.Memory}
	for _, f := range seen.Findings {
		r.Findings = append(r.Findings, Finding{Kind: f.Kind, Note: f.Path, Line: f.Line, Words: f.Words, Hint: hintTo(f.Kind)})
	}
	if c.Open != "" {
		r.add(findingOpen, "", c.Open)
	}
	if c.Settings != nil {
		r.add(findingSettings, path.Join(c.Folder, ".sessionloom/vault.yaml"), c.Settings.Error())
	}
	if err := c.askLedger(&r, seen); err != nil {
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
	return err == nil && known && row.Path == path && row.State != ledger.MovedAway
}

// answers is pages.AnswersLink but for a note that was deleted once, which stands and
// nobody knows, and for a file that its session has no room to link to.
func (c *Check) answers(from, to string, links int) bool {
	return pages.AnswersLink(from, to, links) && !c.Vault.Buried(from) && !c.crowded(from, to)
}

// crowded says that the navigation of a session names as many files as it may, and
// that a file is none of them. A ledger that cannot be read is a finding of its own.
func (c *Check) crowded(file, session string) bool {
	if !strings.HasPrefix(file, names.TypeFile+":") {
		return false
	}
	row, _, err := c.Ledger.Note(session)
	if err != nil {
		return false
	}
	f, err := facts.Decode(row.Facts)
	if err != nil {
		return false
	}
	named := 0
	for _, path := range f.Files {
		id := names.FileID(f.Project, path)
		if id == file {
			break
		}
		if note, known, err := c.Ledger.Note(id); err == nil && known && note.State.Stands() {
			named++
		}
	}
	return named >= pages.NavFiles
}
