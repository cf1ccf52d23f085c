// Package brain reads the transcripts of Antigravity CLI (agy), and of the program with windows of that name. They have
// no documents: what is read here was seen in real files of June to October 2026.
package brain

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// step is a line of a transcript.
type step struct {
	Index   *decode.Whole `json:"step_index"`
	Source  string        `json:"source" max:"64"`
	Type    string        `json:"type" max:"64"`
	Status  string        `json:"status" max:"64"`
	At      words.Instant `json:"created_at"`
	Content decode.Loose  `json:"content"`
	Error   decode.Loose  `json:"error"`
	Calls   []struct {
		Name string          `json:"name" max:"200"`
		Args tools.Arguments `json:"args"`
	} `json:"tool_calls"`
	Cut []decode.None `json:"truncated_fields"`
}

// Transcript is what the files of a conversation tell.
type Transcript struct {
	Session *sources.Session
	Cwd     string // in which the first command ran
	Records int
	Unknown map[string]int
}

// Read reads a transcript of one file or of several chunks, in order.
func Read(ctx context.Context, id string, paths []string) (Transcript, error) {
	p := newParser(id)
	log, bad := jsonl.Log[step]{}, 0
	log.Take = func(s *step) (unknown string, ok bool) {
		if log.Bad > bad {
			bad = log.Bad
			if t := p.b.Turn(); t != nil && t.Status == sources.Complete { // something is lost, maybe the next prompt
				p.b.Select(nil)
			}
		}
		return p.take(s)
	}
	if err := read(ctx, &log, paths); err != nil {
		return Transcript{}, fmt.Errorf("read transcript %q: %w", paths[0], err)
	}
	p.finishCalls()
	s := p.b.Finish()
	s.Class, s.Damage = "", log.Damage()
	if p.cut > 0 {
		s.Damage = append(s.Damage, words.Count(p.cut, "step")+" of the transcript are cut, the whole one is not there")
	}
	return Transcript{Session: s, Cwd: p.cwd, Records: log.Records, Unknown: log.Unknown}, nil
}

// read reads a transcript of one file, or joins its chunks, which are cut in the middle of lines.
func read(ctx context.Context, log *jsonl.Log[step], paths []string) error {
	if len(paths) == 1 {
		return log.ReadFile(ctx, paths[0])
	}
	var all bytes.Buffer
	for _, path := range paths {
		f, _, err := files.OpenLog(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(&all, io.LimitReader(f, files.MaxLine+1-int64(all.Len())))
		if f.Close(); err != nil {
			return err
		}
		if all.Len() > files.MaxLine {
			return files.ErrTooLarge
		}
	}
	return log.Read(ctx, bytes.NewReader(all.Bytes()), 0)
}

// parser translates the steps of a conversation.
type parser struct {
	b     *builder.Builder
	begun bool
	cwd   string
	model string
	cut   int
	open  []*builder.Called // that have no result yet
}

// newParser makes a parser that passes over the program's own files of the conversation.
func newParser(id string) *parser {
	p, own := &parser{b: builder.New()}, "/brain/"+id+"/"
	p.b.PathOf = func(path string) string {
		if strings.Contains(strings.ReplaceAll(path, `\`, "/"), own) {
			return ""
		}
		return tools.PlainPath(path)
	}
	return p
}

// kinds are those of the tools whose results have a type of their own.
var kinds = map[string]string{
	"RUN_COMMAND": sources.ToolRun, "CODE_ACTION": sources.ToolEdit, "VIEW_FILE": sources.ToolRead,
	"LIST_DIRECTORY": sources.ToolList, "GREP_SEARCH": sources.ToolSearch, "GENERIC": "",
}

// take takes in a step.
func (p *parser) take(s *step) (unknown string, ok bool) {
	if s.Type == "" {
		return "", false
	}
	about := p.b.Session
	if !p.begun {
		p.begun, about.Complete = true, s.Index != nil && *s.Index == 0
	}
	p.b.At(s.At.Time)
	about.Created = cmp.Or(about.Created, s.At.Time)
	if len(s.Cut) > 0 {
		p.cut++
	}
	switch s.Type {
	case "USER_INPUT":
		p.prompt(s)
	case "PLANNER_RESPONSE":
		p.response(s)
	case "ERROR_MESSAGE":
		if t := p.b.Turn(); t != nil && t.Status != sources.Complete {
			t.Fail(cmp.Or(string(s.Error), string(s.Content)))
		}
	case "CHECKPOINT":
		if body := strings.TrimSpace(string(s.Content)); body != "" {
			p.b.Checkpoint(sources.Checkpoint{Raw: body})
		}
	case "SYSTEM_MESSAGE", "CONVERSATION_HISTORY":
	default:
		if _, known := kinds[s.Type]; !known {
			unknown = "step " + words.OneLine(s.Type, 64)
		}
		p.result(s)
	}
	return unknown, true
}

// injected are the blocks that the program puts behind what a person typed.
var injected = []string{"ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE"}

// chosen is how such a block tells the model.
var chosen = regexp.MustCompile("setting `Model Selection` from .+? to (.+?)\\. No need to comment")

// prompt opens a turn with what a person typed.
func (p *parser) prompt(s *step) {
	if s.Source != "USER_EXPLICIT" {
		return
	}
	p.finishCalls()
	whole := string(s.Content)
	typed, _, after, ok := words.CutBlock(whole, "USER_REQUEST", strings.LastIndex)
	if !ok {
		typed, after = words.WithoutBlocks(whole, injected), whole
	}
	if m := chosen.FindStringSubmatch(after); m != nil {
		p.model = words.OneLine(m[1], 200)
	}
	id := ""
	if s.Index != nil {
		id = "step " + words.Digits(int64(*s.Index))
	}
	p.b.Prompt(builder.Prompt{ID: id, Key: "typed", Text: strings.Trim(typed, "\r\n")}).By(p.model)
}

// response takes in what the agent said, and which tools it called.
func (p *parser) response(s *step) {
	p.finishCalls()
	t, phase := p.b.Work(), builder.Answer
	if len(s.Calls) > 0 {
		phase = builder.Report
	}
	t.Say(string(s.Content), phase)
	for _, c := range s.Calls {
		a := &c.Args
		for _, text := range []*string{&a.TargetFileAgy, &a.AbsolutePathAgy, &a.CommandLine.Text, &a.Cwd, &a.ToolSummary, &a.First} {
			if plain, err := strconv.Unquote(*text); err == nil && strings.HasPrefix(*text, `"`) { // in transcript.jsonl each is JSON once more
				*text = plain
			}
		}
		called := t.Call(builder.Call{Name: cmp.Or(c.Name, "tool"), Args: a})
		if called.Kind == sources.ToolRun {
			p.cwd = cmp.Or(p.cwd, a.Cwd)
		}
		p.open = append(p.open, called)
	}
}

// exitMark is how the text of a result tells the exit code.
var exitMark = regexp.MustCompile(`exited with code (-?\d{1,9})`)

// result takes in what a call gave. It names no call: it is that of the only one that has none and may give such a one.
func (p *parser) result(s *step) {
	fits := func(c *builder.Called) bool { return kinds[s.Type] == "" || kinds[s.Type] == c.Kind }
	i := slices.IndexFunc(p.open, fits)
	if i < 0 || slices.IndexFunc(p.open[i+1:], fits) >= 0 || s.Status == "RUNNING" {
		return
	}
	c, text := p.open[i], string(s.Content)
	p.open = slices.Delete(p.open, i, i+1)
	r := builder.Result{OK: new(s.Status != "ERROR" && s.Error == ""), Text: text, Created: strings.Contains(text, "Created file")}
	if m := exitMark.FindStringSubmatch(text); m != nil {
		code, _ := strconv.Atoi(m[1]) // nine digits fit
		r.Exit = &code
	}
	c.End(r)
}

// finishCalls ends the calls whose results are not told apart: they are taken for done.
func (p *parser) finishCalls() {
	for _, c := range p.open {
		c.End(builder.Result{})
	}
	p.open = nil
}
