package vault

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// ErrChanged says that a file is not as a plan expects it: it was left alone.
var ErrChanged = errors.New("it is not as the plan saw it")

// Target is one file of a plan: what is expected to stand there and what is to
// stand there then.
type Target struct {
	ID   string // of a note; empty: a file that is none
	Path string // from the managed folder, with slashes
	From string // where the note lies now, if it is to be moved
	// Was is the SHA-256 of all bytes that stand at From or Path, in hex
	// digits. Empty: nothing may stand at Path.
	Was    string
	Text   []byte // all bytes that are to stand at Path
	Remove bool   // nothing is to stand there; Text is empty
	// Outcome and Reason are those of [Result].
	Outcome Outcome
	Reason  string
	// BaseBody and BaseNav are those of [Result].
	BaseBody, BaseNav *string
}

// order is when a target is written: what notes show comes before them, names
// are free before they are used, and nothing goes before all else stands.
func (t Target) order() int {
	switch {
	case t.Remove:
		return 3
	case t.From != "":
		return 1
	case t.ID != "":
		return 2
	}
	return 0
}

// Apply brings a file from what a plan saw to what it wants, in the same way as
// [Vault.Put]: a human's save at the same moment survives. A file that has the
// wanted bytes already is Unchanged. It returns [ErrChanged] where another text
// stands than the plan saw; any path but that of a visible file in the managed
// folder is an error. Else Apply does as it is told: its caller sees to it that the
// target is one of [Vault.Changes].
//
// What was applied counts as durable only after the next [Vault.Flush].
func (v *Vault) Apply(ctx context.Context, t Target) (Result, error) {
	return v.step(ctx, "apply the plan to", t.Path, func() (Result, error) {
		if err := t.check(); err != nil {
			return Result{}, err
		}
		return v.apply(t)
	})
}

// check refuses paths where nothing of ours lies.
func (t Target) check() error {
	if t.ID == "" {
		return checkAttachment(t.Path)
	}
	if t.From == "" {
		return note.CheckPath(t.Path)
	}
	return errors.Join(note.CheckPath(t.Path), note.CheckPath(t.From))
}

// apply reads what stands there, sees that it is what the plan expects, and does the rest by
// the steps of Put, Move and Remove.
func (v *Vault) apply(t Target) (Result, error) {
	at := cmp.Or(t.From, t.Path)
	was, err := v.files.Read(at)
	gone := errors.Is(err, fs.ErrNotExist)
	if done, there := v.isApplied(t, was, gone); done {
		return t.applied(Unchanged, there), nil
	}
	switch {
	case gone && t.Was == "":
		_, err = v.files.Create(t.Path, t.Text)
		if errors.Is(err, ErrTaken) {
			err = changed("another file has its name")
		}
		return t.applied(Created, nil), err
	case gone && t.From != "":
		return Result{}, changed(fmt.Sprintf("it is gone from %q", t.From))
	case gone:
		return Result{}, changed("it is gone")
	case t.Was == "":
		return Result{}, changed("another file has its name")
	case err != nil:
		return Result{}, err
	case store.Hash(was.Text) != t.Was:
		return Result{}, changed("it was changed")
	case t.Remove:
		return v.applyRemoval(t)
	}
	return v.applyText(t, was)
}

// isApplied tells whether all is as the plan wants it, and what stands there then.
func (v *Vault) isApplied(t Target, was store.File, gone bool) (bool, []byte) {
	if t.From != "" && gone {
		was, err := v.files.Read(t.Path)
		return err == nil && bytes.Equal(was.Text, t.Text), was.Text
	}
	if t.Remove {
		return gone, nil
	}
	return !gone && t.From == "" && bytes.Equal(was.Text, t.Text), was.Text
}

// changed is why a file was left alone.
func changed(why string) error { return fmt.Errorf("%w: %s", ErrChanged, why) }

func (t Target) applied(o Outcome, old []byte) Result {
	return Result{Outcome: o, Path: t.Path, Reason: t.Reason, Note: Note{ID: t.ID}, Old: old, New: t.Text}
}

// applyText moves a note where that is planned, and then writes what stands there now.
func (v *Vault) applyText(t Target, was store.File) (Result, error) {
	if t.From != "" {
		switch _, err := v.files.Move(t.From, t.Path, was); {
		case errors.Is(err, ErrTaken):
			return Result{}, changed("another file has its name")
		case err != nil:
			return Result{}, err
		}
	}
	if bytes.Equal(was.Text, t.Text) {
		return t.applied(Moved, was.Text), nil
	}
	if _, err := v.files.Replace(t.Path, was, t.Text); errors.Is(err, store.ErrChanged) {
		return Result{}, changed(beingEdited)
	} else if err != nil {
		return Result{}, err
	}
	if t.Outcome == Merged || t.Outcome == Kept {
		return t.applied(t.Outcome, was.Text), nil
	}
	return t.applied(Updated, was.Text), nil
}

// applyRemoval takes away a note that is wholly ours, as Remove does.
func (v *Vault) applyRemoval(t Target) (Result, error) {
	r, err := v.remove(t.ID, t.Path)
	switch {
	case errors.Is(err, store.ErrChanged):
		return r, changed(beingEdited)
	case err == nil && r.Outcome == Kept:
		return r, changed(r.Reason)
	}
	return r, err
}

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
