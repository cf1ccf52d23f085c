package claudecode

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// titles are what a transcript calls the session, and others.
type titles struct {
	custom, model string
	leaves        []string // lines of other transcripts, in order
	of            map[string]string
}

// leaf takes in the title of the session that holds a line, almost never this one.
func (t *titles) leaf(uuid, title string) {
	if uuid == "" || strings.TrimSpace(title) == "" {
		return
	}
	if t.of == nil {
		t.of = map[string]string{}
	}
	if t.of[uuid] == "" {
		t.leaves = append(t.leaves, uuid)
	}
	t.of[uuid] = title
}

// plan is one that was accepted, and the turn in which it was.
type plan struct {
	sources.Artifact
	turn *turn
}

// planned takes in a plan that was accepted. Its file is called by its slug.
func (p *parser) planned(file, text string, r *record, t *turn) {
	name := path.Base(slashed(file))
	if file == "" {
		name = cmp.Or(r.Slug, "plan") + ".md"
	}
	if text = strings.TrimSpace(text); text != "" {
		p.plans = append(p.plans, plan{sources.Artifact{Kind: sources.Plan, Name: name, At: r.Timestamp.Time, Text: text, Size: int64(len(text))}, t})
	}
}

// accepted are the plans that were not taken back, the newest of each name.
func (p *parser) accepted() (all []sources.Artifact) {
	known := map[string]bool{}
	for _, one := range slices.Backward(p.plans) {
		if !one.turn.dead && !known[one.Name] {
			known[one.Name] = true
			all = append(all, one.Artifact)
		}
	}
	return all
}

// finish makes the session.
func (p *parser) finish() *sources.Session {
	p.unqueued()
	p.rewind()
	p.inherit()
	s := &sources.Session{ID: p.id, Agent: agentName, Parent: p.parent, Complete: p.whole, Place: p.place.of(), Created: p.created(),
		Summary: p.recap.Summary, SummaryFrom: p.recap.SummaryFrom, SummaryAt: p.recap.SummaryAt}
	at := p.placeTurns(s)
	p.placeBesides(s, at)
	p.classify(s)
	p.name(s)
	s.ShortenFiles()
	files.SetUpdated(s)
	return s
}

// inherit marks what was said in the session that this one was forked from. All in front
// of a copied turn is copied too: a prompt does not always say so itself.
func (p *parser) inherit() {
	newest := -1
	for i, t := range p.turns {
		if t.foreign && p.own { // else it is the whole session under another name
			t.copied = true
			p.parent = cmp.Or(p.parent, p.foreign)
		}
		if t.copied {
			newest = i
		}
	}
	for _, t := range p.turns[:newest+1] {
		t.Inherited = true
	}
	if p.parent = sources.FoldUUID(p.parent); p.parent == p.id {
		p.parent = ""
	}
}

// created is when the session itself began: a fork begins with its own first prompt.
func (p *parser) created() time.Time {
	for _, t := range p.turns {
		if p.parent != "" && !t.Inherited && !t.At.IsZero() {
			return t.At
		}
	}
	return p.first
}

// placeTurns numbers the turns that are left, and gives for each the number of it, or of
// the one in front of it.
func (p *parser) placeTurns(s *sources.Session) map[*turn]int {
	at := map[*turn]int{nil: -1}
	for _, t := range p.turns {
		t.Assistant = t.text.String()
		at[t] = len(s.Turns) - 1
		switch {
		case t.dead:
			s.Rewound = true
			s.TakenBack = append(s.TakenBack, sources.Turn{Index: len(s.TakenBack), ID: t.ID, At: t.At, User: t.User, Assistant: t.Assistant, Status: t.Status})
		case t.command && !t.proven && t.isBare(): // nobody answered it
			p.actions = append(p.actions, action{sources.Action{Kind: actionKind(t.User), Text: t.User, At: t.At}, t})
		case t.auto && p.human && t.isBare():
		default:
			t.settle(p.human, t == p.now)
			t.Index, at[t] = len(s.Turns), len(s.Turns)
			s.Turns = append(s.Turns, t.Turn)
			p.placeOf(s, t)
		}
	}
	return at
}

// isBare tells that nothing followed a prompt.
func (t *turn) isBare() bool {
	return t.text.Len() == 0 && len(t.Tools) == 0 && t.Status == sources.Pending
}

// settle says how a turn ended. Where the agent was at work, the answer comes with the next
// prompt, which joined it on the way; else none ever will.
func (t *turn) settle(human, newest bool) {
	if t.auto && human {
		t.User = "" // nobody said it
	}
	if t.Status == sources.Pending && !newest {
		t.Status = sources.Cancelled
		if len(t.Tools) > 0 {
			t.Status = sources.Complete
		}
	}
}

// placeOf adds what a turn did.
func (p *parser) placeOf(s *sources.Session, t *turn) {
	for _, f := range t.files {
		f.Turn = t.Index
		s.Files = append(s.Files, f)
	}
	if t.todos != nil {
		s.Todos = *t.todos
	}
	for _, model := range t.models {
		if !t.Inherited && !slices.Contains(s.Models, model) {
			s.Models = append(s.Models, model)
		}
	}
}

// placeBesides adds what stands beside the turns, at its turn.
func (p *parser) placeBesides(s *sources.Session, at map[*turn]int) {
	if tasks := tasksOf(p.tasks); len(tasks) > 0 {
		s.Todos = tasks
	}
	slices.SortStableFunc(p.actions, func(a, b action) int { return cmp.Compare(at[a.turn], at[b.turn]) })
	for _, a := range p.actions {
		a.Turn = at[a.turn]
		s.Actions = append(s.Actions, a.Action)
	}
	for _, c := range p.checks {
		if c.turn == nil || !c.turn.dead {
			c.Number, c.Inherited = len(s.Checkpoints)+1, c.turn != nil && c.turn.Inherited
			s.Checkpoints = append(s.Checkpoints, c.Checkpoint)
		}
	}
	for _, h := range p.helpers.told() {
		s.Delegated = append(s.Delegated, h.Delegation)
		s.Files = append(s.Files, h.files...)
	}
	p.placeRefs(s, at)
}

// placeRefs adds each ref once. Those of no turn come last; in a fork they repeat what the
// parent tells.
func (p *parser) placeRefs(s *sources.Session, at map[*turn]int) {
	slices.SortStableFunc(p.refs, func(a, b foundRef) int { return cmp.Compare(uint(at[a.turn]), uint(at[b.turn])) })
	known := map[string]int{} // places in s.Refs
	for _, r := range p.refs {
		if r.turn != nil && r.turn.dead || r.turn == nil && s.Parent != "" {
			continue
		}
		ref, key := r.Ref, refKey(r.Ref)
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

// refKey is the same for refs that name one thing: hashes are cut at any length.
func refKey(r sources.Ref) string {
	const shortest = 7 // digits of a hash
	if r.Type == sources.Commit {
		return r.Value[:min(shortest, len(r.Value))]
	}
	return strings.ToLower(r.Type + " " + r.Value + " " + r.Repo)
}

// classify says whose session it is.
func (p *parser) classify(s *sources.Session) {
	observer := len(s.Turns) > 0 && isObserver(strings.TrimSpace(s.Turns[0].User), p.place.cwd)
	program := !p.human && (len(s.Turns) > 0 || p.probed || p.begun && p.alone)
	switch {
	case observer || program:
		s.Class = sources.Automatic
	default:
		s.Headless = p.head && len(s.Turns) > 0
	}
}

// summaries is the version that about wrote no summary any more into other transcripts.
const summaries = "2.1.40"

// name gives the title, and the ids under which other files know the session: its plan by
// the slug, a title by the last line of a turn.
func (p *parser) name(s *sources.Session) {
	switch {
	case strings.TrimSpace(p.titles.custom) != "":
		s.Title, s.TitleFrom = strings.TrimSpace(p.titles.custom), sources.TrustUser
	case strings.TrimSpace(p.titles.model) != "":
		s.Title, s.TitleFrom = strings.TrimSpace(p.titles.model), sources.TrustNamed
	}
	for _, slug := range p.slugs {
		s.Aliases = append(s.Aliases, planID(slug))
	}
	if isBefore(p.version, summaries) {
		for _, t := range p.turns {
			if !t.dead && !t.Inherited && t.leaf != "" {
				s.Aliases = append(s.Aliases, leafID(t.leaf))
			}
		}
	}
	slices.Sort(s.Aliases)
	s.Aliases = slices.Compact(s.Aliases)
}

// planID and leafID are ids under which a plan and a title are known that name no session.
func planID(slug string) string { return agentName + ":plan:" + words.OneLine(slug, 256) }
func leafID(uuid string) string { return agentName + ":leaf:" + words.OneLine(uuid, 64) }
