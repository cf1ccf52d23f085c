package vault

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// Changes is all that a dry run would have done, in the order in which [Vault.Apply] is to
// do it.
type Changes struct {
	Targets         []Target
	AddTombstone    []string // ids that would get a tombstone, sorted
	RemoveTombstone []string // ids whose tombstone would be taken away
	Settings        []SettingChange
}

// SettingChange is one setting of the vault's marker; Was is empty for a new one.
type SettingChange struct{ Key, Was, Value string }

// Changes tells what this dry run would have done to the vault so far: what several steps
// made of one file comes as one target. What is put aside whole, and files that are no
// notes and go, are left to a sync. It is empty where the vault is written to for real.
func (v *Vault) Changes() (Changes, error) {
	var all Changes
	if v.dry == nil {
		return all, nil
	}
	changed, err := v.dry.Changes()
	if err != nil {
		return Changes{}, err
	}
	now := v.Marker().Settings
	v.dry.mu.Lock()
	defer v.dry.mu.Unlock()
	for _, c := range changed {
		t := Target{Path: c.Path, From: c.From, Was: c.Was, Text: c.Text, Remove: c.Remove}
		if strings.HasPrefix(c.Path, metaPath+"/") || c.Remove && !note.IsNote(c.Path) {
			continue
		}
		all.Targets = append(all.Targets, t.told(v.dry.put[c.Path]))
	}
	slices.SortStableFunc(all.Targets, func(a, b Target) int { return cmp.Compare(a.order(), b.order()) })
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if was := v.dry.began[key]; was != now[key] {
			all.Settings = append(all.Settings, SettingChange{Key: key, Was: was, Value: now[key]})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(v.dry.stones)) {
		if v.dry.stones[id] {
			all.AddTombstone = append(all.AddTombstone, id)
		} else {
			all.RemoveTombstone = append(all.RemoveTombstone, id)
		}
	}
	return all, nil
}

// told fills in what was said when the file was written.
func (t Target) told(last Result) Target {
	switch {
	case t.Remove:
		t.ID = last.Note.ID
	case note.IsNote(t.Path):
		t.ID = note.Parse(t.Path, t.Text).ID
	}
	t.Reason, t.BaseBody, t.BaseNav = last.Reason, last.BaseBody, last.BaseNav
	switch {
	case t.Remove:
		t.Outcome = Removed
	case t.Was == "":
		t.Outcome = Created
	case last.Outcome != "":
		t.Outcome = last.Outcome
	default:
		t.Outcome = Moved
	}
	return t
}

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
