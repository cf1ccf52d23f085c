package vault

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
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
