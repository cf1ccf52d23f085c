package eventlog

import (
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

type event struct {
	Type  string        `json:"type"`
	ID    string        `json:"id"`
	At    words.Instant `json:"timestamp"`
	Agent string        `json:"agentId"` // id of the sub-agent that caused it, or "" for the root
	Data  eventData     `json:"data"`
}

// eventData holds the members of all types of events.
type eventData struct {
	there bool

	Content   string `json:"content"`
	Model     string `json:"model"`
	Message   string `json:"message"`
	MessageID string `json:"messageId"`

	Source      string       `json:"source"` // fields of a prompt:
	AgentMode   string       `json:"agentMode"`
	Delivery    string       `json:"delivery"`
	Continues   bool         `json:"isAutopilotContinuation"`
	Attachments []attachment `json:"attachments"`

	ToolRequests []toolRequest `json:"toolRequests"` // fields of an answer:
	ChunkIndex   decode.Whole  `json:"chunkIndex"`
	ChunkCount   decode.Whole  `json:"chunkCount"`
	Citations    []citation    `json:"citations"`
	Usage        *tokenUsage   `json:"usage"`
	tokenUsage

	toolRequest              // fields of a call:
	Success     *bool        `json:"success"`
	Result      result       `json:"result"`
	Error       result       `json:"error"`
	Shell       process      `json:"shellExecution"`
	FileEdits   []attachment `json:"fileEdits"`
	Calls       decode.Whole `json:"totalToolCalls"` // number of a sub-agent's calls
	Kind        process      `json:"kind"`           // kind of a notice

	RequestID string   `json:"requestId"` // fields of a question to a person:
	Actor     string   `json:"actor"`
	Response  response `json:"response"`
	response

	StartTime     words.Instant `json:"startTime"` // fields of a start:
	SelectedModel string        `json:"selectedModel"`
	Context       *workContext  `json:"context"`
	Detached      string        `json:"detachedFromSpawningParentSessionId"`
	workContext                 // changed context

	InfoType     string                    `json:"infoType"`
	ErrorType    string                    `json:"errorType"`
	Reason       string                    `json:"reason"`
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
	CheckpointNumber decode.Whole   `json:"checkpointNumber"`
	LegacySession    *legacySession `json:"legacySession"`
}

func (e *eventData) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object eventData
	if d.PeekKind() != '{' {
		return false, d.SkipValue()
	}
	err = d.Read((*object)(e))
	e.there = true
	return true, err
}

// attachment is something added to a prompt, or a file that a call changed.
type attachment struct {
	Type          string       `json:"type"`
	Kind          string       `json:"kind"`
	Path          string       `json:"path" also:"filePath"`
	DisplayName   string       `json:"displayName"`
	Title         string       `json:"title"`
	Message       string       `json:"message"` // message of a commit
	Name          string       `json:"name" also:"jobName"`
	URL           string       `json:"url"`
	Number        decode.Whole `json:"number"`
	ReferenceType string       `json:"referenceType"`
	MimeType      string       `json:"mimeType"`
	SHA           string       `json:"sha" also:"oid"`
}

type toolRequest struct {
	ToolCallID    string           `json:"toolCallId"`
	Name          string           `json:"name" also:"toolName"`
	Arguments     *tools.Arguments `json:"arguments"`
	MCPServerName string           `json:"mcpServerName"`
}

// result is the output of a call, the reason of its failure, or the end of a request for permission.
type result struct {
	Content  string `json:"content" as:"text"`
	Message  string `json:"message"`
	Code     string `json:"code"`
	Kind     string `json:"kind"`
	Feedback string `json:"feedback"`
}

// process says how a command ended, or which command did.
type process struct {
	ShellID  decode.Scalar `json:"shellId" as:"text"`
	ExitCode *decode.Whole `json:"exitCode"`
}

type citation struct {
	License string `json:"license"`
	Value   string `json:"value"`
	URL     string `json:"url"`
}

type response struct {
	Question    string `json:"question"`
	Answer      string `json:"answer"`
	PlanContent string `json:"planContent"`
	Summary     string `json:"summary"`
	Approved    *bool  `json:"approved"`
	Feedback    string `json:"feedback"`
}

type tokenUsage struct {
	InputTokens      decode.Whole  `json:"inputTokens"`
	OutputTokens     *decode.Whole `json:"outputTokens"`
	APICallID        string        `json:"apiCallId"`
	ParentToolCallID string        `json:"parentToolCallId"`
}

type workContext struct {
	Cwd            string `json:"cwd"`
	GitRoot        string `json:"gitRoot"`
	Repository     string `json:"repository"`
	RepositoryHost string `json:"repositoryHost"`
	HostType       string `json:"hostType"`
	Branch         string `json:"branch"`
}
