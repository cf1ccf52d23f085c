package chat

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// place weighs what is known of where a session worked: the workspace, the
// repository VS Code noted, what the prompts told the model, the folder all edited
// files have in common (formats/vscode-copilot-chat.md, section 8).
func (c *converter) place(state *chatlog.Session, workspace sources.Place) sources.Place {
	repo, where := state.RepoData, workspace
	if own := state.WorkingDirectory.File(); workspace.Guessed {
		where = sources.Place{Cwd: cmp.Or(own, c.told.Cwd), Guessed: true}
		if where.Cwd == "" {
			where.Cwd, where.Folders = editedRoot(c.session.Files), c.told.Folders
		}
	}
	where.Branch, where.BaseBranch = cmp.Or(repo.LocalBranch, c.told.Branch), repo.RemoteBaseBranch
	if remote := withoutLogin(repo.RemoteURL); remote != "" {
		where.Repository, where.Host, where.HostType = remote, "", ""
		if repo.RemoteVendor == "github" || repo.RemoteVendor == "ado" {
			where.HostType = repo.RemoteVendor
		}
	}
	if where.Repository == "" {
		where.Repository, where.HostType = c.told.Repository, c.told.HostType
	}
	return where
}

// noteContext reads what a request says of the place. The first one to say it
// counts, except that a branch changes.
func (c *converter) noteContext(metadata *chatlog.Metadata) {
	folders := cachedFolders(cmp.Or(metadata.CacheKey, metadata.GlobalContextCacheKey))
	for _, told := range []chatlog.Rendered{metadata.RenderedUserMessage, metadata.RenderedGlobalContext} {
		if len(folders) == 0 {
			folders = toldFolders(told.WorkspaceInfo)
		}
		said := map[string]string{} // lines that name a repository of GitHub
		for line := range strings.Lines(told.RepoContext) {
			key, value, _ := strings.Cut(line, ":")
			said[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
		owner, name, branch := said["Owner"], said["Repository name"], said["Current branch"]
		if c.told.Repository == "" && owner != "" && name != "" {
			c.told.Repository, c.told.HostType = owner+"/"+name, "github"
		}
		if branch != "" && branch != "undefined" {
			c.told.Branch = branch
		}
	}
	switch {
	case c.told.Cwd != "" || len(c.told.Folders) > 0:
	case len(folders) == 1: // where the agent worked; several are a workspace
		c.told.Cwd = folders[0]
	default:
		c.told.Folders = folders
	}
}

// cachedFolders reads the folders of a workspace as the extension joins them.
func cachedFolders(key string) (all []string) {
	for part := range strings.SplitSeq(key, ",") {
		if u, ok := places.ParseURI(part); ok && u.IsFile() {
			all = append(all, u.File())
		} else if n := len(all); n > 0 && part != "" {
			all[n-1] += "," + part // a comma in a name
		}
	}
	return all
}

// toldFolders reads the list in <workspace_info>.
func toldFolders(text string) (all []string) {
	_, list, _ := strings.Cut(text, "workspace with the following folder")
	_, list, _ = strings.Cut(list, "\n")
	for line := range strings.Lines(list) {
		folder, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok && strings.TrimSpace(line) != "" {
			break
		}
		if folder = strings.TrimSpace(folder); folder != "" {
			all = append(all, folder)
		}
	}
	return all
}

// withoutLogin takes user and password off the address of a remote.
func withoutLogin(remote string) string {
	u, err := url.Parse(remote)
	if err != nil || u.User == nil || u.Scheme != "https" && u.Scheme != "http" {
		return remote
	}
	u.User = nil
	return u.String()
}
