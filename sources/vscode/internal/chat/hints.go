package chat

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// Hints say where the session worked, for the caller to weigh against what it
// knows itself (formats/vscode-copilot-chat.md, section 8).
type Hints struct {
	Repo       sources.Place // repoData and workingDirectory
	Cache      sources.Place // folders of the workspace, by result.metadata.cacheKey
	Context    sources.Place // what the model was told: repoContext and workspace_info
	EditedRoot string        // deepest folder that holds all changed files, absolute; empty: none
}

// noteRepo reads what VS Code itself says of the repository.
func (c *converter) noteRepo(state *chatlog.Session) {
	data := state.RepoData
	p := sources.Place{Repository: withoutLogin(data.RemoteURL), Branch: data.LocalBranch, BaseBranch: data.RemoteBaseBranch,
		Cwd: state.WorkingDirectory.File()}
	if vendor := data.RemoteVendor; vendor == "github" || vendor == "ado" {
		p.HostType = vendor
	}
	c.hints.Repo = p
}

// noteContext reads what a request says of the place. The first one to say it
// counts, except that a branch changes.
func (c *converter) noteContext(metadata *chatlog.Metadata) {
	if !hasFolder(c.hints.Cache) {
		c.hints.Cache = cachedFolders(cmp.Or(metadata.CacheKey, metadata.GlobalContextCacheKey))
	}
	context := &c.hints.Context
	for _, told := range []chatlog.Rendered{metadata.RenderedUserMessage, metadata.RenderedGlobalContext} {
		if !hasFolder(*context) {
			folders := toldFolders(told.WorkspaceInfo)
			context.Cwd, context.Folders = folders.Cwd, folders.Folders
		}
		repo := toldRepo(told.RepoContext)
		if context.Repository == "" && repo.Repository != "" {
			context.Repository, context.HostType = repo.Repository, repo.HostType
		}
		if repo.Branch != "" && c.hints.Repo.Branch == "" {
			context.Branch = repo.Branch
		}
	}
}

// cachedFolders reads the folders of a workspace as the extension joins them.
func cachedFolders(key string) sources.Place {
	var files []string
	for part := range strings.SplitSeq(key, ",") {
		if u, ok := places.ParseURI(part); ok && u.IsFile() {
			files = append(files, u.File())
		} else if n := len(files); n > 0 && part != "" {
			files[n-1] += "," + part // a comma in a name
		}
	}
	return folders(files)
}

// toldFolders reads the list in <workspace_info>.
func toldFolders(text string) sources.Place {
	_, list, _ := strings.Cut(text, "workspace with the following folder")
	_, list, _ = strings.Cut(list, "\n")
	var files []string
	for line := range strings.SplitSeq(list, "\n") {
		folder, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok && strings.TrimSpace(line) != "" {
			break
		}
		if folder = strings.TrimSpace(folder); folder != "" {
			files = append(files, folder)
		}
	}
	return folders(files)
}

// folders are a place: one is where the agent worked, several are a workspace.
func folders(files []string) sources.Place {
	if len(files) == 1 {
		return sources.Place{Cwd: files[0]}
	}
	return sources.Place{Folders: files}
}

// toldRepo reads the lines of <repoContext>, which names repositories of GitHub.
func toldRepo(text string) sources.Place {
	var owner, name, branch string
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "Owner":
			owner = value
		case "Repository name":
			name = value
		case "Current branch":
			branch = value
		}
	}
	p := sources.Place{Branch: branch}
	if branch == "undefined" {
		p.Branch = ""
	}
	if owner != "" && name != "" {
		p.Repository, p.HostType = owner+"/"+name, "github"
	}
	return p
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

func hasFolder(p sources.Place) bool { return p.Cwd != "" || len(p.Folders) > 0 }
