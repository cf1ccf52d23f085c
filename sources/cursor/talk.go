package cursor

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// talk builds a session from messages from any place.
type talk struct {
	*builder.Builder
	records, bad, missing int // numbers of records, of unreadable ones, of missing ones
	unknown               map[string]int
	folders               []string // named by messages: the session may have worked in one
}

func newTalk() *talk {
	b := builder.New()
	b.PathOf = editor.FileOf
	return &talk{Builder: b, unknown: map[string]int{}}
}

// begin begins a turn. A time before the last one is ignored.
func (k *talk) begin(id, text string, at time.Time) *builder.Turn {
	if !at.IsZero() && at.Before(k.Now()) {
		at = time.Time{}
	}
	k.At(at)
	t := k.Prompt(builder.Prompt{ID: id, Text: text})
	t.At = at
	return t
}

// work returns the current turn at a time, which is zero if unknown: a prompt without a time gets the nearest one.
func (k *talk) work(at time.Time) *builder.Turn {
	k.At(at)
	t := k.Work()
	t.At = cmp.Or(t.At, at)
	return t
}

// message is a message of a transcript or of the CLI's store.
type message struct {
	Type    string       `json:"type"` // type of a line that is not a message
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

// part is a text or a call of a tool, of a transcript or of the store.
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
	case "system", "tool": // text for the model
	case "":
		k.control(m)
	default:
		k.unknown["role "+words.OneLine(m.Role, tools.DetailSize)]++
	}
}

// control records a line that is not a message: it ends a turn.
func (k *talk) control(m *message) {
	switch t := k.Turn(); {
	case m.Type != "turn_ended":
		k.unknown["line of type "+words.OneLine(m.Type, tools.DetailSize)]++
	case t != nil:
		stop(t, m.Status)
		k.Select(nil)
	}
}

// workspacePath matches the folder of the session in Cursor's text for the model.
var workspacePath = pattern.Lazy(`(?m)^Workspace Path: (.+)$`)

// asked records a prompt, unless the message is only Cursor's text for the model.
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

// answered records a part of an answer. A mark stands for the model's thoughts; results of calls are not
// written.
func (k *talk) answered(p *part) {
	switch p.Type {
	case "text":
		k.work(time.Time{}).Say(strings.TrimSuffix(strings.TrimRight(p.Text, " \r\n\t"), "[REDACTED]"), builder.Answer)
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

// promptOf returns the user's part of a message, and its time. Cursor's text for the model surrounds it.
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
	maxFolders  = 2000 // limit of files examined to find where a session worked
	longestPath = 4096 // limit of a path, in bytes
)

// locate finds where the session worked, unless that is known: the named folder, or parent of one, that fits.
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

// session reads a home's files of a session: its transcript, and the store of the CLI.
func (r *reading) session(ctx context.Context) error {
	if _, ok := r.Item.Part(partStore); ok {
		r.Agent = cliName
	}
	for part, read := range map[string]func(context.Context, string) (*talk, error){partLines: readLines, partText: readText} {
		err := r.Layer(ctx, sources.Layer{Name: layerTranscript, Rank: sources.RankLog}, part, func(la *sources.Layer, path string) error {
			k, err := read(ctx, path)
			if err != nil {
				return err
			}
			project := projectOf(path)
			k.Session.Complete = true
			k.locate(func(dir string) bool { return project != "" && folderKey(dir) == folderKey(project) })
			r.count(k)
			la.Session = r.finish(k, "")
			la.Provisional = len(la.Session.Turns) == 0
			return nil
		})
		if err != nil {
			return err
		}
	}
	return r.stored(ctx)
}

// agent reads the transcript of a sub-agent: a layer of the session that it worked for.
func (r *reading) agent(ctx context.Context) error {
	part, _ := r.Item.Part(partAgent)
	k, err := readLines(ctx, r.Item.File(part))
	if err != nil {
		return err
	}
	r.count(k)
	if s := r.finish(k, ""); len(s.Turns) > 0 {
		work := builder.WorkOf(s, sources.Delegation{ID: sessionID(path.Base(r.Item.Key))})
		r.Give(sessionID(path.Base(path.Dir(r.Item.Key))), sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Session: work})
	}
	return nil
}

// folderKey returns Cursor's project name for a path, with all signs that are not letters made equal.
func folderKey(dir string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(dir, func(r rune) bool { return strings.ContainsRune(`/\._ :-`, r) }), "-"))
}

func readLines(ctx context.Context, path string) (*talk, error) {
	k := newTalk()
	log := jsonl.Log[message]{Unknown: k.unknown, Take: func(m *message) (string, bool) {
		k.take(m)
		return "", true
	}}
	err := log.ReadFile(ctx, path)
	k.records, k.Session.Damage = log.Records, log.Damage()
	return k, err
}

// readText reads a transcript from before February 2026: roles, thoughts, calls and their results have marks.
func readText(_ context.Context, path string) (*talk, error) {
	p := textParser{talk: newTalk()}
	text, err := files.ReadText(path, files.MaxLine)
	if err != nil {
		return nil, fmt.Errorf("read transcript: %w", err)
	}
	if text.Left != "" {
		p.Session.Damage = []string{"the transcript is " + text.Left}
	}
	for line := range strings.Lines(text.Body) {
		p.line(strings.TrimRight(line, "\r\n"))
	}
	p.end("", "")
	return p.talk, nil
}

type textParser struct {
	*talk
	what  string   // kind of the lines: a mark, or ""
	rest  string   // of the line with the mark: name of the call, or heading of the thought
	lines []string // current ones
	gap   int      // number of empty ones at their end
}

const ofUser, ofAgent, ofCall, ofThought = "user:", "assistant:", "[Tool call]", "[Thinking]"

var mark = pattern.Lazy(`^(?:user:|assistant:)$|^\[(?:Tool call|Tool result|Thinking)\]`)
var heading = pattern.Lazy(`^\*\*.+\*\*$`) // of a part of a thought

// line reads a line. A kind goes on until the next mark. Only an answer after a thought has none: it stands
// right below the last paragraph, or after two empty lines.
func (p *textParser) line(line string) {
	kind, gap := mark().FindString(line), p.gap
	if p.gap++; strings.TrimSpace(line) != "" {
		p.gap = 0
	}
	isRole := kind == ofUser || kind == ofAgent
	isThought := p.gap > 0 || gap == 1 || strings.TrimLeft(line, " \t") != line || heading().MatchString(p.rest) && heading().MatchString(line)
	switch {
	case isRole && (gap > 0 || p.what == ""):
		p.end(kind, "")
		p.records++
	case kind != "" && !isRole && p.what != "" && p.what != ofUser:
		p.end(kind, line[len(kind):])
	case p.what == ofThought && !isThought:
		p.end(ofAgent, "")
		fallthrough
	default:
		p.lines = append(p.lines, line)
	}
}

// end records the current lines, and begins another kind.
func (p *textParser) end(next, rest string) {
	switch said := (part{Type: "text", Text: strings.Trim(strings.Join(p.lines, "\n"), "\n")}); p.what {
	case ofCall:
		p.called()
	case ofUser:
		p.asked([]part{said})
	case ofAgent:
		p.answered(&said)
	}
	p.what, p.rest, p.lines = next, strings.TrimSpace(rest), nil
}

// called records a call. Its parameters begin as "key: value" on lines of their own; a patch begins at the name.
func (p *textParser) called() {
	name, _, isPatch := strings.Cut(p.rest, "*** Begin Patch")
	one := part{Type: "tool_use", Name: decode.Loose(name)}
	in := &one.Input
	to := map[string]*string{"path": &in.Path, "file_path": &in.Path, "target_file": &in.Path, "relativeWorkspacePath": &in.Path,
		"command": &in.Command.Text, "query": &in.Query, "pattern": &in.Pattern, "description": &in.Description}
	for _, line := range p.lines {
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "  "), ": ")
		if field := to[key]; strings.HasPrefix(line, "  ") && field != nil && *field == "" {
			*field = value
		}
	}
	if in.Text = strings.Join(p.lines, "\n"); isPatch {
		in.Patch.Files = tools.PatchFiles(in.Text)
	}
	p.answered(&one)
}
