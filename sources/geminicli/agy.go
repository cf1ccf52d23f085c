package geminicli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
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

// The transcripts of Antigravity CLI (agy), and of the desktop program of that name, are undocumented: the
// formats here were seen in real files of June to October 2026.

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

// conversation reads a conversation of agy: its transcript, and the artifacts beside it.
func (r *reading) conversation(ctx context.Context) error {
	if r.Agent = desktopName; filepath.Base(filepath.Dir(filepath.Dir(r.Item.Path))) == agyName {
		r.Agent = agyName
	}
	var paths []string
	for _, p := range r.Item.Parts {
		if p.Name == partFull || p.Name == partCut || strings.HasPrefix(p.Name, foldChunks) {
			paths = append(paths, r.Item.File(p))
		}
	}
	la := sources.Layer{Name: layerTranscript, Rank: sources.RankLog}
	p, log := newSteps(r.Item.Session)
	if err := readAll(ctx, log, paths); err != nil {
		r.Problem(paths[0], fmt.Errorf("read transcript %q: %w", paths[0], err))
		la.Failed = true
	} else {
		r.Out.Records += log.Records
		r.Unknown(log.Unknown)
		la.Session, la.Provisional = p.finish(), log.Records == 0 || filepath.Base(paths[0]) != partFull // a substitute may have less
		la.Session.Damage = append(log.Damage(), la.Session.Damage...)
		r.locate(ctx, la.Session, p.cwd)
	}
	r.Add(la)
	r.artifacts()
	return nil
}

// locate finds the folder of a conversation: the last one in the lists, else its first command's.
func (r *reading) locate(ctx context.Context, s *sources.Session, cwd string) {
	for _, told := range append(r.lines(ctx, partLast), r.lines(ctx, partTyped)...) {
		s.Place.Cwd = told.text
	}
	if s.Place.Cwd == "" {
		s.Place = sources.Place{Cwd: cwd, Guessed: true}
	} else {
		s.ShortenFiles()
	}
}

// kindsOf maps the artifacts that agy makes by itself.
var kindsOf = map[string]string{"implementation_plan.md": sources.Plan, "task.md": sources.Plan, "walkthrough.md": sources.Summary}

// artifacts reads the agent's files beside the conversation: plans, lists of tasks and summaries, each with a
// file with its time. If one cannot be read, the layer fails.
func (r *reading) artifacts() {
	problems := len(r.Out.Problems)
	all, _ := r.Texts(foldArtifacts, ".md", maxText, func(name string) string { return cmp.Or(kindsOf[name], sources.File) })
	la := sources.Layer{Name: layerArtifacts, Rank: sources.RankSidecar, Failed: len(r.Out.Problems) > problems}
	for i, a := range all {
		if about, ok := r.Item.Part(foldArtifacts + a.Name + ".metadata.json"); ok {
			var file struct {
				At words.Instant `json:"updatedAt"`
			}
			if _, err := decode.File(r.Item.File(about), maxText, &file); err != nil { // without its time, if damaged
				r.Problem(r.Item.File(about), err)
			}
			all[i].At = file.At.Time
		}
	}
	if !la.Failed {
		la.Session = &sources.Session{Artifacts: all}
	}
	if la.Failed || len(all) > 0 {
		r.Add(la)
	}
}

// readAll reads a transcript from one file, or from several chunks in order, which are cut in the middle of lines.
func readAll(ctx context.Context, log *jsonl.Log[step], paths []string) error {
	var all []io.Reader
	for _, path := range paths {
		f, _, err := files.OpenLog(path)
		if err != nil {
			return err
		}
		defer f.Close()
		all = append(all, f)
	}
	return log.Read(ctx, io.MultiReader(all...), 0)
}

type steps struct {
	b     *builder.Builder
	begun bool
	cwd   string // folder of the first command
	model string
	cut   int
	open  []*builder.Called // without result yet
}

// newSteps returns a reader that skips the program's own files of the conversation.
func newSteps(id string) (*steps, *jsonl.Log[step]) {
	p, own := &steps{b: builder.New()}, "/brain/"+id+"/"
	p.b.PathOf = func(path string) string {
		if strings.Contains(strings.ReplaceAll(path, `\`, "/"), own) {
			return ""
		}
		return tools.PlainPath(path)
	}
	log, bad := &jsonl.Log[step]{}, 0
	log.Take = func(s *step) (unknown string, ok bool) {
		if log.Bad > bad {
			bad = log.Bad
			if t := p.b.Turn(); t != nil && t.Status == sources.Complete { // something is lost, maybe the next prompt
				p.b.Select(nil)
			}
		}
		return p.take(s)
	}
	return p, log
}

func (p *steps) finish() *sources.Session {
	p.finishCalls()
	s := p.b.Finish()
	if s.Class = ""; p.cut > 0 {
		s.Damage = append(s.Damage, words.Count(p.cut, "step")+" of the transcript are cut, the whole one is not there")
	}
	return s
}

// kinds maps the tools whose results have a type of their own.
var kinds = map[string]string{
	"RUN_COMMAND": sources.ToolRun, "CODE_ACTION": sources.ToolEdit, "VIEW_FILE": sources.ToolRead,
	"LIST_DIRECTORY": sources.ToolList, "GREP_SEARCH": sources.ToolSearch, "GENERIC": "",
}

func (p *steps) take(s *step) (unknown string, ok bool) {
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

// injectedBlocks are the blocks that the program puts after a person's text.
var injectedBlocks = []string{"ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE"}

// chosen matches the model in such a block.
var chosen = regexp.MustCompile("setting `Model Selection` from .+? to (.+?)\\. No need to comment")

func (p *steps) prompt(s *step) {
	if s.Source != "USER_EXPLICIT" {
		return
	}
	p.finishCalls()
	whole := string(s.Content)
	typed, _, after, ok := words.CutBlock(whole, "USER_REQUEST", strings.LastIndex)
	if !ok {
		typed, after = words.WithoutBlocks(whole, injectedBlocks), whole
	}
	if m := chosen.FindStringSubmatch(after); m != nil {
		p.model = words.OneLine(m[1], 200)
	}
	id := ""
	if s.Index != nil {
		id = "step " + strconv.FormatInt(int64(*s.Index), 10)
	}
	p.b.Prompt(builder.Prompt{ID: id, Key: "typed", Text: strings.Trim(typed, "\r\n")}).By(p.model)
}

// response records the agent's words and calls.
func (p *steps) response(s *step) {
	p.finishCalls()
	t, phase := p.b.Work(), builder.Answer
	if len(s.Calls) > 0 {
		phase = builder.Report
	}
	t.Say(string(s.Content), phase)
	for _, c := range s.Calls {
		a := &c.Args
		for _, text := range []*string{&a.Path, &a.Command.Text, &a.Cwd, &a.ToolSummary, &a.First} {
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

// exitMark matches the exit code in the text of a result.
var exitMark = regexp.MustCompile(`exited with code (-?\d{1,9})`)

// result records the output of a call. It names no call: it belongs to the only open call that may have such a result.
func (p *steps) result(s *step) {
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

// finishCalls ends calls whose results cannot be matched, as successes.
func (p *steps) finishCalls() {
	for _, c := range p.open {
		c.End(builder.Result{})
	}
	p.open = nil
}
