package cursor

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
)

// session reads what a home has of a session: its transcript, and the store of the CLI.
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

// folderKey is what Cursor makes of a path for the name of a project, signs that are no letters taken for alike.
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

// readText reads a transcript of the time before February 2026: roles, calls and their results stand on lines of their own, and
// what belongs to a call is indented.
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
	p.end("")
	return p.talk, nil
}

type textParser struct {
	*talk
	what  string   // the lines are of: a role, a call, thinking or a result; empty: nobody's
	name  string   // of the call
	lines []string // under way
}

// What lines are of.
const (
	ofUser       = "user:"
	ofAgent      = "assistant:"
	ofCall       = "[Tool call] "
	ofBackground = "[Thinking]" // or a result
)

func (p *textParser) line(line string) {
	isWork := p.what != "" && p.what != ofUser
	isIndented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.TrimSpace(line) == ""
	switch name, isCall := strings.CutPrefix(line, ofCall); {
	case line == ofUser, line == ofAgent:
		p.end(line)
		p.records++
	case isWork && isCall:
		p.end(ofCall)
		p.name = strings.TrimSpace(name)
	case isWork && (strings.HasPrefix(line, ofBackground) || strings.HasPrefix(line, "[Tool result]")):
		p.end(ofBackground)
	case isWork && p.what != ofAgent && !isIndented:
		p.end(ofAgent)
		fallthrough
	default:
		p.lines = append(p.lines, line)
	}
}

// end takes in what was under way, and begins something else.
func (p *textParser) end(next string) {
	said := part{Type: "text", Text: strings.Trim(strings.Join(p.lines, "\n"), "\n")}
	switch hasText := strings.TrimSpace(said.Text) != ""; {
	case p.what == ofCall:
		p.called()
	case p.what == ofUser && hasText:
		p.asked([]part{said})
	case p.what == ofAgent && hasText:
		p.answered(&said)
	}
	p.what, p.lines = next, nil
}

// called takes in a call, whose parameters stand as "key: value" on lines of their own.
func (p *textParser) called() {
	one := part{Type: "tool_use", Name: decode.Loose(p.name)}
	in := &one.Input
	to := map[string]*string{"path": &in.Path, "file_path": &in.Path, "target_file": &in.Path, "relativeWorkspacePath": &in.Path,
		"command": &in.Command.Text, "query": &in.Query, "pattern": &in.Pattern, "description": &in.Description}
	for _, line := range p.lines {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if field := to[key]; ok && field != nil && *field == "" {
			*field = value
		}
	}
	in.Text = strings.Join(p.lines, "\n")
	p.answered(&one)
}
