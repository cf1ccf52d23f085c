package builder

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// effect records what a successful call did besides files and commands.
func (c *Called) effect(r Result, at time.Time) {
	b, args := c.turn.b, c.Args()
	switch c.use.Does {
	case tools.Lists:
		if list := args.Tasks(); list != nil {
			b.lists = append(b.lists, noted[taskList]{taskList{tools.Todos(list, at), args.Merge}, c.turn})
			c.tell(sources.Act{Kind: sources.ActListed, At: at})
		}
	case tools.Task:
		if t := changed(args, r.TaskID, at); t.ID != "" {
			b.tasks = append(b.tasks, noted[sources.Todo]{t, c.turn})
			c.tell(sources.Act{Kind: sources.ActListed, At: at})
		}
	case tools.Tables:
		if query := strings.ToUpper(args.Query); strings.Contains(query, "TODOS") && changes.MatchString(query) {
			c.tell(sources.Act{Kind: sources.ActListed, At: at})
		}
	case tools.Asks:
		c.asked(r, args, at)
	case tools.Plans:
		c.planned(r, args, at)
	case tools.Remembers:
		c.tell(sources.Act{Kind: sources.ActRemembered, At: at, Text: args.Subject, Answer: args.Fact})
	}
}

var changes = regexp.MustCompile("INSERT|UPDATE|DELETE|REPLACE")

// tell records an act in the turn of the call, unless a button recorded the same plan already.
func (c *Called) tell(a sources.Act) {
	if n := len(c.turn.b.acts); a.Kind == sources.ActPlanned && n > 0 {
		if was := c.turn.b.acts[n-1]; was.turn == c.turn && was.what.Kind == a.Kind && was.what.Text == a.Text && (a.Verdict == "" || was.what.Verdict == a.Verdict) {
			return
		}
	}
	c.turn.b.acts = append(c.turn.b.acts, noted[sources.Act]{a, c.turn})
}

// taskList is a list of tasks, or a change to one.
type taskList struct {
	all     []sources.Todo
	changes bool
}

// listOf returns the newest list with all changes. In a fork it is the parent's until the fork changes it.
func listOf(all []noted[taskList]) (out []sources.Todo) {
	for len(all) > 0 && all[len(all)-1].turn != nil && all[len(all)-1].turn.Inherited {
		all = all[:len(all)-1]
	}
	first := 0
	for i, l := range all {
		if !l.what.changes {
			first = i
		}
	}
	at := map[string]int{} // places in out
	for _, l := range all[first:] {
		for _, one := range l.what.all {
			i, known := at[one.ID]
			if known && l.what.changes {
				one.Title = cmp.Or(one.Title, out[i].Title)
				out[i] = one
				continue
			}
			if !known {
				at[one.ID] = len(out)
			}
			out = append(out, one)
		}
	}
	return out
}

// changed returns the change that a call makes to one task. A new task gets its id from the result.
func changed(a *tools.Arguments, made string, at time.Time) sources.Todo {
	raw := a.Status
	if made != "" {
		raw = cmp.Or(raw, "pending")
	}
	return sources.Todo{ID: cmp.Or(a.TaskID.Text, made), Title: words.OneLine(a.Subject, len(a.Subject)+1), Status: tools.Status(raw), Raw: raw,
		Origin: "tasks", Description: a.Description, After: a.BlockedBy, At: at}
}

func (c *Called) asked(r Result, args *tools.Arguments, at time.Time) {
	given := map[string]string{}
	for _, a := range r.Answers {
		if was := given[a.Question]; was != "" && a.Answer != "" && was != a.Answer { // it was asked twice
			a.Answer = was + ", " + a.Answer
		}
		given[a.Question] = cmp.Or(a.Answer, given[a.Question])
	}
	var questions []string
	asked := args.Asked()
	said := map[string]bool{} // answers that were not chosen: they are part of the conversation alone
	for _, q := range asked {
		questions = append(questions, q.Words())
		said[q.Words()] = !q.Offers()
	}
	for _, a := range r.Answers {
		questions = append(questions, a.Question)
	}
	var list strings.Builder
	met := map[string]bool{}
	for _, q := range questions {
		if strings.TrimSpace(q) == "" || met[q] {
			continue
		}
		met[q] = true
		answer := given[q]
		if len(r.Answers) == 0 && len(asked) == 1 {
			answer = r.Text
		}
		line := words.OneLine(q, len(q)+1)
		fmt.Fprintf(&list, "- %s\n  - %s\n", line, cmp.Or(words.OneLine(answer, len(answer)+1), "*no answer*"))
		if !said[q] {
			c.tell(sources.Act{Kind: sources.ActAsked, At: at, Text: q, Answer: strings.TrimSpace(answer)})
		}
	}
	c.note(cmp.Or(list.String(), r.Text))
}

const rejection = "**Decision:** rejected"

// note adds the question or plan of a call to the answer, before the call, unless the agent's words mention it.
func (c *Called) note(text string) {
	if b := c.turn.b; !b.Silent {
		waiting, message := b.waiting, b.message
		c.turn.Say(text, Report)
		b.waiting, b.message, c.piece = waiting, message, len(c.turn.pieces)
	}
}

func (c *Called) planned(r Result, args *tools.Arguments, at time.Time) {
	plan := cmp.Or(r.Plan, &Plan{})
	text := strings.TrimSpace(cmp.Or(plan.Text, args.Plan.Text))
	c.note("**Decision:** approved")
	verdict := map[bool]sources.Verdict{true: sources.Accepted}[c.OK != nil]
	c.tell(sources.Act{Kind: sources.ActPlanned, At: at, Text: TitleOf(cmp.Or(text, args.Planned())), Answer: r.Words, Verdict: verdict, Unasked: plan.Unasked})
	if text != "" {
		name := cmp.Or(plan.Name, "plan.md")
		c.turn.b.artifacts = append(c.turn.b.artifacts, noted[sources.Artifact]{sources.Artifact{Kind: sources.Plan, Name: name, At: at, Text: text, Size: int64(len(text))}, c.turn})
	}
}

// refuse records that a call did not run, and the person's words.
func (c *Called) refuse(r Result, at time.Time) {
	c.OK, c.Command = new(bool), ""
	c.turn.b.dismiss(c)
	kind, about := sources.ActRefused, cmp.Or(c.use.Command, c.Detail)
	switch c.use.Does {
	case tools.Plans:
		text := cmp.Or(cmp.Or(r.Plan, &Plan{}).Text, c.Args().Planned())
		c.note(text) // no other record has it
		if kind, about, c.undecided = sources.ActPlanned, TitleOf(text), r.Undecided; c.undecided {
			return
		}
		c.note(rejection)
	case tools.Asks:
		kind = sources.ActAsked
	}
	words := strings.TrimSpace(r.Words)
	if words != "" {
		c.note("**Feedback:** " + words)
	}
	if !r.Told && (words != "" || kind != sources.ActRefused) {
		c.tell(sources.Act{Kind: kind, At: at, Text: about, Answer: words, Verdict: sources.Rejected})
	}
}

// TitleOf returns the first heading of a text, else its first line.
func TitleOf(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if heading := strings.TrimLeft(line, "#"); heading != line && strings.HasPrefix(heading, " ") {
			return words.OneLine(heading, 120)
		}
		first = cmp.Or(first, line)
	}
	return words.OneLine(first, 120)
}

// WorkOf turns the conversation of a sub-agent into a layer of the session it worked for. Its edits and
// commits count there, in no turn. Task and Answer of d override the conversation's.
func WorkOf(s *sources.Session, d sources.Delegation) *sources.Session {
	d.At = cmp.Or(d.At, s.Created)
	for _, t := range s.Turns {
		d.Task, d.At = cmp.Or(d.Task, t.User), cmp.Or(d.At, t.At)
		if t.End.After(d.End) {
			d.End = t.End
		}
		d.Calls += len(t.Tools)
		if t.Tokens != nil {
			d.Tokens = cmp.Or(d.Tokens, &sources.Tokens{})
			d.Tokens.In, d.Tokens.Out = d.Tokens.In+t.Tokens.In, d.Tokens.Out+t.Tokens.Out
		}
	}
	d.Task = strings.TrimSpace(d.Task)
	for i := len(s.Turns) - 1; i >= 0 && d.Answer == ""; i-- {
		d.Answer = lastOf(s.Turns[i])
	}
	out := &sources.Session{Class: sources.Automatic, Place: s.Place, Updated: s.Updated, Delegated: []sources.Delegation{d}, Damage: s.Damage}
	for _, f := range s.Files {
		if f.Turn, f.TurnID = -1, ""; f.Kind != sources.Viewed && f.Kind != sources.Mentioned {
			out.Files = append(out.Files, f)
		}
	}
	for _, r := range s.Refs {
		r.Turn, r.At = -1, time.Time{}
		out.Refs = append(out.Refs, r)
	}
	return out
}

// Employ adds the conversations of sub-agents whose records are among the session's, as [WorkOf] builds them;
// nil ones are skipped. A call with the same task is matched with its conversation. Their edits and commits
// count, a commit in the turn of the call.
func (b *Builder) Employ(all []*sources.Session) {
	asked := map[string][]noted[*sources.Delegation]{}
	for _, w := range b.workers {
		if w.what != nil {
			asked[w.what.Task] = append(asked[w.what.Task], w)
		}
	}
	for _, s := range all {
		if s == nil {
			continue
		}
		d := s.Delegated[0]
		same := asked[d.Task]
		var by *Turn
		if len(same) > 0 {
			by = same[0].turn
		}
		for _, f := range s.Files {
			b.employed = append(b.employed, noted[sources.FileTouch]{f, by})
		}
		for _, r := range s.Refs {
			b.refs = append(b.refs, noted[sources.Ref]{r, by})
		}
		if len(same) == 0 {
			b.Delegate(d)
			continue
		}
		w := same[0].what
		asked[d.Task] = same[1:]
		w.Answer, w.Calls, w.Tokens = cmp.Or(w.Answer, d.Answer), max(w.Calls, d.Calls), d.Tokens
		if d.End.After(w.End) {
			w.End = d.End
		}
	}
}

// lastOf returns the last words of a turn: everything after the last call, or all if that is empty.
func lastOf(t sources.Turn) string {
	at := 0
	for _, c := range t.Tools {
		at = max(at, c.After)
	}
	return cmp.Or(strings.TrimSpace(t.Assistant[at:]), strings.TrimSpace(t.Assistant))
}

// Short writes a path relative to the project's folder, with slashes, else to the home folder.
func (b *Builder) Short(path string) string {
	slashed, place := strings.ReplaceAll(path, `\`, "/"), b.Session.Place
	root := strings.TrimRight(strings.ReplaceAll(cmp.Or(place.GitRoot, place.Cwd), `\`, "/"), "/")
	below, ok := strings.CutPrefix(slashed, root+"/")
	switch {
	case root == "" || path == "":
	case slashed == root:
		return "."
	case ok:
		return below
	}
	return sources.Tilde(strings.TrimPrefix(path, "./"))
}

// Changed records a changed file whose turn is unknown, unless a call changed it.
func (b *Builder) Changed(path string) {
	if path = b.PathOf(path); path != "" {
		b.changed = append(b.changed, sources.FileTouch{Path: path, Kind: sources.Edited, Turn: -1, At: b.now})
	}
}

func (b *Builder) layChanged() {
	if len(b.changed) == 0 {
		return
	}
	known := map[string]bool{}
	for _, f := range b.Session.Files {
		known[b.Short(f.Path)] = known[b.Short(f.Path)] || f.Kind != sources.Viewed
	}
	for _, f := range b.changed {
		if key := b.Short(f.Path); !known[key] {
			known[key], b.Session.Files = true, append(b.Session.Files, f)
		}
	}
}
