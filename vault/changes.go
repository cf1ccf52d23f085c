package vault

import (
	"bytes"
	"cmp"
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

// Stands reports whether a file is as a plan wants it.
func (v *Vault) Stands(t Target) bool {
	was, err := v.files.Read(t.Path)
	if t.Remove {
		return errors.Is(err, fs.ErrNotExist)
	}
	return err == nil && bytes.Equal(was.Text, append([]byte(t.Text), t.Bytes...))
}

// Changes is what a dry run would have done, in the order of [Target.Order].
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

// Changes reports what this dry run would have done, but for whole files put aside and pictures that go.
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
	t := Target{Path: c.Path, From: c.From, Outcome: cmp.Or(last.Outcome, Moved), Reason: last.Reason, Expect: c.Was, Remove: c.Remove}
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
	d.put[r.Path] = Result{Outcome: r.Outcome, Reason: r.Reason, Note: Note{ID: r.Note.ID}}
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
