// Package catalog finds sessions, notes and projects by their names for people, and lists them. It reads the
// ledger of the last run, and writes nothing.
package catalog

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/distil"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/extract/resume"
	"github.com/sessionloom/sessionloom/sources"
)

// Catalog is everything known about a vault after the last run.
type Catalog struct {
	ledger   *ledger.Ledger
	folder   string
	sessions func() []string // the ids of all sessions, also forgotten ones, sorted
}

// New returns the catalog of a ledger. folder is the managed folder relative to the vault's root; "." is the
// vault itself.
func New(l *ledger.Ledger, folder string) *Catalog {
	return &Catalog{ledger: l, folder: folder, sessions: sync.OnceValue(func() (ids []string) {
		for _, s := range l.Sessions() {
			if s.Kind == string(sources.KindSession) {
				ids = append(ids, s.ID)
			}
		}
		for _, g := range l.Tombstones() {
			if id, ok := strings.CutPrefix(g.ID, index.ForgottenID("session:")); ok {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		return ids
	})}
}

// Entry is a note, or a session without one.
type Entry struct {
	ID      string    `json:"id"` // id of the note, or of the missing note of a session
	Type    string    `json:"type"`
	Path    string    `json:"note,omitempty"` // relative to the vault's root; "": there is not a note
	Title   string    `json:"title,omitempty"`
	Session string    `json:"session,omitempty"` // id of its session
	Project string    `json:"project,omitempty"` // key
	Name    string    `json:"project_name,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Outcome string    `json:"outcome,omitempty"`
	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated,omitzero"`
	Open    int       `json:"open,omitempty"`     // number of open items
	Folder  string    `json:"cwd,omitempty"`      // where the session worked, relative to the home folder
	Count   int       `json:"sessions,omitempty"` // number of a project's sessions

	short   string // the unique beginning of its id, or its session's
	matters bool   // it left something
}

// IsSession reports whether an entry is a session, not a part or page.
func (e Entry) IsSession() bool { return e.Type == names.TypeSession }

// Short returns an entry's name for people: the beginning of a session's id, or the id of a note.
func (e Entry) Short() string {
	if e.IsSession() {
		return cmp.Or(e.short, e.Session)
	}
	return cmp.Or(e.short, e.ID)
}

// Way returns how to resume a session.
func (e Entry) Way() resume.Way {
	return resume.Way{Agent: e.Agent, ID: e.Session, Folder: e.Folder, Title: e.Title}
}

// IsHere reports whether this machine has read the session, not only its note.
func (c *Catalog) IsHere(e Entry) bool { return c.ledger.LayerCount(e.Session) > 0 }

// shortID is the least number of letters of an id that are shown.
const shortID = 8

// Short returns the unique beginning of a session's id: at least shortID letters, after the prefix that all
// ids of an agent share, such as ses_.
func (c *Catalog) Short(session string) string {
	n, all := shortID, c.sessions()
	if at := strings.IndexByte(session, '_') + 1; at < shortID {
		n += at
	}
	i, _ := slices.BinarySearch(all, session)
	for _, k := range []int{i - 1, i, i + 1} {
		if k >= 0 && k < len(all) && all[k] != session {
			n = max(n, common(all[k], session)+1)
		}
	}
	return strings.TrimRight(session[:min(n, len(session))], "-")
}

// Called returns the name for people of a session or project with an id.
func (c *Catalog) Called(id string) string {
	if key, ok := strings.CutPrefix(id, names.ProjectID("")); ok {
		return redact.Number(identity.ProjectFromKey(key).Name)[0]
	}
	return c.Short(strings.TrimPrefix(id, "session:"))
}

// common returns the length of the common beginning of two texts.
func common(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Notes lists all notes in the managed folder, by path.
func (c *Catalog) Notes() []Entry {
	var out []Entry
	for row := range index.EachNote(c.ledger) {
		if row.State != ledger.Planned {
			out = append(out, c.entry(row))
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// OfType lists the notes of a type, last changed first.
func (c *Catalog) OfType(typ string) []Entry {
	var out []Entry
	for _, row := range c.ledger.NotesOfType(typ) {
		if row.State != ledger.Planned {
			out = append(out, c.entry(row))
		}
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return b.Updated.Compare(a.Updated) })
	return out
}

// Sessions lists all sessions with content, last changed first.
func (c *Catalog) Sessions() []Entry {
	out := c.OfType(names.TypeSession)
	noted := map[string]bool{}
	for _, e := range out {
		noted[e.Session] = true
	}
	for _, s := range c.ledger.Sessions() {
		if s.Kind == string(sources.KindSession) && !s.Empty && !noted[s.ID] {
			out = append(out, c.sessionEntry(s))
		}
	}
	return out
}

// sessionEntry returns the entry of a session without a note.
func (c *Catalog) sessionEntry(s ledger.SessionRecord) Entry {
	project := redact.Number(s.Project)[0]
	return Entry{
		ID: names.SessionID(s.ID), Type: names.TypeSession, Session: s.ID, Project: project, Name: nameOf(project),
		Created: timeOf(s.Created), Updated: timeOf(s.Updated), Folder: s.Folder, short: c.Short(s.ID),
	}
}

// Deleted lists the notes that their user deleted, and forgotten sessions and projects.
func (c *Catalog) Deleted() []Entry {
	var out []Entry
	for _, g := range c.ledger.Tombstones() {
		f := facts.Facts{ID: strings.TrimPrefix(g.ID, index.ForgottenID(""))}.Named()
		e := Entry{ID: f.ID, Type: f.Type, Session: f.Session(), Project: f.Project, Name: nameOf(f.Project)}
		if g.Path != "" { // else only another machine's deletion record has it
			e.Path, e.Title = c.fromRoot(g.Path), names.TrimMD(path.Base(g.Path))
		}
		out = append(out, e)
	}
	return out
}

func (c *Catalog) entry(row ledger.NoteRow) Entry {
	f := facts.Decode(row.Facts, c.ledger.Harmed)
	e := Entry{
		ID: row.ID, Type: row.Type, Path: row.Path, Title: f.Title, Session: row.Session, Project: f.Project, Agent: f.Agent,
		Outcome: f.Summary, Created: timeOf(row.Created), Updated: timeOf(row.Updated), Open: f.Open, Count: f.Sessions,
	}
	if row.State != ledger.MovedOut {
		e.Path = c.fromRoot(row.Path)
	}
	if row.Type == names.TypeSession {
		e.Open, e.short, e.matters = f.OpenCount(), c.Short(row.Session), f.Matters()
	}
	for _, r := range f.Of(facts.RowCwd) {
		e.Folder = r.Text
	}
	shown := redact.Number(e.Title, e.Project, e.Outcome, e.Folder)
	e.Title, e.Project, e.Outcome, e.Folder = shown[0], shown[1], shown[2], shown[3]
	e.Name = nameOf(e.Project)
	return e
}

// nameOf returns the name of a project without its owner.
func nameOf(key string) string {
	if key == "" {
		return ""
	}
	return identity.ShortName(key)
}

func (c *Catalog) fromRoot(p string) string { return path.Join(c.folder, p) }

func timeOf(stamp string) time.Time {
	t, _ := time.Parse(time.RFC3339, stamp) // empty: unknown
	return t
}

// Conversation holds the words and work of a session, masked.
type Conversation struct {
	Entry
	Branch string
	Said   []string // lines of agents' answers about it
	Turns  []Turn
}

// Turn is a prompt with its answer.
type Turn struct {
	At       time.Time
	Block    string // in the note: ^ID
	Prompt   string
	Answer   string
	Error    string
	Commands []Command
	Files    []string // changed ones
}

// Command is a command that the agent ran.
type Command struct {
	Line   string
	Failed bool
}

// Conversation returns the words and work of a session; zone is the vault's.
func (c *Catalog) Conversation(e Entry, zone *time.Location) Conversation {
	s := session.Merge(c.ledger.Layers(e.Session)).Session
	masks := redact.NumbersAfter("")
	out := Conversation{Entry: e, Branch: masks.Text(s.Place.Branch)}
	for _, d := range distil.Shown(&s) {
		for _, line := range d.Lines {
			out.Said = append(out.Said, masks.Text(fmt.Sprintf("%s, by %s: %s (prompt %d: %s)", line.Kind, d.By, line.Text, line.Turn+1, line.Quote)))
		}
	}
	blocks := content.ShownBlocks(s.Turns, zone)
	for i, t := range s.Turns {
		out.Turns = append(out.Turns, Turn{At: t.At, Block: blocks[i], Prompt: masks.Text(t.User), Answer: masks.Text(t.Assistant), Error: masks.Text(t.Error)})
	}
	for _, r := range commands.Of(&s) {
		if r.Turn >= 0 && r.Turn < len(out.Turns) {
			t := &out.Turns[r.Turn]
			t.Commands = append(t.Commands, Command{Line: masks.Text(r.Line), Failed: r.Failed})
		}
	}
	seen := map[sources.FileTouch]bool{}
	for _, f := range s.Files {
		at := sources.FileTouch{Turn: f.Turn, Path: f.Path}
		if f.Turn >= 0 && f.Turn < len(out.Turns) && f.Kind != sources.Viewed && !seen[at] {
			seen[at], out.Turns[f.Turn].Files = true, append(out.Turns[f.Turn].Files, masks.Text(f.Path))
		}
	}
	return out
}
