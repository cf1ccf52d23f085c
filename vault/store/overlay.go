package vault

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
)

// rehearsal remembers what a dry run would have done. Whatever is read later in
// that run shows it, so that a note that is written twice, or first moved and
// then written, comes out as it would on the disk. A nil rehearsal knows
// nothing: the vault is written to for real.
type rehearsal struct {
	mu    sync.Mutex
	files map[string]*rehearsed // by path from the managed folder
	dirs  map[string]bool       // folders on the way to them
	bury  map[string]bool       // by id: a tombstone would be set (true) or lifted
	began Marker                // the marker as it stands on the disk
}

// rehearsed is one file as the dry run left it.
type rehearsed struct {
	packed   []byte // its text, compressed
	there    bool
	was      string // fileHash of what stands on the disk, under from where that is set; empty: nothing does
	from     string // the path it was moved from
	left     bool   // what stands on the disk has another path now
	id       string
	outcome  Outcome
	reason   string
	baseBody *string
	baseNav  *string
}

func newRehearsal(m Marker) *rehearsal {
	m.Settings = maps.Clone(m.Settings)
	return &rehearsal{files: map[string]*rehearsed{}, dirs: map[string]bool{}, bury: map[string]bool{}, began: m}
}

// fileHash is the hash by which a plan expects a file, over all of its bytes.
func fileHash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// read gives what a file would hold. ok says that the dry run did something to
// it; a file that it took away is [fs.ErrNotExist].
func (all *rehearsal) read(p string) (text []byte, ok bool, err error) {
	if all == nil {
		return nil, false, nil
	}
	all.mu.Lock()
	f := all.files[p]
	all.mu.Unlock()
	switch {
	case f == nil:
		return nil, false, nil
	case !f.there:
		return nil, true, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
	}
	text, err = s2.Decode(nil, f.packed)
	return text, true, err
}

// holds says that a folder would be there, since a file in it was dealt with.
func (all *rehearsal) holds(folder string) bool {
	if all == nil {
		return false
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.dirs[folder]
}

// set enters a file; the caller holds the lock.
func (all *rehearsal) set(p string, f *rehearsed) {
	all.files[p] = f
	for dir := path.Dir(p); dir != "." && !all.dirs[dir]; dir = path.Dir(dir) {
		all.dirs[dir] = true
	}
}

// vacate has nothing be left under a name, whatever the disk has there; the
// caller holds the lock.
func (all *rehearsal) vacate(p string, f *rehearsed) {
	if f.left || f.from == "" && f.was != "" {
		all.set(p, &rehearsed{left: true})
	} else {
		delete(all.files, p)
	}
}

// put takes in what became of a file: r.Old was read, r.New would be written,
// nil where it would be removed.
func (all *rehearsal) put(r Result) {
	if r.New != nil && r.Old != nil && bytes.Equal(r.Old, r.New) {
		return
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	f := all.files[r.Path]
	if f == nil || f.left && !f.there {
		f = &rehearsed{left: f != nil}
		if r.Old != nil && !f.left {
			f.was = fileHash(r.Old)
		}
		all.set(r.Path, f)
	}
	f.there = r.New != nil
	if !f.there && f.was == "" {
		all.vacate(r.Path, f)
		return
	}
	if f.outcome != Created || !f.there {
		f.outcome = r.Outcome
	}
	f.packed, f.id, f.reason = s2.Encode(nil, r.New), r.Note.ID, r.Reason
	if r.Note.Touched || r.Outcome == Merged || r.Outcome == Kept {
		f.baseBody, f.baseNav = cmp.Or(r.BaseBody, f.baseBody), cmp.Or(r.BaseNav, f.baseNav)
	}
}

// move takes in that a file would get another name.
func (all *rehearsal) move(id, from, to string, text []byte) {
	all.mu.Lock()
	defer all.mu.Unlock()
	f := all.files[from]
	if f == nil {
		f = &rehearsed{was: fileHash(text), packed: s2.Encode(nil, text), there: true, id: id, outcome: Moved}
	}
	moved := *f
	all.vacate(from, f)
	if moved.was != "" && moved.from == "" {
		moved.from = from
	}
	moved.left = all.files[to] != nil
	all.set(to, &moved)
}

// setBuried takes in that a tombstone would be set or lifted.
func (all *rehearsal) setBuried(id string, buried bool) {
	if all == nil {
		return
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if was, ok := all.bury[id]; ok && was != buried {
		delete(all.bury, id)
		return
	}
	all.bury[id] = buried
}

// Rehearsal is all that a dry run would have done, in the order in which
// [Vault.Apply] is to do it.
type Rehearsal struct {
	Targets  []Target
	Bury     []string // ids that would get a tombstone, sorted
	Unbury   []string // ids whose tombstone would be lifted
	Settings []SettingChange
}

// SettingChange is one setting of the vault's marker; Was is empty for a new one.
type SettingChange struct{ Key, Was, Value string }

// Rehearsal tells what this dry run would have done to the vault so far: what
// several steps made of one file comes as one target. It is empty where the
// vault is written to for real.
func (v *Vault) Rehearsal() (Rehearsal, error) {
	var r Rehearsal
	all := v.folders.rehearsal
	if all == nil {
		return r, nil
	}
	var err error
	if r.Targets, err = all.targets(); err != nil {
		return Rehearsal{}, err
	}
	slices.SortStableFunc(r.Targets, func(a, b Target) int { return cmp.Compare(a.turn(), b.turn()) })
	r.Settings = settingChanges(all.began.Settings, v.Marker().Settings)
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(all.bury)) {
		if all.bury[id] {
			r.Bury = append(r.Bury, id)
		} else {
			r.Unbury = append(r.Unbury, id)
		}
	}
	return r, nil
}

func settingChanges(was, now map[string]string) []SettingChange {
	var out []SettingChange
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if was[key] != now[key] {
			out = append(out, SettingChange{Key: key, Was: was[key], Value: now[key]})
		}
	}
	return out
}

// targets lists by path what is to be done to files.
func (all *rehearsal) targets() ([]Target, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	var out []Target
	for _, p := range slices.Sorted(maps.Keys(all.files)) {
		f := all.files[p]
		t, err := f.target(p)
		if err != nil {
			return nil, err
		}
		moved := t.Remove && f.left // told of where it went to
		same := !t.Remove && t.From == "" && t.Was == fileHash(t.Text)
		if !moved && !same {
			out = append(out, t)
		}
	}
	return out, nil
}

func (f *rehearsed) target(p string) (Target, error) {
	t := Target{ID: f.id, Path: p, From: f.from, Was: f.was, Remove: !f.there, Outcome: f.outcome, Reason: f.reason, BaseBody: f.baseBody, BaseNav: f.baseNav}
	if t.Remove {
		return t, nil
	}
	var err error
	t.Text, err = s2.Decode(nil, f.packed)
	return t, err
}

// rehearse takes a result into the rehearsal of a dry run, if this is one. Texts
// that nobody asked for are not handed on.
func (v *Vault) rehearse(r Result, err error) (Result, error) {
	if err == nil && v.opt.DryRun {
		v.folders.rehearsal.put(r)
	}
	if !v.opt.Texts {
		r.Old, r.New = nil, nil
	}
	return r, err
}

// readRehearsed reads a file as the dry run left it.
func (f *folder) readRehearsed(name string) (content, bool, error) {
	text, ok, err := f.rehearsal.read(path.Join(f.path, name))
	if err == nil && !ok && f.root == nil {
		return content{}, true, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return content{text: text}, ok, err
}

// rehearseMove is a move in a dry run.
func (v *Vault) rehearseMove(id, from, to string, text []byte) error {
	next, err := v.folders.open(path.Dir(to), false)
	if err == nil {
		taken := next.exists(path.Base(to))
		v.folders.done(next)
		if taken {
			return ErrTaken
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	v.folders.rehearsal.move(id, from, to, text)
	return nil
}

// rehearseFile is the writing of a file that is no note in a dry run: it is
// made where none stands.
func (v *Vault) rehearseFile(p string, text []byte) (created bool, err error) {
	f, err := v.folders.open(path.Dir(p), false)
	if err == nil {
		there := f.exists(path.Base(p))
		v.folders.done(f)
		if there {
			return false, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	v.folders.rehearsal.put(Result{Outcome: Created, Path: p, New: slices.Clip(text)})
	return true, nil
}
