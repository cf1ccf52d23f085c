package chatlog

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// Part is a part of a response, with the members of all kinds of parts.
type Part struct {
	Kind    string    `json:"kind"`
	Value   *Markdown `json:"value" as:"text"`
	Icons   bool      `json:"supportThemeIcons"`
	Content *Markdown `json:"content"`

	InlineReference *Place `json:"inlineReference"`
	Name            string `json:"name"`
	Tree
	TreeData *Tree `json:"treeData"`

	IsEdit        bool       `json:"isEdit"`
	MultiDiffData *MultiDiff `json:"multiDiffData"`
	Edits         FileEdits  `json:"edits"`
	EditKind      string     `json:"editKind"`
	OriginalURI   editor.URI `json:"originalUri"`
	Diff          Lines      `json:"diff"`

	Resolved          Agent  `json:"resolved"`
	ResolvedModel     string `json:"resolvedModel"`
	ResolvedModelName string `json:"resolvedModelName"`

	// Fields of a tool call.
	ToolID               string    `json:"toolId"`
	ToolCallID           string    `json:"toolCallId"`
	SubAgentInvocationID string    `json:"subAgentInvocationId"`
	InvocationMessage    *Markdown `json:"invocationMessage"`
	PastTenseMessage     *Markdown `json:"pastTenseMessage"`
	OriginMessage        *Markdown `json:"originMessage"`
	GeneratedTitle       *Markdown `json:"generatedTitle"`
	Presentation         string    `json:"presentation"`
	IsComplete           *bool     `json:"isComplete"`
	IsConfirmed          Confirmed `json:"isConfirmed"`
	ResultError          Mark      `json:"resultError"`
	ResultDetails        *struct {
		IsError *bool         `json:"isError"`
		List    []decode.None `as:"list"`
	} `json:"resultDetails"`
	ToolSpecificData ToolData `json:"toolSpecificData"`
	Source           struct {
		Type  string `json:"type"`
		Label string `json:"label"`
	} `json:"source"`

	// Fields of a notice or question to the person.
	Title          *Markdown            `json:"title"`
	Subtitle       *Markdown            `json:"subtitle"`
	Message        *Markdown            `json:"message"`
	StopReason     string               `json:"stopReason"`
	Command        Command              `json:"command"`
	IsHidden       bool                 `json:"isHidden"`
	IsUsed         bool                 `json:"isUsed"`
	State          string               `json:"state"`
	AcceptedResult decode.Table[Answer] `json:"acceptedResult"`
	Questions      []Question           `json:"questions"`
	Data           decode.Table[Answer] `json:"data"`
	Actions        []Option             `json:"actions"`
	Author         string               `json:"author"`
	LinkTag        string               `json:"linkTag"`
}

// Markdown is a message, as a text or an object.
type Markdown struct {
	Value string                   `json:"value" as:"text"`
	Icons bool                     `json:"supportThemeIcons"`
	URIs  decode.Table[editor.URI] `json:"uris"` // where its links lead
}

// Tree is a tree of files.
type Tree struct {
	Label    string     `json:"label"`
	URI      editor.URI `json:"uri"`
	Children []Tree     `json:"children"`
}

// MultiDiff is a list of changed files.
type MultiDiff struct {
	Title     *Markdown `json:"title"`
	Resources []struct {
		OriginalURI editor.URI `json:"originalUri"`
		ModifiedURI editor.URI `json:"modifiedUri"`
		GoToFileURI editor.URI `json:"goToFileUri"`
		Lines
	} `json:"resources"`
}

// Lines counts changed lines.
type Lines struct {
	Added   *int64 `json:"added"`
	Removed *int64 `json:"removed"`
}

// FileEdits create, delete or rename files. Edits within a file are dropped.
type FileEdits []struct {
	OldResource editor.URI `json:"oldResource"`
	NewResource editor.URI `json:"newResource"`
}

// ReadJSON implements decode.Reader.
func (e *FileEdits) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	return true, d.Elements(func() error {
		if d.PeekKind() != '{' {
			return d.SkipValue()
		}
		*e = append(*e, make(FileEdits, 1)...)
		return d.Read(&(*e)[len(*e)-1])
	})
}

// Confirmed says whether a call was allowed: a truth value, the number of a reason, or an object with that
// and with the person's words.
type Confirmed struct {
	decode.Scalar
	Words string
}

// ReadJSON implements decode.Reader.
func (c *Confirmed) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if d.PeekKind() != '{' {
		return c.Scalar.ReadJSON(d)
	}
	var reason struct {
		Type   decode.Scalar `json:"type"`
		Reason Markdown      `json:"reasonMessage"`
	}
	err = d.Read(&reason)
	c.Scalar, c.Words = reason.Type, reason.Reason.Value
	return true, err
}

// ToolData is the data of a tool of the editor about a call.
type ToolData struct {
	Kind        string `json:"kind"`
	Description string `json:"description"`
	AgentName   string `json:"agentName"`
	Prompt      string `json:"prompt"`
	Result      string `json:"result"` // result of a sub-agent
	CommandLine struct {
		ForDisplay string `json:"forDisplay"`
		UserEdited string `json:"userEdited"`
		ToolEdited string `json:"toolEdited"`
		Original   string `json:"original" as:"text"`
	} `json:"commandLine"`
	Command   Command          `json:"command"`
	RawInput  *tools.Arguments `json:"rawInput"`
	TodoList  []tools.Todo     `json:"todoList"` // list of tasks, or nil
	Overrides struct {
		CommandLine string `json:"commandLine"`
	} `json:"presentationOverrides"`
	Output struct {
		Text string `json:"text" max:"65536"`
	} `json:"terminalCommandOutput"`
	State struct {
		ExitCode *int64 `json:"exitCode"`
	} `json:"terminalCommandState"`

	Title   string     `json:"title"` // fields of a pull request:
	Author  string     `json:"author"`
	LinkTag string     `json:"linkTag"`
	URI     editor.URI `json:"uri"`
}

// Command is a command of the editor; for the oldest terminals, its text.
type Command struct {
	Text      string       `as:"text"`
	Title     string       `json:"title"`
	Arguments []editor.URI `json:"arguments"`
}

// Question is one of several questions to a person.
type Question struct {
	ID      string    `json:"id"`
	Title   *Markdown `json:"title"`
	Message *Markdown `json:"message"`
	Options []Option  `json:"options"`
}

// Option is one of several options of a question.
type Option struct {
	ID    string `json:"id"`
	Value string `json:"value"`
	Label string `json:"label"`
}

// Answer is a chosen or written answer: a value, several values, or the values of an object.
type Answer []decode.Scalar

// ReadJSON implements decode.Reader.
func (a *Answer) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	add := func() error {
		var more Answer
		err := d.Read(&more)
		*a = append(*a, more...)
		return err
	}
	switch d.PeekKind() {
	case '[':
		return true, d.Elements(add)
	case '{':
		return true, d.Members(func(name string) error {
			if slices.Contains([]string{"selectedValue", "selectedValues", "freeformValue", "value"}, name) {
				return add()
			}
			return d.SkipValue()
		})
	}
	var value decode.Scalar
	err = d.Read(&value)
	if value.Text = decode.Cut(value.Text, maxShort); value.Kind != 0 {
		*a = Answer{value}
	}
	return value.Kind != 0, err
}

// maxShort limits the bytes of a text that is shown in part.
const maxShort = 4 << 10

// Rendered is a prompt's text for the model about the repository. The rest of a rendered prompt repeats the conversation.
type Rendered string

// ReadJSON reads a prompt for the model: a text, or parts of it.
func (r *Rendered) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var prompt struct {
		Text  string    `json:"text" as:"text"`
		Parts []Summary `as:"list"`
	}
	err = d.Read(&prompt)
	var all strings.Builder
	for _, p := range append(prompt.Parts, Summary{prompt.Text}) {
		all.WriteString(p.Text)
	}
	_, told, _ := strings.Cut(all.String(), "<repoContext>")
	told, _, _ = strings.Cut(told, "</repoContext>")
	*r = Rendered(decode.Cut(told, maxShort))
	return true, err
}

// maxImage limits the bytes of an image that are kept.
const maxImage = 10 << 20

// Value is the value of a variable. Only a place is kept, and bytes if large values are requested; the rest
// is text for the model. Bytes are {"$base64": …}, or an object with a member for each.
type Value struct {
	Place
	Bytes []byte
}

// ReadJSON implements decode.Reader.
func (v *Value) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if kind := d.PeekKind(); kind != '{' {
		return kind == '"', d.SkipValue()
	}
	isBytes := false
	err = d.Members(func(name string) error {
		_, noIndex := strconv.ParseUint(name, 10, 32)
		switch {
		case noIndex == nil && d.PeekKind() == '0':
			isBytes = true
			if !d.Large || len(v.Bytes) > maxImage {
				return d.SkipValue()
			}
			var b int64
			err := d.Read(&b)
			v.Bytes = append(v.Bytes, byte(b))
			return err
		case name == "$base64":
			isBytes = true
			var text decode.Large
			err := d.Read(&text)
			if content, wrong := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(text), "=")); wrong == nil && text != "" {
				v.Bytes = content
			}
			return err
		}
		return d.Member(&v.Place, name)
	})
	if isBytes {
		v.Place = Place{}
	}
	if len(v.Bytes) > maxImage {
		v.Bytes = nil
	}
	return true, err
}
