// Package builder builds a session from acts. A reader translates the records of its agent into acts, in
// their order: a prompt, words of the agent, a call and its result, a checkpoint. The builder pairs calls
// with results, keeps the turns, and finds what calls did: commands and their exit codes, files, commits,
// questions, plans, lists of tasks, sub-agents.
//
// Everything belongs to the turn during which the reader adds it, and goes with that turn if it is taken
// back.
package builder

import (
	"cmp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// Builder makes one session.
type Builder struct {
	// Session is what else the reader knows: place, title, parent. Finish completes it.
	Session *sources.Session
	// PathOf writes the path of a file; by default [tools.PlainPath].
	PathOf func(string) string
	// Silent says that the words of the agent already mention questions and plans.
	Silent bool

	now      time.Time
	turns    []*Turn
	open     *Turn     // where the agent is working, or nil
	message  string    // message of the model to which what was added last belongs, or ""
	waiting  []*Called // questions and plans of that message, which nothing follows
	human    bool      // a person typed a prompt
	finished bool

	behind map[*Turn][]*Turn // inserted prompts
	tail   *Turn             // everything after it was taken back

	ids   map[string]*Turn // turns by id of the prompt
	met   map[prompted]*Turn
	calls map[string]*Called
	early map[string]Result         // results of calls that were not added yet
	spent map[string]sources.Tokens // tokens by message of the model

	actions     []noted[sources.Action]
	checkpoints []noted[sources.Checkpoint]
	artifacts   []noted[sources.Artifact]
	lists       []noted[taskList]
	tasks       []noted[sources.Todo]
	workers     []noted[*sources.Delegation] // nil: its call failed
	acts        []noted[sources.Act]
	refs        []noted[sources.Ref]
	shells      map[string]*Called         // commands in the background
	changed     []sources.FileTouch        // changes outside of calls
	employed    []noted[sources.FileTouch] // changes by sub-agents whose records are among the session's
	awaited     bool                       // a git command runs in the background, and its output comes later
}

// noted is something that belongs to a turn, or to none if that is nil.
type noted[T any] struct {
	what T
	turn *Turn
}

// prompted identifies a prompt that is sent again.
type prompted struct {
	at   time.Time
	text string
}

// New returns a builder of an empty session.
func New() *Builder {
	return &Builder{
		Session: &sources.Session{}, PathOf: tools.PlainPath, ids: map[string]*Turn{}, met: map[prompted]*Turn{}, behind: map[*Turn][]*Turn{},
		calls: map[string]*Called{}, early: map[string]Result{}, spent: map[string]sources.Tokens{}, shells: map[string]*Called{},
	}
}

// At sets the time of what is added from now on, unless it is zero.
func (b *Builder) At(at time.Time) {
	if !at.IsZero() {
		b.now = at
	}
}

// Now returns that time.
func (b *Builder) Now() time.Time { return b.now }

// Prompt is a prompt, or a record in the place of one.
type Prompt struct {
	ID   string // id of the turn; a second prompt with the same id is the first one again
	Text string // typed text
	// Program says that a program typed it, not a person.
	Program bool
	// Command says that it is a command of the agent, which counts as a prompt only if the agent answers.
	Command bool
	// Joins says that it was typed while the agent worked, and joined that turn.
	Joins bool
	// Key identifies a prompt that the client sends again after an error: the same words under the same
	// key, with nothing said between, are the same prompt. Empty: none.
	Key string
	// Once says that the same words at the same time are one prompt even under two ids.
	Once bool
	// Inherited says that it was typed in the session that this one was forked from.
	Inherited   bool
	Attachments []sources.Attachment
}

// Prompt begins a turn, in which the agent works from now on.
func (b *Builder) Prompt(p Prompt) *Turn {
	if t := b.again(p); t != nil {
		b.open = t
		return t
	}
	if b.open != nil {
		b.open.joined = b.open.joined || p.Joins
	}
	t := b.add(p)
	b.human = b.human || !p.Program
	if p.Once && !b.now.IsZero() {
		b.met[prompted{b.now, p.Text}] = t
	}
	return t
}

// again returns the turn of a prompt that was added before, or nil.
func (b *Builder) again(p Prompt) *Turn {
	if t := b.ids[p.ID]; t != nil && p.ID != "" && !t.dead {
		return t
	}
	if t := b.met[prompted{b.now, p.Text}]; p.Once && t != nil && !t.dead && !b.now.IsZero() {
		return t
	}
	if t := b.open; t != nil && p.Key != "" && t.key == p.Key && t.User == p.Text && t.Status == sources.Failed && !t.Worked() {
		t.Status, t.Error = sources.Pending, ""
		t.Seen(b.now)
		return t
	}
	return nil
}

func (b *Builder) add(p Prompt) *Turn {
	t := b.made(b.now, p)
	t.before, b.tail = b.last(), t
	b.turns, b.open = append(b.turns, t), t
	b.follow("")
	return t
}

// follow records that something is added, of a message of the model or of none. Nothing follows its own message.
func (b *Builder) follow(message string) {
	if message != "" && message == b.message {
		return
	}
	waiting := b.waiting
	b.waiting, b.message = nil, message
	for _, c := range waiting {
		if c.undecided {
			c.note(rejection)
			c.tell(sources.Act{Kind: sources.ActPlanned, At: c.at, Text: TitleOf(c.Args().Planned()), Verdict: sources.Rejected})
		}
	}
}

func (b *Builder) made(at time.Time, p Prompt) *Turn {
	t := &Turn{b: b, said: map[block]bool{}, key: p.Key, program: p.Program, command: p.Command, Turn: sources.Turn{
		ID: p.ID, At: at, User: p.Text, Status: sources.Pending, Inherited: p.Inherited, Attachments: p.Attachments,
	}}
	if p.ID != "" {
		b.ids[p.ID] = t
	}
	return t
}

// Turn returns the turn in which the agent is working, or nil.
func (b *Builder) Turn() *Turn { return b.open }

// Turns returns all turns so far, with rewound ones.
func (b *Builder) Turns() []*Turn { return b.turns }

// Human reports whether a person typed a prompt.
func (b *Builder) Human() bool { return b.human }

// Work returns the turn in which the agent is working. If there is none, it begins one without a prompt.
func (b *Builder) Work() *Turn {
	if b.open == nil {
		b.add(Prompt{Program: true}).bare = true
	}
	b.open.Seen(b.now)
	return b.open
}

// Select makes t the turn in which the agent is working; nil: none.
func (b *Builder) Select(t *Turn) { b.open = t }

// Insert puts a prompt after a turn; nil: before all. The agent does not work in it.
func (b *Builder) Insert(behind *Turn, at time.Time, p Prompt) *Turn {
	t := b.made(at, p)
	t.inserted = true
	b.behind[behind], b.human = append(b.behind[behind], t), b.human || !p.Program
	return t
}

func (b *Builder) weave() {
	if len(b.behind) == 0 {
		return
	}
	var out []*Turn
	var put func(behind *Turn)
	put = func(t *Turn) {
		for _, in := range b.behind[t] {
			if t != nil {
				in.dead, in.Inherited = in.dead || t.dead, in.Inherited || t.Inherited
			}
			out = append(out, in)
			put(in)
		}
	}
	put(nil)
	for _, t := range b.turns {
		out = append(out, t)
		put(t)
	}
	b.turns, b.behind = out, nil
}

// TakeBack takes back a turn with everything in it.
func (t *Turn) TakeBack() { t.dead = true }

// IsBack reports whether a turn was taken back.
func (t *Turn) IsBack() bool { return t.dead }

// Rewind takes back the last prompts with everything that followed, and returns their turns, newest first.
func (b *Builder) Rewind(prompts int) (back []*Turn) {
	for t := b.last(); t != nil && prompts > 0; t = b.last() {
		t.TakeBack()
		back = append(back, t)
		if t.User != "" || len(t.Attachments) > 0 {
			prompts--
		}
	}
	if len(back) > 0 {
		b.open = nil
	}
	return back
}

// AddTakenBack adds turns of another builder that were taken back before the log was rewritten.
func (b *Builder) AddTakenBack(from *Builder, turns []*Turn) {
	for _, t := range turns {
		t.TakeBack()
	}
	b.turns, b.refs = append(b.turns, turns...), append(b.refs, from.refs...)
}

// Act records what the user did in the agent besides prompts: one of the kinds of actions.
func (b *Builder) Act(kind, text string) { b.ActIn(b.last(), kind, text) }

// ActIn is Act after a turn; nil: before all.
func (b *Builder) ActIn(t *Turn, kind, text string) {
	if text = strings.TrimSpace(text); text != "" {
		b.actions = append(b.actions, noted[sources.Action]{sources.Action{Kind: kind, Text: text, At: b.now}, t})
	}
}

func (b *Builder) last() *Turn {
	for b.tail != nil && b.tail.dead {
		b.tail = b.tail.before
	}
	return b.tail
}

// here returns the turn in which the agent is working, else the newest one.
func (b *Builder) here() *Turn { return cmp.Or(b.open, b.last()) }

// Checkpoint records a summary of the session so far, by default of now and with the next number.
func (b *Builder) Checkpoint(c sources.Checkpoint) {
	c.At = cmp.Or(c.At, b.now)
	b.follow("")
	b.checkpoints = append(b.checkpoints, noted[sources.Checkpoint]{c, b.last()})
}

// Artifact records a text that the agent stored. The newest of a name counts, older ones get numbers.
func (b *Builder) Artifact(a sources.Artifact) {
	a.At, a.Size = cmp.Or(a.At, b.now), cmp.Or(a.Size, int64(len(a.Text)))
	b.artifacts = append(b.artifacts, noted[sources.Artifact]{a, b.here()})
	if n := len(b.acts); n > 0 && b.acts[n-1].turn == b.here() && b.acts[n-1].what.Kind == sources.ActWrote && b.acts[n-1].what.Text == a.Name {
		b.acts[n-1].what.At = a.At // written on
		return
	}
	b.Tell(sources.Act{Kind: sources.ActWrote, At: a.At, Text: a.Name})
}

// List records the agent's list of tasks as stored beside the calls, before the lists that these gave.
func (b *Builder) List(list []sources.Todo) {
	b.lists = append(b.lists, noted[taskList]{taskList{all: list}, nil})
}

// Delegate records work of a sub-agent, and returns it to be completed later.
func (b *Builder) Delegate(d sources.Delegation) *sources.Delegation {
	d.At = cmp.Or(d.At, b.now)
	b.workers = append(b.workers, noted[*sources.Delegation]{&d, b.last()})
	return &d
}

// Entitle sets the title of the session, unless a more trusted one is set.
func (b *Builder) Entitle(title string, from sources.Trust) {
	if title = strings.TrimSpace(title); title != "" && from >= b.Session.TitleFrom {
		b.Session.Title, b.Session.TitleFrom = title, from
	}
}

// InShell returns the command that runs in a background shell, or nil.
func (b *Builder) InShell(id string) *Called { return b.shells[id] }

// Refer records a commit, pull request or issue of the current turn that no command names.
func (b *Builder) Refer(ref sources.Ref) { b.refs = append(b.refs, noted[sources.Ref]{ref, b.here()}) }

// Tell records an act that is not a call, such as a plan that was accepted by a button.
func (b *Builder) Tell(a sources.Act) {
	a.At = cmp.Or(a.At, b.now)
	b.acts = append(b.acts, noted[sources.Act]{a, b.here()})
}
