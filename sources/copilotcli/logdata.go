package copilotcli

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// record is what is kept of a line of a log beside its data (formats/copilot-cli.md,
// section 3).
type record struct {
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	Timestamp instant `json:"timestamp"`
	AgentID   string  `json:"agentId"` // of the sub-agent that caused it, empty for the root
}

// eventData is what is kept of the data of an event. What is kept of a member is
// said once for all types of events that have it.
type eventData struct {
	Content string `json:"content"`
	Model   string `json:"model"`
	Summary string `json:"summary"`
	Message string `json:"message"`

	Source      string       `json:"source"` // of a prompt, as the others
	AgentMode   string       `json:"agentMode"`
	Delivery    string       `json:"delivery"`
	Attachments []attachment `json:"attachments"`

	ToolRequests []toolRequest `json:"toolRequests"` // of an answer, as the others
	ChunkIndex   *number       `json:"chunkIndex"`
	ChunkCount   *number       `json:"chunkCount"`
	Citations    []citation    `json:"citations"`

	Usage *tokenUsage `json:"usage"`
	tokenUsage

	toolRequest            // of a call, as the others
	Success     *bool      `json:"success"`
	Result      result     `json:"result"`
	FileEdits   []fileEdit `json:"fileEdits"`

	SessionID     string       `json:"sessionId"` // of a start, as the others
	StartTime     instant      `json:"startTime"`
	SelectedModel string       `json:"selectedModel"`
	Context       *workContext `json:"context"`
	Detached      string       `json:"detachedFromSpawningParentSessionId"`
	workContext                // of a context that changed

	InfoType     string                    `json:"infoType"`
	NewModel     string                    `json:"newModel"`
	NewMode      string                    `json:"newMode"`
	AgentName    string                    `json:"agentName"`
	Path         string                    `json:"path"`
	Operation    string                    `json:"operation"`
	ModelMetrics decode.Table[decode.None] `json:"modelMetrics"`
	CodeChanges  struct {
		FilesModified []string `json:"filesModified"`
	} `json:"codeChanges"`

	SummaryContent   string         `json:"summaryContent"`
	CheckpointNumber number         `json:"checkpointNumber"`
	LegacySession    *legacySession `json:"legacySession"`
}

// attachment is something that was added to a prompt.
type attachment struct {
	Type          string `json:"type"`
	Path          string `json:"path"`
	FilePath      string `json:"filePath"`
	DisplayName   string `json:"displayName"`
	Title         string `json:"title"`
	URL           string `json:"url"`
	Number        number `json:"number"`
	ReferenceType string `json:"referenceType"`
	MimeType      string `json:"mimeType"`
	SHA           string `json:"sha"`
	OID           string `json:"oid"`
	Name          string `json:"name"`
}

// toolRequest is a call of a tool. An answer calls its name otherwise than an event
// of the call itself.
type toolRequest struct {
	ToolCallID    string     `json:"toolCallId"`
	Name          string     `json:"name"`
	ToolName      string     `json:"toolName"`
	Arguments     *arguments `json:"arguments"`
	MCPServerName string     `json:"mcpServerName"`
}

// result is what a call gave.
type result struct {
	Content string `json:"content" as:"text"`
}

// fileEdit is a file that a call says it changed.
type fileEdit struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
}

// citation is public code that an answer matched.
type citation struct {
	License string `json:"license"`
	Value   string `json:"value"`
	URL     string `json:"url"`
}

// tokenUsage counts what one call of the model used.
type tokenUsage struct {
	InputTokens      number  `json:"inputTokens"`
	OutputTokens     *number `json:"outputTokens"`
	APICallID        string  `json:"apiCallId"`
	ParentToolCallID string  `json:"parentToolCallId"`
}

// output is the number of tokens that were written, 0 where it is not told.
func (u *tokenUsage) output() number {
	if u.OutputTokens == nil {
		return 0
	}
	return *u.OutputTokens
}

// workContext is where a session works.
type workContext struct {
	Cwd            string `json:"cwd"`
	GitRoot        string `json:"gitRoot"`
	Repository     string `json:"repository"`
	RepositoryHost string `json:"repositoryHost"`
	HostType       string `json:"hostType"`
	Branch         string `json:"branch"`
}

// arguments are those of a call that tell what it does.
type arguments struct {
	Path        string  `json:"path"`
	Command     command `json:"command"`
	Description string  `json:"description"`
	Pattern     string  `json:"pattern"`
	Query       string  `json:"query"`
	URL         string  `json:"url"`
	Input       string  `json:"input"`
	Patch       string  `json:"patch"`
	First       string  `as:"first"`

	PullNumber      number `json:"pullNumber"` // of a tool of a forge, as the others
	PullNumberSnake number `json:"pull_number"`
	IssueNumber     number `json:"issueNumber"`
	IssueSnake      number `json:"issue_number"`
	SHA             string `json:"sha"`
	Owner           string `json:"owner"`
	Repo            string `json:"repo"`
}

// ReadJSON reads an object, or the text of one. Another text is a patch.
func (a *arguments) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object arguments
	switch d.PeekKind() {
	case '{':
		return true, d.Read((*object)(a))
	case '"':
		var text string
		if err := d.Read(&text); err != nil {
			return false, err
		}
		if !strings.HasPrefix(strings.TrimSpace(text), "{") {
			a.Patch = text
		} else if decode.Text(text, (*object)(a)) != nil {
			*a = arguments{}
		}
		return true, nil
	}
	return false, d.SkipValue()
}

// command is what a shell runs, a text or its words; of other tools a sub-command.
type command struct {
	Text  string   `as:"text"`
	Words []string `as:"list"`
}

// number is a whole number, also one written as a text.
type number int64

// ReadJSON implements decode.Reader.
func (n *number) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var s decode.Scalar
	if err = d.Read(&s); err != nil {
		return false, err
	}
	v, ok := decode.Number(s.Text)
	*n = number(v)
	return ok, nil
}

// instant is a time written as RFC 3339 or in milliseconds since 1970; the zero time
// where it is neither.
type instant struct{ time.Time }

// ReadJSON implements decode.Reader.
func (i *instant) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var s decode.Scalar
	if err = d.Read(&s); err != nil {
		return false, err
	}
	if t, err := time.Parse(time.RFC3339Nano, s.Text); err == nil && plausible(t.UTC()) {
		i.Time = t.UTC() // an offset may have led beyond
	} else if ms, ok := decode.Number(s.Text); ok && ms > 0 && ms < 1<<53 {
		if t := time.UnixMilli(ms).UTC(); plausible(t) {
			i.Time = t
		}
	}
	return true, nil
}

// plausible keeps years out that no format we write can hold.
func plausible(t time.Time) bool { return t.Year() >= 1970 && !sources.OnCalendar(t).IsZero() }
