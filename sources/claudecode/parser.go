package claudecode

import (
	"cmp"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// parser turns the lines of one transcript, in the order of the file, into turns. That
// order is the truth: a walk along the parents from the last line loses prompts, since
// chains break and most forks are parallel results of tools.
//
// A line belongs to the turn of the line that it follows, as far as that is known: two
// processes may write one file. Else it belongs to the newest turn.
type parser struct {
	id string // of the session

	turns  []*turn
	now    *turn              // the newest, nil before the first prompt
	owners map[lineID]*turn   // of each line of the tree; a value may be nil
	kids   map[string][]*turn // prompts that were typed behind a line, by its id
	queue  []queued
	calls  map[string]*call          // that have not ended
	spent  map[string]sources.Tokens // by message

	actions  []action
	command  string // the newest command, of which a second line may tell
	checks   []*checkpoint
	boundary time.Time // of a compaction whose text comes next
	tasks    []taskEvent
	refs     []foundRef
	titles   titles
	recap    sources.Session // Summary alone
	plans    []plan
	slugs    []string
	helpers  helpers

	place   place
	first   time.Time // of a line that is not a copy
	version string    // of the first line
	parent  string
	begun   bool // a line of the tree was seen
	whole   bool // the first one began the session
	own     bool // a line names this session
	foreign string
	bridged bool // prompts come from elsewhere too
	probed  bool // a program asked for a skill or command that is not there
	human   bool
	alone   bool // all lines of the tree so far are those of a sub-agent
	head    bool // a program began it with its prompt
}

// lineID stands for the id of a line.
type lineID [16]byte

func lineOf(uuid string) lineID {
	sum := sha256.Sum256([]byte(uuid))
	return lineID(sum[:16])
}

func newParser(id string) *parser {
	return &parser{
		id: id, owners: map[lineID]*turn{}, kids: map[string][]*turn{}, calls: map[string]*call{}, spent: map[string]sources.Tokens{},
		helpers: helpers{of: map[lineID]*parser{}}, alone: true,
	}
}

// take takes in a line.
func (p *parser) take(r *record) {
	switch r.Type {
	case "user", "assistant", "system", "attachment":
		p.tree(r)
	case "custom-title":
		p.titles.custom = r.CustomTitle
	case "ai-title":
		p.titles.model = r.AITitle
	case "summary":
		p.titles.leaf(r.LeafUUID, r.Summary)
	case "queue-operation":
		p.queueOperation(r)
	case "pr-link":
		p.prLink(r)
	case "worktree-state":
		p.place.inWorktree(r.WorktreeSession)
	case "bridge-session":
		p.bridged = true
	}
}

// root notes a line without a parent that is not decoded.
func (p *parser) root() {
	if !p.begun {
		p.begun, p.whole = true, true
	}
	p.alone = false
}

// tree takes in a line of the tree, each once: a file may hold one twice.
func (p *parser) tree(r *record) {
	id := lineOf(r.UUID)
	if _, met := p.owners[id]; met && r.UUID != "" {
		return
	}
	if !p.begun {
		p.begun, p.whole = true, r.ParentUUID == ""
	}
	if r.IsSidechain && p.id != "" {
		p.describe(r, nil)
		p.helpers.take(r)
		return
	}
	p.alone = false
	owner := p.ownerOf(r.ParentUUID)
	p.describe(r, owner)
	switch r.Type {
	case "user":
		owner = p.user(r, owner)
	case "assistant":
		owner = p.answer(r, owner)
	case "system":
		p.system(r, owner)
	case "attachment":
		owner = p.queuedCommand(r, owner)
	}
	if r.UUID != "" {
		p.owners[id] = owner
	}
	if owner != nil {
		owner.leaf, owner.last = r.UUID, later(owner.last, r.Timestamp.Time)
	}
}

// ownerOf is the turn of the line that another one follows.
func (p *parser) ownerOf(parent string) *turn {
	if owner := p.owners[lineOf(parent)]; parent != "" && owner != nil {
		return owner
	}
	return p.now
}

// describe takes in what each line tells of the session.
func (p *parser) describe(r *record, owner *turn) {
	from := r.ForkedFrom.SessionID
	if from == "" && r.RequestSession != p.id {
		from = r.RequestSession
	}
	switch {
	case r.SessionID == p.id:
		p.own = true
	case r.SessionID != "" && p.foreign == "":
		p.foreign = r.SessionID
	}
	if from == "" && p.first.IsZero() {
		p.first = r.Timestamp.Time
	}
	if from != "" && owner != nil {
		owner.copied = true
	}
	p.parent, p.version = cmp.Or(p.parent, from), cmp.Or(p.version, r.Version)
	if r.Slug != "" && (len(p.slugs) == 0 || p.slugs[len(p.slugs)-1] != r.Slug) {
		p.slugs = append(p.slugs, r.Slug)
	}
	if strings.HasPrefix(r.Entrypoint, "sdk-") || r.PromptSource == "sdk" {
		p.head = true
	}
	p.place.at(r.Cwd, r.GitBranch)
}

// system takes in a line of the program.
func (p *parser) system(r *record, owner *turn) {
	switch r.Subtype {
	case "compact_boundary":
		p.boundary = r.Timestamp.Time
		delete(p.kids, "") // what begins behind it is no rewind to the first prompt
	case "local_command":
		p.localCommand(r, owner)
	case "away_summary":
		if text := r.Content.String(); text != "" {
			p.recap = sources.Session{Summary: text, SummaryFrom: sources.TrustNamed, SummaryAt: r.Timestamp.Time}
		}
	}
}
