package codexcli

import (
	"cmp"
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

// copiedFrom records a further session_meta. If it is from another thread and before the first prompt, the
// following lines were copied; if it is from the same thread, it is ignored.
func (p *parser) copiedFrom(id string) {
	if id == "" || id == p.thread || p.origin != "" || p.root != "" || len(p.b.Turns()) > 0 {
		return
	}
	p.origin, p.copying, p.last = id, true, p.b.Now()
	p.b.Session.Parent = cmp.Or(p.b.Session.Parent, id)
}

// goOn checks before a record whether the copy has ended: in files of 0.55 all copied lines have the same millisecond.
func (p *parser) goOn() {
	const pause = time.Second // writing a copy takes less, typing a prompt more
	now := p.b.Now()
	if p.copying && !p.last.IsZero() && now.Sub(p.last) > pause {
		p.copying = false
	}
	p.last = now
}

// stillCopied decides by the id of Codex's turn, a UUID of version 7, whether it began before the fork.
func (p *parser) stillCopied(turn string) {
	if p.origin == "" || !sources.IsUUID(strings.ToLower(turn)) || turn[14] != '7' {
		return
	}
	if ms, err := strconv.ParseInt(turn[:8]+turn[9:13], 16, 64); err == nil {
		p.copying = time.UnixMilli(ms).Before(p.b.Session.Created)
	}
}

// prompt begins a turn with the person's text. Its id is made from the thread in which it was typed, its
// text, and how often that was typed before. Ids of Codex are not used, as its migration of older rollouts
// makes new ones (seen with 0.169 in files of 0.55 and 0.128) and keeps order and texts.
func (p *parser) prompt(text string, attachments []sources.Attachment) {
	p.tellReview()
	t := p.b.Prompt(builder.Prompt{ID: p.turnID(text), Text: text, Inherited: p.copying, Attachments: attachments})
	p.started, p.empty = false, 0
	t.By(p.model)
	t.Mode = p.mode
}

// turnID returns the id of the turn of a prompt, or of work without one.
func (p *parser) turnID(typed string) string {
	thread := p.thread
	if p.copying {
		thread = p.origin
	}
	return promptID(thread, typed, p.repeats)
}

// promptID returns the id of a prompt, counting earlier ones in repeats.
func promptID(thread, typed string, repeats map[string]int) string {
	key := files.Hash(thread, typed)
	n := repeats[key]
	repeats[key]++
	return files.Hash("prompt", thread, typed, strconv.Itoa(n))
}

// work returns the current turn, and begins one if there is no prompt, as for a goal or a review.
func (p *parser) work() *builder.Turn {
	if p.b.Turn() == nil {
		t := p.b.Work()
		t.ID, t.Mode, t.Inherited = p.turnID(""), p.mode, p.copying
		p.started, p.empty = false, 0
		t.By(p.model)
	}
	return p.b.Work()
}

// userMessage records a prompt of an enveloped rollout.
func (p *parser) userMessage(d *payload) {
	all := []part{{Type: "text", Text: d.Message}}
	for range d.Images {
		all = append(all, part{Type: "image"})
	}
	for _, path := range d.Locals {
		all = append(all, part{Type: "local_image", Path: path})
	}
	text, added := sorted(all)
	p.prompt(typed(text), added)
}

// userItem records a prompt of a paginated rollout.
func (p *parser) userItem(d *payload) {
	id := d.Item.ID
	if !p.prompts[id] {
		p.prompts[id] = id != ""
		text, added := sorted(d.Item.Content.all())
		p.prompt(typed(text), added)
	}
}

// bareMessage records a message of a rollout without events: a prompt, or an answer.
func (p *parser) bareMessage(d *payload) {
	switch {
	case d.bare && d.Role == "assistant":
		p.say(d.Content.String(), "")
	case d.bare && d.Role == "user":
		all := slices.DeleteFunc(d.Content.all(), func(c part) bool {
			text := strings.TrimLeft(c.Text, " \t\r\n")
			isInjected := slices.ContainsFunc(injected, func(begin string) bool { return strings.HasPrefix(text, begin) })
			if place := &p.b.Session.Place; isInjected && place.Cwd == "" {
				place.Cwd = tools.PlainPath(folderIn(text))
			}
			return isInjected
		})
		if text, added := sorted(all); strings.TrimSpace(text) != "" || len(added) > 0 {
			p.prompt(typed(text), added)
		}
	}
}

// sorted separates the text of a message from its attachments.
func sorted(all []part) (text string, added []sources.Attachment) {
	for _, c := range all {
		kind, name := words.OneLine(c.Type, maxKind), c.Name
		switch c.Type {
		case "text", "input_text", "":
			continue
		case "image", "local_image", "input_image":
			kind, name = "image", tools.PlainPath(c.Path)
		case "mention":
			kind, name = sources.File, tools.PlainPath(c.Path)
		}
		added = append(added, sources.Attachment{Kind: kind, Name: words.OneLine(name, 200)})
	}
	return content{Parts: all}.String(), added
}

// injected begin texts that Codex writes in the place of a prompt (seen in files of 0.2 to 0.169, and in real homes).
var injected = []string{
	"# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>", "<user_shell_command>",
	"<skill>", "<subagent_notification>", "<codex_internal_context", "<goal_context>", "<user_action>", "<recommended_plugins",
	"Another language model started to solve this problem",
}

// folderIn returns the folder named by the environment of a session, in words or between tags.
func folderIn(text string) string {
	return words.Between(text, [2]string{"<cwd>", "</cwd>"}, [2]string{"Current working directory: ", "\n"})
}

// typed returns the person's part of a prompt. An editor or the app may add sections before it, each with a heading:
// files, tabs, findings of a review, another conversation. The person's text follows the last of these.
func typed(prompt string) string {
	const request = "\n## My request for Codex:"
	text := "\n" + strings.TrimLeft(prompt, " \t\r\n")
	if at := strings.LastIndex(text, request); at >= 0 && strings.HasPrefix(strings.TrimLeft(text[1:], "#"), " ") && text[1] == '#' {
		return strings.TrimSpace(text[at+len(request):])
	}
	return prompt
}

// phases are Codex's names for phases, since 0.128. Some models do not use them.
var phases = map[string]builder.Phase{"commentary": builder.Report, "final_answer": builder.Final}

// say adds words of the agent. The notice of a compaction in versions of 2025 is not an answer.
func (p *parser) say(text, phase string) {
	if said := strings.TrimSpace(text); said != "" && said != "Compact task completed" {
		p.unsaid = ""
		p.work().Say(text, phases[phase])
	}
}

// taskStarted records that the agent begins. Work without a prompt does not belong to an earlier turn.
func (p *parser) taskStarted(d *payload) {
	p.tellReview()
	p.stillCopied(d.TurnID)
	if t := p.b.Turn(); t != nil && t.Status == sources.Pending { // its process was killed
		t.Cancel()
	}
	p.b.Select(nil)
	p.started = true
}

// taskComplete ends the turn, and has its last words if no other record does. A turn without words and work failed.
func (p *parser) taskComplete(d *payload) {
	t := p.b.Turn()
	if t == nil {
		return
	}
	p.tellReview()
	if !t.Said() {
		p.say(d.Last, "")
	}
	if t.Worked() {
		t.Complete()
	} else if t.Status == sources.Pending {
		t.Fail("")
	}
}

// aborted marks the turn as cancelled: its user interrupted it, or typed the next prompt.
func (p *parser) aborted(d *payload) {
	t := p.b.Turn()
	if t != nil && d.Reason != "review_ended" {
		t.Cancel()
	}
	if t == nil && p.started {
		p.started, p.empty = false, p.empty+1
	}
}

func (p *parser) failed(d *payload) {
	if t := p.b.Turn(); t != nil {
		t.Fail(d.Message)
	}
}

// rolledBack takes back the last prompts (seen in files of 0.128, which only append). A turn that was aborted before its prompt
// was recorded counts as one.
func (p *parser) rolledBack(d *payload) {
	back := int(min(d.NumTurns, 1<<20))
	unseen := min(back, p.empty)
	p.empty -= unseen
	for _, t := range p.b.Rewind(back - unseen) {
		p.repeats[files.Hash(p.thread, t.User)]--
	}
}

func (p *parser) used(d *payload) {
	t := p.b.Turn()
	if t == nil {
		return
	}
	if p.recorded != t {
		p.recorded, t.Tokens = t, nil
	}
	t.Use(int64(d.Usage.In), int64(d.Usage.Out))
}

// counted records tokens in the older way: the sum of the thread, repeatedly, with the usage of the last answer.
func (p *parser) counted(d *payload) {
	if t := p.b.Turn(); t != nil && p.recorded != t {
		t.Use(int64(d.Info.Last.In), int64(d.Info.Last.Out))
	}
}
