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
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/turns"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
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
	p := &parser{own: "/brain/" + id + "/"}
	p.Session = &sources.Session{}
	bad := 0
	log := jsonl.Log[step]{}
	log.Take = func(s *step) (unknown string, ok bool) {
		if log.Bad > bad {
			bad = log.Bad
			p.Break()
		}
		return p.take(s)
	}
	if err := log.Read(ctx, f, 0); err != nil {
		return Transcript{}, fmt.Errorf("read transcript %q: %w", paths[0], err)
	}
	p.finishCalls()
	p.Close()
	s := p.Session
	s.Created, s.Damage = p.first, log.Damage()
	if p.cut > 0 {
		s.Damage = append(s.Damage, words.Count(p.cut, "step")+" of the transcript are cut, the whole one is not there")
	}
	files.SetUpdated(s)
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

// parser takes in the steps of a conversation.
type parser struct {
	turns.Builder
	own   string // path of the program's own files of the conversation
	begun bool
	first time.Time
	cwd   string
	model string
	cut   int
	open  []pending
}

// pending is a call that has no result yet.
type pending struct {
	call
	kind       string
	turn, tool int
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
	if !p.begun {
		p.begun, p.Session.Complete = true, s.Index != nil && *s.Index == 0
	}
	if !s.At.IsZero() {
		p.Now = s.At.Time
		p.first = cmp.Or(p.first, p.Now)
	}
	if len(s.Cut) > 0 {
		p.cut++
	}
	switch s.Type {
	case "USER_INPUT":
		p.prompt(s)
	case "PLANNER_RESPONSE":
		p.response(s)
	case "ERROR_MESSAGE":
		p.Fail(cmp.Or(string(s.Error), string(s.Content)))
	case "CHECKPOINT":
		if body := strings.TrimSpace(string(s.Content)); body != "" {
			p.Session.Checkpoints = append(p.Session.Checkpoints, sources.Checkpoint{Number: len(p.Session.Checkpoints) + 1, At: p.Now, Raw: body})
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
	p.Open(id, strings.Trim(typed, "\r\n"))
	p.By(p.model)
}

// response takes in what the agent said, and which tools it called.
func (p *parser) response(s *step) {
	p.finishCalls()
	p.Say(string(s.Content), len(s.Calls) == 0)
	for _, c := range s.Calls {
		a, kind := &c.Args, turns.Kind(c.Name)
		about := cmp.Or(a.AbsolutePath, a.TargetFile, a.Summary, a.First)
		if kind == sources.ToolRun {
			about = cmp.Or(a.CommandLine, about)
			p.cwd = cmp.Or(p.cwd, a.Cwd)
		}
		t, i := p.Call(cmp.Or(c.Name, "tool"), kind, about)
		if kind == sources.ToolRun {
			t.Tools[i].Command = words.CommandLine(a.CommandLine)
		}
		p.open = append(p.open, pending{c, kind, t.Index, i})
	}
}

// exitMark is how the text of a result tells the exit code.
var exitMark = regexp.MustCompile(`exited with code (-?\d{1,9})`)

// result takes in what a call gave. It names no call: it is that of the only one that has none
// and may give such a one.
func (p *parser) result(s *step) {
	fits := func(c pending) bool { return kinds[s.Type] == "" || kinds[s.Type] == c.kind }
	i := slices.IndexFunc(p.open, fits)
	if i < 0 || slices.IndexFunc(p.open[i+1:], fits) >= 0 || s.Status == "RUNNING" {
		return
	}
	c := p.open[i]
	p.open = slices.Delete(p.open, i, i+1)
	ok := s.Status != "ERROR" && s.Error == ""
	t := &p.Session.Turns[c.turn]
	tool := &t.Tools[c.tool]
	if p.Now.After(t.End) {
		t.End = p.Now
	}
	if m := exitMark.FindStringSubmatch(string(s.Content)); m != nil && tool.Command != "" {
		code, _ := strconv.Atoi(m[1]) // nine digits fit
		tool.Exit, ok = &code, ok && code == 0
	}
	tool.OK = &ok
	if p.Refer(refs.OldOf(tool.Command, string(s.Content))); ok {
		p.touch(c, strings.Contains(string(s.Content), "Created file"))
	}
}

// finishCalls ends the calls whose results are not told apart: they are taken for done.
func (p *parser) finishCalls() {
	for _, c := range p.open {
		p.touch(c, false)
	}
	p.open = nil
}

// touch notes what a call did to a file of the project.
func (p *parser) touch(c pending, isNew bool) {
	path, kind := c.Args.TargetFile, sources.Edited
	switch {
	case c.Name == "view_file":
		path, kind = c.Args.AbsolutePath, sources.Viewed
	case c.kind != sources.ToolEdit:
		return
	case isNew && c.Name == "write_to_file":
		kind = sources.Created
		p.Session.Turns[c.turn].Tools[c.tool].Kind = sources.ToolCreate
	}
	if !strings.Contains(strings.ReplaceAll(path, `\`, "/"), p.own) {
		p.Touch(path, kind, c.Name)
	}
}
