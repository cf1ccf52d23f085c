// Package chat reads the chats of Gemini CLI: the log of a session, of one record a line since version 0.39, and the
// one document that it was before.
package chat

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// record is a line of a log: what is known of the session, a message, a change, or a rewind. A document is a record
// with messages.
type record struct {
	SessionID   string        `json:"sessionId" max:"128"`
	ProjectHash string        `json:"projectHash" max:"128"`
	StartTime   words.Instant `json:"startTime"`
	Kind        string        `json:"kind" max:"64"`
	Summary     string        `json:"summary"`
	Directories []string      `json:"directories" max:"4096"`
	message
	Set      *change `json:"$set"`
	RewindTo *string `json:"$rewindTo"`
}

// message is what was said by one side, with the calls of the agent.
type message struct {
	ID      string        `json:"id" max:"128"`
	At      words.Instant `json:"timestamp"`
	Type    string        `json:"type" max:"64"`
	Content content       `json:"content"`
	Display content       `json:"displayContent"` // what the user sees of it
	Model   string        `json:"model" max:"200"`
	Tokens  *tokens       `json:"tokens"`
	Calls   []call        `json:"toolCalls"`

	kept
}

// kept is what is left of a content, and what became of the message.
type kept struct {
	text     string // of a prompt: what was typed
	added    []sources.Attachment
	isResult bool   // it is what calls gave
	isOurs   bool   // the program said it in the place of a prompt
	joins    bool   // it was typed while the agent was at work
	ran      string // a command that the user ran with "!", empty: none
	summary  sources.Checkpoint
	rewind   int // number of the rewind that took it back, 0: none did
}

type tokens struct {
	Input    decode.Whole `json:"input"` // those from the cache among them
	Output   decode.Whole `json:"output"`
	Thoughts decode.Whole `json:"thoughts"`
	Tool     decode.Whole `json:"tool"`
	Total    decode.Whole `json:"total"`
}

// content is a text, a part, or a list of them.
type content []part

type part struct {
	Text    string       `json:"text"`
	Thought bool         `json:"thought"`
	Inline  *attached    `json:"inlineData"`
	File    *attached    `json:"fileData"`
	Gave    *gave        `json:"functionResponse"`
	Called  *decode.None `json:"functionCall"`

	other string // a member that nobody knows
}

type attached struct {
	Type string `json:"mimeType" max:"200"`
	Name string `json:"displayName" max:"2048"`
	URI  string `json:"fileUri" max:"2048"`
}

type gave struct {
	Response struct {
		Output decode.Loose `json:"output"`
		Error  decode.Loose `json:"error"`
	} `json:"response"`
}

func (c *content) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	*c = nil
	switch d.PeekKind() {
	case '[':
		return true, d.Elements(func() error { return c.add(d) })
	case '{', '"':
		return true, c.add(d)
	}
	return false, d.SkipValue()
}

func (c *content) add(d *decode.Decoder) error {
	*c = append(*c, part{})
	p := &(*c)[len(*c)-1]
	if d.PeekKind() == '"' {
		return d.Read(&p.Text)
	}
	return d.Members(func(name string) error {
		if !decode.Member(reflect.ValueOf(p), name).IsValid() {
			p.other = cmp.Or(p.other, name)
		}
		return d.Member(p, name)
	})
}

type call struct {
	ID      string           `json:"id" max:"200"`
	Name    string           `json:"name" max:"200"`
	Args    *tools.Arguments `json:"args"`
	Result  content          `json:"result"`
	Status  string           `json:"status" max:"64"`
	At      words.Instant    `json:"timestamp"`
	AgentID string           `json:"agentId" max:"128"`
	Display display          `json:"resultDisplay"`

	result builder.Result // what is kept of it
}

type display struct {
	Text      string        `as:"text" max:"4096"`
	Lines     []decode.None `as:"list"` // of a terminal
	FilePath  decode.Loose  `json:"filePath"`
	IsNewFile bool          `json:"isNewFile"`
	Result    decode.Loose  `json:"result"` // of a sub-agent
}

type change struct {
	Summary     string    `json:"summary"`
	Directories []string  `json:"directories"`
	Context     []message `json:"messages"` // all that the model sees, instead of what it saw before

	unknown string // a member that nobody knows
}

// passed are the members of a change that say nothing.
var passed = []string{"lastUpdated", "sessionId", "memoryScratchpad", "kind", "startTime", "projectHash", "activeExtensionName"}

func (c *change) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object change
	*c = change{}
	if d.PeekKind() != '{' {
		return false, d.SkipValue()
	}
	return true, d.Members(func(name string) error {
		if !decode.Member(reflect.ValueOf((*object)(c)), name).IsValid() && !slices.Contains(passed, name) {
			c.unknown = words.OneLine("$set "+name, 64)
		}
		return d.Member((*object)(c), name)
	})
}
