package chat

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// promptOf returns the prompt as sent.
func promptOf(r *chatlog.Request) string { return cmp.Or(r.Message, &chatlog.Message{}).Text }

// ofProgram matches the prompts that VS Code makes from a button without saying which one was clicked, and
// its terminal tool's prompts about a background command.
var ofProgram = pattern.Lazy(`^(@\S+ )?(Continue|Pause): "Continue to iterate\?"$|^@\S+ Try Again$|^\[Terminal [0-9a-f-]{36} notification: `)

// NobodyTyped reports whether VS Code made a prompt itself.
func NobodyTyped(prompt string) bool { return ofProgram().MatchString(strings.TrimSpace(prompt)) }

// leadOf reports whether a request is a person's own prompt. The answer to another one belongs to the turn
// before; lead then says what caused it, button which one was clicked.
func leadOf(r *chatlog.Request) (lead, button string, own bool) {
	text := strings.TrimSpace(promptOf(r))
	button = strings.TrimSpace(r.Confirmation)
	switch {
	case r.IsSystemInitiated:
		return cmp.Or(r.SystemInitiatedLabel, button), "", false
	case r.RequestHiddenFromTranscript:
		return "", "", false
	case button != "" && (strings.HasPrefix(text, "@") || strings.HasPrefix(text, button)):
		return button, button, false
	}
	return "", "", !NobodyTyped(text)
}

// labelEscaper escapes markup in a label.
var labelEscaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", `\<`)

// injected names the blocks that VS Code puts around a person's text.
var injected = []string{"environment_info", "workspace_info", "context", "editorContext", "repoContext", "reminderInstructions"}

// CleanPrompt removes the blocks of context before and after a person's text and the wrapper around it. The
// text itself, also tags of the same names in it, stays. A prompt of nothing but such blocks was typed so and
// stays too.
func CleanPrompt(text string) string {
	const wrapper, space = "userRequest", " \t\r\n"
	rest := words.WithoutBlocks(text, injected)
	if typed, before, after, ok := words.CutBlock(rest, wrapper, strings.LastIndex); ok { // a person may name it
		return strings.Trim(strings.Trim(before, space)+"\n\n"+strings.Trim(typed, space)+"\n\n"+strings.Trim(after, space), space)
	}
	if strings.TrimSpace(rest) == "" {
		return text
	}
	return rest
}

// labels are the names of kinds of variables in notes; "": nobody added them by hand.
var labels = map[string]string{
	"file": "file", "implicit": "file", "directory": "directory", "symbol": "symbol", "paste": "paste",
	"image": "image", "element": "element", "command": "command", "terminalCommand": "terminal",
	"diagnostic": "problem", "promptFile": "prompt file", "notebookOutput": "notebook output", "debugVariable": "variable",
	"scmHistoryItem": "commit", "scmHistoryItemChange": "commit", "scmHistoryItemChangeRange": "commit",
	"generic": "context", "string": "context", "": "context",
	"promptText": "", "workspace": "", "tool": "", "toolset": "",
}

// attachments returns the attachments that the person added to a prompt, and the files among them. An unknown
// kind goes by its name. Values are never shown: they hold whole files, bytes and prompts.
func (c *converter) attachments(variables []*chatlog.Variable) (list []sources.Attachment, files []string) {
	for _, v := range variables {
		if v == nil {
			continue
		}
		kind := v.Kind
		label, known := labels[kind]
		if label == "" && known || kind == "promptFile" && v.AutomaticallyAdded || kind == "implicit" && !v.Enabled {
			continue
		}
		value := cmp.Or(v.Value, &chatlog.Value{})
		a := sources.Attachment{Kind: label, Name: nameOf(kind, v, &value.Place)}
		switch {
		case !known:
			a.Kind = words.OneLine(kind, 60)
			a.Name = cmp.Or(a.Name, a.Kind)
			c.unknown["attachment "+a.Kind]++
		case label == "file":
			files = append(files, value.URI().File())
			if v.IsSelection || kind == "file" && value.Range.Start > 0 {
				a.Kind = "selection"
			}
		case kind == "image":
			a.Content = value.Bytes
		}
		if a.Name != "" {
			list = append(list, a)
		}
	}
	return list, files
}

// nameOf returns a readable name: the path of a file, with lines.
func nameOf(kind string, v *chatlog.Variable, at *chatlog.Place) string {
	name, place, from := cmp.Or(v.FullName, v.Name), placeName(at.URI(), at.Range), ""
	switch kind {
	case "image":
	case "symbol":
		from = place
	case "paste":
		from = placeName(v.CopiedFrom.URI(), cmp.Or(v.CopiedFrom, at).Range)
	case "terminalCommand":
		if name = cmp.Or(v.Command, name); v.ExitCode != 0 {
			from = fmt.Sprintf("exit code %d", v.ExitCode)
		}
	case "diagnostic":
		name, from = cmp.Or(v.ProblemMessage, name), placeName(v.FilterURI, v.FilterRange)
	default:
		name = cmp.Or(place, name)
	}
	if from != "" {
		name = strings.TrimSpace(words.OneLine(name, maxName/2) + " (" + from + ")")
	}
	return words.OneLine(name, maxName)
}

// placeName returns the path of a place with its lines, or "".
func placeName(u editor.URI, at chatlog.Range) string {
	if !u.IsSet() {
		return ""
	}
	return cmp.Or(u.File(), u.String()) + lines(at)
}

// bare matches homes, and folders that hold homes: open in a window, they show nothing about the work.
var bare = pattern.Lazy(`^(?:(?:[A-Za-z]:)?/(?:home|Users|users)(?:/[^/]+)?|/root|(?:[A-Za-z]:)?/?)$`)

// IsKnown reports whether a place shows where a session worked: it is not an untitled workspace, empty window or bare home.
func IsKnown(p sources.Place) bool {
	cwd := strings.TrimRight(strings.ReplaceAll(p.Cwd, `\`, "/"), "/")
	untitled := path.Base(p.Workspace) == "workspace.json" && path.Base(path.Dir(path.Dir(p.Workspace))) == "Workspaces"
	return !bare().MatchString(cwd) || len(p.Folders) > 0 || p.Repository != "" || p.Workspace != "" && !untitled
}

// place chooses the session's place among the workspace, the session's own data, and texts for the model. A
// known one takes precedence; the common folder of all edited files comes last.
func (c *converter) place(state *chatlog.Session, workspace sources.Place) sources.Place {
	repo, where := state.RepoData, workspace
	for _, guess := range []sources.Place{{Cwd: state.WorkingDirectory.File()}, {Cwd: c.told.Cwd}, {Folders: c.told.Folders}} {
		if !IsKnown(where) && IsKnown(guess) {
			where = guess
			where.Guessed = true
		}
	}
	where.Guessed = where.Guessed || !IsKnown(where)
	where.Branch, where.BaseBranch = cmp.Or(repo.LocalBranch, c.told.Branch), repo.RemoteBaseBranch
	if remote := repo.RemoteURL; remote != "" {
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

// noteContext reads a request's data about the place. The first counts, except that a branch changes.
func (c *converter) noteContext(metadata *chatlog.Metadata) {
	folders := cachedFolders(cmp.Or(metadata.CacheKey, metadata.GlobalContextCacheKey))
	for _, repo := range []chatlog.Rendered{metadata.RenderedUserMessage, metadata.RenderedGlobalContext} {
		said := func(key string) string { // a value about a repository on GitHub
			_, rest, _ := strings.Cut("\n"+string(repo), "\n"+key+":")
			value, _, _ := strings.Cut(rest, "\n")
			return strings.TrimPrefix(strings.TrimSpace(value), "undefined")
		}
		if owner, name := said("Owner"), said("Repository name"); c.told.Repository == "" && owner != "" && name != "" {
			c.told.Repository, c.told.HostType = owner+"/"+name, "github"
		}
		c.told.Branch = cmp.Or(said("Current branch"), c.told.Branch)
	}
	switch {
	case IsKnown(sources.Place{Cwd: c.told.Cwd, Folders: c.told.Folders}):
	case len(folders) == 1: // where the agent worked; several are a workspace
		c.told.Cwd = folders[0]
	default:
		c.told.Folders = folders
	}
}

// cachedFolders reads the folders of a workspace as joined by the extension.
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

// editedRoot returns the deepest folder with all changed files, unless it is a home or holds homes.
func editedRoot(files []sources.FileTouch) string {
	var root []string
	for _, f := range files {
		p := path.Clean(strings.ReplaceAll(f.Path, `\`, "/"))
		isAbsolute := strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
		if f.Kind == sources.Viewed || f.Kind == sources.Mentioned || !isAbsolute {
			continue
		}
		dir, n := strings.Split(path.Dir(p), "/"), 0
		if root == nil {
			root = dir
		}
		for n < len(root) && n < len(dir) && root[n] == dir[n] {
			n++
		}
		root = root[:n:n]
	}
	if folder := strings.Join(root, "/"); len(root) > 2 && IsKnown(sources.Place{Cwd: folder}) {
		return folder
	}
	return ""
}

const exportPrefix = "vscode:export:"

var plainID = pattern.Lazy(`^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$`)

// identify gives the session its id and its exports' id: every later export of a session begins with the same
// request, whose id names it. Without a plain name the id is a hash.
func (c *converter) identify(state *chatlog.Session) {
	s := c.Session
	if id := sources.FoldUUID(state.SessionID); s.ID == "" && sources.IsUUID(id) {
		s.ID = id
	}
	first := slices.IndexFunc(state.Requests, func(r *chatlog.Request) bool { return r != nil })
	if first < 0 {
		return
	}
	r := state.Requests[first]
	switch raw := cmp.Or(r.RequestID, r.ProviderRequestID, r.ResponseID, r.ProviderResponseID); {
	case raw != "":
		id := strings.TrimPrefix(strings.TrimPrefix(raw, "request_"), "response_")
		if !plainID().MatchString(id) {
			id = hash(raw)
		}
		c.alias(exportPrefix + id)
	case s.ID == "": // a file of 2023, without request ids
		said := []string{promptOf(r), r.Response.Text}
		for _, part := range r.Response.Parts {
			said = append(said, cmp.Or(cmp.Or(part, &chatlog.Part{}).Value, &chatlog.Markdown{}).Value)
		}
		s.ID = exportPrefix + hash(said...)
	}
}

// alias adds another id of this session, or sets its id if it has none.
func (c *converter) alias(id string) {
	const most = 100 // real ones have a few
	s := c.Session
	if !strings.HasPrefix(id, exportPrefix) {
		if id = sources.FoldUUID(id); !sources.IsUUID(id) {
			return
		}
	} else if s.ID == "" {
		s.ID = id
	}
	if id != s.ID && len(s.Aliases) < most && !slices.Contains(s.Aliases, id) {
		s.Aliases = append(s.Aliases, id)
	}
}

func hash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00") + "\x00"))
	return hex.EncodeToString(sum[:8])
}
