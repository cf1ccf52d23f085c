package tools

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Arguments are the parameters of a call, whatever an agent calls them: those that tell what
// the call is about, and never what is written into a file.
type Arguments struct {
	Path           string        `json:"filePath" also:"path file_path file dirPath dir_path uri absolute_path notebook_path target_file targetFile relativeWorkspacePath target_directory targetDirectory TargetFile AbsolutePath" max:"4096"`
	FilePaths      []string      `json:"filePaths" also:"files paths" max:"2048"`
	Replacements   []Path        `json:"replacements" also:"edits"`
	Command        Command       `json:"command" also:"cmd CommandLine"`
	Patch          Patch         `json:"input" also:"patch patchText"`
	Cwd            string        `json:"Cwd" max:"4096"`
	ShellID        decode.Scalar `json:"shellId" also:"session_id bash_id" max:"64"` // of a command in the background
	ToolSummary    string        `json:"toolSummary" max:"2048"`
	URL            string        `json:"url" max:"2048"`
	Query          string        `json:"query" max:"2048"`
	Pattern        string        `json:"pattern" max:"2048"`
	IncludePattern string        `json:"includePattern" max:"2048"`
	Description    string        `json:"description" max:"2048"`
	Symbol         string        `json:"symbolName" also:"symbol" max:"2048"`
	Skill          string        `json:"skill" max:"256"`
	URLs           []string      `json:"urls" max:"2048"`

	TodoList  List          `json:"todoList"` // of a list of tasks, as the others
	Todos     List          `json:"todos"`
	Plan      List          `json:"plan"`  // or the text of a plan
	Merge     bool          `json:"merge"` // it changes some tasks and leaves the others
	TaskID    decode.Scalar `json:"taskId"`
	Subject   string        `json:"subject" max:"2048"`
	Status    string        `json:"status" max:"64"`
	BlockedBy []string      `json:"addBlockedBy" max:"64"`

	Content      decode.Large `json:"content"`   // of a plan that is written
	OldString    decode.Large `json:"oldString"` // of a plan that is edited, as the next
	NewString    decode.Large `json:"newString"`
	PlanFilePath string       `json:"planFilePath" max:"4096"`
	PlanFile     string       `json:"plan_filename" also:"plan_path" max:"4096"` // of a plan that is shown
	Summary      string       `json:"summary" max:"65536"`                       // of the same
	Question     string       `json:"question" max:"8192"`
	Questions    []Question   `json:"questions"`
	Form         form         `json:"requestedSchema"`                // that asks several questions, with Message before them
	Fact         string       `json:"fact" also:"request" max:"8192"` // of a memory

	Prompt    string `json:"prompt"` // of a sub-agent, as the others
	Message   string `json:"message"`
	AgentName string `json:"agent_name" also:"agent subagent_type agent_type" max:"256"`
	TaskName  string `json:"task_name" max:"2048"`
	Objective string `json:"objective"`

	PullNumber  decode.Whole `json:"pullNumber" also:"pull_number"` // of a tool of a forge, as the others
	IssueNumber decode.Whole `json:"issueNumber" also:"issue_number"`
	Owner       string       `json:"owner" max:"2048"`
	Repo        string       `json:"repo" max:"2048"`

	First string `json:"-" as:"first" max:"1024"` // whatever its name
	Text  string `json:"-"`                       // of arguments that are no object
}

// Path is a file among several.
type Path struct {
	Path string `json:"filePath" also:"path file_path" max:"4096"`
}

// Question is one that the person is asked.
type Question struct {
	ID       string `json:"id" max:"256"`
	Question string `json:"question" max:"8192" as:"text"`
	Prompt   string `json:"prompt" max:"8192"`
	Header   string `json:"header" max:"512"`
	Options  []struct {
		ID    string `json:"id" max:"256"`
		Label string `json:"label" max:"2048" as:"text"`
	} `json:"options"`
}

// Words are what is asked.
func (q Question) Words() string { return cmp.Or(q.Question, q.Prompt, q.Header) }

// form is a JSON schema, of which each property is a question.
type form struct {
	Properties decode.Table[struct {
		Title       string `json:"title" max:"512"`
		Description string `json:"description" max:"8192"`
	}] `json:"properties"`
}

// Asked are the questions of a call. Those of a form are known by the names of its properties.
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

// Planned is the plan that a call shows, or what it says of one: what its file is called, where it says no more.
func (a *Arguments) Planned() string {
	return cmp.Or(a.Plan.Text, a.Summary, a.PlanFile[strings.LastIndexAny(a.PlanFile, `/\`)+1:])
}

// ReadJSON reads an object, or the text of one, or a patch alone. A parameter of another type
// is that of a tool nobody here knows, and not counted.
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

// Command is what a shell runs, a text or its words; of other tools a sub-command.
type Command struct {
	Text  string   `as:"text" max:"65536"`
	Words []string `as:"list"`
}

// starters are the words with which a shell is told that a script follows.
var starters = []string{"-lc", "-c", "-ic", "-command", "/c", "-file"}

// Line is what the shell was given, without what starts it, and whole but for a long end.
func (c Command) Line() string {
	if n := len(c.Words); n > 2 && slices.Contains(starters, strings.ToLower(c.Words[n-2])) {
		return words.CommandLine(c.Words[n-1])
	}
	return words.CommandLine(cmp.Or(c.Text, strings.Join(c.Words, " ")))
}

// List is a list of tasks: entries, the JSON of them, or boxes in a text. Nil: there is none.
type List struct {
	Text  string `as:"text"`
	Items []Todo `as:"list"`
}

var box = regexp.MustCompile(`(?m)^[ \t]*(?:[-*+]|\d+\.)[ \t]+\[([ xX~-])\][ \t]+(.+)$`)

// boxes are what marks in a box say of a task.
var boxes = map[string]string{"x": "done", "X": "done", "~": "in_progress", "-": "in_progress"}

// Entries are those of the list; nil: it is none.
func (l *List) Entries() []Todo {
	if l.Items != nil || l.Text == "" {
		return l.Items
	}
	var all []Todo
	if strings.HasPrefix(strings.TrimSpace(l.Text), "[") && decode.Text(l.Text, &all) == nil {
		return all
	}
	for _, m := range box.FindAllStringSubmatch(l.Text, -1) {
		all = append(all, Todo{Title: m[2], Status: boxes[m[1]]})
	}
	return all
}

// Tasks are those of a call that gives the whole list; nil: it gives none.
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
	Description string        `json:"description"` // the title too, where there is no other
	Status      string        `json:"status"`
}

// Todos are the agent's list in its order, as it stood at a time, without what was given up.
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

// IsGivenUp tells a task that is neither to do nor done.
func IsGivenUp(raw string) bool {
	return slices.Contains([]string{"cancelled", "canceled", "deleted"}, strings.ToLower(raw))
}

// Status maps the states of tasks of all agents; one that is not known is open.
func Status(raw string) string {
	switch strings.ToLower(strings.TrimSpace(raw)) {
	case "done", "completed", "complete":
		return sources.TodoDone
	case "in_progress", "in-progress":
		return sources.TodoInProgress
	case "blocked":
		return sources.TodoBlocked
	}
	return sources.TodoOpen
}
