// Package sources holds the model of a coding agent's history and the contract
// every reader of such a history fulfils. It knows nothing of notes.
//
// A reader lives in a package of its own (sources/copilotcli, …) and turns what
// lies on disk into sparse [Session] values, one per layer of trust. What
// belongs together, and which layer wins, is decided by package extract.
package sources

import (
	"context"
	"path/filepath"
	"strings"
	"time"
)

// Source reads one agent's history. Implementations are safe for concurrent
// calls of Read on different items, write nothing below a root and leave no
// trace there.
type Source interface {
	// Name is the stable name of the source: "copilot-cli".
	Name() string
	// List finds the items by walking folders and stat alone: no body is opened. Of items
	// that are rows of one database it reads the keys, of an index, and nothing else.
	// A root that does not exist is a Root with Found false, no error. An item
	// that cannot be examined is a Problem and the others are still listed.
	// The error is only for a cancelled context. Items are sorted by Key.
	List(ctx context.Context) (Listing, error)
	// Read returns the layers of one item as its files are now. A layer that is not
	// returned stays stored as it was; what a poorer one means, it says itself. A log
	// that is no longer Whole leaves the whole one stored beside it; one that is whole
	// and shorter was taken back by its user. A returned error means that the item
	// could not be read at all and is tried again next time; damage inside it is
	// told in Session.Damage and Reading.Problems instead.
	Read(ctx context.Context, item Item) (Reading, error)
}

// Digester is an optional ability of a Source whose items share a part (one
// database for all sessions). Digest returns a short value that changes exactly
// when what the shared part says of the item changed, so that the other items
// are not read again.
type Digester interface {
	Digest(ctx context.Context, item Item, part string) (string, error)
}

// Detailer is an optional ability: Details gives further lines about roots, by
// their path, for `sessionloom sources`. Unlike List it may open what it finds;
// the lines are text of the source, neither masked nor escaped. The Notes of a
// root are those List could tell.
type Detailer interface {
	Details(ctx context.Context) (map[string][]string, error)
}

// Tester is an optional ability: Tested tells the newest version of the agent whose
// files this reader was tested with, "2.1.330".
type Tester interface{ Tested() string }

// Watcher is an optional ability: Watch names where a change tells that there may
// be something to read. It is a hint, had by walking folders and stat alone, and
// need not be complete: what it leaves out is found by the next List. It is asked
// again when one of its folders comes or goes.
type Watcher interface {
	Watch(ctx context.Context) []WatchRoot
}

// WatchRoot is a folder below which changes matter.
type WatchRoot struct {
	Path string // it need not exist
	// Files are patterns of path.Match of files that matter, from Path on, with
	// slashes: "session-state/*/events.jsonl". Folders on the way to them are
	// watched, and matter themselves when they come or go.
	Files []string
}

// Closer is an optional ability: it releases what a pass held open.
type Closer interface{ Close() error }

// Listing is what a source found.
type Listing struct {
	Roots    []Root
	Items    []Item
	Problems []Problem
}

// Root is one place that was looked at.
type Root struct {
	Path  string
	Found bool
	Why   string // why it is skipped or not found; empty otherwise
	Items int
	Bytes int64     // size of all parts
	Notes []string  // further lines for `sessionloom sources`: rows without folder, scaffolds, …
	New   time.Time // newest modification time seen

	// KeptDays is after how many days the agent deletes what is not used; 0: never, or not by time.
	KeptDays int
}

// ItemKind says what an item holds.
type ItemKind string

// The kinds of items.
const (
	KindSession ItemKind = "session" // one conversation
	KindMemory  ItemKind = "shelf"   // memory of a repository or user; Session without turns
	KindWords   ItemKind = "words"   // what was said about a session, which others tell of
)

// Item is a unit of delta: it is read when one of its parts moved.
type Item struct {
	Source  string // name of the source
	Key     string // stable and unique within the source and machine
	Kind    ItemKind
	Session string // id of the session; empty: only reading tells, in Reading.Sessions
	Root    string // path of its Root
	Path    string // file or folder to show to the user
	Parts   []Part // sorted by Name
	// Scaffold says that nothing of its own tells what was said: it counts as a
	// session where a shared part does.
	Scaffold bool
	// Expires tells which of it the agent itself is going to delete; empty: none.
	// A pass reads such items first, the oldest of them before all.
	Expires []Expiry
}

// Expiry is what an agent deletes by itself by age, or when newer ones came.
type Expiry struct {
	What  string    // "memory", "transcript"
	Path  string    // file or folder to show to the user
	Used  time.Time // last change; the older goes first
	At    time.Time // it may go from then on; zero: only newer ones count
	After int       // where At is zero, it may go once so many newer ones came
}

// Part returns the part of a name, false where the item has none.
func (it Item) Part(name string) (Part, bool) {
	for _, p := range it.Parts {
		if p.Name == name {
			return p, true
		}
	}
	return Part{}, false
}

// File is where a part of the item lies.
func (it Item) File(p Part) string {
	if p.Path != "" {
		return p.Path
	}
	return filepath.Join(it.Path, filepath.FromSlash(p.Name))
}

// Part is one file of an item with its stamp.
type Part struct {
	Name   string // stable within the item: "events.jsonl", "store"
	Path   string // empty: below the item's path, by its name; see Item.File
	Stamp  Stamp
	Shared bool // also a part of other items; see Digester
}

// Stamp tells whether a file moved since it was last seen; no clock is asked.
type Stamp struct {
	Size  int64  `json:"s"`
	MTime int64  `json:"m"`           // nanoseconds since 1970
	Inode uint64 `json:"i,omitempty"` // 0 where the system has none
	CTime int64  `json:"c,omitempty"` // change time in nanoseconds, 0 where unknown
}

// Reading is the outcome of one Read.
type Reading struct {
	Layers    []Layer
	Unknown   map[string]int // event types and part kinds not known to this reader
	Records   int            // how many records there were, known or not; 0: not counted
	BytesRead int64          // bytes of bodies read from files, databases by their file size
	Problems  []Problem      // damage that left the rest readable

	// Sessions are those of an item without Session, which has no Layers then: a
	// KindMemory item, which holds several, or a file that names its session only
	// inside. An item with a Session gives here what it tells of others: the log of a
	// sub-agent has a layer of the session that it worked for. Those that are not
	// returned stay stored.
	Sessions []SessionLayers
	// RowsOnly are ids of sessions of which only derived rows are left, whether
	// or not they are among Sessions.
	RowsOnly []string
}

// SessionLayers are the layers of one session of an item that names none.
type SessionLayers struct {
	ID     string
	Layers []Layer
}

// Rank orders layers by authority; the lower wins.
type Rank int

// The ranks, best first.
const (
	RankLog     Rank = iota // event log, chat session
	RankSidecar             // files the agent keeps beside the log
	RankStore               // derived, truncated databases
	RankIndex               // indexes and caches
)

// Layer is what one part of an item says of its session.
type Layer struct {
	Name string // "copilot-cli/events"; listed in a note's `sources`
	Rank Rank
	// Failed says that it could not be read now: Session is nil and the stored one
	// stays. A Problem that is Fatal tells why, so that it is tried again.
	Failed bool
	// Provisional says that its file is torn, was emptied or is being written anew,
	// so that it may be poorer than it was: it replaces a stored layer only where it
	// tells more turns, or as many as another provisional one.
	Provisional bool
	// Accumulates says that what it is made of expires: artifacts with a text that
	// the stored layer has, by kind and name, and this one has not, stay.
	Accumulates bool
	// AppendOnly says that its log is only written at the end, so that what a shorter one
	// lacks was lost and not taken back: it stays beside what is read now.
	AppendOnly bool
	Session    *Session
}

// Problem is something that went wrong with an item and did not stop the rest.
type Problem struct {
	Source string `json:"source"`
	Item   string `json:"item"`
	Path   string `json:"path"`
	Err    error  `json:"-"`
	Hint   string `json:"hint,omitempty"`
	Fatal  bool   `json:"-"` // the item, or a part of it, was not read: the run ends with "done in part"
}

// IsUUID tells whether an id is a UUID in lower case: 8-4-4-4-12 hex digits.
func IsUUID(id string) bool {
	const shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if len(id) != len(shape) {
		return false
	}
	for i, c := range []byte(id) {
		if digit := '0' <= c && c <= '9' || 'a' <= c && c <= 'f'; digit != (shape[i] == 'x') || !digit && c != '-' {
			return false
		}
	}
	return true
}

// FoldUUID is the form of a name by which one session is found in several places:
// a UUID in lower case. Of any other name the case of letters tells one from another.
func FoldUUID(name string) string {
	if low := strings.ToLower(name); IsUUID(low) {
		return low
	}
	return name
}
