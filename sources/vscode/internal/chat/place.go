package chat

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// place weighs what is known of where a session worked: the workspace, the
// repository VS Code noted, what the prompts told the model, the folder all edited
// files have in common.
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
		if u, ok := editor.ParseURI(part); ok && u.IsFile() {
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

const exportPrefix = "vscode:export:"

// exportID is the id of an export that has none, by that of its first request:
// every later export of that session begins with the same one. What is no plain
// name gives the id of its hash.
func exportID(requestID string) string {
	id := strings.TrimPrefix(strings.TrimPrefix(requestID, "request_"), "response_")
	if !plainID().MatchString(id) {
		id = hash(requestID)
	}
	return exportPrefix + id
}

var plainID = pattern.Lazy(`^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$`)

// identify gives the session its id and the one its exports have.
func (c *converter) identify(state *chatlog.Session) {
	s := c.session
	if id := sources.FoldUUID(state.SessionID); s.ID == "" && sources.IsUUID(id) {
		s.ID = id
	}
	first := slices.IndexFunc(state.Requests, func(r *chatlog.Request) bool { return r != nil })
	if first < 0 {
		return
	}
	r := state.Requests[first]
	switch id := cmp.Or(r.RequestID, r.ProviderRequestID, r.ResponseID, r.ProviderResponseID); {
	case id != "":
		c.alias(exportID(id))
	case s.ID == "": // of 2023: there were no request ids
		said := []string{promptOf(r.Message), r.Response.Text}
		for _, part := range r.Response.Parts {
			text := ""
			if part != nil && part.Value != nil {
				text = part.Value.Value
			}
			said = append(said, text)
		}
		s.ID = exportPrefix + hash(said...)
	}
}

// maxNames bounds the other ids and the models of a session; real ones have a
// few.
const maxNames = 100

// alias notes another id of this session. One that is still without takes it.
func (c *converter) alias(id string) {
	s := c.session
	if !strings.HasPrefix(id, exportPrefix) {
		if id = sources.FoldUUID(id); !sources.IsUUID(id) {
			return
		}
	} else if s.ID == "" {
		s.ID = id
	}
	if id != s.ID && len(s.Aliases) < maxNames && !slices.Contains(s.Aliases, id) {
		s.Aliases = append(s.Aliases, id)
	}
}

// hash is a short digest of texts.
func hash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00") + "\x00"))
	return hex.EncodeToString(sum[:8])
}
