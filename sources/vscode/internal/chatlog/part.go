package chatlog

import (
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Part is a part of a response. What is kept of a member is said once for all
// kinds of parts that have it.
type Part struct {
	Kind    string    `json:"kind"`
	Value   *Markdown `json:"value" as:"text"`
	Icons   bool      `json:"supportThemeIcons"`
	Content *Markdown `json:"content"`

	InlineReference *Place     `json:"inlineReference"`
	Name            string     `json:"name"`
	URI             editor.URI `json:"uri"`
	Label           string     `json:"label"`
	Children        []Tree     `json:"children"`
	TreeData        *Tree      `json:"treeData"`

	IsEdit        bool       `json:"isEdit"`
	MultiDiffData *MultiDiff `json:"multiDiffData"`
	Edits         FileEdits  `json:"edits"`
	EditKind      string     `json:"editKind"`
	OriginalURI   editor.URI `json:"originalUri"`
	Diff          Lines      `json:"diff"`

	Resolved          Agent  `json:"resolved"`
	ResolvedModel     string `json:"resolvedModel"`
	ResolvedModelName string `json:"resolvedModelName"`

	ToolPart
	NoticePart
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

// Lines are numbers of lines that were changed.
type Lines struct {
	Added   *int64 `json:"added"`
	Removed *int64 `json:"removed"`
}

// FileEdits are edits of whole files. Those within a file are not kept.
type FileEdits []FileEdit

// FileEdit creates, deletes or renames a file.
type FileEdit struct {
	OldResource editor.URI `json:"oldResource"`
	NewResource editor.URI `json:"newResource"`
}

// ReadJSON implements decode.Reader.
func (e *FileEdits) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	return true, d.Elements(func() error {
		if d.PeekKind() != '{' {
			return d.SkipValue()
		}
		*e = append(*e, FileEdit{})
		return d.Read(&(*e)[len(*e)-1])
	})
}

// ToolPart are the members of a call of a tool.
type ToolPart struct {
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
	ResultDetails        *Details  `json:"resultDetails"`
	ToolSpecificData     ToolData  `json:"toolSpecificData"`
	Source               struct {
		Type  string `json:"type"`
		Label string `json:"label"`
	} `json:"source"`
}

// Confirmed tells whether a call was let go ahead: a truth value, the number of a
// reason, or an object with that.
type Confirmed struct{ decode.Scalar }

// ReadJSON implements decode.Reader.
func (c *Confirmed) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if d.PeekKind() != '{' {
		return c.Scalar.ReadJSON(d)
	}
	var reason struct {
		Type decode.Scalar `json:"type"`
	}
	err = d.Read(&reason)
	c.Scalar = reason.Type
	return true, err
}

// Details is what a tool gave, of which no more is kept than that it is there.
type Details struct {
	IsError *bool         `json:"isError"`
	List    []decode.None `as:"list"`
}

// ToolData is what a tool of the editor's own tells of a call.
type ToolData struct {
	Kind        string          `json:"kind"`
	Description string          `json:"description"`
	AgentName   string          `json:"agentName"`
	CommandLine CommandLine     `json:"commandLine"`
	Command     Command         `json:"command"`
	RawInput    words.Arguments `json:"rawInput"`
	TodoList    []words.Todo    `json:"todoList"`
	Overrides   struct {
		CommandLine string `json:"commandLine"`
	} `json:"presentationOverrides"`
	State struct {
		ExitCode *int64 `json:"exitCode"`
	} `json:"terminalCommandState"`

	Title   string     `json:"title"` // of a pull request, as the others
	Author  string     `json:"author"`
	LinkTag string     `json:"linkTag"`
	URI     editor.URI `json:"uri"`
}

// CommandLine is the command of a terminal, by who wrote it.
type CommandLine struct {
	ForDisplay string `json:"forDisplay"`
	UserEdited string `json:"userEdited"`
	ToolEdited string `json:"toolEdited"`
	Original   string `json:"original" as:"text"`
}

// Command is a command of the editor; of the oldest terminals, the text of one.
type Command struct {
	Text      string       `as:"text"`
	Title     string       `json:"title"`
	Arguments []editor.URI `json:"arguments"`
}

// NoticePart are the members of parts that tell or ask the person something.
type NoticePart struct {
	Title          *Markdown            `json:"title"`
	Subtitle       *Markdown            `json:"subtitle"`
	Message        *Markdown            `json:"message"`
	StopReason     string               `json:"stopReason"`
	Command        Command              `json:"command"`
	IsHidden       bool                 `json:"isHidden"`
	State          string               `json:"state"`
	AcceptedResult decode.Table[Answer] `json:"acceptedResult"`
	Questions      []Question           `json:"questions"`
	Data           decode.Table[Answer] `json:"data"`
	Actions        []Option             `json:"actions"`
	Author         string               `json:"author"`
	LinkTag        string               `json:"linkTag"`
}

// Question is one of several that a person was asked.
type Question struct {
	ID      string    `json:"id"`
	Title   *Markdown `json:"title"`
	Message *Markdown `json:"message"`
	Options []Option  `json:"options"`
}

// Option is one of several that a person may choose.
type Option struct {
	ID    string `json:"id"`
	Value string `json:"value"`
	Label string `json:"label"`
}

// Answer is what was chosen or written: a value, several, or an object of both.
type Answer struct {
	Value          decode.Scalar
	List           []Answer // nil: it is none
	SelectedValue  *Answer  `json:"selectedValue"`
	SelectedValues []Answer `json:"selectedValues"`
	FreeformValue  *Answer  `json:"freeformValue"`
	Markdown       string   `json:"value"`
}

// Selected are the values of an object.
func (a Answer) Selected() []Answer {
	var all []Answer
	if a.SelectedValue != nil {
		all = append(all, *a.SelectedValue)
	}
	all = append(all, a.SelectedValues...)
	if a.FreeformValue != nil {
		all = append(all, *a.FreeformValue)
	}
	return all
}

// ReadJSON implements decode.Reader.
func (a *Answer) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	switch d.PeekKind() {
	case '[':
		return true, d.Read(&a.List)
	case '{':
		type object Answer
		return true, d.Read((*object)(a))
	}
	err = d.Read(&a.Value)
	a.Value.Text = decode.Cut(a.Value.Text, maxShort)
	return a.Value.Kind != 0, err
}
