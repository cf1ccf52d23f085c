package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Finding is something wrong with the vault that no human meant: what a person
// wrote, however it reads, is none.
type Finding struct {
	Kind  string
	Path  string // from the vault's root
	Line  int    // from 1, 0 where it is about the whole note
	Words string // what is wrong, in plain words
}

// Kinds of findings. They are part of what scripts rely on.
const (
	FindingMarkers    = "markers"          // region or props markers damaged, missing, doubled, nested
	FindingConflict   = "conflict-markers" // an unresolved merge of a version control system
	FindingFront      = "frontmatter"      // frontmatter that cannot be read
	FindingNoID       = "id"               // a note of ours that has lost its id
	FindingDuplicate  = "duplicate-id"     // several notes with one id
	FindingLink       = "broken-link"      // a link we wrote that leads nowhere
	FindingName       = "name"             // a name that no link or not every system can hold
	FindingRescued    = "rescued"          // a text put aside that nobody has looked at
	FindingLeftover   = "leftover"         // a temporary file of an interrupted run
	FindingUnreadable = "unreadable"       // a note that could not be read
	FindingBack       = "missing-backlink" // a note that another one links to, and that should link back
	FindingLive       = "live-content"     // text of ours that would act: run, load, link, hide
	FindingSecret     = "secret"           // a secret in text of ours
	FindingDamaged    = "damaged"          // bytes that no program writes into a note, or none at all
	FindingFile       = "file"             // a view, canvas or picture of ours that is damaged
	FindingUnexpected = "unexpected"       // what lies among our own records and is none of them
)

// Report is how a check of the vault went.
type Report struct {
	Notes    int       // notes of ours
	Read     []Seen    // notes of ours that were read, the others being as they were
	Anew     bool      // files, ids, headings or links are others than the memory had
	Standing []Seen    // every note in the managed folder, without a hash; those of others without an id
	Findings []Finding // by path, line and kind
	// Memory lets the next check read only what changed; nil where that which was
	// given serves as well: to read a few notes once more costs less than to write
	// down what is known of all.
	Memory []byte
}

// Seen is a note as a check read it.
type Seen struct {
	ID, Path string // from the managed folder
	Stamp    note.Stamp
	Hash     string // as in [note.Note]
}

// Options tells a check what it needs to know.
type Options struct {
	// Ours says whether a note without any marker of ours, by its id and path, is
	// known to be one: a person's own may have an id too. Without an id: whether a
	// file at this path is one of ours.
	Ours func(id, path string) bool
	// Answers says whether a link of the note from to the note to is answered by
	// one back; links is how many the latter has. nil: none need be.
	Answers func(from, to string, links int) bool
	// Secrets finds the secrets in a text of the note at a path from the managed
	// folder; nil: none are looked for.
	Secrets func(text string) ([]Secret, error)
	Rules   string // another one whenever Secrets finds others
	// Trusting says that our regions may hold what acts: templates of the user word
	// them, and what stands in these is the user's.
	Trusting bool
	Memory   []byte    // of the last check, nil: read everything
	Now      time.Time // what is as young as this may change unseen, and is read again next time
}

// So much is rather read again by the next check than remembered.
const (
	cheapNotes = 16
	cheapBytes = 1 << 20
)

// Disk is the vault that is looked at. Where nothing else is said, paths are those
// from the managed folder.
type Disk interface {
	// List tells what lies there.
	List(ctx context.Context) (Listing, error)
	// Read reads a file of the managed folder; one that is gone is
	// [fs.ErrNotExist], one that is too large to be ours [note.ErrTooLarge].
	Read(p string) (text []byte, stamp note.Stamp, err error)
	// Stands says whether a file stands at a path from the vault's root, or may
	// stand there, for nobody lets us look.
	Stands(at string) bool
	// ReadAt reads a file by its path from the vault's root.
	ReadAt(at string) ([]byte, error)
}

// Listing is what lies in a vault.
type Listing struct {
	Folder        string       // the managed folder, by its path from the vault's root
	Notes, Others []note.Entry // visible files of the managed folder, in any order
	// Temps are temporary files of interrupted runs, Rescued the texts put aside,
	// Unexpected what lies among our own records and is none of them.
	Temps, Rescued, Unexpected []string
}

// Run looks at every note of ours and at what the notes link to. It writes
// nothing. Only notes that changed since the check whose memory is given are
// read.
func Run(ctx context.Context, d Disk, o Options) (Report, error) {
	c := check{Disk: d, Options: o}
	if err := c.look(ctx); err != nil {
		return Report{}, err
	}
	if err := c.readNotes(ctx); err != nil {
		return Report{}, err
	}
	if err := c.judge(ctx); err != nil {
		return Report{}, err
	}
	c.sumUp()
	slices.SortFunc(c.out.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Words, b.Words))
	})
	if c.anew || c.reread > cheapNotes || c.rereadBytes > cheapBytes {
		slices.SortFunc(c.notes, func(a, b noteInfo) int { return strings.Compare(a.path, b.path) })
		c.out.Memory = c.encodeCache()
	}
	return c.out, nil
}

// sumUp lists what stands in the folder.
func (c *check) sumUp() {
	c.out.Anew = c.anew
	c.out.Standing = make([]Seen, 0, len(c.notes))
	for i := range c.notes {
		if n := &c.notes[i]; !n.gone {
			c.out.Standing = append(c.out.Standing, Seen{ID: n.id, Path: n.path, Stamp: n.stamp})
		}
	}
}

// check is the state of one inspection.
type check struct {
	Disk
	Options
	before cache
	notes  []noteInfo   // every note in the managed folder
	others []note.Entry // the other files there
	listed Listing
	// anew says that files, ids or headings are others than the memory has: all
	// that takes several notes to see is judged once more.
	anew        bool
	reread      int // notes that the memory has otherwise
	rereadBytes int64
	shared      []Finding // those that take several notes to see
	out         Report
}

// noteInfo is what a check remembers of a note.
type noteInfo struct {
	path  string // from the managed folder
	stamp note.Stamp
	id    string // empty: no note of ours
	found []Finding
	links []note.Link
	kept  string // links as the memory has them, not yet read
	parts uint64 // sums up what a link to it can name behind "#", and its own links
	// asRendered says that all that we wrote stands there as we wrote it: a link that
	// is missing was not taken out by anybody.
	asRendered bool
	// external says that a link leads to no file of the managed folder, but maybe to
	// one elsewhere: nothing tells of changes there but another look.
	external  bool
	seen      bool // as the memory has it
	tooRecent bool // not to be remembered
	gone      bool // it vanished since the walk
}

// look lists what lies in the managed folder and takes from the memory what did
// not change.
func (c *check) look(ctx context.Context) error {
	recalled := make(chan cache, 1)
	go func() { recalled <- decodeCache(c.Memory, c.rules()) }()
	var err error
	c.listed, err = c.List(ctx)
	c.before = <-recalled
	if err != nil {
		return err
	}
	for _, f := range c.listed.Notes {
		c.notes = append(c.notes, noteInfo{path: f.Path, stamp: f.Stamp})
	}
	c.others = c.listed.Others
	slices.SortFunc(c.others, func(a, b note.Entry) int { return strings.Compare(a.Path, b.Path) })
	c.anew = len(c.notes) != len(c.before.notes) || !slices.Equal(c.others, c.before.others)
	for i := range c.notes {
		now := &c.notes[i]
		then, known := c.before.byPath[now.path]
		switch {
		case !known:
			c.anew = true
		case c.before.notes[then].stamp == now.stamp:
			*now = c.before.notes[then]
			now.seen = true
		}
	}
	return nil
}

func (c *check) fromRoot(p string) string { return path.Join(c.listed.Folder, p) }

// readNotes reads the notes of which nothing is remembered.
func (c *check) readNotes(ctx context.Context) error {
	for i := range c.notes {
		n := &c.notes[i]
		if n.seen {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		text, stamp, err := c.Read(n.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			n.gone, n.tooRecent, c.anew = true, true, true
			continue
		case errors.Is(err, note.ErrTooLarge) && !c.ours("", n.path): // a person's own
			n.tooRecent, c.anew = true, true
			continue
		case err != nil:
			n.tooRecent, c.anew = true, true
			n.found = []Finding{{Kind: FindingUnreadable, Path: c.fromRoot(n.path), Words: err.Error()}}
			continue
		}
		n.stamp, n.tooRecent = stamp, c.tooRecent(stamp)
		hash := c.inspect(n, text)
		c.reread, c.rereadBytes = c.reread+1, c.rereadBytes+int64(len(text))
		if then, known := c.before.byPath[n.path]; !known || c.before.notes[then].id != n.id || c.before.notes[then].parts != n.parts {
			c.anew = true
		}
		if n.id != "" {
			c.out.Read = append(c.out.Read, Seen{ID: n.id, Path: n.path, Stamp: stamp, Hash: hash})
		}
	}
	return nil
}

// tick is how far behind the clock a file's times must lie to be trusted: one
// written in the same tick as we read it may change once more unseen.
const tick = 20 * time.Millisecond

func (c *check) tooRecent(s note.Stamp) bool {
	return max(s.MTime, s.CTime) >= c.Now.Add(-tick).UnixNano()
}

// judge adds up the findings: those of each note, those that take several notes
// to see, and what lies about.
func (c *check) judge(ctx context.Context) error {
	for i := range c.notes {
		n := &c.notes[i]
		c.out.Findings = append(c.out.Findings, n.found...)
		if n.id != "" {
			c.out.Notes++
		}
	}
	if c.anew {
		c.findDuplicates()
		c.findSpellings()
		if err := c.judgeFiles(ctx); err != nil {
			return err
		}
	} else {
		c.shared = c.before.shared
	}
	c.judgeLinks()
	c.out.Findings = append(c.out.Findings, c.shared...)
	for _, p := range c.listed.Temps {
		c.out.Findings = append(c.out.Findings, Finding{Kind: FindingLeftover, Path: c.fromRoot(p), Words: "a temporary file of an interrupted run"})
	}
	for _, p := range c.listed.Unexpected {
		c.out.Findings = append(c.out.Findings, Finding{Kind: FindingUnexpected, Path: c.fromRoot(p), Words: fmt.Sprintf("%q is none of our records", path.Base(p))})
	}
	for _, p := range c.listed.Rescued {
		c.out.Findings = append(c.out.Findings, Finding{Kind: FindingRescued, Path: c.fromRoot(p), Words: "a text was put aside here that has no other place"})
	}
	return nil
}
