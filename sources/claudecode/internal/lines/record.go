// Package lines is the format of Claude Code's transcripts: what a line holds, and which
// lines are passed over.
package lines

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Record is a line of a transcript. Lines of the tree have a UUID and name the line they
// follow; the others stand beside it.
type Record struct {
	Type    string `json:"type" max:"64"`
	Subtype string `json:"subtype" max:"64"`

	UUID       string        `json:"uuid" max:"64"` // of a line of the tree, as the others
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
	Origin           Origin `json:"origin"`
	PlanContent      string `json:"planContent"`
	RequestSession   string `json:"requestSessionId" max:"64"` // of a copied answer: the session it was given in
	ForkedFrom       struct {
		SessionID string `json:"sessionId" max:"64"`
	} `json:"forkedFrom"`

	Message        Message    `json:"message"`
	ToolUseResult  ToolResult `json:"toolUseResult"`
	ToolDenialKind string     `json:"toolDenialKind" max:"64"`
	// Attachment is something beside a prompt. Only one kind of them is the user's: a prompt
	// that was typed while the agent worked.
	Attachment struct {
		Type        string        `json:"type" max:"64"`
		Prompt      Content       `json:"prompt"`
		CommandMode string        `json:"commandMode" max:"64"`
		Origin      Origin        `json:"origin"`
		Timestamp   words.Instant `json:"timestamp"`
	} `json:"attachment"`

	Content    Content `json:"content"` // of a system line, and of one of the queue
	CommandRun *struct {
		Command string `json:"command"`
		Args    string `json:"args"`
	} `json:"commandRun"`

	CustomTitle     string   `json:"customTitle"` // of lines beside the tree, as the others
	AITitle         string   `json:"aiTitle"`
	Summary         string   `json:"summary"`
	LeafUUID        string   `json:"leafUuid" max:"64"`
	Operation       string   `json:"operation" max:"64"`
	Reason          string   `json:"reason" max:"64"`
	PRURL           string   `json:"prUrl" max:"2048"`
	WorktreeSession struct { // where a session works that was given a worktree of its own
		OriginalCwd  string `json:"originalCwd" max:"4096"`
		WorktreePath string `json:"worktreePath" max:"4096"`
	} `json:"worktreeSession"`
}

// Origin is where a prompt comes from.
type Origin struct {
	Kind string `json:"kind" max:"64"`
}

// Message is what was sent to the model, or one block of its answer.
type Message struct {
	ID      string    `json:"id" max:"128"`
	Model   string    `json:"model" max:"128"`
	Content Content   `json:"content"`
	Usage   *struct { // the same on each line of a message
		Input      decode.Whole `json:"input_tokens"`
		CacheWrite decode.Whole `json:"cache_creation_input_tokens"`
		CacheRead  decode.Whole `json:"cache_read_input_tokens"`
		Output     decode.Whole `json:"output_tokens"`
	} `json:"usage"`
}

// Content is a text or a list of blocks, of which some may be plain texts.
type Content struct {
	Text   string  `as:"text"`
	Blocks []Block `as:"list"`
}

// String joins the texts, paragraphs apart.
func (c Content) String() string { return c.Join("\n\n") }

// Join joins the texts.
func (c Content) Join(between string) string {
	if c.Blocks == nil {
		return c.Text
	}
	var all []string
	for _, b := range c.Blocks {
		if b.Text != "" {
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, between)
}

// Has tells whether there is a block of a type.
func (c Content) Has(kind string) bool {
	return slices.ContainsFunc(c.Blocks, func(b Block) bool { return b.Type == kind })
}

// Block is a part of a message: a text, a picture, a call of a tool or its result.
type Block struct {
	Type string `json:"type" max:"64"`
	Text string `json:"text" as:"text"`

	ID    string           `json:"id" max:"128"` // of a call, as the others
	Name  string           `json:"name" max:"256"`
	Input *tools.Arguments `json:"input"`

	ToolUseID string  `json:"tool_use_id" max:"128"` // of a result, as the others
	Content   Content `json:"content"`
	IsError   bool    `json:"is_error"`

	Title string `json:"title" max:"512"` // of something that was added to a prompt
}

// ToolResult is what the program kept of a result beside what the model got.
type ToolResult struct {
	Text string        `as:"text" max:"65536"` // of a call that failed
	List []decode.None `as:"list"`             // of a tool of an MCP server

	Type           string   `json:"type" max:"64"` // of an edit, as the others
	FilePath       string   `json:"filePath" max:"4096"`
	Interrupted    bool     `json:"interrupted"` // of a command, as the others
	BackgroundID   string   `json:"backgroundTaskId" max:"64"`
	Interpretation string   `json:"returnCodeInterpretation" max:"256"`
	GitOperation   struct { // what it did to the repository, as far as the program saw it
		PR struct {
			URL string `json:"url" max:"2048"`
		} `json:"pr"`
		Commit struct {
			SHA string `json:"sha" max:"64"`
		} `json:"commit"`
	} `json:"gitOperation"`
	AgentID   string       `json:"agentId" max:"64"` // of a sub-agent, as the others
	IsAsync   bool         `json:"isAsync"`
	Content   Content      `json:"content"`
	ToolUses  decode.Whole `json:"totalToolUseCount"`
	Plan      string       `json:"plan"`
	Task      Task         `json:"task"`
	Questions []struct {
		Question string `json:"question"`
	} `json:"questions"`
	Answers     decode.Table[Content] `json:"answers"`
	Annotations decode.Table[struct {
		Notes string `json:"notes"`
	}] `json:"annotations"`
}

// Task is an entry of the list of version 2.1, in a result or in a file of its own.
type Task struct {
	ID          decode.Scalar `json:"id"`
	Subject     string        `json:"subject" max:"2048"`
	Description string        `json:"description"`
	Status      string        `json:"status" max:"64"`
	BlockedBy   []string      `json:"blockedBy" max:"64"`
}

// Todo is an entry in the form of the model.
func (t Task) Todo(at time.Time) sources.Todo {
	return sources.Todo{ID: t.ID.Text, Title: words.OneLine(t.Subject, len(t.Subject)+1), Status: tools.Status(t.Status), Raw: t.Status,
		Origin: "tasks", Description: t.Description, After: slices.Clone(t.BlockedBy), At: at}
}
