package cursor

import (
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// header is an entry in a list of conversations, and the conversation itself.
type header struct {
	ID        string        `json:"composerId"`
	Name      decode.Loose  `json:"name"`
	Subtitle  decode.Loose  `json:"subtitle"`
	Archived  bool          `json:"isArchived"`
	Created   words.Instant `json:"createdAt"`
	Updated   words.Instant `json:"lastUpdatedAt"`
	Mode      decode.Scalar `json:"unifiedMode"`
	Workspace workspaceID   `json:"workspaceIdentifier"`
	Repos     []repository  `json:"trackedGitRepos"`
	Branch    decode.Loose  `json:"createdOnBranch"`
	Sub       subagent      `json:"subagentInfo"`

	IsSub bool // from the table of headers
}

// workspaceID names the folder or the .code-workspace that is open in a window.
type workspaceID struct {
	ID     decode.Loose `json:"id"`
	URI    editor.URI   `json:"uri"`
	Config editor.URI   `json:"configPath"`
}

type repository struct {
	Path     decode.Loose `json:"repoPath"`
	Branches []struct {
		Name decode.Loose  `json:"branchName"`
		Used words.Instant `json:"lastInteractionAt"`
	} `json:"branches"`
}

// subagent says for whom a sub-agent's conversation works.
type subagent struct {
	Parent   decode.Loose `json:"parentComposerId"`
	Type     decode.Loose `json:"subagentType"`
	TypeName decode.Loose `json:"subagentTypeName"`
}

// plainName matches Cursor's name of a conversation: a uuid, with or without a prefix.
var plainName = pattern.Lazy(`^[A-Za-z0-9_-]{1,128}$`)

// composer is a conversation. Its messages are rows of their own, in the order of the list; in 2024 they were
// in it, and the calls of tools beside them, in an object by message ids.
type composer struct {
	header
	Status       decode.Loose `json:"status"`
	Model        named        `json:"modelConfig"`
	Todos        []tools.Todo `json:"todos"`
	Headers      []bubbleRef  `json:"fullConversationHeadersOnly"`
	Inline       []bubble     `json:"conversation"`
	Capabilities []struct {
		Data struct {
			Calls decode.Loose `json:"bubbleDataMap"`
		} `json:"data"`
	} `json:"capabilities"`
	Changed decode.Table[struct {
		IsNew bool         `json:"isNewlyCreated"`
		First decode.Loose `json:"firstEditBubbleId"`
	}] `json:"originalFileStates"` // files, by address
}

type named struct {
	Name decode.Loose `json:"modelName"`
}

// model returns its name, or "" for the one that Cursor chooses.
func (n named) model() string {
	if n.Name == "default" {
		return ""
	}
	return words.OneLine(string(n.Name), titleSize)
}

type bubbleRef struct {
	ID   string `json:"bubbleId"`
	Type int64  `json:"type"`
}

// The types of a bubble.
const (
	typed    = 1 // typed by the user
	answered = 2
)

// bubble is a message, or a call of a tool. Cursor's additions to a prompt are in members of their own, which are not read.
type bubble struct {
	bubbleRef
	Text    string        `json:"text"`
	Rich    decode.Loose  `json:"richText"`
	Created words.Instant `json:"createdAt"`
	Mode    decode.Scalar `json:"unifiedMode"`
	Call    toolCall      `json:"toolFormerData"`
	Model   named         `json:"modelInfo"`
	Tokens  struct {
		In  decode.Whole `json:"inputTokens"`
		Out decode.Whole `json:"outputTokens"`
	} `json:"tokenCount"`
}

// said returns the text of a message. A prompt may exist only in the format of the input field.
func (b *bubble) said() string {
	if strings.TrimSpace(b.Text) != "" || b.Rich == "" {
		return b.Text
	}
	var field struct {
		Root node `json:"root"`
	}
	if decode.Text(string(b.Rich), &field) != nil {
		return string(b.Rich) // a plain text
	}
	var text strings.Builder
	field.Root.write(&text)
	return strings.TrimSpace(text.String())
}

// node is a part of an input field in Lexical's format.
type node struct {
	Type     decode.Loose `json:"type"`
	Text     decode.Loose `json:"text"`
	Children []node       `json:"children"`
}

func (n *node) write(b *strings.Builder) {
	if n.Type == "linebreak" {
		b.WriteByte('\n')
		return
	}
	b.WriteString(string(n.Text))
	for i := range n.Children {
		if i > 0 && n.Children[i].Type == "paragraph" {
			b.WriteByte('\n')
		}
		n.Children[i].write(b)
	}
}

// modes maps the mode numbers of bubbles.
var modes = map[string]string{"1": "chat", "2": "agent", "5": "plan"}

// mode returns the mode of a message: conversations have a word for it, bubbles a number.
func mode(told decode.Scalar) string {
	if strings.Trim(told.Text, "0123456789") == "" {
		return modes[told.Text]
	}
	return words.OneLine(told.Text, titleSize)
}

// place returns where a conversation worked: a folder or a workspace. One named below workspaceStorage is looked up.
func (h *header) place(lookUp func(name string) sources.Place) (p sources.Place) {
	switch w := h.Workspace; {
	case strings.HasSuffix(w.URI.Path, ".code-workspace"):
		p = editor.WorkspacePlace(w.URI)
	case w.URI.IsSet():
		p = editor.FolderPlace(w.URI)
	case w.Config.IsSet():
		p = editor.WorkspacePlace(w.Config)
	case plainName().MatchString(string(w.ID)):
		p = lookUp(string(w.ID))
	}
	p.Branch = words.OneLine(string(h.Branch), titleSize)
	for _, r := range h.Repos {
		root := editor.FileOf(string(r.Path))
		if root == "" || len(h.Repos) > 1 && p.Cwd != root && !strings.HasPrefix(p.Cwd, strings.TrimSuffix(root, "/")+"/") {
			continue // another folder of the workspace
		}
		p.GitRoot = root
		newest := words.Instant{}
		for _, b := range r.Branches {
			if b.Name != "" && !b.Used.Before(newest.Time) {
				p.Branch, newest = words.OneLine(string(b.Name), titleSize), b.Used
			}
		}
	}
	p.Guessed = p.Cwd == "" && p.Workspace == "" && p.Repository == ""
	return p
}

// toolCall is a call of a tool in a bubble. The arguments are the model's, the parameters are Cursor's version of them.
type toolCall struct {
	Name      decode.Loose    `json:"name"`
	Status    decode.Loose    `json:"status"`
	Decision  decode.Loose    `json:"userDecision"`
	Arguments tools.Arguments `json:"rawArgs"`
	Params    tools.Arguments `json:"params"`
	Result    outcome         `json:"result"`
	More      struct {
		Status decode.Loose `json:"status"`
	} `json:"additionalData"`
}

// outcome is the output of a command: an object, or its text. Zero members may be left out.
type outcome struct {
	Text     string       `as:"text"`
	Output   decode.Loose `json:"output"`
	Exit     *int64       `json:"exitCode"`
	Rejected bool         `json:"rejected"`
	Finished bool         `json:"notInterrupted"`
	Running  bool         `json:"isRunningInBackground"`
}

// titleSize limits the bytes of a title.
const titleSize = 200

// title returns a title on one line, or "" for the default one, and for one without a letter or digit.
func title[Text ~string](text Text) string {
	switch line := words.OneLine(string(text), titleSize); {
	case line == "New chat", line == "New Chat", line == "New Agent", !strings.ContainsFunc(line, isWord):
		return ""
	default:
		return line
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
