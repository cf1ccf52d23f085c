package claudecode

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// record is a line of a transcript. Lines of the tree have a UUID and name the line they follow; other lines do not.
type record struct {
	Type    string `json:"type" max:"64"`
	Subtype string `json:"subtype" max:"64"`

	UUID       string        `json:"uuid" max:"64"` // fields of lines of the tree:
	ParentUUID string        `json:"parentUuid" max:"64"`
	SessionID  string        `json:"sessionId" max:"64"`
	AgentID    string        `json:"agentId" max:"64"`
	Timestamp  words.Instant `json:"timestamp"`
	Cwd        string        `json:"cwd" max:"4096"`
	GitBranch  string        `json:"gitBranch" max:"512"`
	Version    string        `json:"version" max:"64"`
	Entrypoint string        `json:"entrypoint" max:"64"`
	Slug       string        `json:"slug" max:"256"`

	IsSidechain      bool   `json:"isSidechain"`
	IsMeta           bool   `json:"isMeta"`
	IsCompactSummary bool   `json:"isCompactSummary"`
	TranscriptOnly   bool   `json:"isVisibleInTranscriptOnly"`
	IsAPIError       bool   `json:"isApiErrorMessage"`
	TeamName         string `json:"teamName" max:"64"`
	PermissionMode   string `json:"permissionMode" max:"64"`
	PromptSource     string `json:"promptSource" max:"64"`
	PromptID         string `json:"promptId" max:"64"`
	Origin           origin `json:"origin"`
	PlanContent      string `json:"planContent"`
	RequestSession   string `json:"requestSessionId" max:"64"` // in a copied answer, the session that it was given in
	ForkedFrom       struct {
		SessionID string `json:"sessionId" max:"64"`
	} `json:"forkedFrom"`

	Message        message    `json:"message"`
	ToolUseResult  toolResult `json:"toolUseResult"`
	ToolDenialKind string     `json:"toolDenialKind" max:"64"`
	Attachment     struct {   // beside a prompt: the program's, but for one kind
		Type        string        `json:"type" max:"64"`
		Prompt      content       `json:"prompt"`
		CommandMode string        `json:"commandMode" max:"64"`
		Origin      origin        `json:"origin"`
		Timestamp   words.Instant `json:"timestamp"`
	} `json:"attachment"`

	Content    content  `json:"content"` // in a system line, or one of the queue
	CommandRun struct { // reported by a system line
		Command string `json:"command"`
		Args    string `json:"args"`
	} `json:"commandRun"`

	CustomTitle     string   `json:"customTitle"` // fields of other lines:
	AITitle         string   `json:"aiTitle"`
	Summary         string   `json:"summary"`
	LeafUUID        string   `json:"leafUuid" max:"64"`
	Operation       string   `json:"operation" max:"64"`
	Reason          string   `json:"reason" max:"64"`
	PRURL           string   `json:"prUrl" max:"2048"`
	WorktreeSession struct { // where a session works that got a worktree of its own
		OriginalCwd  string `json:"originalCwd" max:"4096"`
		WorktreePath string `json:"worktreePath" max:"4096"`
	} `json:"worktreeSession"`
}

type origin struct {
	Kind string `json:"kind" max:"64"`
}

// message is a message to the model, or one block of its answer.
type message struct {
	ID      string   `json:"id" max:"128"`
	Model   string   `json:"model" max:"128"`
	Content content  `json:"content"`
	Usage   struct { // repeated on each line of a message
		Input      decode.Whole `json:"input_tokens"`
		CacheWrite decode.Whole `json:"cache_creation_input_tokens"`
		CacheRead  decode.Whole `json:"cache_read_input_tokens"`
		Output     decode.Whole `json:"output_tokens"`
	} `json:"usage"`
}

// content is a text or a list of blocks, some of them plain texts.
type content struct {
	Text   string  `as:"text"`
	Blocks []block `as:"list"`
}

// String returns the texts, paragraphs apart.
func (c content) String() string {
	if c.Blocks == nil {
		return c.Text
	}
	var all []string
	for _, b := range c.Blocks {
		if b.Text != "" {
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

func (c content) has(kind string) bool {
	return slices.ContainsFunc(c.Blocks, func(b block) bool { return b.Type == kind })
}

// block is a part of a message: a text, a picture, a call of a tool or its result.
type block struct {
	Type string `json:"type" max:"64"`
	Text string `json:"text" as:"text"`

	ID        string           `json:"id" max:"128"` // fields of a call:
	Name      string           `json:"name" max:"256"`
	Input     *tools.Arguments `json:"input"`
	ToolUseID string           `json:"tool_use_id" max:"128"` // fields of a result:
	Content   content          `json:"content"`
	IsError   bool             `json:"is_error"`

	Title string `json:"title" max:"512"` // title of an attachment
}

// toolResult is the program's data about a result, beside the text for the model.
type toolResult struct {
	Text string        `as:"text" max:"65536"` // error of a failed call
	List []decode.None `as:"list"`             // results of an MCP server's tool

	Success        *bool    `json:"success"`       // of a changed task
	Type           string   `json:"type" max:"64"` // fields of an edit:
	FilePath       string   `json:"filePath" max:"4096"`
	Interrupted    bool     `json:"interrupted"` // fields of a command:
	BackgroundID   string   `json:"backgroundTaskId" max:"64"`
	Interpretation string   `json:"returnCodeInterpretation" max:"256"`
	GitOperation   struct { // effect on the repository, as seen by the program
		PR struct {
			URL string `json:"url" max:"2048"`
		} `json:"pr"`
		Commit struct {
			SHA string `json:"sha" max:"64"`
		} `json:"commit"`
	} `json:"gitOperation"`

	AgentID     string                `json:"agentId" max:"64"` // fields of a sub-agent:
	TeammateID  string                `json:"teammate_id" max:"256"`
	IsAsync     bool                  `json:"isAsync"`
	Content     content               `json:"content"`
	ToolUses    decode.Whole          `json:"totalToolUseCount"`
	Plan        string                `json:"plan"`
	Task        task                  `json:"task"`
	Questions   []tools.Question      `json:"questions"` // fields of a call that asked:
	Answers     decode.Table[content] `json:"answers"`
	Annotations decode.Table[struct {
		Notes string `json:"notes"`
	}] `json:"annotations"`
}

// task is an entry of the list of version 2.1, in a result or in a file of its own.
type task struct {
	ID          decode.Scalar `json:"id"`
	Subject     string        `json:"subject" max:"2048"`
	Description string        `json:"description"`
	Status      string        `json:"status" max:"64"`
	BlockedBy   []string      `json:"blockedBy" max:"64"`
}

var (
	// taken are the types of lines that are decoded.
	taken = strings.Fields(`user assistant system attachment summary custom-title ai-title queue-operation pr-link
		worktree-state bridge-session`)
	// known are the other types, which no note shows. Those of api-request* are three quarters of the bytes of 2.1.330.
	known = strings.Fields(`progress agent-name last-prompt mode permission-mode file-history-snapshot file-history-delta
		cost-state tools-used api-request api-request-shape api-request-blob atis-latch tag agent-setting
		continued-in content-replacement`)
	// subtypes are the subtypes of system lines.
	subtypes = strings.Fields(`compact_boundary microcompact_boundary turn_duration local_command stop_hook_summary api_error
		away_summary informational bridge_status`)
)

const (
	treeMark      = `{"parentUuid":` // begins a line of the tree
	typeMark      = `{"type":"`      // begins another line
	queuedCommand = "queued_command" // attachment: a prompt typed while the agent worked
)

// passable reports by the beginning of a line whether it is skipped: its type is first, or where the program writes it
// in lines of the tree. Marks are not searched within the message or the data of a line.
func passable(head []byte) (unknown string, pass bool) {
	if bytes.HasPrefix(head, []byte(typeMark)) {
		kind := jsonl.Word(head, typeMark)
		if !slices.Contains(known, kind) {
			unknown = kind
		}
		return unknown, kind != "" && !slices.Contains(taken, kind)
	}
	if !bytes.HasPrefix(head, []byte(treeMark)) {
		return "", false
	}
	head, _, _ = bytes.Cut(head, []byte(`,"message":{`))
	kind := jsonl.Word(head, `,"attachment":{"type":"`)
	return "", kind != "" && kind != queuedCommand || kind == "" && bytes.Contains(head, []byte(`,"type":"progress","data":{`))
}
