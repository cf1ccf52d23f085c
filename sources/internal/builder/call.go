package builder

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Call is a call of a tool as a record describes it.
type Call struct {
	ID      string // identifies its result
	Message string // message of the model with this call; empty: unknown
	Name    string // recorded name
	Server  string // MCP server that offers the tool; empty: the agent's own
	Args    *tools.Arguments
	At      time.Time // zero: now
	// Within is the id of the call whose sub-agent makes this one.
	Within string
	// Hidden says that the client does not show the call. Its effects count.
	Hidden bool

	// Set if the record knows them better than the arguments.
	Kind, Detail, Command string
	Files                 []tools.File
}

// Called is a call that is being added to a session.
type Called struct {
	sources.Tool // the call in the turn, but for After and Within

	turn      *Turn
	id        string
	args      *tools.Arguments
	use       tools.Use
	within    string
	hidden    bool
	piece     int // number of pieces before it
	at        time.Time
	ended     bool
	undecided bool // see [Result]
	files     []sources.FileTouch
	worker    *sources.Delegation
	place     int // index of worker in the builder
}

// Ended reports whether it has a result.
func (c *Called) Ended() bool { return c.ended }

// Does returns what it does if it succeeds.
func (c *Called) Does() tools.Does { return c.use.Does }

// background records that a command goes on in a shell, or how one that did ended.
func (c *Called) background(out tools.Output) {
	b := c.turn.b
	switch {
	case out.Shell != "" && c.Command != "":
		b.shells[out.Shell] = c
	case c.use.Does == tools.Polls && c.args != nil && out.Exit != nil:
		id := cmp.Or(c.args.ShellID.Text, c.args.TaskID.Text)
		if was := b.shells[id]; was != nil {
			was.Exited(*out.Exit, out.Text)
			delete(b.shells, id)
		}
	}
}

// Exited records exit code and output of a background command, as a later call reports them.
func (c *Called) Exited(code int, output string) {
	ok := code == 0
	c.OK, c.Exit, c.Errors = &ok, &code, cmp.Or(tools.ErrorsIn(output, !ok), c.Errors)
	c.turn.refer(slices.DeleteFunc(refs.Of(c.Command, output, ok), func(ref sources.Ref) bool { // its first output named it
		return ref.Type == sources.Commit && ref.Value == "" && slices.ContainsFunc(c.turn.b.refs, func(was noted[sources.Ref]) bool {
			return was.turn == c.turn && was.what.Type == sources.Commit && was.what.Text == ref.Text
		})
	}))
}

func (t *Turn) refer(all []sources.Ref) {
	for _, ref := range all {
		t.b.refs = append(t.b.refs, noted[sources.Ref]{ref, t})
	}
}

// Args returns its arguments, empty ones if unknown.
func (c *Called) Args() *tools.Arguments { return cmp.Or(c.args, &tools.Arguments{}) }

// Files returns what it did to files, once it has ended.
func (c *Called) Files() []sources.FileTouch { return c.files }

// Argued reports whether its arguments are known.
func (c *Called) Argued() bool { return c.args != nil }

// About returns the files it is about, with what it does to them if it succeeds.
func (c *Called) About() []tools.File { return c.use.Files }

// Turn returns its turn.
func (c *Called) Turn() *Turn { return c.turn }

// Worker returns the sub-agent that it called, or nil.
func (c *Called) Worker() *sources.Delegation { return c.worker }

// Called returns the call with an id, or nil.
func (b *Builder) Called(id string) *Called { return b.calls[id] }

// Call records a call. A second record with the same id in the same turn is the same call: its
// arguments count if the first had none or did not name the server, and had no result.
func (t *Turn) Call(c Call) *Called {
	at := cmp.Or(c.At, t.b.now)
	t.Seen(at)
	known := t.b.calls[c.ID]
	isAgain := known != nil && (!known.ended || known.at.Equal(at)) // some agents reuse ids
	if c.ID != "" && isAgain && (known.turn == t || known.turn.dead && t.dead) {
		if (known.args == nil || known.Kind == sources.ToolOther && c.Server != "") && c.Args != nil && !known.ended {
			known.argue(c)
		}
		return known
	}
	t.b.follow(c.Message)
	n := &Called{turn: t, id: c.ID, within: c.Within, hidden: c.Hidden, piece: len(t.pieces), at: at}
	n.argue(c)
	if c.ID != "" {
		t.b.calls[c.ID] = n
	}
	t.calls = append(t.calls, n)
	if n.use.Does == tools.Asks || n.use.Does == tools.Plans {
		t.b.waiting = append(t.b.waiting, n)
	}
	if r, early := t.b.early[c.ID]; early && c.ID != "" {
		delete(t.b.early, c.ID)
		n.End(r)
	}
	return n
}

func (c *Called) argue(call Call) {
	args := cmp.Or(call.Args, &tools.Arguments{})
	c.args, c.use = call.Args, tools.About(call.Name, call.Server, args)
	if call.Kind != "" && call.Kind != c.use.Kind {
		c.use.Kind, c.use.Does = call.Kind, tools.DoesKind(call.Kind)
	}
	if len(call.Files) > 0 {
		c.use.Files = call.Files
	}
	if c.use.Kind == sources.ToolRun {
		c.use.Command = cmp.Or(words.CommandLine(call.Command), c.use.Command)
	}
	c.Tool = sources.Tool{
		Name: words.OneLine(cmp.Or(call.Name, c.use.Kind), tools.DetailSize), Kind: c.use.Kind, Command: c.use.Command,
		Detail: cmp.Or(tools.Line(call.Detail), c.use.Detail),
	}
	if c.Detail == "" {
		c.Detail = tools.Line(cmp.Or(tools.Paths(c.use.Files), c.use.Command))
	}
	b := c.turn.b
	if c.use.Does == tools.Delegates && c.worker == nil {
		if name, task := args.Assignment(); task != "" {
			c.worker = &sources.Delegation{ID: c.id, Name: words.OneLine(cmp.Or(name, call.Name), tools.DetailSize), Task: strings.TrimSpace(task), At: c.at}
			c.place, b.workers = len(b.workers), append(b.workers, noted[*sources.Delegation]{c.worker, c.turn})
		}
	}
}

// Result is the result of a call.
type Result struct {
	OK   *bool  // nil: unknown
	Exit *int   // exit code of a command; nil: in the text, or unknown
	Text string // given to the agent, with its wrapping
	At   time.Time
	// Running says that a command goes on, or was stopped: it has no exit code.
	Running bool
	// Zero says that a command without an exit code ended with 0.
	Zero bool
	// Shared says that the text is of several calls, and shows the end of none.
	Shared bool
	// Refused says that a person or a rule kept it from running; Words are the person's. Undecided says
	// that a plan may have been accepted in a new session instead, if nothing follows.
	Refused, Undecided bool
	Words              string

	// Effects according to the record; nil: according to the arguments.
	Files   []tools.File
	Created bool // the file that it wrote did not exist before
	Refs    []sources.Ref
	Answers []Reply
	TaskID  string
	Plan    *Plan
	Worker  *Worker
	// Verdict is a person's decision on the change.
	Verdict sources.Verdict
	// Told says that other records have the questions, plans and lists of the call.
	Told bool
}

// Reply is a person's answer to a question.
type Reply struct{ Question, Answer string }

// Plan is a plan that a person was shown.
type Plan struct {
	Name string // name of its file, or ""
	Text string
	// Unasked says that no person was asked.
	Unasked bool
}

// Worker describes a sub-agent's work.
type Worker struct {
	ID      string // id of its own conversation
	Name    string
	Answer  string
	Calls   int
	Running bool // it runs in the background
}

// Result records a result and returns its call. Nil: the call is unknown yet, and gets the result when it comes.
func (b *Builder) Result(id string, r Result) *Called {
	c := b.calls[id]
	switch {
	case c != nil:
		c.End(r)
	case id != "" && len(b.early) < maxEarly:
		if _, told := b.early[id]; !told { // the first result counts
			r.At = cmp.Or(r.At, b.now)
			b.early[id] = r
		}
	}
	return c
}

// maxEarly limits the results that come before their calls, as those of parallel calls do.
const maxEarly = 1000

// End records the result of the call. The first result counts.
func (c *Called) End(r Result) {
	if c.ended {
		return
	}
	b := c.turn.b
	c.ended = true
	at := cmp.Or(r.At, b.now)
	c.turn.Seen(at)
	if r.Refused {
		c.Errors = tools.ErrorsIn(r.Text, true)
		c.refuse(r, at)
		return
	}
	out := tools.Output{Text: r.Text}
	if c.Kind == sources.ToolRun {
		out = tools.Unwrap(r.Text)
		c.exit(r, out)
	}
	if c.OK == nil {
		c.OK = r.OK
	}
	if failed := c.OK != nil && !*c.OK; failed || c.Kind == sources.ToolRun {
		c.Errors = tools.ErrorsIn(out.Text, failed)
	}
	c.background(out)
	c.refer(r, out)
	if c.OK == nil || *c.OK {
		c.touch(r, at)
	}
	if c.worker != nil {
		c.worked(r, at)
	}
	switch {
	case r.Told:
	case c.OK == nil || *c.OK, c.use.Does == tools.Task && strings.HasPrefix(c.Args().Status, `"`): // a state quoted twice, which the tool refuses
		c.effect(r, at)
	case c.use.Does == tools.Task && r.Text == "Task not found": // it was deleted, as Claude Code does with finished lists
		b.tasks = append(b.tasks, noted[sources.Todo]{sources.Todo{ID: c.Args().TaskID.Text, Raw: "deleted"}, c.turn})
	}
}

// killed is the exit code of a killed command, which counts as none.
const killed = -1

// exit records how a command ended: by the record, else by the wrapping of its output.
func (c *Called) exit(r Result, out tools.Output) {
	code := cmp.Or(r.Exit, out.Exit)
	if code == nil && r.Zero {
		code = new(0)
	}
	running := r.Running || out.Running
	if running || r.Shared && r.Exit == nil {
		code = nil
	}
	if code == nil {
		if out.Failed && r.OK == nil {
			c.OK = new(bool)
		}
		if out.Unrun && (r.OK == nil || !*r.OK) {
			c.Command = ""
		}
		if running && strings.Contains(c.Command, "git") {
			c.turn.b.awaited = true
		}
		return
	}
	ok := *code == 0 && (r.OK == nil || *r.OK)
	c.OK = &ok
	if *code != killed && c.Command != "" {
		c.Exit = code
	}
}

// refer records the commits, pull requests and issues in the result.
func (c *Called) refer(r Result, out tools.Output) {
	found := r.Refs
	switch b := c.turn.b; {
	case c.Command != "" && c.use.Does == tools.Runs:
		passed := c.Exit != nil && *c.Exit == 0 || c.Exit == nil && c.OK != nil && *c.OK && !out.Running && !r.Running
		found = join(refs.Of(c.Command, out.Text, passed), found)
	case c.use.Does == tools.Polls && b.awaited:
		found = join(refs.Told(out.Text), found)
	}
	if strings.Contains(strings.ToLower(c.Name), "github") && c.args != nil && (c.OK == nil || *c.OK) {
		found = join(found, argued(c.args))
	}
	c.turn.refer(found)
}

// join merges references of a record and of an output. If each has only one commit, it is the same.
func join(told, recorded []sources.Ref) []sources.Ref {
	for _, r := range recorded {
		if r.Type == sources.Commit && len(told) == 1 && told[0].Type == sources.Commit && told[0].Value == "" {
			told[0].Value = r.Value
			continue
		}
		told = append(told, r)
	}
	return told
}

func (c *Called) touch(r Result, at time.Time) {
	b, all := c.turn.b, c.use.Files
	if r.Files != nil {
		all = r.Files
	}
	if line := tools.Line(tools.Paths(all)); len(all) > len(c.use.Files) {
		c.Detail = cmp.Or(line, c.Detail)
	}
	for _, f := range all {
		if r.Created && f.Kind == sources.Edited {
			f.Kind, c.Kind = sources.Created, sources.ToolCreate
		}
		if f.Path = b.PathOf(f.Path); f.Path == "" || f.Kind == "" {
			continue
		}
		touch := sources.FileTouch{Path: f.Path, Kind: f.Kind, Tool: tools.Known(c.Name), At: at, Verdict: r.Verdict}
		if f.Kind == sources.Viewed {
			touch.Verdict = ""
		}
		c.files = append(c.files, touch)
	}
}

// worked records a sub-agent's work. In the background it has no answer yet.
func (c *Called) worked(r Result, at time.Time) {
	if c.OK != nil && !*c.OK {
		c.turn.b.dismiss(c)
		return
	}
	w := cmp.Or(r.Worker, &Worker{})
	c.worker.ID, c.worker.Name = cmp.Or(w.ID, c.worker.ID), cmp.Or(words.OneLine(w.Name, tools.DetailSize), c.worker.Name)
	if w.Running || r.Running {
		return
	}
	c.worker.End, c.worker.Calls = at, max(w.Calls, 0)
	c.worker.Answer = strings.TrimSpace(cmp.Or(w.Answer, r.Text))
}

// dismiss forgets the sub-agent of a failed call.
func (b *Builder) dismiss(c *Called) {
	if c.worker != nil {
		b.workers[c.place].what, c.worker = nil, nil
	}
}

// argued returns the pull request or issue in the arguments of a forge's tool. A commit there was only viewed.
func argued(a *tools.Arguments) (out []sources.Ref) {
	repo := ""
	if a.Owner != "" && a.Repo != "" {
		repo = "github.com/" + a.Owner + "/" + a.Repo
	}
	for i, n := range []int64{int64(a.PullNumber), int64(a.IssueNumber)} {
		if n > 0 && n < 1e9 {
			out = append(out, sources.Ref{Type: []string{sources.PR, sources.Issue}[i], Value: strconv.FormatInt(n, 10), Repo: repo, Turn: -1})
		}
	}
	return out
}
