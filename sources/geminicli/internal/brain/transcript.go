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
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Transcript is what the files of a conversation tell.
type Transcript struct {
	Session *sources.Session
	Cwd     string // in which the first command ran
	Records int
	Unknown map[string]int
}

// Read reads a transcript of one file or of several chunks, in order.
func Read(ctx context.Context, id string, paths []string) (Transcript, error) {
	f, closed, err := open(paths)
	if err != nil {
		return Transcript{}, err
	}
	defer closed()
	p := newParser(id)
	bad := 0
	log := jsonl.Log[step]{}
	log.Take = func(s *step) (unknown string, ok bool) {
		if log.Bad > bad {
			bad = log.Bad
			if t := p.b.Turn(); t != nil && t.Status == sources.Complete { // something is lost, maybe the next prompt
				p.b.Select(nil)
			}
		}
		return p.take(s)
	}
	if err := log.Read(ctx, f, 0); err != nil {
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

// open opens a transcript of one file, or joins its chunks, which are cut in the middle of lines.
func open(paths []string) (io.ReaderAt, func(), error) {
	var all []byte
	for _, path := range paths {
		f, info, err := files.OpenLog(path)
		if err != nil {
			return nil, nil, fmt.Errorf("open transcript: %w", err)
		}
		if len(paths) == 1 {
			return f, func() { f.Close() }, nil
		}
		if int64(len(all))+info.Size() > files.MaxLine {
			err = files.ErrTooLarge
		}
		chunk := bytes.NewBuffer(all)
		if err == nil {
			_, err = io.Copy(chunk, io.LimitReader(f, info.Size()))
		}
		f.Close()
		if err != nil {
			return nil, nil, fmt.Errorf("read chunk %q: %w", path, err)
		}
		all = chunk.Bytes()
	}
	return bytes.NewReader(all), func() {}, nil
}

// parser translates the steps of a conversation.
type parser struct {
	b     *builder.Builder
	own   string // path of the program's own files of the conversation
	begun bool
	cwd   string
	model string
	cut   int
	open  []*builder.Called // that have no result yet
}

func newParser(id string) *parser {
	p := &parser{b: builder.New(), own: "/brain/" + id + "/"}
	p.b.PathOf = func(path string) string {
		if strings.Contains(strings.ReplaceAll(path, `\`, "/"), p.own) {
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
		id = "step " + strconv.FormatInt(int64(*s.Index), 10)
	}
	p.b.Prompt(builder.Prompt{ID: id, Text: strings.Trim(typed, "\r\n")}).By(p.model)
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
		call := builder.Call{Name: cmp.Or(c.Name, "tool"), Args: &tools.Arguments{First: a.First}, Detail: cmp.Or(a.CommandLine, a.AbsolutePath, a.TargetFile, a.Summary, a.First)}
		call.Args.Command.Text, call.Args.Path = a.CommandLine, cmp.Or(a.AbsolutePath, a.TargetFile)
		called := t.Call(call)
		if called.Kind == sources.ToolRun {
			p.cwd = cmp.Or(p.cwd, a.Cwd)
		}
		p.open = append(p.open, called)
	}
}

// exitMark is how the text of a result tells the exit code.
var exitMark = regexp.MustCompile(`exited with code (-?\d{1,9})`)

// result takes in what a call gave. It names no call: it is that of the only one that has none
// and may give such a one.
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
