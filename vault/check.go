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
)

// Inspection is how a check of the vault went.
type Inspection struct {
	Notes    int       // notes of ours
	Read     []Seen    // notes of ours that were read, the others being as they were
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
	// known to be one: a person's own may have an id too.
	Ours   func(id, path string) bool
	Memory []byte    // of the last check, nil: read everything
	Now    time.Time // what is as young as this may change unseen, and is read again next time
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
	slices.SortFunc(c.out.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Words, b.Words))
	})
	if c.anew || c.reread > cheapNotes || c.rereadBytes > cheapBytes {
		slices.SortFunc(c.notes, func(a, b noted) int { return strings.Compare(a.path, b.path) })
		c.out.Memory = c.remember()
	}
	return c.out, nil
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
	links []link
	kept  string // links as the memory has them, not yet read
	parts uint64 // sums up what a link to it can name behind "#"
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
	go func() { recalled <- recall(c.Memory) }()
	visit := func(p place) error {
		name, at := p.info.Name(), p.path()
		switch {
		case isTemp(name):
			c.temps = append(c.temps, at)
		case hidden(name):
		case isNote(name):
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
		case err != nil:
			n.young, c.anew = true, true
			n.found = []Finding{{Kind: FindingUnreadable, Path: c.fromRoot(n.path), Words: err.Error()}}
			continue
		}
		n.stamp, n.young = stamp, c.young(stamp)
		hash := n.inspect(c.fromRoot(n.path), text, c.Ours)
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
	} else {
		c.shared = c.before.shared
	}
	c.judgeLinks()
	c.out.Findings = append(c.out.Findings, c.shared...)
	for _, p := range c.temps {
		c.out.Findings = append(c.out.Findings, Finding{Kind: FindingLeftover, Path: c.fromRoot(p), Words: "a temporary file of an interrupted run"})
	}
	rescued, err := c.Rescued(ctx)
	for _, p := range rescued {
		c.out.Findings = append(c.out.Findings, Finding{Kind: FindingRescued, Path: c.fromRoot(p), Words: "a text was put aside here that has no other place"})
	}
	return err
}

// findTwins finds ids that several notes carry; each of these notes is named.
func (c *check) findTwins() {
	byID := make(map[string][]string, len(c.notes))
	for i := range c.notes {
		if n := &c.notes[i]; n.id != "" {
			byID[n.id] = append(byID[n.id], c.fromRoot(n.path))
		}
	}
	for id, paths := range byID {
		for i, p := range paths {
			if len(paths) > 1 {
				others := slices.Sorted(slices.Values(slices.Delete(slices.Clone(paths), i, i+1)))
				words := fmt.Sprintf("its id %q stands in another note too: %q", id, others)
				c.shared = append(c.shared, Finding{Kind: FindingTwins, Path: p, Words: words})
			}
		}
	}
}
