package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	FindingTwins      = "duplicate-id"     // several notes with one id
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

// Inspection is how a check of the vault went.
type Inspection struct {
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
	Stamp    Stamp
	Hash     string // as in [Note.Hash]
}

// Inspect tells a check what it needs to know.
type Inspect struct {
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

// Inspect looks at every note of ours and at what the notes link to. It writes
// nothing. Only notes that changed since the check whose memory is given are
// read.
func (v *Vault) Inspect(ctx context.Context, o Inspect) (Inspection, error) {
	c := check{Vault: v, Inspect: o}
	if err := c.look(ctx); err != nil {
		return Inspection{}, err
	}
	if err := c.readNotes(ctx); err != nil {
		return Inspection{}, err
	}
	if err := c.judge(ctx); err != nil {
		return Inspection{}, err
	}
	c.sumUp()
	slices.SortFunc(c.out.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Words, b.Words))
	})
	if c.anew || c.reread > cheapNotes || c.rereadBytes > cheapBytes {
		slices.SortFunc(c.notes, func(a, b noted) int { return strings.Compare(a.path, b.path) })
		c.out.Memory = c.remember()
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
	*Vault
	Inspect
	before memory
	notes  []noted // every note in the managed folder
	others []Entry // the other files there
	temps  []string
	// anew says that files, ids or headings are others than the memory has: all
	// that takes several notes to see is judged once more.
	anew        bool
	reread      int // notes that the memory has otherwise
	rereadBytes int64
	shared      []Finding // those that take several notes to see
	out         Inspection
}

// noted is what a check remembers of a note.
type noted struct {
	path  string // from the managed folder
	stamp Stamp
	id    string // empty: no note of ours
	found []Finding
	links []note.Link
	kept  string // links as the memory has them, not yet read
	parts uint64 // sums up what a link to it can name behind "#", and its own links
	// sealed says that all that we wrote stands there as we wrote it: a link that
	// is missing was not taken out by anybody.
	sealed bool
	// beyond says that a link leads to no file of the managed folder, but maybe to
	// one elsewhere: nothing tells of changes there but another look.
	beyond bool
	seen   bool // as the memory has it
	young  bool // not to be remembered
	gone   bool // it vanished since the walk
}

// look lists what lies in the managed folder and takes from the memory what did
// not change.
func (c *check) look(ctx context.Context) error {
	recalled := make(chan memory, 1)
	go func() { recalled <- recall(c.Memory, c.rules()) }()
	visit := func(p place) error {
		name, at := p.info.Name(), p.path()
		switch {
		case isTemp(name):
			c.temps = append(c.temps, at)
		case hidden(name):
		case note.IsNote(name):
			c.notes = append(c.notes, noted{path: at, stamp: stampOf(p.info)})
		default:
			c.others = append(c.others, Entry{Path: at, Stamp: stampOf(p.info)})
		}
		return nil
	}
	err := (&walker{leaveOut: c.apart, visit: visit}).walk(ctx, c.folders.root)
	c.before = <-recalled
	if err != nil {
		return fmt.Errorf("look at the vault: %w", err)
	}
	slices.SortFunc(c.others, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
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

func (c *check) fromRoot(p string) string { return below(c.inner, p) }

// readNotes reads the notes of which nothing is remembered.
func (c *check) readNotes(ctx context.Context) error {
	for i := range c.notes {
		n := &c.notes[i]
		if n.seen {
			continue
		}
		if err := canceled(ctx); err != nil {
			return err
		}
		text, stamp, err := c.read(n.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			n.gone, n.young, c.anew = true, true, true
			continue
		case errors.Is(err, ErrTooLarge) && !c.ours("", n.path): // a person's own
			n.young, c.anew = true, true
			continue
		case err != nil:
			n.young, c.anew = true, true
			n.found = []Finding{{Kind: FindingUnreadable, Path: c.fromRoot(n.path), Words: err.Error()}}
			continue
		}
		n.stamp, n.young = stamp, c.young(stamp)
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

func (c *check) young(s Stamp) bool {
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
		c.findTwins()
		c.findSpellings()
		if err := c.judgeFiles(ctx); err != nil {
			return err
		}
	} else {
		c.shared = c.before.shared
	}
	c.judgeLinks()
	c.out.Findings = append(c.out.Findings, c.shared...)
	for _, p := range c.temps {
		c.out.Findings = append(c.out.Findings, Finding{Kind: FindingLeftover, Path: c.fromRoot(p), Words: "a temporary file of an interrupted run"})
	}
	if err := c.judgeRecords(); err != nil {
		return err
	}
	rescued, err := c.Rescued(ctx)
	for _, p := range rescued {
		c.out.Findings = append(c.out.Findings, Finding{Kind: FindingRescued, Path: c.fromRoot(p), Words: "a text was put aside here that has no other place"})
	}
	return err
}
