package transcript

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/places"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// call takes in a call. Files in a worktree that was made for the session are those of the
// project.
func (p *parser) call(b *lines.Block, owner *turn) {
	if b.ID == "" || b.Name == "" {
		return
	}
	if a := b.Input; a != nil {
		for _, path := range []*string{&a.FilePathSnake, &a.NotebookPath, &a.Path} {
			*path = p.place.InProject(*path)
		}
	}
	owner.Call(builder.Call{ID: b.ID, Name: b.Name, Args: b.Input})
}

// created is how the result of a call begins that made a file: of a sub-agent in the
// foreground nothing else tells.
const created = "File created successfully"

// result translates the result of a call.
func (p *parser) result(r *lines.Record, b *lines.Block) builder.Result {
	text, kept := b.Content.String(), &r.ToolUseResult
	out := builder.Result{OK: new(!b.IsError), Text: text}
	if isRefused(r, b, text) {
		out.Refused, out.Words = true, feedback(text)
		return out
	}
	out.Exit = exitCode(kept, !b.IsError, text)
	out.Running = out.Exit == nil && !b.IsError
	out.Created = kept.Type == "create" || strings.HasPrefix(text, created)
	out.TaskID, out.Answers = kept.Task.ID.Text, answers(kept)
	if sha := refs.ShortHash(kept.GitOperation.Commit.SHA); sha != "" {
		out.Refs = append(out.Refs, sources.Ref{Type: sources.Commit, Value: sha})
	}
	if ref, ok := refs.FromURL(kept.GitOperation.PR.URL); ok {
		out.Refs = append(out.Refs, ref)
	}
	c := p.b.Called(b.ToolUseID)
	switch {
	case c == nil:
	case c.Does() == tools.Delegates:
		out.Running, out.Worker = kept.IsAsync, &builder.Worker{ID: kept.AgentID, Answer: workerSaid(kept), Calls: int(kept.ToolUses), Running: kept.IsAsync}
	case c.Does() == tools.Plans && !b.IsError:
		out.Plan = &builder.Plan{Name: planName(cmp.Or(kept.FilePath, c.Args().PlanFilePath), r.Slug), Text: kept.Plan, Unasked: p.unasked || p.head}
		p.planned = true
	}
	return out
}

// accepted takes in a plan that was accepted. Its file is called by its slug.
func (p *parser) accepted(file, text, slug string) {
	if text = strings.TrimSpace(text); text != "" {
		p.planned = true
		p.b.Artifact(sources.Artifact{Kind: sources.Plan, Name: planName(file, slug), Text: text})
	}
}

func planName(file, slug string) string {
	if file == "" {
		return cmp.Or(slug, "plan") + ".md"
	}
	return path.Base(places.Slashed(file))
}

// isRefused tells that the user, or a rule, kept a call from running or stopped it.
func isRefused(r *lines.Record, b *lines.Block, text string) bool {
	return b.IsError && (r.ToolDenialKind != "" || r.ToolUseResult.Text == "User rejected tool use" || strings.HasPrefix(text, "The user doesn't want to "))
}

// feedback returns what the user said with a refusal: the result of the call alone has it.
func feedback(text string) string {
	_, said, _ := strings.Cut(text, "the user said:")
	said, _, _ = strings.Cut(said, "\n\nNote: The user's next message may contain")
	return strings.TrimSpace(said)
}

// answers returns what the user was asked and answered.
func answers(kept *lines.ToolResult) (all []builder.Reply) {
	given, remarks := maps.Collect(kept.Answers.All()), maps.Collect(kept.Annotations.All())
	add := func(question string) {
		answer := given[question].Join(", ")
		if notes := remarks[question].Notes; notes != "" {
			answer = strings.TrimSpace(answer + " – " + notes)
		}
		all = append(all, builder.Reply{Question: question, Answer: answer})
	}
	for _, q := range kept.Questions {
		add(q.Question)
	}
	for question := range kept.Answers.All() {
		add(question)
	}
	return all
}

// workerSaid returns the answer of a sub-agent, without what the program adds to it.
func workerSaid(kept *lines.ToolResult) string {
	var parts []string
	for _, b := range kept.Content.Blocks {
		if text := strings.TrimSpace(b.Text); text != "" && !strings.HasPrefix(text, "<tools-used-before-summary>") && !strings.HasPrefix(text, "agentId: ") {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n")
}

var exitMark = regexp.MustCompile(`^(?:Error: )?Exit code (-?\d{1,9})\b`)

// exitCode returns how a command ended, nil where that is not told: it went on in the background,
// was stopped, or the program took another code than 0 for a success.
func exitCode(kept *lines.ToolResult, ok bool, text string) *int {
	mark := exitMark.FindStringSubmatch(kept.Text)
	if mark == nil {
		mark = exitMark.FindStringSubmatch(text)
	}
	switch out := tools.Unwrap(text); {
	case !ok && mark != nil:
		code, _ := strconv.Atoi(mark[1]) // nine digits fit
		return &code
	case ok && mark == nil && out.Exit != nil: // of the bridge to an editor
		return out.Exit
	case !ok || kept.BackgroundID != "" || kept.Interrupted || kept.Interpretation != "":
		return nil
	}
	return new(int)
}
