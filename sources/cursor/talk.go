package cursor

import (
	"path"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// talk makes a session of messages, wherever they stand.
type talk struct {
	*builder.Builder
	records, bad, missing int // how many there were, could not be read, were not there
	unknown               map[string]int
	folders               []string // that messages name: one of them may be where the session worked
}

func newTalk() *talk {
	b := builder.New()
	b.PathOf = editor.FileOf
	return &talk{Builder: b, unknown: map[string]int{}}
}

// begin begins a turn. A time that runs backwards tells nothing.
func (k *talk) begin(id, text string, at time.Time) *builder.Turn {
	if !at.IsZero() && at.Before(k.Now()) {
		at = time.Time{}
	}
	k.At(at)
	t := k.Prompt(builder.Prompt{ID: id, Text: text})
	t.At = at
	return t
}

// work is the turn under way at a time, zero where nobody knows it: of a prompt without one it is the nearest one.
func (k *talk) work(at time.Time) *builder.Turn {
	k.At(at)
	t := k.Work()
	if t.At.IsZero() {
		t.At = at
	}
	return t
}

// message is one of a model, as transcripts and the store of the CLI have it.
type message struct {
	Type    string       `json:"type"` // of a line that is no message
	Status  decode.Loose `json:"status"`
	Role    string       `json:"role"`
	Content content      `json:"content"`
	Message struct {
		Content content `json:"content"`
	} `json:"message"`
}

type content struct {
	Text  string `as:"text"`
	Parts []part `as:"list"`
}

// part is a text or the call of a tool: of a transcript, or of the store.
type part struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  decode.Loose    `json:"name" also:"toolName"`
	Input tools.Arguments `json:"input" also:"args"`
}

func (k *talk) take(m *message) {
	body := m.Content
	if len(body.Parts) == 0 && body.Text == "" {
		body = m.Message.Content
	}
	if body.Text != "" {
		body.Parts = []part{{Type: "text", Text: body.Text}}
	}
	switch m.Role {
	case "user":
		k.asked(body.Parts)
	case "assistant":
		for i := range body.Parts {
			k.answered(&body.Parts[i])
		}
	case "system", "tool": // what the model is told
	case "":
		k.control(m)
	default:
		k.unknown["role "+words.OneLine(m.Role, tools.DetailSize)]++
	}
}

// control takes in a line that is no message: after a turn comes another.
func (k *talk) control(m *message) {
	if m.Type != "turn_ended" {
		k.unknown["line of type "+words.OneLine(m.Type, tools.DetailSize)]++
		return
	}
	if t := k.Turn(); t != nil {
		stop(t, m.Status)
	}
	k.Select(nil)
}

// workspacePath names the folder of the session among what Cursor tells the model.
var workspacePath = pattern.Lazy(`(?m)^Workspace Path: (.+)$`)

// asked takes in a prompt. A message that holds nothing but what Cursor tells the model is none.
func (k *talk) asked(parts []part) {
	var texts []string
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	text := strings.Join(texts, "\n")
	if m := workspacePath().FindStringSubmatch(text); m != nil {
		k.folders = append(k.folders, strings.TrimSpace(m[1]))
	}
	if prompt, at, ok := promptOf(text); ok {
		k.begin("", prompt, at)
	}
}

// answered takes in a part of an answer. What the model thought is withheld: a mark stands for it. Of the result of a call
// nothing is written down.
func (k *talk) answered(p *part) {
	switch p.Type {
	case "text":
		text := p.Text
		if rest, ok := strings.CutSuffix(strings.TrimRight(text, " \r\n\t"), "[REDACTED]"); ok {
			text = rest
		}
		k.work(time.Time{}).Say(text, builder.Answer)
	case "tool_use", "tool-call":
		if len(k.folders) < maxFolders {
			k.folders = append(k.folders, p.Input.Path)
		}
		t := k.work(time.Time{})
		called := t.Call(builder.Call{Name: string(p.Name), Args: &p.Input})
		t.Complete()
		called.End(builder.Result{Told: isAsk(called)})
	case "reasoning", "redacted-reasoning", "thinking", "image", "file":
		k.Work()
	default:
		k.unknown["part of type "+words.OneLine(p.Type, tools.DetailSize)]++
	}
}

var (
	stampLine = pattern.Lazy(`^\s*<timestamp>([^<]*)</timestamp>\s*`)
	zone      = pattern.Lazy(`\s*\((?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)\s*$`)
	injected  = pattern.Lazy(`^\s*<(user_info|rules|system_reminder|system-reminder|attached_files|open_and_recently_viewed_files|project_layout|` +
		`git_status|agent_transcripts|agent_skills)>`)
)

// promptOf is what the user typed of a message, and when. Before and behind it stands what Cursor tells the model.
func promptOf(text string) (prompt string, at time.Time, ok bool) {
	const open, shut = "<user_query>", "</user_query>"
	if m := stampLine().FindStringSubmatch(text); m != nil {
		at, text = timeOf(m[1]), text[len(m[0]):]
	}
	if begin := strings.Index(text, open); begin >= 0 {
		text = text[begin+len(open):]
		if end := strings.LastIndex(text, shut); end >= 0 {
			text = text[:end]
		}
		return strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n"), at, true
	}
	return text, at, strings.TrimSpace(text) != "" && !injected().MatchString(text)
}

// timeOf reads "Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)".
func timeOf(text string) time.Time {
	m := zone().FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	at, err := time.Parse("Monday, Jan 2, 2006, 3:04 PM", strings.TrimSuffix(text, m[0]))
	if err != nil {
		return time.Time{}
	}
	offset, _ := time.ParseDuration(m[1] + "0" + m[2] + "h0" + m[3] + "m") // a sign and digits, or nothing
	return sources.OnCalendar(at.Add(-offset))
}

const (
	maxFolders  = 2000 // how many files are looked at to find where a session worked
	longestPath = 4096 // how long a path is at most, in bytes
)

// locate finds where the session worked, unless that is known: of the folders that messages name, and those above them, the one
// that fits. Nothing is guessed.
func (k *talk) locate(fits func(dir string) bool) {
	place := &k.Session.Place
	tried := map[string]bool{"": true, ".": true, "/": true}
	for _, named := range k.folders {
		for dir := editor.FileOf(named); place.Cwd == "" && len(dir) <= longestPath && !tried[dir]; dir = path.Dir(dir) {
			if tried[dir] = true; fits(dir) {
				place.Cwd = dir
			}
		}
	}
	place.Guessed = place.Cwd == ""
}
