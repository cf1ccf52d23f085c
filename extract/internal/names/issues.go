package names

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Issue is an issue or a pull request of a repository, or of a folder whose repository is
// not known.
type Issue struct {
	Type    string // TypeIssue, TypePR
	Project string // key
	Number  string
	// Guessed says that a bare name told the repository, as in "widget issue 42": it is taken
	// for one of the same owner, and counts where another session names the same for sure.
	Guessed bool
}

var (
	issueNumber  = regexp.MustCompile(`^[1-9]\d{0,8}$`)
	issueAddress = regexp.MustCompile(`^https?://([^/\s]+/\S+?)/(?:-/)?(?:issues|pull|pulls|pullrequest|pull-requests|merge_requests)/([1-9]\d{0,8})\b`)
)

// IssueTypes are the types of notes of issues and pull requests.
func IssueTypes() []string { return []string{TypeIssue, TypePR} }

// IssueNamed is the issue that a value names in a session of a project: a number, "repo#42",
// "owner/repo#42", "host/owner/repo#42" or an address. ok is false where it names none.
func IssueNamed(project, typ, value string) (i Issue, ok bool) {
	if !slices.Contains(IssueTypes(), typ) {
		return i, false
	}
	own := identity.ProjectFromKey(project)
	repo, number, named := strings.Cut(value, "#")
	if m := issueAddress.FindStringSubmatch(value); m != nil {
		repo, number = m[1], m[2]
	} else if !named {
		repo, number = "", value
	}
	i = Issue{Type: typ, Project: own.Key, Number: number}
	if repo != "" {
		bare := !strings.Contains(repo, "/")
		if bare && own.Owner != "" {
			repo = own.Owner + "/" + repo
		}
		if host, _, _ := strings.Cut(repo, "/"); strings.Contains(host, ":") { // with its port
			repo = "https://" + repo
		}
		i.Project = identity.ProjectOf(sources.Place{Repository: repo, Host: own.Host}).Key
		i.Guessed = bare && i.Project != own.Key
	}
	return i, i.Project != identity.KeyLoose && issueNumber.MatchString(number)
}

// IssueFromID is the issue whose note has an id, false where it is that of another note.
func IssueFromID(id string) (i Issue, ok bool) {
	typ, rest, _ := strings.Cut(id, ":")
	at := strings.LastIndexByte(rest, ':')
	if at < 0 || identity.ProjectFromKey(rest[:at]).Key != rest[:at] {
		return i, false
	}
	return IssueNamed(rest[:at], typ, rest[at+1:])
}

// ID is the id of its note.
func (i Issue) ID() string { return i.Type + ":" + i.Project + ":" + i.Number }

// Key is the key that the notes of sessions carry which name it.
func (i Issue) Key() string { return "names:" + i.ID() }

// Word says what it is, as people do.
func (i Issue) Word() string {
	if i.Type == TypePR {
		return "PR"
	}
	return "issue"
}

// ValueIn is how it is named in a project: by its number in its own, else with its repository.
func (i Issue) ValueIn(project string) string {
	if pr := identity.ProjectFromKey(i.Project); i.Project != project && pr.Owner != "" {
		return pr.Owner + "/" + pr.Repo + "#" + i.Number
	}
	return i.Number
}

// URL is its page on the forge, empty where that is not known.
func (i Issue) URL() string {
	pr := identity.ProjectFromKey(i.Project)
	if i.Type == TypePR {
		return pr.PullURL(i.Number)
	}
	return pr.IssueURL(i.Number)
}

// Path is where its note lies: with its project, be it that no session worked there.
func (i Issue) Path() string {
	pr := identity.ProjectFromKey(i.Project)
	name, _, _ := strings.Cut(pr.Name, " (")
	return ProjectFolder(pr) + "/issues/" + note.FileName(i.Word()+" "+i.Number+" ("+note.Words(name, nameLimit)+")") + ".md"
}
