package cursor

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
)

// session reads what a home has of a session: its transcript, and the store of the CLI.
func (r *reading) session(ctx context.Context) error {
	if _, ok := r.Item.Part(partStore); ok {
		r.Agent = cliName
	}
	for part, read := range map[string]func(context.Context, string) (*talk, []string, error){partLines: r.lines, partText: r.text} {
		err := r.Layer(ctx, sources.Layer{Name: layerTranscript, Rank: sources.RankLog}, part, func(la *sources.Layer, path string) error {
			k, damage, err := read(ctx, path)
			if err != nil {
				return err
			}
			s := finish(k.Builder, "")
			s.Damage, s.Complete = damage, true
			project := projectOf(path)
			s.Place.Cwd = k.folder(func(dir string) bool { return project != "" && folderKey(dir) == folderKey(project) })
			s.Place.Guessed = s.Place.Cwd == ""
			la.Session, la.Provisional = s, len(s.Turns) == 0
			return nil
		})
		if err != nil {
			return err
		}
	}
	return r.stored(ctx)
}

// lines reads a transcript of one message a line.
func (r *reading) lines(ctx context.Context, path string) (*talk, []string, error) {
	k := newTalk()
	log := jsonl.Log[message]{Take: func(m *message) (string, bool) {
		k.take(m)
		return "", true
	}}
	if err := log.ReadFile(ctx, path); err != nil {
		return nil, nil, err
	}
	r.Out.Records += log.Records
	r.Unknown(log.Unknown)
	r.Unknown(k.unknown)
	return k, log.Damage(), nil
}

// text reads a transcript of the time before February 2026: roles, calls and their results stand on
// lines of their own, and what belongs to a call is indented.
func (r *reading) text(_ context.Context, path string) (*talk, []string, error) {
	p := textParser{talk: newTalk()}
	text, err := files.ReadText(path, files.MaxLine)
	if err != nil {
		return nil, nil, fmt.Errorf("read transcript: %w", err)
	}
	if text.Left != "" {
		return p.talk, []string{"the transcript is " + text.Left}, nil
	}
	for line := range strings.Lines(text.Body) {
		p.line(strings.TrimRight(line, "\r\n"))
	}
	p.role("")
	r.Out.Records += p.records
	return p.talk, nil, nil
}

// textParser takes in the lines of such a transcript.
type textParser struct {
	*talk
	who     string // whose text it is: "user", "assistant"; empty: nobody's
	within  string // what the indented lines belong to: thinking, a call, a result; empty: the text
	body    []string
	call    string
	args    []string
	records int
}

func (p *textParser) line(line string) {
	indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
	switch {
	case line == "user:", line == "assistant:":
		p.role(strings.TrimSuffix(line, ":"))
		return
	case p.who == "assistant" && strings.HasPrefix(line, "[Tool call] "):
		p.part("call")
		p.call = strings.TrimSpace(strings.TrimPrefix(line, "[Tool call] "))
		return
	case p.who == "assistant" && (strings.HasPrefix(line, "[Tool result]") || strings.HasPrefix(line, "[Thinking]")):
		p.part("aside")
		return
	case p.within != "" && !indented && strings.TrimSpace(line) != "":
		p.part("")
	}
	switch p.within {
	case "call":
		p.args = append(p.args, line)
	case "":
		p.body = append(p.body, line)
	}
}

// role ends what the one said and begins what the other says.
func (p *textParser) role(who string) {
	p.part("")
	p.paragraph()
	p.who = who
	if who != "" {
		p.records++
	}
}

// part ends a call or a paragraph and begins what follows.
func (p *textParser) part(what string) {
	if p.within == "call" {
		p.called()
	}
	if what != "" {
		p.paragraph()
	}
	p.within = what
}

// paragraph takes in the text so far.
func (p *textParser) paragraph() {
	text := strings.Trim(strings.Join(p.body, "\n"), "\n")
	p.body = nil
	if strings.TrimSpace(text) == "" {
		return
	}
	parts := []part{{Type: "text", Text: text}}
	switch p.who {
	case "user":
		p.asked(parts)
	case "assistant":
		p.answered(&parts[0])
	}
}

// called takes in a call, whose parameters stand as "key: value" on lines of their own.
func (p *textParser) called() {
	one := part{Type: "tool_use", Name: loose(p.call)}
	to := map[string]*string{"path": &one.Input.Path, "file_path": &one.Input.FilePathSnake, "target_file": &one.Input.Target, "command": &one.Input.Command.Text,
		"query": &one.Input.Query, "pattern": &one.Input.Pattern, "description": &one.Input.Description, "relativeWorkspacePath": &one.Input.Relative}
	for _, line := range p.args {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if field := to[key]; ok && field != nil && *field == "" {
			*field = value
		}
	}
	one.Input.Text = strings.Join(p.args, "\n")
	p.answered(&one)
	p.call, p.args = "", nil
}

// agent reads the transcript of a sub-agent: a layer of the session that it worked for.
func (r *reading) agent(ctx context.Context) error {
	part, _ := r.Item.Part(partAgent)
	file := r.Item.File(part)
	k, damage, err := r.lines(ctx, file)
	if err != nil {
		return err
	}
	s := finish(k.Builder, "")
	s.Damage = damage
	name := path.Base(r.Item.Key)
	if len(s.Turns) > 0 {
		r.give(sessionID(path.Base(path.Dir(r.Item.Key))), sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Session: builder.WorkOf(s, sources.Delegation{ID: sessionID(name)})})
	}
	return nil
}
