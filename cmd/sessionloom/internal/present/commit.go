package present

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
)

// Commit describes a commit, also for scripts.
type Commit struct {
	ID       string   `json:"id"` // empty: there was nothing to commit
	Files    int      `json:"files"`
	Ignored  []string `json:"ignored,omitempty"`
	Left     int      `json:"left,omitempty"` // files of the managed folder that only their user changed
	Unstaged error    `json:"-"`              // why the user's index could not be updated

	Top, Folder string `json:"-"` // the repository's root; the managed folder relative to it
}

// IsZero reports whether there is nothing to report.
func (m Commit) IsZero() bool { return m.ID == "" && len(m.Ignored) == 0 && m.Left == 0 }

func (m Commit) lines() []string {
	if m.ID == "" {
		return nil
	}
	return []string{fmt.Sprintf("committed %s as %.10s", Count(m.Files, "file"), m.ID)}
}

func (m Commit) warnings() []string {
	if len(m.Ignored) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("not committed, for the repository ignores them: %s, such as %s", Count(len(m.Ignored), "file"), m.Ignored[0])}
}

// Settled says how many conflicts were resolved, and which operation git finished: what it was and is in the
// middle of, such as "a rebase", or "".
func Settled(conflicts int, was, is string) string {
	switch {
	case was == "":
		return "nothing to do: git is not in the middle of a merge or rebase"
	case is != "":
		return Count(conflicts, "conflict") + " resolved, " + is + " goes on: see git status"
	case conflicts == 0:
		return "no conflict was left; finished " + was
	}
	return Count(conflicts, "conflict") + " resolved, finished " + was
}

// Pass is the result of a run, as --json prints it.
type Pass struct {
	extract.Report
	Made Commit `json:"commit,omitzero"`
}

// CommitLines reports what was committed, and what the user has to commit.
func (p *Pass) CommitLines(home string) []string {
	lines := p.Made.lines()
	if p.Made.Left == 0 {
		return lines
	}
	git := "git -C " + ShellPath(p.Made.Top, home)
	return append(lines, fmt.Sprintf("not committed: %s that you changed: %s add -A %s && %[2]s commit", Count(p.Made.Left, "file"), git, homepath.ShellWord(p.Made.Folder)))
}

// Warnings are notes to the user about the commits.
func (p *Pass) Warnings() []string { return p.Made.warnings() }

// DidSomething reports whether a run has something to report.
func (p *Pass) DidSomething() bool {
	s, n := p.Sessions, p.Notes
	return s.New+s.Changed+n.Written()+n.Tombstoned+p.Files.Written() > 0 || p.Made.ID != ""
}

// CommitSubject is the start of the subject of each commit.
const CommitSubject = "sessionloom: "

const (
	messageSessions = 50 // limit of named sessions
	messageTitle    = 72 // characters of a title
)

// CommitMessage says what a commit holds.
func CommitMessage(files []string, pending extract.Pending, folder string) string {
	var parts []string
	notes, links := 0, 0
	for _, p := range files {
		switch below := strings.TrimPrefix(strings.TrimPrefix(p, folder), "/"); {
		case !strings.EqualFold(path.Ext(p), ".md") || strings.HasPrefix(p, folder+"/."):
		case slices.Contains(pending.Links, below):
			links++
		default:
			notes++
		}
	}
	for _, of := range []amount{{len(pending.Sessions), "session"}, {notes, "note"}, {len(files) - notes - links, "other file"}} {
		if of.n > 0 {
			parts = append(parts, Count(of.n, of.what)+projectsIn(pending.Sessions, of.what))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "links of "+Count(links, "note"))
	}
	lines := []string{CommitSubject + strings.Join(parts, ", "), ""}
	for i, s := range pending.Sessions {
		if i == messageSessions {
			lines = append(lines, fmt.Sprintf("- and %s more", Commas(len(pending.Sessions)-i)))
			break
		}
		lines = append(lines, "- "+titleLine(s))
	}
	return strings.TrimSpace(strings.Join(lines, "\n")) + "\n"
}

const messageProjects = 3

func projectsIn(sessions []extract.PendingSession, what string) string {
	count := map[string]int{}
	for _, s := range sessions {
		own, _, _ := strings.Cut(s.Project, " (")
		if p := inert(own); p != "" {
			count[p]++
		}
	}
	if what != "session" || len(count) == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	if len(names) > messageProjects {
		names = append(names[:messageProjects], "…")
	}
	return " (" + strings.Join(names, ", ") + ")"
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

// orders match texts that make CI systems ignore a commit: "***NO_CI***", "--skip-ci", a trailer.
var orders = regexp.MustCompile(`(?i)\*{3,}|--+((?:skip|no)-ci|ci-skip)|(skip-checks) *:`)

// inert removes active text from a commit message.
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
