package opencode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

type prompt struct {
	texts       []string
	attachments []sources.Attachment
	isOurs      bool // opencode asks for a summary
	isShell     bool // the user ran a command themselves
}

// attach takes in a file that was added to the prompt, or something that is not known.
func (q *prompt) attach(x *part) {
	kind, address := cmp.Or(words.OneLine(x.Type, 64), sources.File), cmp.Or(x.URL, x.URI)
	switch {
	case strings.HasPrefix(x.Mime, "image/"):
		kind = "image"
	case x.Mime == "application/x-directory":
		kind = "directory"
	}
	name := cmp.Or(string(x.Source.Get("path")), x.Filename, x.Name, tools.PlainPath(address), kind)
	q.attachments = append(q.attachments, sources.Attachment{Kind: kind, Name: words.OneLine(name, 200)})
}

// text takes in what was typed, said or summed up. What opencode puts beside a prompt is marked.
func (p *parser) text(x *part) {
	switch t, isPrompt := p.b.Turn(), p.cur.kind() == "user"; {
	case x.Synthetic || x.Ignored:
		p.isShell = p.isShell || strings.HasPrefix(x.Text, "The following tool was executed by the user")
	case isPrompt:
		p.texts = append(p.texts, x.Text)
	case p.sum != nil:
		p.sum.WriteString(x.Text + "\n")
	case t != nil:
		t.Say(x.Text, builder.Report) // the message says how it ended
	}
}

// asked opens a turn with a prompt. What opencode asks itself, and what the user ran, opens none.
func (p *parser) asked() {
	typed := strings.Join(slices.DeleteFunc(p.texts, func(text string) bool { return text == "" }), "\n")
	switch blank := strings.TrimSpace(typed) == ""; {
	case blank && p.isShell:
		p.turns[p.cur.ID] = nil
	case p.isOurs, blank && len(p.attachments) == 0:
		if p.newest != nil {
			p.turns[p.cur.ID] = p.newest
		}
	default:
		if p.quoted {
			typed = unquoted(typed)
		}
		isProgram := p.cur.Agent == "title" || p.cur.Agent == "summary" // agents by which opencode names and sums up
		p.keepPlan()
		p.turns[p.cur.ID] = p.open(builder.Prompt{Text: typed, Attachments: p.attachments, Program: isProgram})
		p.changes = map[string]string{}
		for _, d := range p.cur.Summary.Diffs {
			p.changes[string(d.Get("file"))] = tools.ChangeKind(string(d.Get("status")))
		}
	}
}

// unquoted returns a prompt of `opencode run`, which quotes each argument with a blank in it.
func unquoted(prompt string) string {
	inner, begins := strings.CutPrefix(prompt, `"`)
	inner, ends := strings.CutSuffix(inner, `"`)
	plain := strings.ReplaceAll(inner, `\"`, "\x00")
	if !begins || !ends || !strings.Contains(inner, " ") || strings.Contains(plain, `"`) {
		return prompt
	}
	return strings.ReplaceAll(plain, "\x00", `"`)
}

// open opens a turn, one without a prompt where the agent works and none is known. Its id is made
// of its time and text: those of a copy in a fork are the same, those of its message are not.
func (p *parser) open(q builder.Prompt) *builder.Turn {
	at := p.cur.Time.Created.Time
	key := files.Hash(strconv.FormatInt(at.UnixMilli(), 10), q.Text)
	q.ID = files.Hash("prompt", key, strconv.Itoa(p.repeats[key]))
	p.repeats[key]++
	if q.Text == "" && len(q.Attachments) == 0 {
		p.newest = p.b.Work()
	} else {
		p.newest = p.b.Prompt(q)
	}
	p.newest.ID, p.newest.At, p.newest.Inherited = q.ID, at, p.isCopied(at)
	if p.back {
		p.newest.TakeBack()
	}
	return p.newest
}

// answers begins an answer, of which a turn may have many: one for each request to the model.
func (p *parser) answers(m *message) {
	if m.Summary.Is || m.Agent == "compaction" || m.Mode == "compaction" {
		p.sum = &strings.Builder{}
		return
	}
	t := p.newest
	if m.ParentID != "" { // version 1 names the prompt
		known := false
		if t, known = p.turns[m.ParentID]; known && t == nil {
			return // the user ran it
		}
	}
	if t == nil { // the prompt could not be read, or stands in no row
		t = p.open(builder.Prompt{})
		p.turns[m.ParentID] = t
	}
	p.b.Select(t)
	t.By(words.OneLine(cmp.Or(m.ModelID, string(m.Model.Get("modelID")), string(m.Model.Get("id"))), 200))
	switch agent := cmp.Or(m.Agent, m.Mode); agent {
	case "build", "":
	case "plan":
		t.Mode = agent
	default:
		t.Agent = agent
	}
	place, u := &p.b.Session.Place, &m.Tokens
	place.Cwd = cmp.Or(place.Cwd, string(m.Path.Get("cwd")))
	t.Use(int64(max(u.In, 0)+max(u.Cache.Read, 0)+max(u.Cache.Write, 0)), int64(max(u.Out, 0)+max(u.Reasoning, 0)))
	t.Seen(m.Time.Created.Time)
	t.Seen(m.Time.Completed.Time)
	switch t.Status, t.Error = sources.Complete, ""; {
	case m.Error != nil && strings.Contains(strings.ToLower(m.Error.Name+m.Error.Type), "abort"):
		t.Cancel()
	case m.Error != nil:
		t.Fail(m.Error.String())
	case m.Time.Completed.IsZero(), m.Finish == "", m.Finish == "tool-calls":
		t.Status = sources.Pending
	}
}

func (p *parser) act(command string) {
	if command = words.CommandLine(command); command != "" && !p.back {
		p.b.Act(sources.ActionShell, "!"+command)
	}
}

func (p *parser) checkpoint(text string) {
	if text = strings.TrimSpace(text); text != "" && !p.back {
		p.b.Checkpoint(sources.Checkpoint{Title: builder.TitleOf(text), Raw: text})
	}
}
