package present

import (
	"fmt"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// Commit tells of a commit.
type Commit struct {
	Done   repo.Done // without an ID: there was nothing to commit
	Branch string    // empty: what is checked out
}

// lines say what was committed.
func (m Commit) lines() []string {
	if m.Done.ID == "" {
		return nil
	}
	line := fmt.Sprintf("committed %s as %.10s", Count(len(m.Done.Changes), "file"), m.Done.ID)
	if m.Branch != "" {
		line += " on branch " + m.Branch
	}
	return []string{line}
}

// warnings are what the user should know of a commit that was made.
func (m Commit) warnings() []string {
	var lines []string
	if n := len(m.Done.Ignored); n > 0 {
		lines = append(lines, fmt.Sprintf("not committed, for the repository ignores them: %s, such as %s", Count(n, "file"), m.Done.Ignored[0]))
	}
	if m.Done.Unstaged != nil {
		lines = append(lines, "the commit was made, but the index could not be told: "+m.Done.Unstaged.Error(), "git reset makes up for it")
	}
	return lines
}

// PassReport is the report of a pass with its commit.
type PassReport struct {
	*extract.Report
	Rerender *CommitReport `json:"rerender_commit,omitempty"` // of what changed templates or settings made anew
	Commit   *CommitReport `json:"commit,omitempty"`
}

// CommitReport tells scripts of a commit.
type CommitReport struct {
	ID      string   `json:"id"`
	Branch  string   `json:"branch,omitempty"` // empty: what is checked out
	Files   int      `json:"files"`
	Ignored []string `json:"ignored,omitempty"`
}

func (m Commit) object() *CommitReport {
	if m.Done.ID == "" && len(m.Done.Ignored) == 0 {
		return nil
	}
	return &CommitReport{ID: m.Done.ID, Branch: m.Branch, Files: len(m.Done.Changes), Ignored: m.Done.Ignored}
}

// Pass is what became of a pass.
type Pass struct {
	Report extract.Report
	Anew   Commit // of what changed templates or settings made anew
	Made   Commit
}

// Object is what --json prints of the pass.
func (p *Pass) Object() *PassReport {
	return &PassReport{Report: &p.Report, Rerender: p.Anew.object(), Commit: p.Made.object()}
}

// CommitLines say what was committed.
func (p *Pass) CommitLines() []string { return append(p.Anew.lines(), p.Made.lines()...) }

// Warnings are what the user should know of the commits.
func (p *Pass) Warnings() []string { return append(p.Anew.warnings(), p.Made.warnings()...) }

// DidSomething tells whether a pass is worth a word.
func (p *Pass) DidSomething() bool {
	s, n := p.Report.Sessions, p.Report.Notes
	n.Kept, n.Unchanged, n.Failed = 0, 0, 0
	return s.New+s.Changed > 0 || n != extract.NoteCounts{} || p.Made.Done.ID != ""
}
