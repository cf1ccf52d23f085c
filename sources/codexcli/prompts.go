package codexcli

import (
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// fork is what is known of a fork that copies its parent, which versions of 2025 made: their
// lines get new times, and the parent's own session_meta is among them.
type fork struct {
	origin  string // the thread that was copied; empty: none
	copying bool   // the record is one of those
	last    time.Time
}

// copiedFrom takes in a further session_meta. One of another thread before the first prompt
// tells that what follows was copied; those of the same thread say nothing new.
func (p *parser) copiedFrom(id string) {
	if id == "" || id == p.thread || p.origin != "" || p.worker != nil || len(p.session.Turns) > 0 {
		return
	}
	p.origin, p.copying, p.last = id, true, p.now
	if p.session.Parent == "" {
		p.session.Parent = id
	}
}

// copyPause is what no writing of a copy pauses, and who types a prompt takes longer. In
// files of 0.55 all of a copy has the same millisecond.
const copyPause = time.Second

// goOn looks whether the copy has ended before a record.
func (p *parser) goOn() {
	if p.copying && !p.last.IsZero() && p.now.Sub(p.last) > copyPause {
		p.copying = false
	}
	p.last = p.now
}

// stillCopied tells by the id of Codex's turn, a UUID of version 7, whether that began before
// the fork.
func (p *parser) stillCopied(turn string) {
	if at := bornAt(turn); p.origin != "" && !at.IsZero() {
		p.copying = at.Before(p.session.Created)
	}
}

// bornAt is the time in a UUID of version 7, zero for another id.
func bornAt(id string) time.Time {
	if !sources.IsUUID(strings.ToLower(id)) || id[14] != '7' {
		return time.Time{}
	}
	b, err := hex.DecodeString(id[:8] + id[9:13])
	if err != nil {
		return time.Time{}
	}
	var ms int64
	for _, x := range b {
		ms = ms<<8 | int64(x)
	}
	return time.UnixMilli(ms).UTC()
}

// userMessage takes in a prompt of an enveloped rollout.
func (p *parser) userMessage(r *record) {
	d := &r.Payload
	t := p.openTurn(typed(d.Message))
	for range d.Images {
		attach(t, "image", "")
	}
	for _, path := range d.Locals {
		attach(t, "image", plainPath(path))
	}
}

// userItem takes in a prompt of a paginated rollout.
func (p *parser) userItem(r *record) {
	if id := r.Payload.Item.ID; p.prompts[id] {
		return
	} else if id != "" {
		p.prompts[id] = true
	}
	t := p.openTurn(typed(textOf(r.Payload.Item.Content)))
	for _, c := range r.Payload.Item.Content {
		switch c.Type {
		case "text":
		case "image", "local_image":
			attach(t, "image", plainPath(c.Path))
		case "mention":
			attach(t, sources.File, plainPath(c.Path))
		default:
			attach(t, words.OneLine(c.Type, maxKind), c.Name)
		}
	}
}

func attach(t *sources.Turn, kind, name string) {
	t.Attachments = append(t.Attachments, sources.Attachment{Kind: kind, Name: words.OneLine(name, 200)})
}

// bareMessage takes in a message of a rollout without events: a prompt, or an answer.
func (p *parser) bareMessage(r *record) {
	d := &r.Payload
	if !p.bare {
		return
	}
	if d.Role == "assistant" {
		p.say(textOf(d.Content), "")
		return
	}
	if d.Role != "user" {
		return
	}
	var said []string
	var pictures int
	for _, c := range d.Content {
		switch {
		case c.Type == "input_image":
			pictures++
		case isInjected(c.Text):
			if cwd, _, _, ok := words.CutBlock(strings.TrimSpace(c.Text), "environment_context", strings.Index); ok && p.session.Place.Cwd == "" {
				_, cwd, _ = strings.Cut(cwd, "<cwd>")
				cwd, _, _ = strings.Cut(cwd, "</cwd>")
				p.session.Place.Cwd = plainPath(strings.TrimSpace(cwd))
			}
		case strings.TrimSpace(c.Text) != "":
			said = append(said, c.Text)
		}
	}
	if len(said)+pictures == 0 {
		return
	}
	t := p.openTurn(typed(strings.Join(said, "\n")))
	for range pictures {
		attach(t, "image", "")
	}
}

// injected is what Codex puts into the place of a prompt (seen in files of 0.55 to 0.169, and
// in real homes).
var injected = []string{
	"# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>", "<user_shell_command>", "<skill>",
	"<subagent_notification>", "<codex_internal_context", "<goal_context>", "<user_action>", "<recommended_plugins",
	"Another language model started to solve this problem",
}

func isInjected(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return slices.ContainsFunc(injected, func(begin string) bool { return strings.HasPrefix(text, begin) })
}

// request is the heading that an editor or the app puts between what it adds and what the
// person typed.
const request = "## My request for Codex:"

// typed is what the person typed of a prompt, which an editor may have put files and tabs
// before.
func typed(prompt string) string {
	begin := strings.TrimLeft(prompt, " \t\r\n")
	if strings.HasPrefix(begin, "# Context from my IDE setup:") || strings.HasPrefix(begin, "# Files mentioned by the user") {
		if _, own, ok := strings.Cut(begin, "\n"+request); ok {
			return strings.TrimSpace(own)
		}
	}
	if own, ok := strings.CutPrefix(begin, request); ok {
		return strings.TrimSpace(own)
	}
	return prompt
}

// textOf joins the texts of a message.
func textOf(parts []part) string {
	var out []string
	for _, c := range parts {
		if c.Text != "" {
			out = append(out, c.Text)
		}
	}
	return strings.Join(out, "\n")
}
