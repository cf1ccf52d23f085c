// Package builder makes a session of acts. A reader translates the records of its agent into
// acts, in their order: a prompt, words of the agent, a call and its result, a checkpoint. The
// builder pairs calls with results, keeps the turns, and finds what calls did: commands and
// their exit codes, files, commits, questions, plans, lists of tasks, sub-agents.
//
// All that is told belongs to the turn in which it is told. What belongs to a turn that was
// taken back goes with it.
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
	// Session is what the reader knows of it besides: place, title, parent. Finish completes it.
	Session *sources.Session
	// PathOf is how the path of a file is written; [tools.PlainPath] if the reader does not say.
	PathOf func(string) string
	// Silent says that the words of the agent tell of questions and plans already.
	Silent bool

	now      time.Time
	turns    []*Turn
	open     *Turn // in which the agent is at work; nil: in none
	newest   any   // what was told last: a call that nothing follows has no answer
	human    bool  // a person typed a prompt
	finished bool

	behind map[*Turn][]*Turn // prompts that were inserted
	tail   *Turn             // behind it all were taken back

	ids   map[string]*Turn // of prompts
	met   map[prompted]*Turn
	calls map[string]*Called
	early map[string]Result         // of calls that are not told yet
	spent map[string]sources.Tokens // by messages of the model

	actions     []noted[sources.Action]
	checkpoints []noted[sources.Checkpoint]
	artifacts   []noted[sources.Artifact]
	lists       []noted[taskList]
	tasks       []noted[sources.Todo]
	workers     []noted[*sources.Delegation] // nil: its call failed
	acts        []noted[sources.Act]
	refs        []noted[sources.Ref]
	shells      map[string]*Called         // commands in the background
	changed     []sources.FileTouch        // by no call
	employed    []noted[sources.FileTouch] // by sub-agents whose records stand among those of the session
	awaited     bool                       // a command with git went on in the background, whose output comes later
}

// noted is something that belongs to a turn; nil: to none.
type noted[T any] struct {
	what T
	turn *Turn
}

// prompted is what a prompt is known by that comes again.
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

// At is the time of what is told from now on. The zero time leaves it as it was.
func (b *Builder) At(at time.Time) {
	if !at.IsZero() {
		b.now = at
	}
}

// Now is the time of what is told.
func (b *Builder) Now() time.Time { return b.now }

// Prompt is what stands in the place of a prompt.
type Prompt struct {
	ID   string // of the turn; of two prompts of one id the second one is the first, told again
	Text string // as typed
	// Program says that a program typed it, and no person.
	Program bool
	// Command says that it is a command of the agent's own: no prompt unless that answers it.
	Command bool
	// Joins says that it was typed while the agent was at work, and joined that.
	Joins bool
	// Key is by what the client knows a prompt that it sends again after an error: the same words
	// under the same key, without anything said between, are the same prompt. Empty: it has none.
	Key string
	// Once says that the same words at the same time are one prompt under two ids.
	Once bool
	// Inherited says that it was typed in the session that this one was forked from.
	Inherited   bool
	Attachments []sources.Attachment
}

// Prompt begins a turn, and the agent is at work in it.
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

// again is the turn of a prompt that was told before, nil where it is new.
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
	b.turns, b.open, b.newest = append(b.turns, t), t, t
	return t
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

// Turn is the turn in which the agent is at work, nil where there is none.
func (b *Builder) Turn() *Turn { return b.open }

// Turns are all of them so far, those that were taken back too.
func (b *Builder) Turns() []*Turn { return b.turns }

// Human tells whether a person typed a prompt.
func (b *Builder) Human() bool { return b.human }

// Work is the turn in which the agent is at work. Without a prompt the work begins one.
func (b *Builder) Work() *Turn {
	if b.open == nil {
		b.add(Prompt{Program: true}).bare = true
	}
	b.open.Seen(b.now)
	return b.open
}

// Select has the agent work in a turn; nil: in none.
func (b *Builder) Select(t *Turn) { b.open = t }

// Insert puts a prompt behind a turn, nil: in front of all. The agent does not work in it.
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

// TakeBack takes back a turn and all that was told in it.
func (t *Turn) TakeBack() { t.dead = true }

// IsBack tells whether a turn was taken back.
func (t *Turn) IsBack() bool { return t.dead }

// Rewind takes back the last prompts with all that came of them, and returns their turns, newest first.
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

// AddTakenBack adds turns of another builder, taken back before the log was written anew.
func (b *Builder) AddTakenBack(from *Builder, turns []*Turn) {
	for _, t := range turns {
		t.TakeBack()
	}
	b.turns, b.refs = append(b.turns, turns...), append(b.refs, from.refs...)
}

// Act notes what the user did in the agent beside their prompts: one of the kinds of actions.
func (b *Builder) Act(kind, text string) { b.ActIn(b.last(), kind, text) }

// ActIn is Act behind a turn; nil: in front of all.
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

// here is the turn at work, else the newest one.
func (b *Builder) here() *Turn { return cmp.Or(b.open, b.last()) }

// Checkpoint takes in a summary of the session so far, by default of now and with the next number.
func (b *Builder) Checkpoint(c sources.Checkpoint) {
	c.At, b.newest = cmp.Or(c.At, b.now), nil
	b.checkpoints = append(b.checkpoints, noted[sources.Checkpoint]{c, b.last()})
}

// Artifact takes in a text that the agent kept. Of one name the newest counts, older ones get numbers.
func (b *Builder) Artifact(a sources.Artifact) {
	a.At, a.Size = cmp.Or(a.At, b.now), cmp.Or(a.Size, int64(len(a.Text)))
	b.artifacts = append(b.artifacts, noted[sources.Artifact]{a, b.here()})
	if n := len(b.acts); n > 0 && b.acts[n-1].turn == b.here() && b.acts[n-1].what.Kind == sources.ActWrote && b.acts[n-1].what.Text == a.Name {
		b.acts[n-1].what.At = a.At // written on
		return
	}
	b.Tell(sources.Act{Kind: sources.ActWrote, At: a.At, Text: a.Name})
}

// List takes in the agent's list of tasks as it is kept beside the calls, before what they gave.
func (b *Builder) List(list []sources.Todo) {
	b.lists = append(b.lists, noted[taskList]{taskList{all: list}, nil})
}

// Delegate takes in work of a sub-agent, and returns what is known of it, to be completed later.
func (b *Builder) Delegate(d sources.Delegation) *sources.Delegation {
	d.At = cmp.Or(d.At, b.now)
	b.workers = append(b.workers, noted[*sources.Delegation]{&d, b.last()})
	return &d
}

// Entitle names the session, unless a title that is trusted more does.
func (b *Builder) Entitle(title string, from sources.Trust) {
	if title = strings.TrimSpace(title); title != "" && from >= b.Session.TitleFrom {
		b.Session.Title, b.Session.TitleFrom = title, from
	}
}

// InShell is the command that goes on in a shell in the background, nil where there is none.
func (b *Builder) InShell(id string) *Called { return b.shells[id] }

// Refer takes in a commit, pull request or issue of the turn at work that no command names.
func (b *Builder) Refer(ref sources.Ref) { b.refs = append(b.refs, noted[sources.Ref]{ref, b.here()}) }

// Tell takes in an act that is no call: a plan that was accepted by a button.
func (b *Builder) Tell(a sources.Act) {
	a.At = cmp.Or(a.At, b.now)
	b.acts = append(b.acts, noted[sources.Act]{a, b.here()})
}
