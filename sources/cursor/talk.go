package cursor

import (
	"crypto/md5"
	"encoding/hex"
	"path"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// message is one of a model, as transcripts and the store of the CLI have it.
type message struct {
	Type    string  `json:"type"` // of a line that is no message
	Status  loose   `json:"status"`
	Role    string  `json:"role"`
	Content content `json:"content"`
	Message struct {
		Content content `json:"content"`
	} `json:"message"`
}

// content is a text or parts.
type content struct {
	Text  string `as:"text"`
	Parts []part `as:"list"`
}

// part is a text or the call of a tool: of a transcript, or of the store.
type part struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  loose           `json:"name"`
	Input tools.Arguments `json:"input"`
	Tool  loose           `json:"toolName"`
	Args  tools.Arguments `json:"args"`
}

// talk makes a session of messages.
type talk struct {
	*builder.Builder
	unknown map[string]int
	folders []string // that messages name: one of them may be where the session worked
}

func newTalk() *talk { return &talk{Builder: newBuilder(), unknown: map[string]int{}} }

// take takes in a message.
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
		stop(t, string(m.Status))
	}
	k.Select(nil)
}

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
		begin(k.Builder, "", prompt, at)
	}
}

// answered takes in a part of an answer. What the model thought is withheld: a mark stands for it.
func (k *talk) answered(p *part) {
	switch p.Type {
	case "text":
		text := p.Text
		if rest, ok := strings.CutSuffix(strings.TrimRight(text, " \r\n\t"), "[REDACTED]"); ok {
			text = strings.TrimRight(rest, " \r\n\t")
		}
		say(work(k.Builder, time.Time{}), text)
	case "tool_use", "tool-call":
		c := builder.Call{Name: string(p.Name), Args: &p.Input}
		if p.Type == "tool-call" {
			c = builder.Call{Name: string(p.Tool), Args: &p.Args}
		}
		if len(k.folders) < maxFolders {
			k.folders = append(k.folders, c.Args.Name())
		}
		k.call(c)
	case "reasoning", "redacted-reasoning", "thinking", "image", "file":
		k.Work()
	default:
		k.unknown["part of type "+words.OneLine(p.Type, tools.DetailSize)]++
	}
}

// call takes in a call, of whose result nothing is written down.
func (k *talk) call(c builder.Call) {
	t := work(k.Builder, time.Time{})
	called := t.Call(c)
	t.Complete()
	called.End(builder.Result{Told: isAsk(called)})
}

// maxFolders is how many files are looked at to find where a session worked.
const maxFolders = 2000

var (
	workspacePath = pattern.Lazy(`(?m)^Workspace Path: (.+)$`)
	stampLine     = pattern.Lazy(`^\s*<timestamp>([^<]*)</timestamp>\s*`)
	zone          = pattern.Lazy(`\s*\((?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)\s*$`)
	injected      = pattern.Lazy(`^\s*<(user_info|rules|system_reminder|system-reminder|attached_files|open_and_recently_viewed_files|project_layout|git_status|agent_transcripts|agent_skills)>`)
)

// promptOf is what the user typed of a message, and when. Before and behind it stands what Cursor
// tells the model.
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
	offset, _ := time.ParseDuration("0" + m[2] + "h0" + m[3] + "m") // digits, or nothing
	if m[1] == "-" {
		offset = -offset
	}
	return sources.OnCalendar(at.Add(-offset))
}

// longestPath is how long a path is at most, in bytes.
const longestPath = 4096

// folder is the one that the session worked in: of those that messages name, and the folders above
// them, the one that fits. Nothing is guessed.
func (k *talk) folder(fits func(string) bool) string {
	tried := map[string]bool{"": true, ".": true, "/": true}
	for _, named := range k.folders {
		for dir := editor.FileOf(named); len(dir) <= longestPath && !tried[dir]; dir = path.Dir(dir) {
			if tried[dir] = true; fits(dir) {
				return dir
			}
		}
	}
	return ""
}

// isFolderOf tells whether a store lies where Cursor puts those of a folder: by its digest.
func isFolderOf(digest, dir string) bool {
	sum := md5.Sum([]byte(dir))
	return hex.EncodeToString(sum[:]) == digest
}

// folderKey is what Cursor makes of a path for the name of a project, signs that are no letters
// taken for alike.
func folderKey(dir string) string {
	key := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == '.' || r == '_' || r == ' ' || r == ':' || r == '-' {
			return ' '
		}
		return r
	}, dir)
	return strings.ToLower(strings.Join(strings.Fields(key), "-"))
}
