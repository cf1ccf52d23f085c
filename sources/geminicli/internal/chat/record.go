// Package chat reads the chats of Gemini CLI: the log of a session, one record per line since version 0.39,
// and the single document before.
package chat

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// record is a line of a log: data of the session, a message, a change, or a rewind; or a document with messages.
type record struct {
	SessionID   string        `json:"sessionId" max:"128"`
	ProjectHash string        `json:"projectHash" max:"128"`
	StartTime   words.Instant `json:"startTime"`
	Kind        string        `json:"kind" max:"64"`
	Summary     string        `json:"summary"`
	Directories []string      `json:"directories" max:"4096"`
	message
	Set      *change `json:"$set"`
	RewindTo *string `json:"$rewindTo"`
}

// message is a message of one side, with the calls of the agent.
type message struct {
	ID      string        `json:"id" max:"128"`
	At      words.Instant `json:"timestamp"`
	Type    string        `json:"type" max:"64"`
	Content content       `json:"content"`
	Display content       `json:"displayContent"` // the part shown to the user
	Model   string        `json:"model" max:"200"`
	Tokens  *tokens       `json:"tokens"`
	Calls   []call        `json:"toolCalls"`

	kept
}

// kept is what is kept of a content, and the state of the message.
type kept struct {
	text     string // typed text of a prompt
	added    []sources.Attachment
	isResult bool   // it holds outputs of calls
	isOurs   bool   // written by the program in the place of a prompt
	joins    bool   // typed while the agent was working
	ran      string // a command that the user ran with "!", or ""
	summary  sources.Checkpoint
	rewind   int // number of the rewind that took it back, or 0
}

type tokens struct {
	Input    decode.Whole `json:"input"` // with cached tokens
	Output   decode.Whole `json:"output"`
	Thoughts decode.Whole `json:"thoughts"`
	Tool     decode.Whole `json:"tool"`
	Total    decode.Whole `json:"total"`
}

// content is a text, a part, or a list of them.
type content []part

type part struct {
	Text    string       `json:"text" as:"text"`
	Thought bool         `json:"thought"`
	Inline  *attached    `json:"inlineData"`
	File    *attached    `json:"fileData"`
	Gave    *gave        `json:"functionResponse"`
	Called  *decode.None `json:"functionCall"`

	Other string `as:"other"` // an unknown member
}

type attached struct {
	Type string `json:"mimeType" max:"200"`
	Name string `json:"displayName" max:"2048"`
	URI  string `json:"fileUri" max:"2048"`
}

type gave struct {
	Response struct {
		Output decode.Loose `json:"output"`
		Error  decode.Loose `json:"error"`
	} `json:"response"`
}

func (c *content) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	*c = nil
	switch d.PeekKind() {
	case '[':
		return true, d.Elements(func() error { return c.add(d) })
	case '{', '"':
		return true, c.add(d)
	}
	return false, d.SkipValue()
}

func (c *content) add(d *decode.Decoder) error {
	*c = append(*c, part{})
	return d.Read(&(*c)[len(*c)-1])
}

type call struct {
	ID      string           `json:"id" max:"200"`
	Name    string           `json:"name" max:"200"`
	Args    *tools.Arguments `json:"args"`
	Result  content          `json:"result"`
	Status  string           `json:"status" max:"64"`
	At      words.Instant    `json:"timestamp"`
	AgentID string           `json:"agentId" max:"128"`
	Display display          `json:"resultDisplay"`

	result builder.Result // its kept part
}

type display struct {
	Text      string        `as:"text" max:"4096"`
	Lines     []decode.None `as:"list"` // lines of a terminal
	FilePath  decode.Loose  `json:"filePath"`
	IsNewFile bool          `json:"isNewFile"`
	Result    decode.Loose  `json:"result"` // result of a sub-agent
}

type change struct {
	Summary     string    `json:"summary"`
	Directories []string  `json:"directories"`
	Context     []message `json:"messages"` // everything that the model sees from now on

	Passed decode.None `json:"lastUpdated" also:"sessionId memoryScratchpad kind startTime projectHash activeExtensionName"`
	Other  string      `as:"other"` // an unknown member
}

// text returns the texts of a content, without thoughts.
func (c content) text() string {
	var b strings.Builder
	for _, p := range c {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Texts that the program puts in the place of a prompt.
const contextMark, snapshotMark = "<session_context>", "<state_snapshot>"

// injected are the beginnings of these. Versions of 2025 begin a session with "This is the Gemini CLI", and ask who speaks
// next. A sub-agent that does not end is warned.
var injected = []string{contextMark, snapshotMark, "This is the Gemini CLI.", "System: Please continue.", "Here is the user's editor context",
	"Here is a summary of changes in the user's editor context", "Analyze *only* the content and structure of your immediately preceding response",
	"You have exceeded the time limit. You have one final chance", "You have exceeded the maximum number of turns. You have one final chance",
	"You have stopped calling tools without finishing. You have one final chance"}

// tasks are the beginnings of tasks of sub-agents. Versions to 0.38 wrote these into documents of the session that say no
// kind, and into its own if both began in one minute.
var tasks = []string{"Your task is to do a deep investigation of the codebase", "Your task is to answer the following question about Gemini CLI"}

// steering begins a text that a person typed while the agent was working.
var steering = []string{"User steering update:\n<user_input>\n", "User hints:\n<user_input>\n"}

// thanks are the beginnings of acknowledgements of the program's words: not answers.
var thanks = []string{"Got it. Thanks for the context!", "Got it. Thanks for the additional context!"}

func begins(text string, marks []string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(text, mark) })
}

func (m *message) user() {
	text, shown := m.Content.text(), m.Display.text()
	m.isResult = slices.ContainsFunc(m.Content, func(p part) bool { return p.Gave != nil })
	trimmed := strings.TrimSpace(text)
	switch command := ran(text); {
	case begins(text, steering):
		_, said, _ := strings.Cut(text, "<user_input>\n")
		m.text, _, _ = strings.Cut(said, "\n</user_input>")
		m.joins, m.isResult = true, false
	case command != "" && shown == "":
		m.ran, m.isOurs = command, true
	case begins(trimmed, injected), trimmed == "Please continue." && shown != "": // the program has a model continue, and shows the prompt
		m.text, m.isOurs = text, true
	default:
		m.typed(text, shown)
	}
}

// ran returns the command of a text that tells the model what the user ran with "!", or "".
func ran(text string) string {
	told, begins := strings.CutPrefix(text, "I ran the following shell command:\n```sh\n")
	command, gave, both := strings.Cut(told, "\n```\n\nThis produced the following result:\n```\n")
	if !begins || !both || !strings.HasSuffix(gave, "```") {
		return ""
	}
	return command
}

// filesMark begins the program's text after a prompt that names files with @.
const filesMark = "\n--- Content from referenced files ---"

// editorMarks begin an editor's text there: the open file, the selection, files, a former chat.
var editorMarks = []string{"\nCurrent File Path:\n```", "\n\nUser Selected Files:\n- ", "\n PRIOR CHAT HISTORY:"}

var (
	fileMark = regexp.MustCompile(`(?m)^Content from @(.+):$`)
	openMark = regexp.MustCompile("^\nCurrent File Path:\n```.*\n(.+)\n")
)

// typed records a prompt: a person's text without the additions of hooks, and their attachments.
func (m *message) typed(text, shown string) {
	text, files, _ := strings.Cut(words.WithoutBlocks(text, []string{"hook_context"}), filesMark)
	names := fileMark.FindAllStringSubmatch(files, -1)
	at := len(text)
	for _, mark := range editorMarks {
		if i := strings.Index(text, mark); i >= 0 {
			at = min(at, i)
		}
	}
	if editor := text[at:]; editor != "" {
		text, names = strings.TrimRight(text[:at], " \n"), append(names, openMark.FindAllStringSubmatch(editor, 1)...)
		_, list, _ := strings.Cut(editor, "User Selected Files:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.Lines(list) {
			names = append(names, []string{"", strings.TrimPrefix(line, "- ")})
		}
	}
	for _, name := range names {
		m.attach(sources.File, strings.ReplaceAll(name[1], `\\`, `\`))
	}
	for _, p := range m.Content {
		if p.Other != "" && p == (part{Other: p.Other}) {
			m.attach(sources.File, p.Other)
		}
		for _, a := range []*attached{p.Inline, p.File} {
			if a != nil && strings.HasPrefix(a.Type, "image/") {
				m.attach("image", cmp.Or(a.Name, a.URI))
			} else if a != nil {
				m.attach(sources.File, cmp.Or(a.Name, a.URI))
			}
		}
	}
	m.text = cmp.Or(shown, text)
}

// attach adds an attachment, each once if it has a name.
func (m *message) attach(kind, name string) {
	a := sources.Attachment{Kind: kind, Name: words.OneLine(name, 2048)}
	if name == "" || !slices.ContainsFunc(m.added, func(have sources.Attachment) bool { return have.Name == a.Name }) {
		m.added = append(m.added, a)
	}
}

// checkpoint reads the model's snapshot of the session. A text with other sections is kept as it is.
func checkpoint(text string) (c sources.Checkpoint, ok bool) {
	body, ok := strings.CutPrefix(strings.TrimSpace(text), snapshotMark)
	if !ok {
		return c, false
	}
	body, _, _ = strings.Cut(body, "</state_snapshot>")
	into := map[string]*string{
		"overall_goal": &c.Overview, "recent_actions": &c.WorkDone, "key_knowledge": &c.Technical, "active_constraints": &c.Technical,
		"file_system_state": &c.Important, "artifact_trail": &c.Important, "current_plan": &c.NextSteps, "task_state": &c.NextSteps,
	}
	place := func(tag string) int { return strings.Index(body, "<"+tag+">") }
	tags := slices.SortedFunc(maps.Keys(into), func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })
	rest := body
	for i, tag := range tags {
		var inner string
		inner, rest = words.Section(rest, tag, tags[i+1:])
		*into[tag] = strings.TrimSpace(*into[tag] + "\n\n" + inner)
	}
	if strings.TrimSpace(rest) != "" {
		return sources.Checkpoint{Raw: strings.TrimSpace(body)}, true
	}
	return c, c != sources.Checkpoint{}
}

// folderMarks precede the folder of the session.
var folderMarks = [][2]string{
	{"- **Workspace Directories:**\n  - ", "\n"}, {"I'm currently working in the directory: ", "\n"},
	{"I'm currently working in the following directories:\n  - ", "\n"},
}
