package codexcli

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// parser turns the records of a thread, one after the other, into a session.
type parser struct {
	thread  string // its id
	session *sources.Session
	meta    meta // of the first record
	worker  *worker

	begun   bool   // a record was seen
	started bool   // the record that begins a thread was seen
	whole   bool   // it was the first of all
	bare    bool   // records have no envelope
	line    int    // number of the current one in its file, from 0
	style   string // what tells prompts and answers in this file: its events, or its items

	end   int64 // ordinal from which on a file is dead, -1: none is
	dead  *parser
	now   time.Time // of the current record
	model string
	mode  string
	task  string // id of Codex's own turn, which may hold several prompts

	fork
	text
	marks    []mark // of each turn
	plans    []plan
	goal     *sources.Todo
	spawns   map[string]arguments // of calls that begin a sub-agent, by their id
	calls    map[string]*call
	opened   []*call         // all of them, in the order of their turns
	helpers  map[string]int  // places of sub-agents in Delegated
	models   map[string]bool // those that were met
	prompts  map[string]bool // those that were met, by their ids
	repeats  map[string]int  // how often a prompt was met
	lastSum  []byte          // tokens of the thread, as the last record that told them has it
	recorded int             // turn whose tokens are told by answer, -1: none
	// passedCount says that sums of the thread were passed over since.
	passedCount bool
	unsaid      string // findings of a review that no answer told yet
	takenBack   []sources.Turn

	records int
	bad     int     // lines that could not be read
	skipped []int64 // sizes of the records that were not held
	unknown map[string]int

	decoder decode.Decoder
	rec     record // the current one
}

// mark is how much there was when a turn began, which is what a rollback goes back to.
type mark struct {
	plans, checkpoints, delegated, artifacts, files, refs, actions int
	goal                                                           *sources.Todo
}

// plan is the agent's list as a call left it.
type plan struct {
	steps []step
	at    time.Time
}

func newParser(thread string) *parser {
	return &parser{
		thread: thread, session: &sources.Session{}, end: -1, recorded: -1, spawns: map[string]arguments{}, calls: map[string]*call{}, helpers: map[string]int{}, models: map[string]bool{},
		prompts: map[string]bool{}, repeats: map[string]int{}, unknown: map[string]int{},
	}
}

// record gives the current record to its handler; ok says that it is one. What stands
// behind the place that a rewind went back to is for another parser, and what a sub-agent
// copied from its parent for none.
func (p *parser) record(key string, ok bool) {
	p.records++
	first := !p.begun
	p.begun = true
	if !ok {
		p.bad++
		return
	}
	if key == "" {
		key = p.rec.key()
	}
	handle := handlers[key]
	if handle == nil {
		p.records--
		p.pass(key)
		return
	}
	ordinal := int64(p.line)
	if p.rec.Ordinal != nil {
		ordinal = int64(*p.rec.Ordinal)
	}
	to := p
	switch isMeta := key == "session_meta"; {
	case isMeta && first:
		p.whole = true
	case isMeta:
	case p.end >= 0 && ordinal >= p.end:
		if p.dead == nil {
			p.dead = newParser(p.thread)
			p.dead.model = p.model
		}
		to = p.dead
	case p.worker != nil && ordinal < int64(p.meta.Start):
		return
	}
	if p.isForeign(&p.rec) || !p.isOfStyle(key, p.rec.Payload.Kind) {
		return
	}
	if at := words.Time(p.rec.Timestamp); !at.IsZero() {
		to.now = at
	}
	to.goOn()
	handle(to, &p.rec)
}

// isForeign says that a record is of another thread: the parent of a review has the items
// of its reviewer.
func (p *parser) isForeign(r *record) bool {
	id := r.Payload.ThreadID
	return id != "" && sources.FoldUUID(id) != p.thread
}

// isOfStyle keeps what was said from being told twice, as an event and as an item. A thread may
// go on in a file of the other style.
func (p *parser) isOfStyle(key, source string) bool {
	group, kind, _ := strings.Cut(key, "/")
	if kind == "user_message" && source != "" && source != "plain" {
		return false // some versions mark what they put there themselves
	}
	switch kind {
	case "user_message", "agent_message", "UserMessage", "AgentMessage":
		if group != "response_item" {
			p.style = cmp.Or(p.style, group)
		}
		return group == "response_item" || group == p.style
	}
	return true
}

// startedBy takes in session_meta, of which the first one counts.
func (p *parser) startedBy(r *record) {
	d := &r.Payload
	id := sources.FoldUUID(d.ID)
	if p.started {
		p.copiedFrom(id)
		return
	}
	p.started, p.meta = true, d.meta
	s := p.session
	if s.Created = words.Time(d.Began); s.Created.IsZero() {
		s.Created = p.now
	}
	s.Place = sources.Place{Cwd: plainPath(d.Cwd), Repository: d.Git.Repository, Branch: d.Git.Branch}
	if p.worker = workerOf(d, id); p.worker != nil {
		return
	}
	s.Parent = sources.FoldUUID(d.ForkedFrom)
	s.Class, s.Headless = classOf(d)
}

// ownPrograms are those of Codex, by the word with which they begin a thread; older files have
// none. What another program begins without a person is automatic.
var ownPrograms = []string{"codex_cli_rs", "codex-tui", "codex_exec", "codex_vscode", "Codex Desktop", ""}

// classOf tells whose a thread is by where it comes from.
func classOf(d *payload) (class sources.Class, headless bool) {
	switch own := slices.Contains(ownPrograms, d.Originator); {
	case d.Source.Agent != nil, d.ThreadSource != "" && d.ThreadSource != "user": // a helper of nobody that is known
		return sources.Automatic, false
	case d.Source.Word == "mcp", d.Source.Word == "exec" && !own:
		return sources.Automatic, false
	}
	return "", d.Source.Word == "exec"
}

// context takes in turn_context: the model, and how the turn is run. Versions before 0.128
// write it behind the prompt.
func (p *parser) context(r *record) {
	d := &r.Payload
	p.stillCopied(d.TurnID)
	p.model = d.Model[strings.LastIndexByte(d.Model, '/')+1:]
	if p.model != "" && !p.copying && !p.models[p.model] {
		p.models[p.model] = true
		p.session.Models = append(p.session.Models, p.model)
	}
	if p.mode = ""; d.Collaboration.Mode == "plan" {
		p.mode = "plan"
	}
	if t := p.turn(); t != nil && t.Status == sources.Pending && len(t.Tools)+len(p.pieces) == 0 {
		t.Model, t.Mode = cmp.Or(p.model, t.Model), cmp.Or(p.mode, t.Mode)
	}
	if s := p.session; s.Place.Cwd == "" {
		s.Place.Cwd = plainPath(d.Cwd)
	}
}

// named takes in a name, which versions before 0.169 kept here too.
func (p *parser) named(r *record) {
	if name := strings.TrimSpace(r.Payload.Name); name != "" {
		p.session.Title, p.session.TitleFrom = name, sources.TrustDerived
	}
}

// finish completes what follows from the whole.
func (p *parser) finish() {
	p.tellReview()
	p.flush()
	p.decoder.Unknown(p.unknown)
	s := p.session
	s.Complete = p.whole
	if n := len(p.plans); n > 0 {
		s.Todos = p.plans[n-1].todos()
	}
	if p.goal != nil {
		s.Todos = append(s.Todos, *p.goal)
	}
	if len(s.Turns) > 0 && len(s.Actions) > 0 && s.Title == "" && s.Turns[0].User == "" { // nobody typed a prompt
		s.Title, s.TitleFrom = words.OneLine(s.Actions[0].Text, 200), sources.TrustPrompt
	}
	if p.dead != nil {
		p.takeBack(p.dead)
	}
	s.TakenBack = p.takenBack
	s.Rewound = s.Rewound || len(s.TakenBack) > 0
	if p.bad > 0 {
		s.Damage = append(s.Damage, words.Count(p.bad, "line")+" could not be read")
	}
	for _, size := range p.skipped {
		s.Damage = append(s.Damage, fmt.Sprintf("a record of %d MB was skipped", size/1e6))
	}
	s.Artifacts = s.Artifacts[max(0, len(s.Artifacts)-1):] // the last plan counts
	s.ShortenFiles()
	files.SetUpdated(s)
}

// takeBack takes in what a rewind left behind: prompts and answers alone.
func (p *parser) takeBack(dead *parser) {
	dead.flush()
	p.session.Rewound = true
	for _, t := range append(dead.takenBack, dead.session.Turns...) {
		p.takenBack = append(p.takenBack, sources.Turn{
			Index: len(p.takenBack), ID: t.ID, At: t.At, End: t.End, User: t.User, Assistant: t.Assistant, Model: t.Model, Status: t.Status,
		})
	}
}

// plainPath is a path as a person writes it: items have a URL of it, and Windows may put
// \\?\ before it.
func plainPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "file://"); ok {
		if plain, err := url.PathUnescape(rest); err == nil {
			rest = plain
		}
		if len(rest) > 2 && rest[0] == '/' && rest[2] == ':' { // a drive
			rest = rest[1:]
		}
		return rest
	}
	return strings.TrimPrefix(path, `\\?\`)
}
