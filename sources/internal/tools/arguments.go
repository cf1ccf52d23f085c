package tools

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// Arguments are the parameters of a call, whatever an agent names them: those that show what the call
// is about, never the text written into a file.
type Arguments struct {
	Path           string        `json:"filePath" also:"path file_path file dirPath dir_path uri absolute_path notebook_path target_file targetFile relativeWorkspacePath target_directory targetDirectory TargetFile AbsolutePath" max:"4096"`
	FilePaths      []string      `json:"filePaths" also:"files paths" max:"2048"`
	Replacements   []Path        `json:"replacements" also:"edits"`
	Command        Command       `json:"command" also:"cmd CommandLine"`
	Patch          Patch         `json:"input" also:"patch patchText"`
	Cwd            string        `json:"Cwd" max:"4096"`
	ShellID        decode.Scalar `json:"shellId" also:"session_id bash_id" max:"64"` // the shell that runs a background command
	ToolSummary    string        `json:"toolSummary" max:"2048"`
	URL            string        `json:"url" max:"2048"`
	Query          string        `json:"query" max:"2048"`
	Pattern        string        `json:"pattern" max:"2048"`
	IncludePattern string        `json:"includePattern" max:"2048"`
	Description    string        `json:"description" max:"2048"`
	Symbol         string        `json:"symbolName" also:"symbol" max:"2048"`
	Skill          string        `json:"skill" max:"256"`
	URLs           []string      `json:"urls" max:"2048"`

	TodoList  List          `json:"todoList"` // a list of tasks, as the others
	Todos     List          `json:"todos"`
	Plan      List          `json:"plan"`  // a list, or the text of a plan
	Merge     bool          `json:"merge"` // it changes some tasks and leaves the others
	TaskID    decode.Scalar `json:"taskId"`
	Subject   string        `json:"subject" max:"2048"`
	Status    string        `json:"status" max:"64"`
	BlockedBy []string      `json:"addBlockedBy" max:"64"`

	Content      decode.Large `json:"content"`   // text of a written plan
	OldString    decode.Large `json:"oldString"` // text of an edited plan, as the next
	NewString    decode.Large `json:"newString"`
	PlanFilePath string       `json:"planFilePath" max:"4096"`
	PlanFile     string       `json:"plan_filename" also:"plan_path" max:"4096"` // file of a plan that is shown
	Summary      string       `json:"summary" max:"65536"`                       // summary of the same plan
	Question     string       `json:"question" max:"8192"`
	Questions    []Question   `json:"questions"`
	Form         form         `json:"requestedSchema"`                // several questions, introduced by Message
	Fact         string       `json:"fact" also:"request" max:"8192"` // fact of a memory

	Prompt    string `json:"prompt"` // fields of a sub-agent:
	Message   string `json:"message"`
	AgentName string `json:"agent_name" also:"agent subagent_type agent_type" max:"256"`
	TaskName  string `json:"task_name" max:"2048"`
	Objective string `json:"objective"`

	PullNumber  decode.Whole `json:"pullNumber" also:"pull_number"` // fields of a forge's tool:
	IssueNumber decode.Whole `json:"issueNumber" also:"issue_number"`
	Owner       string       `json:"owner" max:"2048"`
	Repo        string       `json:"repo" max:"2048"`

	First string `json:"-" as:"first" max:"1024"` // first text under any name
	Text  string `json:"-"`                       // text of arguments that are not an object
}

// Path is one of several files.
type Path struct {
	Path string `json:"filePath" also:"path file_path" max:"4096"`
}

// Question is a question for the person.
type Question struct {
	ID       string `json:"id" max:"256"`
	Type     string `json:"type" max:"64"`
	Question string `json:"question" max:"8192" as:"text"`
	Prompt   string `json:"prompt" max:"8192"`
	Header   string `json:"header" max:"512"`
	Options  []struct {
		ID    string `json:"id" max:"256"`
		Label string `json:"label" max:"2048" as:"text"`
	} `json:"options"`
}

// Words returns the text of the question.
func (q Question) Words() string { return cmp.Or(q.Question, q.Prompt, q.Header) }

// Offers reports whether the question has answers to choose from: Gemini CLI also asks for words, and for a yes.
func (q Question) Offers() bool { return q.Type != "text" && q.Type != "yesno" }

// form is a JSON schema in which each property is a question.
type form struct {
	Properties decode.Table[struct {
		Title       string `json:"title" max:"512"`
		Description string `json:"description" max:"8192"`
	}] `json:"properties"`
}

// Asked returns the questions of a call. Those of a form are identified by the names of its properties.
func (a *Arguments) Asked() (all []Question) {
	switch fields := a.Form.Properties; {
	case len(a.Questions) > 0:
		return a.Questions
	case a.Question != "":
		return []Question{{Question: a.Question}}
	case fields.Len() == 1 && a.Message != "":
		for name := range fields.All() {
			return []Question{{ID: name, Question: a.Message}}
		}
	case fields.Len() > 0:
		for name, f := range fields.All() {
			all = append(all, Question{ID: name, Question: cmp.Or(f.Description, f.Title, name)})
		}
	}
	return all
}

// Planned returns the plan that a call shows, else its description, else the name of its file.
func (a *Arguments) Planned() string {
	return cmp.Or(a.Plan.Text, a.Summary, a.PlanFile[strings.LastIndexAny(a.PlanFile, `/\`)+1:])
}

// ReadJSON reads an object, its text, or a patch alone. A parameter of another type belongs to an
// unknown tool and is ignored.
func (a *Arguments) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object Arguments
	counted := d.Misfits
	d.Misfits = nil
	defer func() { d.Misfits = counted }()
	switch d.PeekKind() {
	case '{':
		return true, d.Read((*object)(a))
	case '"':
		var text string
		if err := d.Read(&text); err != nil {
			return false, err
		}
		if decode.Text(text, (*object)(a)) != nil {
			*a = Arguments{Patch: Patch{Files: patchOf(text).Files}, Text: decode.Cut(text, maxText)}
		}
		return true, nil
	}
	return true, d.SkipValue()
}

// Command is what a shell runs, as a text or words; for other tools a sub-command.
type Command struct {
	Text  string   `as:"text" max:"65536"`
	Words []string `as:"list"`
}

// starters are the words that tell a shell that a script follows.
var starters = []string{"-lc", "-c", "-ic", "-command", "/c", "-file"}

// Line returns the script without the shell that starts it, whole but for a long end.
func (c Command) Line() string {
	if n := len(c.Words); n > 2 && slices.Contains(starters, strings.ToLower(c.Words[n-2])) {
		return words.CommandLine(c.Words[n-1])
	}
	return words.CommandLine(cmp.Or(c.Text, strings.Join(c.Words, " ")))
}

// List is a list of tasks: entries, their JSON, or boxes in a text. Nil: none.
type List struct {
	Text  string `as:"text"`
	Items []Todo `as:"list"`
}

var box = pattern.Lazy(`(?m)^[ \t]*(?:[-*+]|\d+\.)[ \t]+\[([ xX~-])\][ \t]+(.+)$`)

// boxes maps the mark in a box to a state of the task.
var boxes = map[string]string{"x": "done", "X": "done", "~": "in_progress", "-": "in_progress"}

// Entries returns the entries of the list; nil: it is not a list.
func (l *List) Entries() []Todo {
	if l.Items != nil || l.Text == "" {
		return l.Items
	}
	var all []Todo
	if strings.HasPrefix(strings.TrimSpace(l.Text), "[") && decode.Text(l.Text, &all) == nil {
		return all
	}
	for _, m := range box().FindAllStringSubmatch(l.Text, -1) {
		all = append(all, Todo{Title: m[2], Status: boxes[m[1]]})
	}
	return all
}

// Tasks returns the whole list of tasks that a call gives, or nil.
func (a *Arguments) Tasks() []Todo {
	for _, l := range []*List{&a.Todos, &a.TodoList, &a.Plan} {
		if all := l.Entries(); all != nil {
			return all
		}
	}
	return nil
}

// Todo is an entry of the agent's list.
type Todo struct {
	ID          decode.Scalar `json:"id"`
	Title       string        `json:"title" also:"content step"`
	Description string        `json:"description"` // the title too, if there is no other
	Status      string        `json:"status"`
}

// Todos returns the agent's list in its order, at a time, without abandoned tasks.
func Todos(list []Todo, at time.Time) []sources.Todo {
	var out []sources.Todo
	for i, n := range list {
		if n.Title == "" {
			n.Title, n.Description = n.Description, ""
		}
		t := sources.Todo{ID: cmp.Or(words.OneLine(n.ID.Text, len(n.ID.Text)), strconv.Itoa(i+1)), Title: words.OneLine(n.Title, maxText),
			Status: Status(n.Status), Raw: n.Status, Origin: "todo list", Description: n.Description, At: at}
		if t.Title != "" && !IsGivenUp(n.Status) {
			out = append(out, t)
		}
	}
	return out
}

// IsGivenUp reports whether a task is abandoned: neither to do nor done.
func IsGivenUp(raw string) bool {
	return slices.Contains([]string{"cancelled", "canceled", "deleted"}, strings.ToLower(strings.Trim(raw, ` "`)))
}

// Status maps the states of tasks of all agents; an unknown one is open. Some models quote them twice.
func Status(raw string) string {
	switch strings.ToLower(strings.Trim(raw, ` "`)) {
	case "done", "completed", "complete":
		return sources.TodoDone
	case "in_progress", "in-progress":
		return sources.TodoInProgress
	case "blocked":
		return sources.TodoBlocked
	}
	return sources.TodoOpen
}
