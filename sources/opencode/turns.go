package opencode

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// prompt is a message of the user while it is read.
type prompt struct {
	texts       []string
	attachments []sources.Attachment
	isOurs      bool // opencode asks for a summary
	isShell     bool // the user ran a command themselves
}

func (q *prompt) add(text string) {
	if text != "" {
		q.texts = append(q.texts, text)
	}
}

// attach takes in a file that was added to the prompt.
func (q *prompt) attach(x *part) {
	address := string(cmp.Or(x.URL, x.URI))
	name := cmp.Or(x.Source.Path, x.Filename, x.Name, pathOf(address))
	kind := sources.File
	switch {
	case strings.HasPrefix(x.Mime, "image/"):
		kind = "image"
	case x.Mime == "application/x-directory":
		kind = "directory"
	}
	q.attachments = append(q.attachments, sources.Attachment{Kind: kind, Name: words.OneLine(name, 200)})
}

// pathOf is the path that a URL of a file names.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" {
		return address
	}
	if p := u.Path; len(p) > 2 && p[0] == '/' && p[2] == ':' { // a drive
		return p[1:]
	}
	return u.Path
}

// shellMark is what opencode writes in place of a prompt where the user ran a command.
const shellMark = "The following tool was executed by the user"

// subtask is what a command of the user asks a sub-agent to do.
func subtask(x *part) string {
	if x.Command != "" {
		return strings.TrimSpace("/" + x.Command + "\n\n" + x.Prompt)
	}
	return x.Prompt
}

// text takes in text: what was typed, said or summed up. What opencode puts beside a prompt is
// marked by it.
func (p *parser) text(x *part) {
	switch {
	case p.prompt != nil && (x.Synthetic || x.Ignored):
		p.prompt.isShell = p.prompt.isShell || strings.HasPrefix(x.Text, shellMark)
	case p.prompt != nil:
		p.prompt.add(x.Text)
	case x.Synthetic || x.Ignored || strings.TrimSpace(x.Text) == "":
	case p.sum != nil:
		p.sum.WriteString(x.Text + "\n")
	case p.turn >= 0 && p.cur.kind() == "assistant":
		said := p.said[p.turn]
		if said.Len() > 0 {
			said.WriteString("\n\n")
		}
		said.WriteString(x.Text)
	}
}

// asked opens a turn with a prompt. What opencode asks itself, and what the user ran, opens none.
func (p *parser) asked(q *prompt) {
	typed := strings.Join(q.texts, "\n")
	at := len(p.session.Turns) - 1
	switch {
	case strings.TrimSpace(typed) == "" && q.isShell:
		at = -1
	case q.isOurs, strings.TrimSpace(typed) == "" && len(q.attachments) == 0:
	default:
		if p.quoted {
			typed = unquoted(typed)
		}
		at = p.open(typed)
		p.session.Turns[at].Attachments = q.attachments
		p.changes = p.cur.Summary.Diffs
	}
	p.turns[p.cur.ID] = at
}

// unquoted is a prompt of `opencode run`, which puts quotes around each argument with a blank in
// it.
func unquoted(prompt string) string {
	inner, begins := strings.CutPrefix(prompt, `"`)
	inner, ends := strings.CutSuffix(inner, `"`)
	plain := strings.ReplaceAll(inner, `\"`, "\x00")
	if !begins || !ends || !strings.Contains(inner, " ") || strings.Contains(plain, `"`) {
		return prompt
	}
	return strings.ReplaceAll(plain, "\x00", `"`)
}

// open opens a turn. Its id is made of its time and text: those of a copy in a fork are the same,
// those of its message are not.
func (p *parser) open(typed string) int {
	s, at := p.session, p.cur.Time.Created.Time
	key := files.Hash(strconv.FormatInt(at.UnixMilli(), 10), typed)
	n := p.repeats[key]
	p.repeats[key]++
	s.Turns = append(s.Turns, sources.Turn{
		Index: len(s.Turns), ID: files.Hash("prompt", key, strconv.Itoa(n)), At: at, User: typed, Status: sources.Pending,
		Inherited: p.origin != "" && p.isOlder(at),
	})
	p.said = append(p.said, &strings.Builder{})
	return len(s.Turns) - 1
}

// answers begins an answer, of which a turn may have many: one for each request to the model.
func (p *parser) answers(m *message) {
	if m.Summary.Is || m.Mode == "compaction" || m.Agent == "compaction" {
		p.sum = &strings.Builder{}
		return
	}
	if m.ParentID != "" { // version 1 tells the prompt
		at, known := p.turns[m.ParentID]
		if !known { // it could not be read, or stands in no row
			at = p.open("")
			p.turns[m.ParentID] = at
		}
		if p.turn = at; at < 0 {
			return
		}
	}
	if p.turn < 0 {
		p.turn = p.open("")
	}
	t := &p.session.Turns[p.turn]
	if name := words.OneLine(m.modelName(), 200); name != "" {
		t.Model = name
		if !slices.Contains(p.session.Models, name) && !t.Inherited {
			p.session.Models = append(p.session.Models, name)
		}
	}
	switch agent := cmp.Or(m.Agent, m.Mode); agent {
	case "build", "":
	case "plan":
		t.Mode = agent
	default:
		t.Agent = agent
	}
	p.session.Place.Cwd = cmp.Or(p.session.Place.Cwd, m.Path.Cwd)
	addTokens(t, &m.Tokens)
	p.ends(t, m.Time.Created.Time)
	p.ends(t, m.Time.Completed.Time)
	t.Status, t.Error = statusOf(m)
}

// statusOf tells how a turn stands after an answer.
func statusOf(m *message) (status sources.Status, message string) {
	switch {
	case m.Error.isAbort():
		return sources.Cancelled, ""
	case m.Error != nil:
		return sources.Failed, m.Error.String()
	case m.Time.Completed.IsZero(), m.Finish == "", m.Finish == "tool-calls":
		return sources.Pending, ""
	}
	return sources.Complete, ""
}

// idle ends a turn of version 2.
func (p *parser) idle(outcome string) {
	if p.turn < 0 {
		return
	}
	t := &p.session.Turns[p.turn]
	switch outcome {
	case "succeeded":
		t.Status, t.Error = sources.Complete, ""
	case "failed":
		t.Status = sources.Failed
	case "interrupted":
		t.Status, t.Error = sources.Cancelled, ""
	}
}

// ends moves the end of a turn.
func (p *parser) ends(t *sources.Turn, at time.Time) {
	if at.After(t.End) {
		t.End = at
	}
}

// addTokens counts those of an answer. What came from a cache is not among its input.
func addTokens(t *sources.Turn, u *usage) {
	in := max(u.In, 0) + max(u.Cache.Read, 0) + max(u.Cache.Write, 0)
	out := max(u.Out, 0) + max(u.Reasoning, 0)
	if in+out == 0 {
		return
	}
	if t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In += int64(in)
	t.Tokens.Out += int64(out)
}

// act notes a command that the user ran.
func (p *parser) act(command string) {
	if command = words.CommandLine(command); command != "" {
		s := p.session
		s.Actions = append(s.Actions, sources.Action{Kind: sources.ActionShell, Text: "!" + command, Turn: len(s.Turns) - 1, At: p.cur.Time.Created.Time})
	}
}

// absolute is a path that a list of changes gives from the root of the work tree.
func absolute(root, file string) string {
	if root == "" || path.IsAbs(file) || strings.Contains(file, ":") {
		return file
	}
	return strings.TrimRight(root, `/\`) + "/" + file
}
