package opencode

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// info is what a store says of a session beside its messages: a row, or a file of the JSON store.
type info struct {
	ID        string `json:"id"`
	Parent    string `json:"parentID"` // session of which it is a sub-agent
	Directory string `json:"directory"`
	Title     string `json:"title"`
	Version   string `json:"version"`
	Agent     string `json:"agent"`
	Time      span   `json:"time"`
	Revert    revert `json:"revert"`
	// Permission are rules that hold for the session.
	Permission []rule `json:"permission"`

	ForkOf string `json:"-"` // version 2
	IsV2   bool   `json:"-"` // its messages are in the table of version 2
	bad    bool   // it could not be read
}

type span struct {
	Created   words.Instant `json:"created"`
	Completed words.Instant `json:"completed"`
	Archived  words.Instant `json:"archived"`
}

// revert names the message from which on all was taken back, and the part where it is not all of
// that message.
type revert struct {
	MessageID string `json:"messageID"`
	PartID    string `json:"partID"`
}

type rule struct {
	Permission string `json:"permission"`
	Action     string `json:"action"`
}

// isHeadless tells a session that `opencode run` began: nobody can be asked a question in it.
func (i *info) isHeadless() bool {
	for _, r := range i.Permission {
		if r.Permission == "question" && r.Action == "deny" {
			return true
		}
	}
	return false
}

// message is one of either version. That of version 1 has its parts apart, that of version 2 has
// all in it.
type message struct {
	ID       string  `json:"id"`
	Role     string  `json:"role"` // version 1: user, assistant
	Type     string  `json:"type"` // version 2
	Time     span    `json:"time"`
	Agent    string  `json:"agent"`
	Mode     string  `json:"mode"`
	ParentID string  `json:"parentID"`
	ModelID  string  `json:"modelID"`
	Model    model   `json:"model"`
	Path     where   `json:"path"`
	Tokens   usage   `json:"tokens"`
	Finish   string  `json:"finish"`
	Error    *fault  `json:"error"`
	Summary  summary `json:"summary"`

	Text     string   `json:"text"` // version 2, as the others
	Files    []part   `json:"files"`
	Content  []part   `json:"content"`
	Snapshot snapshot `json:"snapshot"`
	Command  string   `json:"command"`
	Status   string   `json:"status"`
	Outcome  string   `json:"outcome"`

	isUsers bool // its calls are those of the user
}

// kind is who speaks.
func (m *message) kind() string { return cmp.Or(m.Role, m.Type) }

func (m *message) modelName() string {
	name := cmp.Or(m.ModelID, m.Model.ModelID, m.Model.ID)
	return name[strings.LastIndexByte(name, '/')+1:]
}

type model struct {
	ID      string `json:"id"`
	ModelID string `json:"modelID"`
}

type where struct {
	Cwd string `json:"cwd"`
}

type usage struct {
	In        decode.Whole `json:"input"`
	Out       decode.Whole `json:"output"`
	Reasoning decode.Whole `json:"reasoning"`
	Cache     struct {
		Read  decode.Whole `json:"read"`
		Write decode.Whole `json:"write"`
	} `json:"cache"`
}

type snapshot struct {
	Files []string `json:"files"`
}

// fault is why something failed: a text, or an object in one of two shapes.
type fault struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Message string `json:"message" as:"text"`
	Data    struct {
		Message string `json:"message"`
	} `json:"data"`
}

func (f *fault) String() string {
	if f == nil {
		return ""
	}
	return strings.TrimSpace(cmp.Or(f.Data.Message, f.Message, f.Name, f.Type))
}

// isAbort tells what the user stopped from what failed.
func (f *fault) isAbort() bool {
	return f != nil && strings.Contains(strings.ToLower(f.Name+f.Type), "abort")
}

// summary is true of an answer that sums up, a text in version 2, and of a prompt in version 1
// which files were changed.
type summary struct {
	Is    bool
	Text  string
	Diffs []diff
}

type diff struct {
	File   string `json:"file"`
	Status string `json:"status"`
}

// ReadJSON implements decode.Reader.
func (s *summary) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	*s = summary{}
	switch d.PeekKind() {
	case 't', 'f':
		return true, d.Read(&s.Is)
	case '"':
		return true, d.Read(&s.Text)
	case '{':
		var object struct {
			Diffs []diff `json:"diffs"`
		}
		err := d.Read(&object)
		s.Diffs = object.Diffs
		return true, err
	}
	return false, d.SkipValue()
}

// part is a part of a message.
type part struct {
	ID        string   `json:"id"`
	MessageID string   `json:"messageID"`
	Type      string   `json:"type"`
	Text      string   `json:"text"`
	Synthetic bool     `json:"synthetic"` // injected, as the next
	Ignored   bool     `json:"ignored"`
	Tool      string   `json:"tool"`
	State     state    `json:"state"`
	Files     []string `json:"files"` // of a patch
	Filename  string   `json:"filename"`
	Mime      string   `json:"mime"`
	URL       shortURL `json:"url"`
	URI       shortURL `json:"uri"` // version 2
	Name      string   `json:"name"`
	Source    struct {
		Path string `json:"path"`
	} `json:"source"`
	Prompt  string `json:"prompt"` // of a subtask, as the next
	Command string `json:"command"`
}

// shortURL is an address; that of a picture may hold the picture.
type shortURL string

// ReadJSON implements decode.Reader.
func (u *shortURL) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	*u = ""
	if d.PeekKind() != '"' {
		return false, d.SkipValue()
	}
	var text string
	if err = d.Read(&text); !strings.HasPrefix(text, "data:") {
		*u = shortURL(decode.Cut(text, 2<<10))
	}
	return true, err
}

// state is how a call of a tool stands.
type state struct {
	Status   string           `json:"status"` // pending, streaming, running, completed, error
	Input    *tools.Arguments `json:"input"`
	Output   decode.Large     `json:"output"`
	Content  []part           `json:"content"` // version 2: what it gave
	Error    *fault           `json:"error"`
	Metadata struct {
		Exit      *decode.Whole `json:"exit"`
		Exists    *bool         `json:"exists"`
		Answers   []answer      `json:"answers"` // to the questions of a call, in their order
		SessionID string        `json:"sessionId"`
		Files     []changed     `json:"files"`
	} `json:"metadata"`
	Time struct {
		Start words.Instant `json:"start"`
		End   words.Instant `json:"end"`
	} `json:"time"`
}

// answer is what a person chose, and wrote themselves.
type answer struct {
	Text string   `as:"text"`
	All  []string `as:"list"`
}

// changed is a file that a patch changed.
type changed struct {
	Path string `json:"filePath" as:"text"`
	Type string `json:"type"` // add, update, delete, move
	Move string `json:"movePath"`
}

// gave is what a call gave.
func (s *state) gave() string {
	texts := []string{string(s.Output)}
	for _, c := range s.Content {
		texts = append(texts, c.Text)
	}
	return strings.Trim(strings.Join(texts, "\n"), "\n")
}

// todo is an entry of the agent's list.
type todo struct {
	tools.Todo
	at time.Time
}

// milliseconds is a time as all tables have it; the zero time for what is none.
func milliseconds(text string) time.Time {
	if ms, ok := decode.Number(text); ok && ms > 0 && ms < 1<<53 {
		return sources.OnCalendar(time.UnixMilli(ms))
	}
	return time.Time{}
}

// event is a record of the log of changes.
type event struct {
	MessageID string  `json:"messageID"`
	Info      message `json:"info"`
	Part      part    `json:"part"`
}

// removed is a message that was taken back, with its parts.
type removed struct {
	message message
	parts   []part
}

// add takes in a part, which may have been told before.
func (r *removed) add(p part) {
	if i := slices.IndexFunc(r.parts, func(was part) bool { return was.ID == p.ID }); i >= 0 {
		r.parts[i] = p
		return
	}
	r.parts = append(r.parts, p)
}

// inOrder are the messages that are known, by their ids, which are in order of time.
func inOrder(gone map[string]*removed) (all []removed) {
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		if r := gone[id]; r.message.ID != "" {
			slices.SortFunc(r.parts, func(a, b part) int { return strings.Compare(a.ID, b.ID) })
			all = append(all, *r)
		}
	}
	return all
}
