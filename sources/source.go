// Package sources holds the model of a coding agent's history and the contract of its readers. It knows
// nothing about notes.
//
// A reader has a package of its own (sources/copilotcli, …) and turns files into sparse [Session]
// values, one per layer of trust. Package extract decides what belongs together and which layer wins.
package sources

import (
	"context"
	"path/filepath"
	"strings"
	"time"
)

// Source reads one agent's history. Implementations allow concurrent calls of Read on different items,
// and write nothing below a root.
type Source interface {
	// Name is the stable name of the source: "copilot-cli".
	Name() string
	// List finds the items, sorted by Key. It only walks folders and calls stat; of items that are rows
	// of a database it reads the keys from an index. A missing root is a Root with Found false. An item
	// that cannot be examined is a Problem, and the others are still listed. The error is only for a
	// cancelled context.
	List(ctx context.Context) (Listing, error)
	// Read returns the layers of one item as its files are now. A layer that is not returned stays
	// stored. A poorer layer says itself what that means: one that is not Complete leaves a complete
	// stored one beside it; in one that is complete and shorter, the user took turns back. An error
	// means that the item could not be read at all and is tried again; damage inside it is reported in
	// Session.Damage and Reading.Problems.
	Read(ctx context.Context, item Item) (Reading, error)
}

// Digester is an optional ability of a Source whose items share a part (one database for all sessions).
// Digest returns a short value that changes exactly when the shared part's data about the item changes,
// so that other items are not read again.
type Digester interface {
	Digest(ctx context.Context, item Item, part string) (string, error)
}

// Detailer is an optional ability: Details returns further lines about roots, by path, for `sessionloom
// sources`. Unlike List it may open files; the lines are text of the source, neither masked nor
// escaped.
type Detailer interface {
	Details(ctx context.Context) (map[string][]string, error)
}

// Tester is an optional ability: Tested returns the newest version of the agent whose files this reader
// was tested with, "2.1.330".
type Tester interface{ Tested() string }

// Watcher is an optional ability: Watch returns places where a change means that there may be something
// to read. They are a hint, found by walking folders and stat, and need not be complete, as the next
// List finds the rest. Watch is called again when one of its folders comes or goes.
type Watcher interface {
	Watch(ctx context.Context) []WatchRoot
}

// WatchRoot is a folder below which changes matter.
type WatchRoot struct {
	Path string // it need not exist
	// Files are patterns of path.Match for files that matter, relative to Path, with slashes:
	// "session-state/*/events.jsonl". Folders on the way to them are watched, and matter themselves
	// when they come or go.
	Files []string
}

// Closer is an optional ability: Close releases what a pass held open.
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

	// KeptDays is after how many days the agent deletes unused data; 0: never, or not by time.
	KeptDays int
}

// ItemKind is a kind of item.
type ItemKind string

// The kinds of items.
const (
	KindSession ItemKind = "session" // one conversation
	KindMemory  ItemKind = "shelf"   // memory of a repository or user; Session without turns
	KindWords   ItemKind = "words"   // answers about a session that other items hold
)

// Item is a unit of delta: it is read when one of its parts changed.
type Item struct {
	Source  string // name of the source
	Key     string // stable and unique within the source and machine
	Kind    ItemKind
	Session string // id of the session; empty: only known after reading, see Reading.Sessions
	Root    string // path of its Root
	Path    string // file or folder to show to the user
	Parts   []Part // sorted by Name
	// Scaffold says that its own files hold no conversation: it counts as a session only if a shared
	// part has one.
	Scaffold bool
	// Expires lists what the agent is going to delete. A pass reads such items first, the oldest of
	// them before all.
	Expires []Expiry
}

// Expiry is something that an agent deletes by age, or when newer ones come.
type Expiry struct {
	What  string    // "memory", "transcript"
	Path  string    // file or folder to show to the user
	Used  time.Time // last change; older ones go first
	At    time.Time // it may go from then on; zero: only After counts
	After int       // if At is zero, it may go after that many newer ones
}

// Part returns the part with a name, or false.
func (it Item) Part(name string) (Part, bool) {
	for _, p := range it.Parts {
		if p.Name == name {
			return p, true
		}
	}
	return Part{}, false
}

// File returns the path of a part of the item.
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

// Stamp shows whether a file changed since it was last seen, without a clock.
type Stamp struct {
	Size  int64  `json:"s"`
	MTime int64  `json:"m"`           // nanoseconds since 1970
	Inode uint64 `json:"i,omitempty"` // 0 if the system has none
	CTime int64  `json:"c,omitempty"` // change time in nanoseconds, 0 if unknown
}

// Reading is the outcome of one Read.
type Reading struct {
	Layers    []Layer
	Unknown   map[string]int // event types and part kinds not known to this reader
	Records   int            // number of records, known or not; 0: not counted
	BytesRead int64          // bytes of bodies read from files, databases by their file size
	Problems  []Problem      // damage that left the rest readable

	// Sessions are those of an item without Session, which then has no Layers: a KindMemory item, which
	// holds several, or a file that names its session only inside. For an item with a Session they are
	// other sessions: the log of a sub-agent has a layer of the session that it worked for. Those that
	// are not returned stay stored.
	Sessions []SessionLayers
	// RowsOnly are ids of sessions of which only derived rows are left, in Sessions or not.
	RowsOnly []string
}

// SessionLayers are the layers of one of an item's Sessions.
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

// Layer is what one part of an item says about its session.
type Layer struct {
	Name string // "copilot-cli/events"; listed in a note's `sources`
	Rank Rank
	// Failed says that the layer could not be read now: Session is nil and the stored one stays. A Fatal
	// Problem gives the reason, so that it is tried again.
	Failed bool
	// Provisional says that its file is torn, emptied or being rewritten, so that it may be poorer than
	// before: it replaces a stored layer only if it has more turns, or as many as a provisional one.
	Provisional bool
	// Accumulates says that the layer's basis expires: stored artifacts with text that it lacks, by kind and
	// name, stay.
	Accumulates bool
	// AppendOnly says that its log is only appended to, so that a shorter log lost text rather than
	// took it back: the stored layer stays beside it.
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

// IsUUID reports whether an id is a UUID in lower case: 8-4-4-4-12 hex digits.
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

// FoldUUID returns the form of a name that identifies a session in several places: a UUID in lower
// case. Other names are case-sensitive and stay.
func FoldUUID(name string) string {
	if low := strings.ToLower(name); IsUUID(low) {
		return low
	}
	return name
}
