package claudecode

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// user records a line in the place of a prompt, and returns its turn.
func (p *parser) user(r *record, owner *turn) *turn {
	results := false
	for i := range r.Message.Content.Blocks {
		if b := &r.Message.Content.Blocks[i]; b.Type == "tool_result" {
			results = true
			p.b.Result(b.ToolUseID, p.result(r, b))
		}
	}
	in := promptOf(r.Message.Content)
	kind := kindIn(r, in.Text)
	p.queue.remove(in.Text)
	switch {
	case r.IsCompactSummary || r.TranscriptOnly:
		p.compacted(r.Message.Content.String())
	case r.IsMeta: // a timer's or the program's
		owner.pictured(in.Text)
	case !results && (in.Text != "" || len(in.Attachments) > 0) || kind == interruption:
		return p.said(r, in, kind, owner)
	}
	return owner
}

func (p *parser) said(r *record, in builder.Prompt, kind textKind, owner *turn) *turn {
	switch kind {
	case typedPrompt:
		return p.prompt(r, in, owner)
	case slashCommand: // the program's own is an action; a project's command or a skill is a prompt
		line := slashOf(in.Text)
		if p.command = line; line != "" && !isLocal(line) {
			return p.prompt(r, builder.Prompt{Text: line, Command: r.Origin.Kind != "human"}, owner)
		}
		p.act(line, owner)
	case acceptedPlan:
		owner = p.open(r, in, owner)
		p.planned = true
		if from := strings.TrimSuffix(path.Base(slashed(in.Text)), ".jsonl"); sources.IsUUID(from) && r.SessionID == p.id { // the text ends with its transcript
			p.parent = cmp.Or(p.parent, from)
		}
		p.b.Artifact(sources.Artifact{Kind: sources.Plan, Name: cmp.Or(r.Slug, "plan") + ".md", Text: strings.TrimSpace(r.PlanContent)})
		p.b.Tell(sources.Act{Kind: sources.ActPlanned, Text: builder.TitleOf(r.PlanContent), Verdict: sources.Accepted})
	case programPrompt:
		if owner == nil || owner.auto { // else it continues the turn
			owner = p.add(p.b.Prompt(builder.Prompt{ID: r.UUID, Text: in.Text, Program: true}), r, owner)
			owner.auto = true
		}
		p.shellEnded(in.Text)
		owner.Note()
	case shellCommand, shellOutput:
		if kind == shellCommand {
			p.act("!"+within(in.Text, "bash-input"), owner)
		}
		if owner != nil {
			owner.shell = r.UUID
		}
	case memoryNote:
		note := within(in.Text, "user-memory-input")
		p.act("#"+note, owner)
		p.b.Tell(sources.Act{Kind: sources.ActRemembered, Text: note})
	case interruption:
		if owner != nil {
			owner.Cancel()
		}
	case compaction:
		p.compacted(in.Text)
	case failedProbe:
		p.probed = true
	}
	return owner
}

// open begins a turn of a person. If two prompts have lines with one id, the second gets none.
func (p *parser) open(r *record, in builder.Prompt, owner *turn) *turn {
	if was := p.lines[r.UUID].turn; was == nil || was.ID != r.UUID || was.User == in.Text {
		in.ID = r.UUID
	}
	in.Key, in.Once = r.PromptID, true
	return p.add(p.b.Prompt(in), r, owner)
}

func (p *parser) prompt(r *record, in builder.Prompt, owner *turn) *turn {
	p.unasked = slices.Contains([]string{"bypassPermissions", "auto", "dontAsk"}, r.PermissionMode)
	if owner != nil && !owner.typed && owner.ID == r.ParentUUID && owner.User == in.Text && !owner.Worked() && owner.Status == sources.Pending {
		return owner // it was queued, and is repeated
	}
	t := p.open(r, in, owner)
	t.typed = r.PromptSource != "queued"
	t.proven = r.PromptSource == "typed" || r.PromptSource == "" && r.Origin.Kind == "human" || isBefore(r.Version, bridges)
	p.follow(t)
	return t
}

// attachment records a prompt that was typed while the agent worked, and read in the middle of a turn.
func (p *parser) attachment(r *record, owner *turn) *turn {
	a := &r.Attachment
	if a.Type != queuedCommand {
		return owner
	}
	in := promptOf(a.Prompt)
	p.queue.remove(in.Text)
	p.shellEnded(in.Text)
	isTyped := (a.CommandMode == "" || a.CommandMode == "prompt") && (a.Origin.Kind == "" || a.Origin.Kind == "human") && !r.IsMeta
	if !isTyped || in.Text == "" && len(in.Attachments) == 0 || in.Text != "" && !isOfPerson(in.Text) {
		return owner
	}
	p.b.At(a.Timestamp.Time)
	in.Joins = true
	return p.open(r, in, owner)
}

// exitCode matches the end of the program's note about the end of a background command.
var exitCode = pattern.Lazy(`\(?exit code (-?\d{1,9})\)?$`)

// shellEnded records such a note.
func (p *parser) shellEnded(text string) {
	if !strings.HasPrefix(text, "<task-notification>") {
		return
	}
	c, m := p.b.Called(within(text, "tool-use-id")), exitCode().FindStringSubmatch(within(text, "summary"))
	if c != nil && c.Does() == tools.Runs && c.Exit == nil && m != nil {
		code, _ := strconv.Atoi(m[1]) // at most nine digits
		c.Exited(code, "")
	}
}

var imageSource = pattern.Lazy(`^\[Image(?: #\d+)?: source: (.+)\]$`)

func (t *turn) pictured(text string) {
	m := imageSource().FindStringSubmatch(text)
	if m == nil || t == nil {
		return
	}
	if i := slices.IndexFunc(t.Attachments, func(a sources.Attachment) bool { return strings.HasPrefix(a.Name, "Image #") }); i >= 0 {
		t.Attachments[i].Name = m[1]
	}
}

// queue holds the prompts that wait for lines of their own. Before about 2.1.97 a prompt that joined the work
// may be only here.
type queue struct {
	all   []queued
	lines map[string][]int // indexes by text, each as one line
}

type queued struct {
	text    string // empty: it no longer waits
	at      time.Time
	session string
	turn    *turn // current turn when it was typed
}

// take records a change to the queue. Commands in it are handled by the client.
func (q *queue) take(r *record, now *turn) {
	switch text := promptOf(r.Content).Text; r.Operation {
	case "enqueue":
		if isOfPerson(text) && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "!") {
			line := words.OneLine(text, len(text)+1)
			q.lines[line] = append(q.lines[line], len(q.all))
			q.all = append(q.all, queued{text, r.Timestamp.Time, r.SessionID, now})
		}
	case "popAll":
		*q = queue{lines: map[string][]int{}} // the user took them back into the input
	case "remove":
		if r.Reason != "" && r.Reason != "absorbed_mid_turn" {
			q.remove(text)
		}
	}
}

// remove forgets a waiting prompt that has a line of its own.
func (q *queue) remove(text string) {
	if len(q.lines) == 0 || text == "" {
		return
	}
	line := words.OneLine(text, len(text)+1)
	if places := q.lines[line]; len(places) > 0 {
		q.all[places[0]].text = ""
		q.lines[line] = places[1:]
	}
}

// insertInto inserts the prompts that are only in the queue after the turns in which they were typed. Those
// of another session are left out if the log has lines of its own.
func (q *queue) insertInto(b *builder.Builder, hasOwn bool, session string) {
	for _, one := range q.all {
		if one.text != "" && (!hasOwn || one.session == "" || one.session == session) {
			b.Insert(one.turn.built(), one.at, builder.Prompt{Text: one.text}).Complete()
		}
	}
}

func (p *parser) result(r *record, b *block) builder.Result {
	text, kept := b.Content.String(), &r.ToolUseResult
	out := builder.Result{OK: new(!b.IsError && (kept.Success == nil || *kept.Success)), Text: text}
	c := p.b.Called(b.ToolUseID)
	isPlan := c != nil && c.Does() == tools.Plans
	// Every error about a plan is a refusal, except errors of the call.
	if b.IsError && (r.ToolDenialKind != "" || kept.Text == "User rejected tool use" || isPlan && !strings.HasPrefix(text, "<tool_use_error>") ||
		slices.ContainsFunc(refusals, func(begin string) bool { return strings.HasPrefix(text, begin) })) {
		out.Refused, out.Words = true, words.Between(text, leadsToWords...)
		out.Undecided = isPlan && out.Words == "" && strings.HasPrefix(text, refusals[0])
		return out
	}
	// It went on in the background as in a team, was stopped, or another code than 0 counts as a success.
	codeless := kept.BackgroundID != "" || kept.Interrupted || kept.Interpretation != "" || kept.TeammateID != ""
	out.Zero, out.Running = !b.IsError && !codeless, !b.IsError && codeless
	// For a sub-agent in the foreground only the text says that a file is new.
	out.Created = kept.Type == "create" || strings.HasPrefix(text, "File created successfully")
	out.TaskID, out.Answers = kept.Task.ID.Text, answers(kept)
	if sha := refs.ShortHash(kept.GitOperation.Commit.SHA); sha != "" {
		out.Refs = append(out.Refs, sources.Ref{Type: sources.Commit, Value: sha})
	}
	if ref, ok := refs.FromURL(kept.GitOperation.PR.URL); ok {
		out.Refs = append(out.Refs, ref)
	}
	if kept.AgentID != "" || kept.ToolUses > 0 {
		out.Worker = &builder.Worker{ID: kept.AgentID, Answer: workerSaid(kept), Calls: int(kept.ToolUses), Running: kept.IsAsync}
	}
	if isPlan && !b.IsError {
		file := cmp.Or(kept.FilePath, c.Args().PlanFilePath, cmp.Or(r.Slug, "plan")+".md")
		out.Plan = &builder.Plan{Name: path.Base(slashed(file)), Text: kept.Plan, Unasked: p.unasked || p.head}
		p.planned = true
	}
	return out
}

// refusals begin results of calls that the user or a rule kept from running or stopped.
var refusals = []string{"The user doesn't want to ", "Permission to use ", "Claude requested permissions to "}

// leadsToWords are around the user's words in such results.
var leadsToWords = [][2]string{
	{"The user provided the following reason for the rejection:", "\n\nNote: The user's next message may"}, {"the user said:", "\n\nNote: The user's next message may"},
}

func answers(kept *toolResult) (all []builder.Reply) {
	for _, q := range kept.Questions {
		all = append(all, builder.Reply{Question: q.Words()})
	}
	remarks := maps.Collect(kept.Annotations.All())
	for question, given := range kept.Answers.All() {
		answer := strings.ReplaceAll(given.String(), "\n\n", ", ")
		if notes := remarks[question].Notes; notes != "" && notes != answer {
			answer = strings.TrimSpace(answer + " – " + notes)
		}
		all = append(all, builder.Reply{Question: question, Answer: answer})
	}
	return all
}

// workerSaid returns the answer of a sub-agent, without the program's additions.
func workerSaid(kept *toolResult) string {
	var parts []string
	for _, b := range kept.Content.Blocks {
		if text := strings.TrimSpace(b.Text); text != "" && !strings.HasPrefix(text, "<tools-used-before-summary>") && !strings.HasPrefix(text, "agentId: ") {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n")
}
