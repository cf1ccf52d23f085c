package identity

import (
	"net/url"
	"strconv"
	"strings"
)

// forge is the software behind a host: what its addresses have behind the page of a
// repository. An empty one is that of a page which it does not have, or of which more
// must be known.
type forge struct{ commit, pull, issue, file string }

var (
	github    = &forge{commit: "/commit/", pull: "/pull/", issue: "/issues/", file: "/blob/HEAD/"}
	gitlab    = &forge{commit: "/-/commit/", pull: "/-/merge_requests/", issue: "/-/issues/", file: "/-/blob/HEAD/"}
	azure     = &forge{commit: "/commit/", pull: "/pullrequest/"}
	bitbucket = &forge{commit: "/commits/", pull: "/pull-requests/", issue: "/issues/", file: "/src/HEAD/"}
	gitea     = &forge{commit: "/commit/", pull: "/pulls/", issue: "/issues/"} // that of a file needs the branch's name
)

// forgeOfType are the host types that sources record.
var forgeOfType = map[string]*forge{
	"github": github, "ghe": github, "github-enterprise": github, "gitlab": gitlab, "bitbucket": bitbucket,
	"ado": azure, "azure": azure, "azuredevops": azure, "azure-devops": azure,
}

// forgeOfHost tells the forge of a host by its name alone, nil where that says nothing.
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

// URL is the repository's page, empty where the forge is not known.
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

// CommitURL is the page of a commit, empty for what is no hash.
func (p Project) CommitURL(sha string) string {
	if p.URL() == "" || len(sha) < 4 || len(sha) > 64 || strings.Trim(strings.ToLower(sha), "0123456789abcdef") != "" {
		return ""
	}
	return p.URL() + p.forge.commit + sha
}

// PullURL is the page of a pull or merge request, empty for what is no number.
func (p Project) PullURL(n string) string {
	if p.URL() == "" || !isNumber(n) {
		return ""
	}
	return p.URL() + p.forge.pull + n
}

// IssueURL is the page of an issue, empty for what is no number.
func (p Project) IssueURL(n string) string {
	switch {
	case p.URL() == "" || !isNumber(n):
		return ""
	case p.forge == azure:
		return "https://" + p.Host + "/" + escapeSegments(p.Owner) + "/_workitems/edit/" + n
	}
	return p.URL() + p.forge.issue + n
}

// FileURL is the page of a file on the default branch. The path is relative to
// the repository's root.
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
