package eventlog

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// event is one record of a log.
type event struct {
	Type  string        `json:"type"`
	ID    string        `json:"id"`
	At    words.Instant `json:"timestamp"`
	Agent string        `json:"agentId"` // of the sub-agent that caused it, empty for the root

	Data eventData `json:"data"`
}

// eventData is what is kept of the data of an event. What is kept of a member is
// said once for all types of events that have it.
type eventData struct {
	there bool

	Content string `json:"content"`
	Model   string `json:"model"`
	Summary string `json:"summary"`
	Message string `json:"message"`

	Source      string       `json:"source"` // of a prompt, as the others
	AgentMode   string       `json:"agentMode"`
	Delivery    string       `json:"delivery"`
	Attachments []attachment `json:"attachments"`

	ToolRequests []toolRequest `json:"toolRequests"` // of an answer, as the others
	ChunkIndex   decode.Whole  `json:"chunkIndex"`
	ChunkCount   decode.Whole  `json:"chunkCount"`
	Citations    []citation    `json:"citations"`

	Usage *tokenUsage `json:"usage"`
	tokenUsage

	toolRequest        // of a call, as the others
	Success     *bool  `json:"success"`
	Result      result `json:"result"`
	Error       struct {
		Code    string `json:"code" as:"text"`
		Message string `json:"message"`
	} `json:"error"`
	Shell struct {
		ExitCode *decode.Whole `json:"exitCode"`
	} `json:"shellExecution"`
	FileEdits []fileEdit `json:"fileEdits"`

	TurnID string `json:"turnId"`

	SessionID     string        `json:"sessionId"` // of a start, as the others
	StartTime     words.Instant `json:"startTime"`
	SelectedModel string        `json:"selectedModel"`
	Context       *workContext  `json:"context"`
	Detached      string        `json:"detachedFromSpawningParentSessionId"`
	workContext                 // of a context that changed

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

	Response struct { // of a person, who was asked about a plan
		PlanContent string `json:"planContent"`
		Approved    *bool  `json:"approved"`
		Feedback    string `json:"feedback"`
	} `json:"response"`

	SummaryContent   string         `json:"summaryContent"`
	CheckpointNumber decode.Whole   `json:"checkpointNumber"`
	LegacySession    *legacySession `json:"legacySession"`
}

// ReadJSON implements decode.Reader.
func (e *eventData) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object eventData
	if d.PeekKind() != '{' {
		return false, d.SkipValue()
	}
	err = d.Read((*object)(e))
	e.there = true
	return true, err
}

// attachment is something that was added to a prompt.
type attachment struct {
	Type          string       `json:"type"`
	Path          string       `json:"path"`
	FilePath      string       `json:"filePath"`
	DisplayName   string       `json:"displayName"`
	Title         string       `json:"title"`
	URL           string       `json:"url"`
	Number        decode.Whole `json:"number"`
	ReferenceType string       `json:"referenceType"`
	MimeType      string       `json:"mimeType"`
	SHA           string       `json:"sha"`
	OID           string       `json:"oid"`
	Name          string       `json:"name"`
}

// toolRequest is a call of a tool. An answer calls its name otherwise than an event
// of the call itself.
type toolRequest struct {
	ToolCallID    string           `json:"toolCallId"`
	Name          string           `json:"name"`
	ToolName      string           `json:"toolName"`
	Arguments     *tools.Arguments `json:"arguments"`
	MCPServerName string           `json:"mcpServerName"`
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
	InputTokens      decode.Whole  `json:"inputTokens"`
	OutputTokens     *decode.Whole `json:"outputTokens"`
	APICallID        string        `json:"apiCallId"`
	ParentToolCallID string        `json:"parentToolCallId"`
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

// legacySession is what is kept of a session of the oldest layout.
type legacySession struct {
	SessionID     string        `json:"sessionId"`
	StartTime     words.Instant `json:"startTime"`
	SelectedModel string        `json:"selectedModel"`
	Timeline      []legacyEntry `json:"timeline"`
	ChatMessages  []legacyEntry `json:"chatMessages"`
}

// legacyEntry is one entry of a timeline, or a message of the model's conversation.
type legacyEntry struct {
	Type      string           `json:"type"`
	Text      string           `json:"text"`
	Timestamp words.Instant    `json:"timestamp"`
	ID        string           `json:"id"`
	CallID    string           `json:"callId"`
	Name      string           `json:"name"`
	ToolTitle string           `json:"toolTitle"`
	Arguments *tools.Arguments `json:"arguments"`
	Result    struct {
		Type string `json:"type"`
		Log  string `json:"log"`
	} `json:"result"`

	Role       string     `json:"role"` // of a message, as the others
	Content    legacyText `json:"content"`
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string           `json:"name"`
			Arguments *tools.Arguments `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// legacyText is the text of a message, or its parts.
type legacyText struct {
	Text  string       `json:"text" as:"text"`
	Parts []legacyText `as:"list"`
}

// String joins the parts.
func (t legacyText) String() string {
	var parts []string
	for _, part := range append(t.Parts, legacyText{Text: t.Text}) {
		if part.Text != "" {
			parts = append(parts, part.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}
