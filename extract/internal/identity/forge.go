package identity

import (
	"net/url"
	"strconv"
	"strings"
)

// forgeKind is the software behind a host: it decides what its addresses look like.
type forgeKind int

const (
	forgeUnknown forgeKind = iota
	forgeGitHub
	forgeGitLab
	forgeAzure
	forgeBitbucket
	forgeGitea
)

// forgeOfType reads the host type a source recorded (github, ado, …).
func forgeOfType(hostType string) forgeKind {
	switch strings.ToLower(hostType) {
	case "github", "ghe", "github-enterprise":
		return forgeGitHub
	case "gitlab":
		return forgeGitLab
	case "ado", "azure", "azuredevops", "azure-devops":
		return forgeAzure
	case "bitbucket":
		return forgeBitbucket
	}
	return forgeUnknown
}

// forgeOfHost tells the forge of a host by its name alone.
func forgeOfHost(host string) forgeKind {
	switch host {
	case hostGitHub:
		return forgeGitHub
	case "gitlab.com":
		return forgeGitLab
	case hostAzure:
		return forgeAzure
	case "bitbucket.org":
		return forgeBitbucket
	case "codeberg.org", "gitea.com":
		return forgeGitea
	}
	first, _, _ := strings.Cut(host, ".")
	switch {
	case first == "ghe" || first == "github" || strings.HasSuffix(host, ".ghe.com"):
		return forgeGitHub
	case first == "gitlab":
		return forgeGitLab
	}
	return forgeUnknown
}

// URL is the repository's page, empty where the forge is not known.
func (p Project) URL() string {
	if p.forge == forgeUnknown || p.Host == "" || p.Owner == "" {
		return ""
	}
	base := "https://" + p.Host + "/" + escapeSegments(p.Owner) + "/"
	if p.forge == forgeAzure {
		base += "_git/"
	}
	return base + url.PathEscape(p.Repo)
}

// CommitURL is the page of a commit, empty for what is no hash.
func (p Project) CommitURL(sha string) string {
	base := p.URL()
	if base == "" || !isCommitHash(sha) {
		return ""
	}
	switch p.forge {
	case forgeGitLab:
		return base + "/-/commit/" + sha
	case forgeBitbucket:
		return base + "/commits/" + sha
	}
	return base + "/commit/" + sha
}

// PullURL is the page of a pull or merge request, empty for what is no number.
func (p Project) PullURL(n string) string {
	return p.numbered(n, map[forgeKind]string{
		forgeGitHub:    "/pull/",
		forgeGitLab:    "/-/merge_requests/",
		forgeAzure:     "/pullrequest/",
		forgeBitbucket: "/pull-requests/",
		forgeGitea:     "/pulls/",
	})
}

// IssueURL is the page of an issue, empty for what is no number.
func (p Project) IssueURL(n string) string {
	if p.forge == forgeAzure && p.URL() != "" && isNumber(n) {
		return "https://" + p.Host + "/" + escapeSegments(p.Owner) + "/_workitems/edit/" + n
	}
	return p.numbered(n, map[forgeKind]string{
		forgeGitHub:    "/issues/",
		forgeGitLab:    "/-/issues/",
		forgeBitbucket: "/issues/",
		forgeGitea:     "/issues/",
	})
}

// FileURL is the page of a file on the default branch. The path is relative to
// the repository's root.
func (p Project) FileURL(file string) string {
	base := p.URL()
	if base == "" || file == "" {
		return ""
	}
	switch p.forge {
	case forgeGitLab:
		return base + "/-/blob/HEAD/" + escapeSegments(file)
	case forgeAzure:
		return base + "?path=" + url.QueryEscape("/"+file)
	case forgeBitbucket:
		return base + "/src/HEAD/" + escapeSegments(file)
	case forgeGitea:
		return "" // its addresses need the branch's name
	}
	return base + "/blob/HEAD/" + escapeSegments(file)
}

func (p Project) numbered(n string, middle map[forgeKind]string) string {
	base, m := p.URL(), middle[p.forge]
	if base == "" || m == "" || !isNumber(n) {
		return ""
	}
	return base + m + n
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

func isCommitHash(s string) bool {
	if len(s) < 4 || len(s) > 64 {
		return false
	}
	return strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}
