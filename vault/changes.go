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
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// Target is one file of a plan: what it holds, and what it shall hold.
type Target struct {
	Path    string  `json:"path"`
	From    string  `json:"from,omitempty"` // where the note lies now, if it is to be moved
	ID      string  `json:"id,omitempty"`   // of a note; empty: a file that is none
	Outcome Outcome `json:"outcome"`        // Created, Updated, Moved or Removed
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
	Settings []SettingChange `json:"settings"`
	Targets  []Target        `json:"targets"`
}

// SettingChange is one setting of the vault's marker; Was is empty for a new one.
type SettingChange struct {
	Key   string `json:"key"`
	Was   string `json:"was"`
	Value string `json:"value"`
}

// Changes reports what this dry run would have done, but for tombstones, whole files put aside and pictures that
// go.
func (v *Vault) Changes() (Changes, error) {
	all := Changes{Settings: []SettingChange{}, Targets: []Target{}}
	if v.dry == nil {
		return all, nil
	}
	changed, err := v.dry.Changes()
	if err != nil {
		return Changes{}, err
	}
	for _, c := range changed {
		if !strings.HasPrefix(c.Path, metaPath+"/") && (!c.Remove || note.IsNote(c.Path) || path.Ext(c.Path) == ".canvas") {
			all.Targets = append(all.Targets, targetOf(c))
		}
	}
	slices.SortStableFunc(all.Targets, func(a, b Target) int { return cmp.Compare(a.Order(), b.Order()) })
	now := v.Marker().Settings
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if was := v.dry.began[key]; was != now[key] {
			all.Settings = append(all.Settings, SettingChange{Key: key, Was: was, Value: now[key]})
		}
	}
	return all, nil
}

func targetOf(c store.Change) Target {
	t := Target{Path: c.Path, From: c.From, Outcome: Updated, Expect: c.Was, Remove: c.Remove}
	if utf8.Valid(c.Text) {
		t.Text = string(c.Text)
	} else {
		t.Bytes = c.Text
	}
	if note.IsNote(c.Path) && !c.Remove {
		t.ID = note.Parse(c.Path, c.Text).ID
	}
	switch {
	case c.Remove:
		t.Outcome = Removed
	case c.From != "":
		t.Outcome = Moved
	case c.Was == "":
		t.Outcome = Created
	}
	return t
}

// dryRun is what a dry run would have done, nil for a vault that is written to.
type dryRun struct {
	*store.Overlay
	began map[string]string // settings as the marker has them
}
