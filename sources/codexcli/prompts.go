package codexcli

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// copiedFrom takes in a further session_meta. One of another thread before the first prompt
// says that what follows was copied; those of the same thread say nothing new.
func (p *parser) copiedFrom(id string) {
	if id == "" || id == p.thread || p.origin != "" || p.worker != nil || len(p.b.Turns()) > 0 {
		return
	}
	p.origin, p.copying, p.last = id, true, p.b.Now()
	if p.b.Session.Parent == "" {
		p.b.Session.Parent = id
	}
}

// copyPause is what no writing of a copy pauses, and who types a prompt takes longer. In
// files of 0.55 all of a copy has the same millisecond.
const copyPause = time.Second

// goOn looks whether the copy has ended before a record.
func (p *parser) goOn() {
	now := p.b.Now()
	if p.copying && !p.last.IsZero() && now.Sub(p.last) > copyPause {
		p.copying = false
	}
	p.last = now
}

// stillCopied decides by the id of Codex's turn, a UUID of version 7, whether that began before
// the fork.
func (p *parser) stillCopied(turn string) {
	if at := bornAt(turn); p.origin != "" && !at.IsZero() {
		p.copying = at.Before(p.b.Session.Created)
	}
}

// bornAt returns the time in a UUID of version 7, zero for another id.
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

// prompt begins a turn with what the person typed.
func (p *parser) prompt(text string, attachments ...sources.Attachment) {
	p.tellReview()
	t := p.b.Prompt(builder.Prompt{ID: p.turnID(text), Text: text, Inherited: p.copying, Attachments: attachments})
	t.By(p.model)
	t.Mode = p.mode
}

// turnID is by what a turn is known: the thread in which it was typed, its text, and how often
// that was typed before. Ids of Codex are not taken, for its migration of older rollouts makes
// new ones (seen with 0.169 in files of 0.55 and 0.128) and keeps order and texts.
func (p *parser) turnID(typed string) string {
	thread := p.thread
	if p.copying {
		thread = p.origin
	}
	return promptID(thread, typed, p.repeats)
}

// promptID returns the id of a prompt, of which some were met before.
func promptID(thread, typed string, repeats map[string]int) string {
	key := files.Hash(thread, typed)
	n := repeats[key]
	repeats[key]++
	return files.Hash("prompt", thread, typed, strconv.Itoa(n))
}

// work returns the turn in which the agent is at work. Without a prompt, as for a goal or a
// review, the work begins one.
func (p *parser) work() *builder.Turn {
	if p.b.Turn() == nil {
		t := p.b.Work()
		t.ID, t.Mode, t.Inherited = p.turnID(""), p.mode, p.copying
		t.By(p.model)
	}
	return p.b.Work()
}

// userMessage takes in a prompt of an enveloped rollout.
func (p *parser) userMessage(r *record) {
	d := &r.Payload
	var added []sources.Attachment
	for range d.Images {
		added = append(added, attachment("image", ""))
	}
	for _, path := range d.Locals {
		added = append(added, attachment("image", tools.PlainPath(path)))
	}
	p.prompt(typed(d.Message), added...)
}

// userItem takes in a prompt of a paginated rollout.
func (p *parser) userItem(r *record) {
	id := r.Payload.Item.ID
	if p.prompts[id] {
		return
	}
	p.prompts[id] = id != ""
	var added []sources.Attachment
	for _, c := range r.Payload.Item.Content.all() {
		switch c.Type {
		case "text":
		case "image", "local_image":
			added = append(added, attachment("image", tools.PlainPath(c.Path)))
		case "mention":
			added = append(added, attachment(sources.File, tools.PlainPath(c.Path)))
		default:
			added = append(added, attachment(words.OneLine(c.Type, maxKind), c.Name))
		}
	}
	p.prompt(typed(r.Payload.Item.Content.String()), added...)
}

func attachment(kind, name string) sources.Attachment {
	return sources.Attachment{Kind: kind, Name: words.OneLine(name, 200)}
}

// bareMessage takes in a message of a rollout without events: a prompt, or an answer.
func (p *parser) bareMessage(r *record) {
	d := &r.Payload
	if r.bare && d.Role == "assistant" {
		p.say(d.Content.String(), "")
	}
	if !r.bare || d.Role != "user" {
		return
	}
	var said []string
	var added []sources.Attachment
	for _, c := range d.Content.all() {
		switch {
		case c.Type == "input_image":
			added = append(added, attachment("image", ""))
		case isInjected(c.Text):
			if s := p.b.Session; s.Place.Cwd == "" {
				s.Place.Cwd = tools.PlainPath(folderIn(c.Text))
			}
		case strings.TrimSpace(c.Text) != "":
			said = append(said, c.Text)
		case c.Type != "input_text" && c.Type != "text" && c.Type != "":
			added = append(added, attachment(words.OneLine(c.Type, maxKind), c.Name))
		}
	}
	if len(said)+len(added) > 0 {
		p.prompt(typed(strings.Join(said, "\n")), added...)
	}
}

// injected is what Codex puts into the place of a prompt (seen in files of 0.2 to 0.169, and
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

// folderIn returns the folder that the environment of a session names, in its words or between
// tags.
func folderIn(text string) string {
	for _, marks := range [][2]string{{"<cwd>", "</cwd>"}, {"Current working directory: ", "\n"}} {
		if _, rest, ok := strings.Cut(text, marks[0]); ok {
			folder, _, _ := strings.Cut(rest, marks[1])
			return strings.TrimSpace(folder)
		}
	}
	return ""
}

// request is the heading that an editor or the app puts between what it adds and what the
// person typed.
const request = "## My request for Codex:"

// typed returns what the person typed of a prompt. An editor may have put sections before it:
// files, tabs, findings of a review.
func typed(prompt string) string {
	begin := strings.TrimLeft(prompt, " \t\r\n")
	if strings.HasPrefix(begin, "# ") {
		if _, own, ok := strings.Cut(begin, "\n"+request); ok {
			return strings.TrimSpace(own)
		}
	}
	if own, ok := strings.CutPrefix(begin, request); ok {
		return strings.TrimSpace(own)
	}
	return prompt
}

// String joins the texts of a message.
func (c content) String() string {
	var out []string
	for _, c := range c.all() {
		if c.Text != "" {
			out = append(out, c.Text)
		}
	}
	return strings.Join(out, "\n")
}

// say adds words of the agent. In 0.128 and later it marks reports on its work; versions before
// do not, and neither do some models.
func (p *parser) say(text, phase string) {
	if strings.TrimSpace(text) == "" || strings.TrimSpace(text) == compactionDone {
		return
	}
	p.unsaid = ""
	switch phase {
	case "commentary":
		p.work().Say(text, builder.Report)
	case "final_answer":
		p.work().Say(text, builder.Final)
	default:
		p.work().Say(text, builder.Answer)
	}
}

// compactionDone is what versions of 2025 said after a compaction: no answer.
const compactionDone = "Compact task completed"

func (p *parser) taskStarted(r *record) {
	p.tellReview()
	p.stillCopied(r.Payload.TurnID)
	if t := p.b.Turn(); t != nil && t.Status == sources.Pending { // its process was killed
		t.Cancel()
	}
	p.b.Select(nil) // what comes without a prompt is of no turn before
}

// taskComplete ends the turn. Where nothing else has what was said last, it does.
func (p *parser) taskComplete(r *record) {
	t := p.b.Turn()
	if t == nil {
		return
	}
	p.tellReview()
	if !t.Said() {
		p.say(r.Payload.Last, "")
	}
	if t.Worked() {
		t.Complete()
	}
}

// aborted marks the turn as cancelled: its user interrupted it, or typed the next prompt.
func (p *parser) aborted(r *record) {
	if t := p.b.Turn(); t != nil && r.Payload.Reason != "review_ended" {
		t.Cancel()
	}
}

func (p *parser) failed(r *record) {
	if t := p.b.Turn(); t != nil {
		t.Fail(r.Payload.Message)
	}
}

// rolledBack takes back the last prompts (seen in files of 0.128, which only append).
func (p *parser) rolledBack(r *record) {
	for _, t := range p.b.Rewind(int(min(r.Payload.NumTurns, 1<<20))) {
		p.repeats[files.Hash(p.thread, t.User)]--
	}
}

// used takes in the tokens of one answer. counted is the older way: the sum of the thread,
// again and again, with what the last answer used.
func (p *parser) used(r *record) {
	t, u := p.b.Turn(), r.Payload.Usage
	if t == nil || u == nil {
		return
	}
	if p.recorded != t {
		p.recorded, t.Tokens = t, nil
	}
	t.Use(int64(u.In), int64(u.Out))
}

func (p *parser) counted(r *record) {
	if t := p.b.Turn(); t != nil && p.recorded != t && !p.passedCount {
		t.Use(int64(r.Payload.Info.Last.In), int64(r.Payload.Info.Last.Out))
	}
	p.passedCount = false
}
