package claudecode

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// facts are the session's data in each line of the tree.
type facts struct {
	id      string    // id of the session, or "" for a sub-agent
	first   time.Time // time of the first line that is not a copy
	version string    // version in the first line
	parent  string
	foreign string // the first other session that a line names
	agent   string // the sub-agent that wrote the lines
	slugs   []string

	home     string // home of the session
	cwd      string // the first one
	branch   string // the newest one
	original string // folder of the repository of a worktree made for the session
	worktree string

	begun bool // a line of the tree was seen
	whole bool // the first line began the session
	own   bool // a line names this session
	alone bool // all lines so far are a sub-agent's
	head  bool // a program began it with its prompt
	fed   bool // its first line is of the queue, as when a program gives the prompt: before about 2.1.75 no entry point says so
}

// describe reads the facts of a line, and reports whether it is a copy of another session's.
func (f *facts) describe(r *record) (copied bool) {
	from := cmp.Or(r.ForkedFrom.SessionID, r.RequestSession)
	if from == f.id {
		from = ""
	}
	if r.SessionID == f.id {
		f.own = true
	} else {
		f.foreign = cmp.Or(f.foreign, r.SessionID)
	}
	if from == "" && f.first.IsZero() {
		f.first = r.Timestamp.Time
	}
	f.parent, f.version, f.agent, f.cwd = cmp.Or(f.parent, from), cmp.Or(f.version, r.Version), cmp.Or(r.AgentID, f.agent), cmp.Or(f.cwd, r.Cwd)
	if n := len(f.slugs); r.Slug != "" && (n == 0 || f.slugs[n-1] != r.Slug) {
		f.slugs = append(f.slugs, r.Slug)
	}
	if r.GitBranch != "HEAD" { // written in a folder without git
		f.branch = cmp.Or(r.GitBranch, f.branch)
	}
	f.head = f.head || strings.HasPrefix(r.Entrypoint, "sdk-") || r.PromptSource == "sdk" && !strings.HasPrefix(r.Entrypoint, "claude-") // a person types in its windows
	return from != ""
}

// inherit marks what was said in the parent of a fork: everything before a copied turn is copied.
func (f *facts) inherit(turns []*turn) {
	newest := -1
	for i, t := range turns {
		if t.foreign && f.own { // else it is the whole session under another name
			t.copied = true
			f.parent = cmp.Or(f.parent, f.foreign)
		}
		if t.copied {
			newest = i
		}
	}
	for _, t := range turns[:newest+1] {
		t.Inherited = true
	}
	if f.parent = sources.FoldUUID(f.parent); f.parent == f.id {
		f.parent = ""
	}
	for _, t := range turns[newest+1:] { // a fork begins with its own first prompt
		if f.parent != "" && !t.At.IsZero() {
			f.first = t.At
			break
		}
	}
}

// session reads a transcript and the files beside it. Titles of other sessions, and plans, are layers of their own.
func (r *reading) session(ctx context.Context) error {
	err := r.Layer(ctx, sources.Layer{Name: layerTranscript, Rank: sources.RankLog, AppendOnly: true}, partTranscript, func(la *sources.Layer, path string) error {
		p, log, err := r.parse(ctx, path, r.Item.Session)
		if err != nil {
			return err
		}
		la.Session, la.Provisional = p.finish(), log.Records == 0
		plans := la.Session.Artifacts
		if la.Session.Damage, la.Session.Artifacts = log.Damage(), nil; p.planned {
			r.Add(sources.Layer{Name: layerPlanned, Rank: sources.RankSidecar, Session: &sources.Session{Artifacts: plans}})
		}
		for _, leaf := range slices.Sorted(maps.Keys(p.titles)) {
			r.Give(leafID(leaf), sources.Layer{Name: layerTitle, Rank: sources.RankIndex, Session: &sources.Session{Title: p.titles[leaf], TitleFrom: sources.TrustNamed}})
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.lists()
	return r.title(ctx)
}

// parse reads the log of a session, or of a sub-agent without an id.
func (r *reading) parse(ctx context.Context, path, session string) (*parser, *jsonl.Log[record], error) {
	p := newParser(session, r.Item.Root)
	log := p.log()
	err := log.ReadFile(ctx, path)
	r.Out.Records += log.Records
	r.Unknown(log.Unknown)
	return p, log, err
}

// begin reads the first part of a transcript, with the facts of each line and mostly the first prompt.
func begin(ctx context.Context, path, session string) *parser {
	p := newParser(session, "")
	log := p.log()
	log.Most = 256 << 10
	_ = log.ReadFile(ctx, path) // lines before the error were read
	return p
}

func (p *parser) finish() *sources.Session {
	if p.begun { // else nobody handles waiting prompts
		p.queue.insertInto(p.b, p.own, p.id)
	}
	p.rewind(p.bridged)
	p.inherit(p.turns)
	s := p.b.Session
	s.ID, s.Agent, s.Parent, s.Complete, s.Created, s.Aliases = p.id, agentName, p.parent, p.whole, p.first, p.aliases()
	s.Place = sources.Place{Cwd: cmp.Or(p.original, projectOf(p.cwd)), Branch: p.branch}
	var work []*sources.Session
	for _, side := range p.sides {
		work = append(work, side.work(""))
	}
	p.b.Employ(work)
	p.b.Finish()
	observer := len(s.Turns) > 0 && isObserver(strings.TrimSpace(s.Turns[0].User), p.cwd, p.fed || p.head)
	if observer || !p.b.Human() && (len(s.Turns) > 0 || p.probed || p.begun && p.alone) {
		s.Class = sources.Automatic
	}
	s.Headless = p.head && len(s.Turns) > 0 && s.Class == ""
	return s
}

// work returns a sub-agent's work as a layer of the session that it worked for, or nil if nobody asked it. A member of
// a team begins a log with a copy of the last one whenever it gets a message: these have no id, and the task identifies
// them.
func (p *parser) work(id string) *sources.Session {
	if len(p.turns) == 0 {
		return nil
	}
	first := p.turns[0].Turn
	d := sources.Delegation{ID: cmp.Or(p.agent, id, first.ID), At: first.At}
	if m := teamMessage().FindStringSubmatch(first.User); m != nil {
		d.ID, d.Task = "", cmp.Or(strings.TrimSpace(m[2]), m[1])
	} else if kindOf(first.User) == programPrompt {
		return nil
	}
	s := builder.WorkOf(p.finish(), d)
	if d = s.Delegated[0]; d.Task == "" && d.Calls == 0 { // a warm-up
		return nil
	}
	return s
}

// planID and leafID are ids of plans and titles that name no session.
func planID(slug string) string { return agentName + ":plan:" + words.OneLine(slug, 256) }
func leafID(uuid string) string { return agentName + ":leaf:" + words.OneLine(uuid, 64) }

// aliases returns the ids under which other files know the session: its plan by the slug, a title by the last line of a
// turn.
func (p *parser) aliases() (ids []string) {
	for _, slug := range p.slugs {
		ids = append(ids, planID(slug))
	}
	for _, t := range p.turns {
		if isBefore(p.version, summaries) && !t.IsBack() && !t.Inherited && t.leaf != "" {
			ids = append(ids, leafID(t.leaf))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

const worktrees = "/.claude/worktrees/" // the folder of a project's worktrees for sessions

// inProject returns a path in a worktree as one in the project; other paths stay.
func (f *facts) inProject(path string) string {
	if rest, ok := strings.CutPrefix(path, f.worktree); ok && f.worktree != "" && strings.IndexAny(rest+"/", `/\`) == 0 {
		return f.original + rest
	}
	before, behind, ok := strings.Cut(slashed(path), worktrees)
	if !ok || before == "" {
		return path
	}
	end := strings.IndexByte(behind+"/", '/')
	return path[:len(before)] + path[len(path)-len(behind)+end:]
}

// isOwn reports whether a file is the program's own, in one of its homes. A project may have such folders too.
func (f *facts) isOwn(path string) bool {
	path = slashed(path)
	inProject := f.cwd != "" && strings.HasPrefix(path, slashed(projectOf(f.cwd))+"/")
	for _, own := range []string{"plans/", "projects/", "tasks/", "todos/"} {
		if !inProject && strings.Contains(path, "/.claude/"+own) || f.home != "" && strings.HasPrefix(path, slashed(f.home)+"/"+own) {
			return true
		}
	}
	return false
}

// slashed returns a path of any system with slashes.
func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// projectOf returns the folder of a session's project: for a worktree, the folder it was made from.
func projectOf(cwd string) string {
	if i := strings.Index(slashed(cwd), worktrees); i > 0 {
		return cwd[:i]
	}
	return cwd
}
