package chatlog

import (
	"slices"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// Session holds the kept data of a session (ISerializableChatData and exports). inputState, the prompt that
// was not sent yet, is dropped.
type Session struct {
	SessionID        string     `json:"sessionId"`
	CreationDate     int64      `json:"creationDate"`
	CustomTitle      string     `json:"customTitle"`
	ComputedTitle    string     `json:"computedTitle"`
	WorkingDirectory editor.URI `json:"workingDirectory"`
	RepoData         struct {
		RemoteURL        string `json:"remoteUrl"`
		RemoteVendor     string `json:"remoteVendor"`
		RemoteBaseBranch string `json:"remoteBaseBranch"`
		LocalBranch      string `json:"localBranch"`
	} `json:"repoData"`
	Requests []*Request `json:"requests"` // nil: an element that was never filled
}

// Request is a prompt with its answer.
type Request struct {
	RequestID          string `json:"requestId"`
	ProviderRequestID  string `json:"providerRequestId"`
	ResponseID         string `json:"responseId"`
	ProviderResponseID string `json:"providerResponseId"`

	Timestamp         int64 `json:"timestamp"`
	ResponseTimestamp int64 `json:"responseTimestamp"`
	ElapsedMS         int64 `json:"elapsedMs"`
	TimeSpentWaiting  int64 `json:"timeSpentWaiting"`
	Usage                   // usage of the request, in some versions

	ModelID    string `json:"modelId"`
	ModelState struct {
		Value       *int64 `json:"value"`
		CompletedAt int64  `json:"completedAt"`
	} `json:"modelState"`
	ModeInfo              ModeInfo `json:"modeInfo"`
	Agent                 Agent    `json:"agent"`
	IsCanceled            bool     `json:"isCanceled"`
	IsHidden              bool     `json:"isHidden"`
	ShouldBeRemovedOnSend Mark     `json:"shouldBeRemovedOnSend"`
	HiddenFromTranscript  bool     `json:"hiddenFromTranscript"`

	RequestHiddenFromTranscript bool   `json:"requestHiddenFromTranscript"`
	IsSystemInitiated           bool   `json:"isSystemInitiated"`
	SystemInitiatedLabel        string `json:"systemInitiatedLabel"`
	Confirmation                string `json:"confirmation"`

	Message      *Message `json:"message"`
	VariableData struct {
		Variables []*Variable `json:"variables"`
	} `json:"variableData"`
	Response             Response      `json:"response"`
	Result               *Result       `json:"result"`
	ResponseErrorDetails *ErrorDetails `json:"responseErrorDetails"`
	ContentReferences    []struct {
		Reference *Place `json:"reference"`
	} `json:"contentReferences"`
	CodeCitations []struct {
		Value   *Place `json:"value"`
		License string `json:"license"`
	} `json:"codeCitations"`
	EditedFileEvents []struct {
		URI  editor.URI `json:"uri"`
		Kind int64      `json:"eventKind"`
	} `json:"editedFileEvents"`
}

// Usage counts tokens, written in different places by version.
type Usage struct {
	PromptTokens     int64 `json:"promptTokens"`
	CompletionTokens int64 `json:"completionTokens"`
	OutputTokens     int64 `json:"outputTokens"`
}

// ModeInfo is the mode in which a prompt was sent.
type ModeInfo struct {
	Kind              string `json:"kind"`
	ModeID            string `json:"modeId"`
	TelemetryModeID   string `json:"telemetryModeId"`
	TelemetryModeName string `json:"telemetryModeName"`
	ModeInstructions  Agent  `json:"modeInstructions"`
}

// Agent is a participant of the chat, or another named thing.
type Agent struct {
	Name string `json:"name" as:"text"`
	ID   string `json:"id"`
}

// Message is a prompt.
type Message struct {
	Text string `json:"text" as:"text"`
}

// Variable is an attachment of a prompt. Its text is dropped.
type Variable struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	FullName string `json:"fullName"`
	Value    *Value `json:"value"`

	IsSelection        bool       `json:"isSelection"`
	Enabled            bool       `json:"enabled"`
	AutomaticallyAdded bool       `json:"automaticallyAdded"`
	CopiedFrom         *Place     `json:"copiedFrom"`
	Command            string     `json:"command" max:"4096"`
	ExitCode           int64      `json:"exitCode"`
	ProblemMessage     string     `json:"problemMessage" max:"4096"`
	FilterURI          editor.URI `json:"filterUri"`
	FilterRange        Range      `json:"filterRange"`
}

// Place is an address, a location {uri, range}, a symbol {name, location}, a reference
// {variableName, value}, or a text.
type Place struct {
	editor.Components
	Text     string       `as:"text"`
	Name     string       `json:"name"`
	At       editor.URI   `json:"uri"`
	Range    Range        `json:"range"`
	Location *decode.None `json:"location"`
	Value    *Place       `json:"value"`
}

// URI returns its address, unless it is a text.
func (p *Place) URI() editor.URI {
	switch {
	case p == nil:
		return editor.URI{}
	case p.At.IsSet():
		return p.At
	}
	return p.Components.URI()
}

// Range is a range of lines, which count from 1.
type Range struct {
	Start int64 `json:"startLineNumber"`
	End   int64 `json:"endLineNumber"`
}

// Response is an answer: its parts, or in the oldest files a text.
type Response struct {
	Text  string  `json:"value" as:"text"`
	Parts []*Part `as:"list"` // nil: an element that was never filled
}

// Result says how a request ended. The rest repeats other data.
type Result struct {
	ErrorDetails *ErrorDetails `json:"errorDetails"`
	Details      string        `json:"details"`
	Usage        Usage         `json:"usage"`
	Metadata     Metadata      `json:"metadata"`
	Timings      struct {
		TotalElapsed int64 `json:"totalElapsed"`
	} `json:"timings"`
}

// ErrorDetails is why a request failed.
type ErrorDetails struct {
	Message              string `json:"message"`
	Code                 string `json:"code"`
	Level                *int64 `json:"level"`
	ResponseIsIncomplete bool   `json:"responseIsIncomplete"`
	ResponseIsFiltered   bool   `json:"responseIsFiltered"`
	ResponseIsRedacted   bool   `json:"responseIsRedacted"`
	IsQuotaExceeded      bool   `json:"isQuotaExceeded"`
	IsRateLimited        bool   `json:"isRateLimited"`
}

// Metadata is the extension's data about a result.
type Metadata struct {
	SessionID             string `json:"sessionId"`
	CacheKey              string `json:"cacheKey"`
	GlobalContextCacheKey string `json:"globalContextCacheKey"`
	ResolvedModel         string `json:"resolvedModel"`
	Usage
	ToolCallRounds []struct {
		ToolCalls []Call `json:"toolCalls"`
	} `json:"toolCallRounds"`
	Summaries             []Summary `json:"summaries"`
	Summary               Summary   `json:"summary"`
	RenderedUserMessage   Rendered  `json:"renderedUserMessage"`
	RenderedGlobalContext Rendered  `json:"renderedGlobalContext"`
}

// Call is a call of a tool as requested by the model.
type Call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments tools.Arguments `json:"arguments"`
}

// Summary is a summary of the conversation so far.
type Summary struct {
	Text string `json:"text" as:"text"`
}

// Mark is set by any value but null, false, zero and an empty text.
type Mark bool

// ReadJSON implements decode.Reader.
func (m *Mark) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	value, err := d.ReadValue()
	*m = Mark(!slices.Contains([]string{"null", "false", "0", `""`}, string(value)))
	return true, err
}
