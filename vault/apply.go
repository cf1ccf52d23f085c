package vault

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// ErrChanged means that a file is not as a plan expects, and was left alone.
var ErrChanged = errors.New("it is not as the plan saw it: it was changed")

// Target is one file of a plan: what it holds, and what it shall hold.
type Target struct {
	Path    string  `json:"path"`
	From    string  `json:"from,omitempty"` // where the note lies now, if it is to be moved
	ID      string  `json:"id,omitempty"`   // of a note; empty: a file that is none
	Outcome Outcome `json:"outcome"`        // this and Reason are those of [Result]
	Reason  string  `json:"reason,omitempty"`
	// Expect is the SHA-256 of all bytes that are at From or Path, in hex
	// digits. Empty: nothing may be at Path.
	Expect string `json:"expect"`
	Remove bool   `json:"remove,omitempty"` // nothing is to stand there
	// Text or Bytes are all that is to be at Path, the latter where that is not an UTF-8.
	Text  string `json:"text,omitempty"`
	Bytes []byte `json:"base64,omitempty"`
	// BaseBody and BaseNav are those of [Result], of a note that has edits.
	BaseBody *string `json:"base_body,omitempty"`
	BaseNav  *string `json:"base_nav,omitempty"`
}

// Order is when a target is written: what notes show first, removals last.
func (t Target) Order() int {
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

// Apply brings a file from what a plan saw to what it wants. Saves of a human survive, as with
// [Vault.Put]; [ErrChanged] where another text stands. The target has to be one of
// [Vault.Changes]. It is durable after the next [Vault.Flush].
func (v *Vault) Apply(ctx context.Context, t Target) (Result, error) {
	return v.step(ctx, "apply the plan to", t.Path, func() (Result, error) {
		if err := cmp.Or(checkVisible(t.Path), checkVisible(cmp.Or(t.From, t.Path))); err != nil {
			return Result{}, err
		}
		r, err := v.apply(t)
		if errors.Is(err, store.ErrChanged) || errors.Is(err, ErrTaken) {
			err = ErrChanged
		}
		return r, err
	})
}

func (v *Vault) apply(t Target) (Result, error) {
	text, at := append([]byte(t.Text), t.Bytes...), cmp.Or(t.From, t.Path)
	was, err := v.files.Read(at)
	if t.From != "" && errors.Is(err, fs.ErrNotExist) { // moved already, maybe
		at = t.Path
		was, err = v.files.Read(at)
	}
	gone := errors.Is(err, fs.ErrNotExist)
	r := Result{Outcome: t.Outcome, Path: t.Path, Reason: t.Reason, Note: Note{ID: t.ID}, Old: was.Text, New: text}
	switch {
	case err != nil && !gone:
		return r, err
	case gone == t.Remove && at == t.Path && bytes.Equal(was.Text, text):
		r.Outcome = Unchanged
		return r, nil
	case gone != (t.Expect == ""), !gone && store.Hash(was.Text) != t.Expect:
		return r, ErrChanged
	case t.Remove:
		return r, v.files.Remove(at, was)
	case gone:
		_, err = v.files.Create(t.Path, text)
		return r, err
	}
	if at != t.Path {
		_, err = v.files.Move(at, t.Path, was)
	}
	if err == nil && !bytes.Equal(was.Text, text) {
		_, err = v.files.Replace(t.Path, was, text)
	}
	return r, err
}

// Changes is what a dry run would have done, in the order of [Vault.Apply].
type Changes struct {
	Settings        []SettingChange `json:"settings"`
	AddTombstone    []string        `json:"bury"`   // ids that would get a tombstone, sorted
	RemoveTombstone []string        `json:"unbury"` // ids whose tombstone would be taken away
	Targets         []Target        `json:"targets"`
}

// SettingChange is one setting of the vault's marker; Was is empty for a new one.
type SettingChange struct {
	Key   string `json:"key"`
	Was   string `json:"was"`
	Value string `json:"value"`
}

// Changes reports what this dry run would have done. Whole files put aside, and pictures that go, are
// left to a sync.
func (v *Vault) Changes() (Changes, error) {
	all := Changes{Settings: []SettingChange{}, AddTombstone: []string{}, RemoveTombstone: []string{}, Targets: []Target{}}
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
		if !strings.HasPrefix(c.Path, metaPath+"/") && (!c.Remove || note.IsNote(c.Path) || path.Ext(c.Path) == ".canvas") {
			all.Targets = append(all.Targets, targetOf(c, v.dry.put[c.Path]))
		}
	}
	slices.SortStableFunc(all.Targets, func(a, b Target) int { return cmp.Compare(a.Order(), b.Order()) })
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

func targetOf(c store.Change, last Result) Target {
	t := Target{Path: c.Path, From: c.From, Outcome: cmp.Or(last.Outcome, Moved), Reason: last.Reason, Expect: c.Was, Remove: c.Remove,
		BaseBody: last.BaseBody, BaseNav: last.BaseNav}
	if utf8.Valid(c.Text) {
		t.Text = string(c.Text)
	} else {
		t.Bytes = c.Text
	}
	switch {
	case c.Remove:
		t.ID, t.Outcome = last.Note.ID, Removed
	case note.IsNote(c.Path):
		t.ID = note.Parse(c.Path, c.Text).ID
	}
	if c.Was == "" {
		t.Outcome = Created
	}
	return t
}

// dryRun is what a dry run would have done, nil for a vault that is written to.
type dryRun struct {
	*store.Overlay
	began map[string]string // settings as the marker has them

	mu     sync.Mutex
	stones map[string]bool   // by id: a tombstone would be set (true) or taken away
	put    map[string]Result // by path: what was last put there, without texts
}

// tombstone records that one would be set or removed.
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

// Move moves what is remembered of a file along with it.
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
