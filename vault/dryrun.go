package vault

import (
	"cmp"
	"maps"
	"sync"

	"github.com/sessionloom/sessionloom/vault/store"
)

// dryRun is what a dry run would have done; nil of a vault that is written to for real.
type dryRun struct {
	*store.Overlay
	began map[string]string // settings as the marker has them

	mu     sync.Mutex
	stones map[string]bool   // by id: a tombstone would be set (true) or taken away
	put    map[string]Result // by path: what was last put there, without texts
}

func newDryRun(disk *store.Disk, m Marker) *dryRun {
	return &dryRun{Overlay: store.NewOverlay(disk), began: maps.Clone(m.Settings), stones: map[string]bool{}, put: map[string]Result{}}
}

// tombstone remembers that one would be set or taken away.
func (d *dryRun) tombstone(id string, set bool) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if was, ok := d.stones[id]; ok && was != set {
		delete(d.stones, id)
		return
	}
	d.stones[id] = set
}

func (d *dryRun) remember(r Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.put[r.Path]
	last := Result{Outcome: r.Outcome, Reason: r.Reason, Note: Note{ID: r.Note.ID}, BaseBody: was.BaseBody, BaseNav: was.BaseNav}
	if r.Note.Touched || r.Outcome == Merged || r.Outcome == Kept {
		last.BaseBody, last.BaseNav = cmp.Or(r.BaseBody, was.BaseBody), cmp.Or(r.BaseNav, was.BaseNav)
	}
	d.put[r.Path] = last
}

// Move has what is remembered of a file go with it.
func (d *dryRun) Move(from, to string, was store.File) (Stamp, error) {
	s, err := d.Overlay.Move(from, to, was)
	d.mu.Lock()
	defer d.mu.Unlock()
	if last, ok := d.put[from]; ok && err == nil {
		delete(d.put, from)
		d.put[to] = last
	}
	return s, err
}
