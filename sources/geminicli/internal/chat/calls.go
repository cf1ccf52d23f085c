package chat

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/turns"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// outcome is what is kept of the result of a call.
type outcome struct {
	ok     *bool
	exit   *int
	denied bool   // by the user: it did not run
	answer string // of a sub-agent
	found  []sources.Ref
}

var (
	// exitMark is how the model is told an exit code, behind what the command gave: the last
	// one counts. Newer versions say it of a failure only.
	exitMark = regexp.MustCompile(`(?m)^Exit Code: (-?\d{1,9})$`)
	// endMarks are how it is told that the command did not end by itself, or had no code.
	endMarks = regexp.MustCompile(`(?m)^(?:Signal: \d|Signal: SIG|Exit Code: \(none\)|Command moved to background|Command is running in background|Command was cancelled|Command was automatically cancelled)`)
)

// labels stand before what a command gave, in the line of its beginning.
var labels = strings.NewReplacer("\nOutput: ", "\n", "\nStdout: ", "\n")

// keep leaves of a call what is kept, and takes its result apart.
func (c *call) keep() {
	var gave, failed string
	for _, p := range c.Result.all() {
		if p.Gave != nil {
			gave, failed = gave+string(p.Gave.Response.Output), failed+string(p.Gave.Response.Error)
		}
		gave += p.Text
	}
	switch c.Status {
	case "success":
		c.ok = new(bool)
		*c.ok = true
	case "error", "cancelled":
		c.ok = new(bool)
	}
	c.denied = c.Status == "cancelled" && (strings.Contains(failed, "User denied execution") || strings.Contains(failed, "did not allow"))
	if command := c.command(); command != "" {
		c.ended(gave)
		c.found = refs.OldOf(command, labels.Replace("\n"+gave))
	}
	if c.AgentID != "" || c.Name == "invoke_agent" {
		_, said, _ := strings.Cut(gave, "\nResult:\n")
		c.answer = strings.TrimSpace(cmp.Or(string(c.Display.Result), said, failed))
	}
	c.Result, c.Display.Text, c.Display.Result, c.Display.Lines = content{}, "", "", nil
}

// ended takes in how a command ended: that stands before or behind what it gave. The program
// takes any code for a success.
func (c *call) ended(gave string) {
	const edge = 1 << 10
	if len(gave) > 2*edge {
		gave = gave[:edge] + "\n" + gave[len(gave)-edge:]
	}
	if all := exitMark.FindAllStringSubmatch(gave, -1); all != nil {
		code, _ := strconv.Atoi(all[len(all)-1][1]) // nine digits fit
		ok := code == 0
		c.exit, c.ok = &code, &ok
		return
	}
	if c.Status == "success" && gave != "" && !endMarks.MatchString(gave) {
		c.exit = new(int)
	}
}

// command is what the shell was given to run.
func (c *call) command() string {
	if c.Name != "run_shell_command" {
		return ""
	}
	return c.Args.Command.Line()
}

// path is the file that a call is about, and what it did to it where it succeeded.
func (c *call) path() (path, touch string) {
	a := &c.Args
	path = cmp.Or(string(c.Display.FilePath), a.FilePath, a.AbsolutePath)
	if c.ok == nil || !*c.ok {
		return path, ""
	}
	switch c.Name {
	case "write_file", "replace":
		if c.Display.IsNewFile {
			return path, sources.Created
		}
		return path, sources.Edited
	case "read_file":
		return path, sources.Viewed
	}
	return path, ""
}

// addTo adds a call to the open turn.
func (c *call) addTo(b *turns.Builder) {
	a, began := &c.Args, b.Now
	if !c.At.IsZero() {
		b.Now = c.At.Time
	}
	kind, command := turns.Kind(c.Name), c.command()
	path, touch := c.path()
	if touch == sources.Created {
		kind = sources.ToolCreate
	}
	about := cmp.Or(path, a.Pattern, a.Query, a.Agent, a.Path, a.DirPath, a.First)
	if kind == sources.ToolRun {
		about = cmp.Or(command, a.Description, a.First)
	}
	t, i := b.Call(cmp.Or(c.Name, "tool"), kind, about)
	tool := &t.Tools[i]
	if tool.OK, tool.Exit = c.ok, c.exit; !c.denied {
		tool.Command = command
	}
	b.Touch(path, touch, c.Name)
	b.Refer(c.found)
	if c.AgentID != "" || c.Name == "invoke_agent" {
		b.Session.Delegated = append(b.Session.Delegated, sources.Delegation{
			ID: cmp.Or(c.AgentID, c.ID), Name: words.OneLine(cmp.Or(a.Agent, c.Name), 200), Task: a.Prompt, Answer: c.answer, At: began, End: c.At.Time,
		})
	}
	if c.Name == "write_todos" && touch == "" && c.ok != nil && *c.ok && a.Todos != nil {
		b.Session.Todos = todosOf(a.Todos, c)
	}
}

// todosOf is the list that a call left. What was cancelled is not to do.
func todosOf(list []todo, c *call) []sources.Todo {
	var all []words.Todo
	for _, t := range list {
		if t.Status != "cancelled" {
			all = append(all, words.Todo{Title: t.Description, Status: t.Status})
		}
	}
	return words.Todos(all, c.At.Time)
}
