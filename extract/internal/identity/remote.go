package identity

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// hostGitHub is the host of a bare owner/name.
const hostGitHub = "github.com"

// hostAzure is the one spelling of Azure DevOps' several hosts.
const hostAzure = "dev.azure.com"

// remote is a git remote without scheme, user, port and suffix, in lower case.
type remote struct{ host, owner, repo string }

// parseRemote parses a repository as recorded: "owner/name" (with a separate host), "host/owner/name" or any
// URL for git. ok is false for local paths and anything else.
func parseRemote(repository, host, hostType string) (r remote, ok bool) {
	at, p, isURL := splitRemote(strings.ToLower(strings.TrimSpace(repository)))
	segs := remoteSegments(p)
	if !isURL {
		switch {
		case len(segs) >= 3 && strings.Contains(segs[0], "."):
			at, segs = segs[0], segs[1:]
		case host != "":
			at = strings.ToLower(strings.TrimSpace(host))
			if h, _, isURL := splitRemote(at); isURL {
				at = h
			}
		case forgeOfType[strings.ToLower(hostType)] == azure:
			at = hostAzure
		default:
			at = hostGitHub
		}
	}
	at, segs = unifyForge(at, segs)
	if at == "" || len(segs) < 2 || !legalHost(at) {
		return remote{}, false
	}
	last := len(segs) - 1
	return remote{host: at, owner: strings.Join(segs[:last], "/"), repo: segs[last]}, true
}

// splitRemote returns host and path of a URL or an scp-like remote, without userinfo, which may hold a
// password, and port.
func splitRemote(s string) (host, p string, ok bool) {
	if scheme, rest, found := strings.Cut(s, "://"); found {
		if scheme == "file" {
			return "", "", true
		}
		host, p, _ = strings.Cut(rest, "/")
		host = host[strings.LastIndexByte(host, '@')+1:]
		if i := strings.LastIndexByte(host, ':'); i >= 0 {
			host = host[:i]
		}
		p, _, _ = strings.Cut(p, "?")
		p, _, _ = strings.Cut(p, "#")
		return host, p, true
	}
	head, rest, found := strings.Cut(s, ":")
	if !found || strings.Contains(head, "/") || len(head) == 1 { // c:/x is a drive
		return "", s, strings.HasPrefix(s, "/") || strings.HasPrefix(s, ".") || len(head) == 1 && found
	}
	return head[strings.LastIndexByte(head, '@')+1:], rest, true
}

// remoteSegments splits a remote's path. Segments keep only characters that are safe in a key; elements that
// leave it are dropped.
func remoteSegments(p string) []string {
	if q, err := url.PathUnescape(p); err == nil {
		p = q
	}
	p = strings.TrimSuffix(strings.Trim(p, "/"), ".git")
	var segs []string
	for s := range strings.SplitSeq(strings.ReplaceAll(p, `\`, "/"), "/") {
		s = strings.Trim(strings.Map(onlyWords("._~"), s), "-")
		if s != "" && s != "." && s != ".." {
			segs = append(segs, s)
		}
	}
	return segs
}

func onlyWords(signs string) func(rune) rune {
	return func(r rune) rune {
		if texts.IsWordRune(r) || strings.ContainsRune(signs, r) {
			return r
		}
		return '-'
	}
}

func unifyForge(host string, segs []string) (string, []string) {
	switch host {
	case "www.github.com", "ssh.github.com":
		return hostGitHub, segs
	case "altssh.gitlab.com":
		return "gitlab.com", segs
	case "altssh.bitbucket.org":
		return "bitbucket.org", segs
	}
	org, old := strings.CutSuffix(host, ".visualstudio.com")
	if host != hostAzure && host != "ssh."+hostAzure && !old {
		return host, segs
	}
	var kept []string
	if old && org != "vs-ssh" {
		kept = append(kept, org)
	}
	for i, s := range segs {
		if s == "_git" || s == "defaultcollection" || i == 0 && s == "v3" {
			continue
		}
		kept = append(kept, s)
	}
	if len(kept) == 2 { // organisation/_git/repo: the project has the repository's name
		kept = append(kept, kept[1])
	}
	return hostAzure, kept
}

func legalHost(host string) bool {
	odd := strings.ContainsFunc(host, func(r rune) bool { return !texts.IsWordRune(r) && r != '.' && r != '-' })
	return !odd && host == path.Base(host) && host != "." && host != ".."
}

// forge is the software of a host: the path of each kind of page after the repository's, or "" if it is
// missing or needs more data.
type forge struct{ commit, pull, issue, file string }

var (
	github    = &forge{commit: "/commit/", pull: "/pull/", issue: "/issues/", file: "/blob/HEAD/"}
	gitlab    = &forge{commit: "/-/commit/", pull: "/-/merge_requests/", issue: "/-/issues/", file: "/-/blob/HEAD/"}
	azure     = &forge{commit: "/commit/", pull: "/pullrequest/"}
	bitbucket = &forge{commit: "/commits/", pull: "/pull-requests/", issue: "/issues/", file: "/src/HEAD/"}
	gitea     = &forge{commit: "/commit/", pull: "/pulls/", issue: "/issues/"} // files need the branch's name
)

// forgeOfType maps the host types that sources record.
var forgeOfType = map[string]*forge{
	"github": github, "ghe": github, "github-enterprise": github, "gitlab": gitlab, "bitbucket": bitbucket,
	"ado": azure, "azure": azure, "azuredevops": azure, "azure-devops": azure,
}

// forgeOfHost returns the forge of a host by its name, or nil.
func forgeOfHost(host string) *forge {
	switch host {
	case hostAzure:
		return azure
	case "bitbucket.org":
		return bitbucket
	case "codeberg.org", "gitea.com":
		return gitea
	}
	first, _, _ := strings.Cut(host, ".")
	switch {
	case first == "ghe" || first == "github" || strings.HasSuffix(host, ".ghe.com"):
		return github
	case first == "gitlab":
		return gitlab
	}
	return nil
}

// URL returns the repository's page, or "" if the forge is unknown.
func (p Project) URL() string {
	if p.forge == nil || p.Host == "" || p.Owner == "" {
		return ""
	}
	base := "https://" + p.Host + "/" + escapeSegments(p.Owner) + "/"
	if p.forge == azure {
		base += "_git/"
	}
	return base + url.PathEscape(p.Repo)
}

// CommitURL returns the page of a commit, or "" for an invalid hash.
func (p Project) CommitURL(sha string) string {
	if p.URL() == "" || len(sha) < 4 || len(sha) > 64 || strings.Trim(strings.ToLower(sha), "0123456789abcdef") != "" {
		return ""
	}
	return p.URL() + p.forge.commit + sha
}

// PullURL returns the page of a pull or merge request, or "" for an invalid number.
func (p Project) PullURL(n string) string {
	if p.URL() == "" || !isNumber(n) {
		return ""
	}
	return p.URL() + p.forge.pull + n
}

// IssueURL returns the page of an issue, or "" for an invalid number.
func (p Project) IssueURL(n string) string {
	switch {
	case p.URL() == "" || !isNumber(n):
		return ""
	case p.forge == azure:
		return "https://" + p.Host + "/" + escapeSegments(p.Owner) + "/_workitems/edit/" + n
	}
	return p.URL() + p.forge.issue + n
}

// FileURL returns the page of a file on the default branch. The path is relative to the repository's root.
func (p Project) FileURL(file string) string {
	switch {
	case p.URL() == "" || file == "":
		return ""
	case p.forge == azure:
		return p.URL() + "?path=" + url.QueryEscape("/"+file)
	case p.forge.file == "":
		return ""
	}
	return p.URL() + p.forge.file + escapeSegments(file)
}

func escapeSegments(s string) string {
	segs := strings.Split(s, "/")
	for i := range segs {
		segs[i] = url.PathEscape(segs[i])
	}
	return strings.Join(segs, "/")
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 63)
	return err == nil
}
