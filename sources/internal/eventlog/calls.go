package eventlog

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// openCall is a tool call that has not ended, and what its arguments say it does if
// it succeeds.
type openCall struct {
	turn   int // -1: before the first prompt
	tool   int // index in Turn.Tools, -1 none
	name   string
	argued bool // its arguments were read

	touches []touch
	todos   []words.Todo // nil: it is no list of them
	refs    []sources.Ref
	titles  map[string][]string // of what the command opens, by kind
	scan    refs.Scan           // what to look for in its result
}

// ended stands for every call that has, or whose process has.
var ended = &openCall{turn: -1, tool: -1, argued: true}

// touch is what a call does with one file.
type touch = words.PatchFile

// detailSize bounds the one line of a call, in bytes.
const detailSize = 200

// callOf is the call that a record tells of, an empty one where it is not known.
func (p *parser) callOf(line []byte) openCall {
	if open := p.calls[string(callIn(line))]; open != nil {
		return *open
	}
	return openCall{}
}

// callStarted notes a call that began, asked for by the agent or by the user.
func (p *parser) callStarted(e *event) {
	if e.Data.ParentToolCallID == "" {
		p.call(e.Data.toolRequest, e)
	}
}

// call notes a call once, whichever of its events comes first.
func (p *parser) call(r toolRequest, e *event) {
	id, name := r.ToolCallID, r.ToolName
	if id == "" || name == "" || name == "report_intent" {
		return
	}
	open := p.calls[id]
	if p.dialect != nil && p.turn() == nil { // the log was cut at its beginning
		p.openTurn(e, "")
	}
	if p.dialect != nil && open == ended && len(e.Data.ToolRequests) > 0 {
		open = nil // the id comes again for another call
	}
	if open == nil {
		open = &openCall{turn: len(p.session.Turns) - 1, tool: -1, name: idOf(name)}
		p.calls[id] = open
		if t := p.turn(); t != nil {
			open.tool = len(t.Tools)
			t.Tools = append(t.Tools, sources.Tool{Name: words.OneLine(name, detailSize), After: p.text.Len()})
		}
		p.argue(open, r)
	} else if !open.argued && r.Arguments != nil {
		p.argue(open, r)
	}
	if open.turn >= 0 {
		t := &p.session.Turns[open.turn]
		t.End = latest(t.End, e.At.Time)
	}
	if p.dialect != nil && strings.Contains(id, p.dialect.Replayed) {
		p.calls[id] = ended
		p.effect(open, e)
	}
}

// argue takes in the arguments of a call.
func (p *parser) argue(open *openCall, r toolRequest) {
	args := r.Arguments
	if open.argued = args != nil; !open.argued {
		args = &words.Arguments{}
	}
	tool := &sources.Tool{}
	if open.tool >= 0 {
		tool = &p.session.Turns[open.turn].Tools[open.tool]
	}
	if p.dialect != nil {
		tool.Kind, tool.Detail, open.touches = p.dialect.About(tool.Name, args)
		open.todos = args.TodoList
		tool.Command = ran(tool.Kind, args)
		return
	}
	kind := words.ToolKind(open.name, r.MCPServerName, args.Command.Text)
	open.touches, open.scan = nil, 0
	patch := slices.Concat(args.Input.Files, args.Patch.Files)
	switch touched := words.TouchKind(kind); {
	case touched != "" && args.Path != "":
		open.touches = []touch{{Path: args.Path, Kind: touched}}
	case kind == sources.ToolEdit:
		open.touches = patch
	case kind == sources.ToolRun:
		open.scan, open.titles = scanOf(open.name, args.Command), refs.TitlesOf(args.Command.Text)
	}
	if open.refs = nil; strings.Contains(open.name, "github") {
		open.refs = refsOfArguments(args)
	}
	tool.Kind, tool.Detail, tool.Command = kind, p.detail(kind, args, patch), ran(kind, args)
}

// ran is the command that a call ran, empty where it ran none.
func ran(kind string, args *words.Arguments) string {
	if kind != sources.ToolRun {
		return "" // what others call so is a sub-command
	}
	return args.Command.Line()
}

// detail describes a call in one line: its description, else its command, else
// what it looks for, else its path, else the first text among its arguments.
func (p *parser) detail(kind string, args *words.Arguments, patch []touch) string {
	run := ""
	if kind == sources.ToolRun { // of others a sub-command, not what was run
		run = args.Command.Text
	}
	path := cmp.Or(args.First, args.Input.Text, args.Patch.Text)
	if len(patch) > 0 {
		path = patch[0].Path
	}
	text := cmp.Or(args.Description, run, args.Pattern)
	if text == "" {
		text = cmp.Or(p.shorten(args.Path), args.Query, args.URL, p.shorten(path))
	}
	return words.OneLine(sources.Tilde(text[:min(len(text), 16*detailSize)]), detailSize) // it may be a whole script
}

// callEnded notes how a call ended and what it did.
func (p *parser) callEnded(e *event) {
	if e.Data.ParentToolCallID != "" {
		return
	}
	model := p.useModel(e.Data.Model)
	id, ok := e.Data.ToolCallID, e.Data.Success
	open := p.calls[id]
	if open == ended || open == nil && (ok == nil || !*ok) {
		return
	} else if open == nil {
		open = &openCall{turn: len(p.session.Turns) - 1, tool: -1}
	}
	p.calls[id] = ended
	if open.tool >= 0 {
		t := &p.session.Turns[open.turn]
		t.End = latest(t.End, e.At.Time)
		t.Model = cmp.Or(t.Model, model)
		t.Tools[open.tool].OK = ok
		if t.Tools[open.tool].Command != "" {
			t.Tools[open.tool].Exit = p.exitCode(&e.Data)
		}
	}
	if ok == nil || *ok { // a failed call does nothing
		p.effect(open, e)
	}
}

// exitMark ends the result of a command, as it stands in a record. Before version 1.0.60
// nothing else tells the exit code.
var exitMark = regexp.MustCompile(`<(?:exited|shellId: \S{1,40} completed) with exit code (-?\d{1,9})>"`)

// exitCode is how a command ended, nil where that is not told.
func (p *parser) exitCode(d *eventData) *int {
	if d.Shell.ExitCode != nil {
		code := int(*d.Shell.ExitCode)
		return &code
	}
	given := p.exit
	if text := strings.TrimRight(d.Result.Content, " \r\n"); given == "" && strings.HasSuffix(text, ">") {
		given = text[max(len(text)-100, 0):] + `"`
	}
	mark := exitMark.FindStringSubmatch(given)
	if mark == nil {
		return nil
	}
	code, _ := strconv.Atoi(mark[1]) // nine digits fit
	return &code
}

// effect takes in what a call did.
func (p *parser) effect(open *openCall, e *event) {
	touches := e.Data.edits()
	if len(touches) == 0 {
		touches = open.touches
	}
	for _, t := range touches {
		if file, own := stateFileOf(t.Path); !own {
			p.touched(t, open.name, open.turn, e.At.Time)
		} else if t.Kind == sources.Created || t.Kind == sources.Edited { // in the session's own folder it is an artifact
			p.wrote(file, e)
		}
	}
	for _, ref := range open.refs {
		ref.Turn = open.turn
		p.refer(ref)
	}
	if open.todos != nil {
		p.session.Todos = words.Todos(open.todos, e.At.Time)
	}
	if open.scan != 0 {
		p.scan(e.Data.Result.Content, open)
	}
}

// edits are the files that a call says it changed.
func (d *eventData) edits() (all []touch) {
	for _, f := range d.FileEdits {
		if f.Path != "" {
			all = append(all, touch{Path: f.Path, Kind: words.ChangeKind(f.Kind)})
		}
	}
	return all
}

// touched notes a touch once per path, kind and turn.
func (p *parser) touched(t touch, tool string, turn int, at time.Time) {
	path := p.pathKey(t.Path)
	if t.Kind != sources.Viewed {
		p.first(onceChanged, path)
	}
	if p.first(onceTouch, t.Kind+"\x00"+strconv.Itoa(turn)+"\x00"+path) {
		p.session.Files = append(p.session.Files, sources.FileTouch{Path: t.Path, Kind: t.Kind, Tool: tool, Turn: turn, At: at})
	}
}

// shorten writes a path relative to the session's project or its own folder, else
// with ~ for the home folder.
func (p *parser) shorten(path string) string {
	slashed := strings.ReplaceAll(path, `\`, "/")
	if _, rest, ok := belowState(slashed); ok {
		return rest
	}
	root := cmp.Or(p.session.Place.GitRoot, p.session.Place.Cwd)
	root = strings.TrimRight(strings.ReplaceAll(root, `\`, "/"), "/")
	switch below, ok := strings.CutPrefix(slashed, root+"/"); {
	case root == "" || path == "":
	case slashed == root:
		return "."
	case ok:
		return below
	}
	return sources.Tilde(path)
}

// pathKey makes two spellings of a path one: below the project and relative,
// with either slash.
func (p *parser) pathKey(path string) string {
	return strings.TrimPrefix(p.shorten(strings.ReplaceAll(path, `\`, "/")), "./")
}

// endCalls gives up the calls that have not ended: their process is gone.
func (p *parser) endCalls() {
	for id := range p.calls {
		p.calls[id] = ended
	}
}
