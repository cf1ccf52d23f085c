// Package chat reads the chats of Gemini CLI: the log of a session, of one record a line since
// version 0.39, and the one document that it was before.
package chat

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// record is a line of a log: what is known of the session, a message, a change, or a rewind.
// A document is a record with messages.
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

	said
}

// said is what is kept of a content.
type said struct {
	text     string // of a prompt: what was typed
	added    []sources.Attachment
	isResult bool   // it is what calls gave
	isOurs   bool   // the program said it in the place of a prompt
	ran      string // a command that the user ran with "!", empty: none
}

type tokens struct {
	Input    decode.Whole `json:"input"` // those from the cache among them
	Output   decode.Whole `json:"output"`
	Thoughts decode.Whole `json:"thoughts"`
	Tool     decode.Whole `json:"tool"`
	Total    decode.Whole `json:"total"`
}

// content is a text, a part, or a list of them.
type content struct {
	part
	List []part `as:"list"`
}

type part struct {
	Text    string       `json:"text" as:"text"`
	Thought bool         `json:"thought"`
	Inline  *attached    `json:"inlineData"`
	File    *attached    `json:"fileData"`
	Gave    *gave        `json:"functionResponse"`
	Called  *decode.None `json:"functionCall"`
}

type attached struct {
	Type string `json:"mimeType" max:"200"`
	Name string `json:"displayName" max:"2048"`
	URI  string `json:"fileUri" max:"2048"`
}

// gave is what a call gave.
type gave struct {
	Response struct {
		Output decode.Loose `json:"output"`
		Error  decode.Loose `json:"error"`
	} `json:"response"`
}

// call is the call of a tool and what came of it.
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

// display is what the user sees of a result.
type display struct {
	Text      string        `as:"text" max:"4096"`
	Lines     []decode.None `as:"list"` // of a terminal
	FilePath  decode.Loose  `json:"filePath"`
	IsNewFile bool          `json:"isNewFile"`
	Result    decode.Loose  `json:"result"` // of a sub-agent
}

// change is what $set changes.
type change struct {
	Summary     string
	Directories []string
	Context     []message // all that the model sees, instead of what it saw before
	Unknown     []string  // members that nobody knows
}

// ReadJSON implements decode.Reader.
func (c *change) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	*c = change{}
	if d.PeekKind() != '{' {
		return false, d.SkipValue()
	}
	return true, d.Members(func(name string) error {
		switch name {
		case "summary":
			return d.Read(&c.Summary)
		case "directories":
			return d.Read(&c.Directories)
		case "messages":
			return d.Read(&c.Context)
		case "lastUpdated", "sessionId", "memoryScratchpad", "kind", "startTime", "projectHash", "activeExtensionName":
		default:
			c.Unknown = append(c.Unknown, words.OneLine("$set "+name, 64))
		}
		return d.SkipValue()
	})
}
