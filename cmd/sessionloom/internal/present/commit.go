package present

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"

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

const (
	messageSessions = 50 // named in a message
	messageTitle    = 72 // characters of a title
)

// CommitMessage says what a commit holds: how many sessions and notes, which
// sessions, and what became of the notes. anew says that templates or settings
// changed, not the sessions.
func CommitMessage(changes []repo.Change, sessions []extract.PendingSession, folder string, anew bool) string {
	var notes, others int
	kinds := map[byte]int{}
	for _, c := range changes {
		if strings.EqualFold(path.Ext(c.Path), ".md") && !strings.HasPrefix(c.Path, folder+"/.") {
			notes++
			kinds[c.Kind]++
		} else {
			others++
		}
	}
	var b strings.Builder
	b.WriteString("sessionloom: ")
	var parts []string
	if anew {
		parts, sessions = append(parts, "rendered anew"), nil
	}
	if len(sessions) > 0 {
		parts = append(parts, Count(len(sessions), "session"))
	}
	if notes > 0 {
		parts = append(parts, Count(notes, "note"))
	}
	if len(sessions)+notes == 0 {
		parts = append(parts, Count(others, "file"))
	}
	b.WriteString(strings.Join(parts, ", ") + "\n")
	if len(sessions) > 0 {
		b.WriteByte('\n')
	}
	for i, s := range sessions {
		if i == messageSessions {
			fmt.Fprintf(&b, "- and %s more\n", Commas(len(sessions)-i))
			break
		}
		b.WriteString("- " + titleLine(s) + "\n")
	}
	parts = nil
	for _, k := range []struct {
		n    int
		what string
	}{{kinds['A'], "new"}, {kinds['M'], "changed"}, {kinds['D'], "gone"}} {
		if k.n > 0 {
			parts = append(parts, Count(k.n, "note")+" "+k.what)
		}
	}
	if others > 0 {
		parts = append(parts, Count(others, "other file"))
	}
	b.WriteString("\n" + strings.Join(parts, ", ") + "\n")
	return b.String()
}

func titleLine(s extract.PendingSession) string {
	title := inert(s.Title)
	if title == "" {
		title = "session " + inert(s.ID)
	}
	if cut := []rune(title); len(cut) > messageTitle {
		title = strings.TrimSpace(string(cut[:messageTitle])) + "…"
	}
	if p := inert(s.Project); p != "" {
		title += ", " + p
	}
	return title
}

// orders are what tells a CI system without brackets to leave a commit alone:
// "***NO_CI***" of Azure Pipelines, "--skip-ci" of others, the trailer of GitHub.
var orders = regexp.MustCompile(`(?i)\*{3,}|--+((?:skip|no)-ci|ci-skip)|(skip-checks) *:`)

// inert takes out of a transcript's text what acts in a commit message: line
// ends and control characters, and the words by which a forge closes issues,
// calls people and skips its checks.
func inert(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = orders.ReplaceAllString(text, " $1$2 ")
	text = strings.NewReplacer("#", " no. ", "@", "(at)", "[", "(", "]", ")", "://", ": //", "GH-", "GH ").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}
