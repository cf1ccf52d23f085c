package cursor

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// loose is a text or a number, empty where it is neither: what versions write differently is no
// sign that the format moved.
type loose string

// ReadJSON implements decode.Reader.
func (l *loose) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var s decode.Scalar
	_, err = s.ReadJSON(d)
	*l = loose(s.Text)
	return true, err
}

// inText is a value that stands in JSON as an object or as the text of one; the zero value of what
// is neither. Its members are those of tools, and not counted where they are of another type.
type inText[T any] struct {
	V    T
	Text string // of what is no JSON
}

// ReadJSON implements decode.Reader.
func (v *inText[T]) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	counted := d.Misfits
	defer func() { d.Misfits = counted }()
	*v, d.Misfits = inText[T]{}, nil
	switch d.PeekKind() {
	case '{':
		return true, d.Read(&v.V)
	case '"':
		var text string
		if err := d.Read(&text); err != nil {
			return true, err
		}
		if decode.Text(text, &v.V) != nil {
			var none T
			v.V, v.Text = none, text
		}
		return true, nil
	}
	return true, d.SkipValue()
}

// header is what a list of conversations tells of one, and the conversation itself.
type header struct {
	ID        string        `json:"composerId"`
	Name      loose         `json:"name"`
	Subtitle  loose         `json:"subtitle"`
	Archived  bool          `json:"isArchived"`
	Created   words.Instant `json:"createdAt"`
	Updated   words.Instant `json:"lastUpdatedAt"`
	Mode      loose         `json:"unifiedMode"`
	Workspace workspaceID   `json:"workspaceIdentifier"`
	Repos     []repository  `json:"trackedGitRepos"`
	Branch    loose         `json:"createdOnBranch"`
	Sub       subagent      `json:"subagentInfo"`

	IsSub bool // as the table of headers has it
}

// workspaceID names the folder or the .code-workspace that is open in a window.
type workspaceID struct {
	ID     loose      `json:"id"`
	URI    editor.URI `json:"uri"`
	Config editor.URI `json:"configPath"`
}

type repository struct {
	Path     loose `json:"repoPath"`
	Branches []struct {
		Name loose         `json:"branchName"`
		Used words.Instant `json:"lastInteractionAt"`
	} `json:"branches"`
}

// subagent says for whom a conversation works that a person did not begin.
type subagent struct {
	Parent   loose `json:"parentComposerId"`
	Type     loose `json:"subagentType"`
	TypeName loose `json:"subagentTypeName"`
}

// composer is a conversation. Its messages are rows of their own, in the order of the list; in 2024
// they stood in it, and the calls of tools beside them.
type composer struct {
	header
	Status loose `json:"status"`
	Model  struct {
		Name loose `json:"modelName"`
	} `json:"modelConfig"`
	Todos        []tools.Todo `json:"todos"`
	Headers      []bubbleRef  `json:"fullConversationHeadersOnly"`
	Inline       []bubble     `json:"conversation"`
	Capabilities []struct {
		Data struct {
			Calls inText[decode.Table[toolCall]] `json:"bubbleDataMap"`
		} `json:"data"`
	} `json:"capabilities"`
}

type bubbleRef struct {
	ID   string `json:"bubbleId"`
	Type int64  `json:"type"`
}

// The types of a bubble.
const (
	typed    = 1 // by the user
	answered = 2
)

// bubble is a message, or a call of a tool. What Cursor added to a prompt stands in members of its
// own, none of which is read.
type bubble struct {
	bubbleRef
	Text    string        `json:"text"`
	Rich    loose         `json:"richText"`
	Created words.Instant `json:"createdAt"`
	Mode    loose         `json:"unifiedMode"`
	Call    toolCall      `json:"toolFormerData"`
	Model   struct {
		Name loose `json:"modelName"`
	} `json:"modelInfo"`
	Tokens struct {
		In  decode.Whole `json:"inputTokens"`
		Out decode.Whole `json:"outputTokens"`
	} `json:"tokenCount"`
}

// said is the text of a message. A prompt may be left in the form of the input field alone.
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
	return strings.TrimSpace(field.Root.plain())
}

// node is a part of an input field, of Lexical.
type node struct {
	Type     loose  `json:"type"`
	Text     loose  `json:"text"`
	Children []node `json:"children"`
}

func (n node) plain() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n node) write(b *strings.Builder) {
	if n.Type == "linebreak" {
		b.WriteByte('\n')
		return
	}
	b.WriteString(string(n.Text))
	for i, child := range n.Children {
		if i > 0 && child.Type == "paragraph" {
			b.WriteByte('\n')
		}
		child.write(b)
	}
}

// mode is what a message was typed in: conversations have a word for it, bubbles a number.
func mode(text loose) string {
	switch text {
	case "1":
		return "chat"
	case "2":
		return "agent"
	case "5":
		return "plan"
	}
	if strings.Trim(string(text), "0123456789") == "" {
		return ""
	}
	return words.OneLine(string(text), titleSize)
}

// model is the name of a model, empty for the one that Cursor chooses.
func model(name loose) string {
	if name == "default" {
		return ""
	}
	return words.OneLine(string(name), titleSize)
}

// place is where a conversation worked, as far as it is told: a folder or a workspace, or its name
// below workspaceStorage, which is looked up.
func (h *header) place(lookUp func(name string) sources.Place) (p sources.Place) {
	switch w := h.Workspace; {
	case w.URI.IsSet() && strings.HasSuffix(w.URI.Path, ".code-workspace"):
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
	return p
}
