package builder

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// Finish completes the session: it leaves out turns taken back, and derives the rest.
func (b *Builder) Finish() *sources.Session {
	s := b.Session
	if b.finished {
		return s
	}
	b.finished = true
	b.weave()
	at := b.lay()
	b.layChanged()
	b.layBesides(at)
	b.layRefs(at)
	b.layActs(at)
	s.Rewound = s.Rewound || len(s.TakenBack) > 0
	if len(s.Turns) > 0 && !b.human && !b.began() {
		s.Class = sources.Automatic
	}
	if len(s.Turns) > 0 && len(s.Actions) > 0 && s.Title == "" && s.Turns[0].User == "" && b.began() { // nobody typed a prompt
		s.Title, s.TitleFrom = tools.Line(s.Actions[0].Text), sources.TrustPrompt
	}
	if !s.Place.Guessed {
		s.ShortenFiles()
	}
	for _, f := range live(b.employed) {
		s.Files = append(s.Files, f.what)
	}
	files.SetUpdated(s)
	return s
}

// began reports whether the user began work without a prompt: by a goal, a review, a command.
func (b *Builder) began() bool {
	return len(b.actions) > 0 || slices.ContainsFunc(b.turns, func(t *Turn) bool { return t.bare && !t.dead })
}

// lay numbers the remaining turns, and returns each turn's number, or its predecessor's if it was removed.
func (b *Builder) lay() map[*Turn]int {
	s, at := b.Session, map[*Turn]int{nil: -1}
	var newest *Turn
	for _, t := range b.turns {
		if !t.inserted && !t.dead {
			newest = t
		}
	}
	var commands []noted[sources.Action]
	for i, t := range b.turns {
		t.place, at[t] = i+1, len(s.Turns)-1
		switch {
		case t.dead:
			text, _, _ := t.text()
			s.TakenBack = append(s.TakenBack, sources.Turn{
				Index: len(s.TakenBack), ID: t.ID, At: t.At, End: t.End, User: t.User, Assistant: text, Model: t.Model, Status: t.Status,
			})
		case t.command && t.isBare(): // nobody answered it
			if text := strings.TrimSpace(t.User); text != "" {
				commands = append(commands, noted[sources.Action]{sources.Action{Kind: ActionKind(text), Text: text, At: t.At}, t})
			}
		case t.program && !t.bare && b.human && t.isBare():
		default:
			if t.program && !t.bare && b.human {
				t.User = "" // nobody said it
			}
			t.end(t == newest)
			t.Index, at[t] = len(s.Turns), len(s.Turns)
			t.finish()
			s.Turns = append(s.Turns, t.Turn)
			b.layWork(t)
		}
	}
	b.actions = append(commands, b.actions...)
	return at
}

func (t *Turn) isBare() bool { return !t.Worked() && t.Status == sources.Pending }

// ActionKind returns the kind of action of a line that a user typed.
func ActionKind(line string) string {
	switch name, _, _ := strings.Cut(line, " "); {
	case name == "/goal":
		return sources.ActionGoal
	case name == "/review", name == "/security-review":
		return sources.ActionReview
	case strings.HasPrefix(line, "!"):
		return sources.ActionShell
	}
	return sources.ActionCommand
}

// lastMessage returns where the last message begins in the text, with all its blocks, ignoring replies
// to notes of the program.
func (t *Turn) lastMessage(order, starts []int) int {
	n := len(order) - 1
	for t.noted > 0 && n > 0 && order[n] >= t.noted && !t.calledSince() {
		n--
	}
	if n < 0 {
		return 0
	}
	last := t.pieces[order[n]].message
	for last != "" && n > 0 && t.pieces[order[n-1]].message == last {
		n--
	}
	return starts[order[n]]
}

func (t *Turn) finish() {
	text, order, starts := t.text()
	t.Assistant, t.Last = text, t.lastMessage(order, starts)
	ends := make([]int, len(t.pieces)) // end of each piece
	for i := range t.pieces {
		ends[i] = starts[i] + t.pieces[i].size()
	}
	final := len(t.pieces)
	if n := len(order); n > 0 && order[n-1] != n-1 {
		final = order[n-1] // it was moved to the end
	}
	calls, number := slices.DeleteFunc(slices.Clone(t.calls), func(c *Called) bool { return c.hidden }), map[string]int{}
	for i, c := range calls {
		if c.id != "" {
			number[c.id] = i + 1
		}
	}
	for _, c := range calls {
		switch n := c.piece; {
		case n == 0, n == 1 && final == 0:
			c.After = 0
		case n-1 == final:
			c.After = ends[n-2]
		default:
			c.After = ends[n-1]
		}
		if up := number[c.within]; up > 0 && calls[up-1] != c {
			c.Within = up
		}
		t.Tools = append(t.Tools, c.Tool)
	}
	for i := range t.Tools { // a call that is its own ancestor
		up := t.Tools[i].Within
		for depth := 0; up != 0 && depth < maxNesting; depth++ {
			up = t.Tools[up-1].Within
		}
		if up != 0 {
			t.Tools[i].Within = 0
		}
	}
}

// maxNesting limits how deep sub-agents are followed.
const maxNesting = 16

type touched struct{ path, kind string }

// layWork adds the work of a turn: each file once for each kind, and the models.
func (b *Builder) layWork(t *Turn) {
	s, met := b.Session, map[touched]int{}
	add := func(f sources.FileTouch) {
		i, known := met[touched{f.Path, f.Kind}]
		if known {
			s.Files[i].Verdict = cmp.Or(f.Verdict, s.Files[i].Verdict)
			return
		}
		f.Turn = t.Index
		met[touched{f.Path, f.Kind}] = len(s.Files)
		s.Files = append(s.Files, f)
	}
	changed, made := map[string]bool{}, map[string]bool{} // files changed by calls; by other records
	for _, c := range t.calls {
		for _, f := range c.files {
			changed[f.Path] = changed[f.Path] || f.Kind != sources.Viewed
			add(f)
		}
	}
	for _, f := range t.files {
		made[f.Path] = made[f.Path] || f.Kind == sources.Created
	}
	for _, f := range t.files {
		change, known := false, false
		for _, kind := range []string{sources.Created, sources.Edited, sources.Deleted, sources.Renamed, sources.Viewed, sources.Mentioned} {
			i, met := met[touched{f.Path, kind}]
			if met && kind != sources.Viewed && kind != sources.Mentioned {
				if change = true; f.Kind == "" {
					s.Files[i].Verdict = f.Verdict
				}
			}
			known = known || met
		}
		switch {
		case f.Kind == "" && change, f.Kind == sources.Mentioned && known, f.Kind == sources.Edited && made[f.Path]: // nothing new
		case changed[f.Path] && (f.Kind == sources.Edited || f.Kind == sources.Created): // a call recorded it
		default:
			f.Kind = cmp.Or(f.Kind, sources.Edited)
			add(f)
		}
	}
	for _, model := range t.models {
		if !t.Inherited && !slices.Contains(s.Models[max(0, len(s.Models)-100):], model) { // hostile files name many
			s.Models = append(s.Models, model)
		}
	}
}

// live returns the things of turns that were not taken back.
func live[T any](all []noted[T]) []noted[T] {
	return slices.DeleteFunc(slices.Clone(all), func(n noted[T]) bool { return n.turn != nil && n.turn.dead })
}

func (b *Builder) layBesides(at map[*Turn]int) {
	s := b.Session
	b.actions = live(b.actions)
	slices.SortStableFunc(b.actions, func(x, y noted[sources.Action]) int { return cmp.Compare(x.turn.placed(), y.turn.placed()) })
	for _, a := range b.actions {
		a.what.Turn = at[a.turn]
		s.Actions = append(s.Actions, a.what)
	}
	places, last := map[int]int{}, 0 // indexes of checkpoints, by number
	for _, c := range live(b.checkpoints) {
		if c.what.Inherited = c.what.Inherited || c.turn != nil && c.turn.Inherited; c.what.Number == 0 {
			c.what.Number = last + 1
		}
		last = max(last, c.what.Number)
		if i, known := places[c.what.Number]; known {
			s.Checkpoints[i] = c.what
			continue
		}
		places[c.what.Number] = len(s.Checkpoints)
		s.Checkpoints = append(s.Checkpoints, c.what)
	}
	s.Artifacts = append(s.Artifacts, newest(live(b.artifacts))...)
	s.Todos = append(listOf(live(b.lists)), s.Todos...)
	if tasks := tasksOf(live(b.tasks)); len(tasks) > 0 && !lastChange(s.Todos).After(lastChange(tasks)) {
		s.Todos = tasks // the list that was changed last is the session's
	}
	for _, w := range live(b.workers) {
		if w.what != nil && (w.turn == nil || !w.turn.Inherited) {
			s.Delegated = append(s.Delegated, *w.what)
		}
	}
}

func lastChange(list []sources.Todo) (at time.Time) {
	for _, t := range list {
		if t.At.After(at) {
			at = t.At
		}
	}
	return at
}

// newest returns the artifacts: the newest of each name, older ones under numbered names.
func newest(all []noted[sources.Artifact]) (out []sources.Artifact) {
	place, before := map[string]int{}, map[string]int{}
	for _, one := range all {
		key := one.what.Kind + "/" + one.what.Name
		i, known := place[key]
		if !known {
			place[key] = len(out)
			out = append(out, one.what)
			continue
		}
		was := out[i]
		if out[i] = one.what; strings.TrimSpace(was.Text) != strings.TrimSpace(one.what.Text) && was.Text != "" && was.Kind == sources.Plan {
			before[was.Name]++
			was.Name = fmt.Sprintf("%s (%d).md", strings.TrimSuffix(was.Name, ".md"), before[was.Name])
			out = append(out, was)
		}
	}
	return out
}

func tasksOf(changes []noted[sources.Todo]) (out []sources.Todo) {
	at := map[string]int{} // indexes in out
	for _, c := range changes {
		i, known := at[c.what.ID]
		switch {
		case tools.IsGivenUp(c.what.Raw) && known:
			out[i].ID = ""
			delete(at, c.what.ID)
		case tools.IsGivenUp(c.what.Raw):
		case known:
			t, now := &out[i], c.what
			t.Title, t.Description, t.At = cmp.Or(now.Title, t.Title), cmp.Or(now.Description, t.Description), now.At
			t.After = append(t.After, now.After...)
			if now.Raw != "" {
				t.Status, t.Raw = now.Status, now.Raw
			}
		default:
			at[c.what.ID] = len(out)
			out = append(out, c.what)
		}
	}
	return slices.DeleteFunc(out, func(t sources.Todo) bool { return t.ID == "" })
}

// layRefs adds each commit, pull request and issue once. Those without a turn come last, as in a fork
// they repeat the parent's.
func (b *Builder) layRefs(at map[*Turn]int) {
	s, all := b.Session, live(b.refs)
	slices.SortStableFunc(all, func(x, y noted[sources.Ref]) int { return cmp.Compare(uint(at[x.turn]), uint(at[y.turn])) })
	known := map[string]int{} // indexes in s.Refs
	for _, r := range all {
		ref := r.what
		if ref.Value == "" && ref.Text == "" || r.turn == nil && s.Parent != "" {
			continue
		}
		if sameRepository(s.Place, ref.Repo) {
			ref.Repo = ""
		}
		key := refKey(ref)
		if i, told := known[key]; told {
			s.Refs[i].Text = cmp.Or(s.Refs[i].Text, ref.Text)
			continue
		}
		if ref.Turn = at[r.turn]; ref.Turn >= 0 {
			ref.At = s.Turns[ref.Turn].At
		}
		known[key] = len(s.Refs)
		s.Refs = append(s.Refs, ref)
	}
}

// refKey returns a key that is the same for references to one thing: a cut hash, else the subject of a commit.
func refKey(r sources.Ref) string {
	const shortest = 7 // digits of a hash
	switch {
	case r.Type == sources.Commit && r.Value == "":
		return "commit of " + r.Text
	case r.Type == sources.Commit:
		return r.Value[:min(shortest, len(r.Value))]
	}
	return strings.ToLower(r.Type + " " + r.Value + " " + r.Repo)
}

// sameRepository reports whether host/owner/name is the repository of a place.
func sameRepository(place sources.Place, repo string) bool {
	own := strings.TrimSuffix(place.Repository, ".git")
	if strings.Count(own, "/") == 1 && !strings.Contains(own, ":") {
		own = cmp.Or(place.Host, "github.com") + "/" + own
	}
	own, repo = strings.ToLower(strings.ReplaceAll(own, ":", "/")), strings.ToLower(repo)
	return repo != "" && (own == repo || strings.HasSuffix(own, "/"+repo) || strings.HasSuffix(own, "@"+repo))
}
