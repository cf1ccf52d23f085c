package transcript

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// detailSize bounds the one line of a call, in bytes.
const detailSize = 200

// plainName is the name of a tool without what the bridge to an editor (Zed) puts around it.
func plainName(name string) string { return strings.TrimPrefix(name, "mcp__acp__") }

// touched is the file that a call is about, and what it does to it.
func touched(name string, in *lines.Input) (path, kind string) {
	switch name {
	case "Read":
		return in.FilePath, sources.Viewed
	case "Write", "Edit", "MultiEdit":
		return in.FilePath, sources.Edited
	case "NotebookEdit":
		return in.NotebookPath, sources.Edited
	}
	return cmp.Or(in.FilePath, in.NotebookPath), ""
}

// detail describes a call in one line: what it is called, else its description, else its
// command, else what it looks for, else its path, else the first text among its arguments.
func detail(kind, path string, in *lines.Input) string {
	run := ""
	if kind == sources.ToolRun {
		run = in.Command.Text
	}
	text := cmp.Or(in.Subject, in.Description, run, in.Pattern, path, in.Query, in.URL, in.Skill, in.Path, in.First)
	if in.TaskID.Text != "" {
		text = strings.TrimSpace("task " + in.TaskID.Text + " " + in.Status)
	}
	return words.OneLine(sources.Tilde(text[:min(len(text), 16*detailSize)]), detailSize)
}

// isRefused tells that the user, or a rule, kept a call from running or stopped it.
func isRefused(r *lines.Record, b *lines.Block, text string) bool {
	return b.IsError && (r.ToolDenialKind != "" || r.ToolUseResult.Text == "User rejected tool use" || strings.HasPrefix(text, "The user doesn't want to "))
}

// feedback is what the user said with a refusal: the result of the call alone has it.
func feedback(text string) string {
	_, said, _ := strings.Cut(text, "the user said:")
	said, _, _ = strings.Cut(said, "\n\nNote: The user's next message may contain")
	return strings.TrimSpace(said)
}

// questions are what the user was asked and the answers, as a list.
func questions(result *lines.ToolResult, text string) string {
	var b strings.Builder
	asked, answers, remarks := map[string]bool{}, maps.Collect(result.Answers.All()), maps.Collect(result.Annotations.All())
	add := func(question string) {
		line := words.OneLine(question, len(question)+1)
		if asked[question] || line == "" {
			return
		}
		asked[question] = true
		given := answers[question].Join(", ")
		if notes := remarks[question].Notes; notes != "" {
			given = strings.TrimSpace(given + " – " + notes)
		}
		given = words.OneLine(given, len(given)+1)
		b.WriteString("- " + line + "\n  - " + cmp.Or(given, "*no answer*") + "\n")
	}
	for _, q := range result.Questions {
		add(q.Question)
	}
	for question := range result.Answers.All() {
		add(question)
	}
	return cmp.Or(b.String(), text)
}

var exitMark = regexp.MustCompile(`^(?:Error: )?Exit code (-?\d{1,9})\b`)

// exitCode is how a command ended, nil where that is not told: it went on in the background,
// was stopped, or the program took another code than 0 for a success.
func exitCode(result *lines.ToolResult, ok bool, text string) *int {
	code := 0
	mark := exitMark.FindStringSubmatch(result.Text)
	if mark == nil {
		mark = exitMark.FindStringSubmatch(text)
	}
	switch {
	case !ok && mark != nil:
		code, _ = strconv.Atoi(mark[1]) // nine digits fit
	case !ok || result.BackgroundID != "" || result.Interrupted || result.Interpretation != "":
		return nil
	}
	return &code
}

// change is what a call does to the list of version 2.1 if it succeeds.
func change(name string, in *lines.Input, r *lines.Record) sources.Todo {
	task := lines.Task{ID: in.TaskID, Subject: in.Subject, Description: in.Description, Status: in.Status, BlockedBy: in.BlockedBy}
	if name == "TaskCreate" {
		task.ID, task.Status = r.ToolUseResult.Task.ID, "pending"
	}
	return task.Todo(r.Timestamp.Time)
}

// tasksOf is the list as the changes leave it, but for those that were taken back.
func tasksOf(changes []noted[sources.Todo]) (out []sources.Todo) {
	at := map[string]int{} // places in out
	for _, c := range changes {
		if c.turn.dead || c.what.ID == "" {
			continue
		}
		i, known := at[c.what.ID]
		switch {
		case c.what.Raw == "deleted" && known:
			out[i].ID = ""
			delete(at, c.what.ID)
		case c.what.Raw == "deleted":
		case known:
			update(&out[i], c.what)
		default:
			at[c.what.ID] = len(out)
			out = append(out, c.what)
		}
	}
	return slices.DeleteFunc(out, func(t sources.Todo) bool { return t.ID == "" })
}

// update takes a change into an entry.
func update(t *sources.Todo, now sources.Todo) {
	t.Title, t.Description, t.At = cmp.Or(now.Title, t.Title), cmp.Or(now.Description, t.Description), now.At
	t.After = append(t.After, now.After...)
	if now.Raw != "" {
		t.Status, t.Raw = now.Status, now.Raw
	}
}
