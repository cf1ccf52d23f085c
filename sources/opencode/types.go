package opencode

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// archive is a store of sessions: the tables of a database, or files.
type archive interface {
	info(ctx context.Context, id string) (*info, error)                              // nil: it does not exist
	records(ctx context.Context, i *info, message string, each func(record)) error   // messages in order, or the parts of one of version 1
	todos(ctx context.Context, i *info) (list []sources.Todo, known bool, err error) // unknown: only calls have them
	origin(ctx context.Context, i *info) (id string, err error)                      // its parent as a fork; empty: it does not exist
	undone(ctx context.Context, i *info) ([]message, error)                          // removed but still known, with the parts
}

// record is a message or a part as stored. Without data it is too large to be read.
type record struct {
	id, kind, data string
	at             time.Time
}

// info is a store's data about a session beside its messages: a row, or a file of the JSON store.
type info struct {
	ID        string `json:"id"`
	Parent    string `json:"parentID"` // session that called it as a sub-agent
	Directory string `json:"directory"`
	Title     string `json:"title"`
	Agent     string `json:"agent"`
	Time      span   `json:"time"`
	Revert    struct {
		MessageID string `json:"messageID"` // everything from this message on was taken back
		PartID    string `json:"partID"`    // if not all of that message
	} `json:"revert"`
	Permission []texts `json:"permission"` // rules for the session: permission and action

	ForkOf string `json:"-"` // version 2
	IsV2   bool   `json:"-"` // its messages are in the table of version 2
	bad    bool   // it could not be read
}

// isHeadless reports whether `opencode run` began the session: no question can be answered in it.
func (i *info) isHeadless() bool {
	return slices.ContainsFunc(i.Permission, func(r texts) bool { return r.Get("permission") == "question" && r.Get("action") == "deny" })
}

type span struct {
	Created   words.Instant `json:"created"`
	Completed words.Instant `json:"completed"`
	Archived  words.Instant `json:"archived"`
	Start     words.Instant `json:"start"` // fields of a call:
	End       words.Instant `json:"end"`
}

type texts = decode.Table[decode.Loose]

// message is a message of either version: in version 1 its parts are separate.
type message struct {
	ID       string `json:"id"`
	Role     string `json:"role"` // version 1: user, assistant
	Type     string `json:"type"` // version 2
	Time     span   `json:"time"`
	Agent    string `json:"agent"`
	Mode     string `json:"mode"`
	ParentID string `json:"parentID"`
	ModelID  string `json:"modelID"`
	Model    texts  `json:"model"` // id or modelID
	Path     texts  `json:"path"`  // cwd
	Tokens   struct {
		In        decode.Whole `json:"input"`
		Out       decode.Whole `json:"output"`
		Reasoning decode.Whole `json:"reasoning"`
		Cache     struct {
			Read  decode.Whole `json:"read"`
			Write decode.Whole `json:"write"`
		} `json:"cache"`
	} `json:"tokens"`
	Finish  string  `json:"finish"`
	Error   *fault  `json:"error"`
	Summary summary `json:"summary"`

	Text     string `json:"text"` // version 2, as the others
	Files    []part `json:"files"`
	Content  []part `json:"content"`
	Snapshot struct {
		Files []string `json:"files"`
	} `json:"snapshot"`
	Command string `json:"command"`
	Status  string `json:"status"`
	Outcome string `json:"outcome"`
}

func (m *message) kind() string { return cmp.Or(m.Role, m.Type) }

// fault is the reason of a failure: a text, or an object in one of two shapes.
type fault struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Message string `json:"message" as:"text"`
	Data    texts  `json:"data"` // message
}

func (f *fault) String() string {
	if f == nil {
		return ""
	}
	return strings.TrimSpace(cmp.Or(string(f.Data.Get("message")), f.Message, f.Name, f.Type))
}

// summary is true in an answer that sums up; a text in version 2; the changed files in a prompt of version 1.
type summary struct {
	Is    bool
	Text  string
	Diffs []texts `json:"diffs"` // file and status
}

func (s *summary) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object summary
	*s = summary{}
	switch d.PeekKind() {
	case 't', 'f':
		return true, d.Read(&s.Is)
	case '"':
		return true, d.Read(&s.Text)
	case '{':
		return true, d.Read((*object)(s))
	}
	return false, d.SkipValue()
}

type part struct {
	ID        string   `json:"id"`
	MessageID string   `json:"messageID"`
	Type      string   `json:"type"`
	Text      string   `json:"text"`
	Synthetic bool     `json:"synthetic"` // injected, as the next
	Ignored   bool     `json:"ignored"`
	Tool      string   `json:"tool"`
	State     state    `json:"state"`
	Files     []string `json:"files"` // files of a patch
	Filename  string   `json:"filename"`
	Mime      string   `json:"mime"`
	URL       string   `json:"url" max:"2048"` // a picture's may hold the picture
	URI       string   `json:"uri" max:"2048"` // version 2
	Name      string   `json:"name"`
	Source    texts    `json:"source"` // path
	Prompt    string   `json:"prompt"` // fields of a subtask:
	Command   string   `json:"command"`
}

type state struct {
	Status   string           `json:"status"` // pending, streaming, running, completed, error
	Input    *tools.Arguments `json:"input"`
	Output   decode.Large     `json:"output"`
	Content  []part           `json:"content"` // version 2: its output
	Error    *fault           `json:"error"`
	Metadata struct {
		Exit    *decode.Whole `json:"exit"`
		Exists  *bool         `json:"exists"`
		Answers []struct {    // answers to the questions of a call, in order
			Text string   `as:"text"`
			All  []string `as:"list"`
		} `json:"answers"`
		SessionID string     `json:"sessionId"`
		Files     []struct { // changed by a patch
			Path string `json:"filePath" as:"text"`
			Type string `json:"type"` // add, update, delete, move
			Move string `json:"movePath"`
		} `json:"files"`
	} `json:"metadata"`
	Time span `json:"time"`
}

func (s *state) gave() string {
	texts := []string{string(s.Output)}
	for _, c := range s.Content {
		texts = append(texts, c.Text)
	}
	return strings.Trim(strings.Join(texts, "\n"), "\n")
}
