package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/vault"
)

// recordName is the file in a vault's state folder that says where the vault
// lies: its path and, on a second line, the managed folder.
const recordName = "vault"

// record is the place of a vault.
type record struct{ vault, folder string }

// same tells whether two records mean one folder, symlinks resolved.
func (r record) same(other record) bool {
	return r.folder == other.folder && (r.vault == other.vault || resolved(r.vault) == resolved(other.vault))
}

// maxLinks is how many links may lie on the way to a place that is away.
const maxLinks = 40

// resolved is a path without links. What is away, such as a drive that is not
// mounted, has the path that it has when it is there, as far as links tell.
func resolved(path string) string {
	for range maxLinks {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		next, ok := afterLink(path)
		if !ok {
			break
		}
		path = next
	}
	return path
}

// afterLink follows the first link on a path, or tells that there is none.
func afterLink(path string) (string, bool) {
	for i, c := range path + string(filepath.Separator) {
		if c != filepath.Separator || i == 0 {
			continue
		}
		to, err := os.Readlink(path[:i])
		if err != nil {
			continue
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path[:i]), to)
		}
		return filepath.Join(to, path[i:]), true
	}
	return path, false
}

// holds tells whether the vault with this id lies there now.
func (r record) holds(id string) bool {
	v, err := vault.Open(r.vault, r.folder, vault.Options{DryRun: true})
	if err != nil {
		return false
	}
	defer func() { _ = v.Close() }()
	return v.Marker().ID == id
}

// recordedAt finds the state folder that knows a vault at this place; empty:
// none does.
func recordedAt(state string, at record) (string, error) {
	entries, err := os.ReadDir(state)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read state folder: %w", err)
	}
	for _, e := range entries {
		if r, ok := readRecord(filepath.Join(state, e.Name())); ok && r.same(at) {
			return e.Name(), nil
		}
	}
	return "", nil
}

// stateFolder gives the folder of the vault with this id at this place: the one
// named after the id, also after the vault moved. A copy of the vault has the
// same id; while the first one is still where it was, the copy gets a folder of
// its own, for a ledger must see one vault only.
func stateFolder(state, id string, at record) (string, error) {
	name, err := recordedAt(state, at)
	if err != nil {
		return "", err
	}
	if name == id || strings.HasPrefix(name, id+"-") {
		return filepath.Join(state, name), nil
	}
	first := filepath.Join(state, id)
	if r, ok := readRecord(first); !ok || !r.holds(id) {
		return first, nil
	}
	sum := sha256.Sum256([]byte(resolved(at.vault) + "\n" + at.folder))
	return first + "-" + hex.EncodeToString(sum[:4]), nil
}

func readRecord(folder string) (record, bool) {
	text, err := os.ReadFile(filepath.Join(folder, recordName))
	if err != nil {
		return record{}, false
	}
	dir, name, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n")
	return record{vault: dir, folder: name}, ok
}

// writeRecord makes the state folder, readable by its owner alone, and notes the
// place of its vault.
func writeRecord(folder string, r record) error {
	if have, ok := readRecord(folder); ok && have == r {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make state folder: %w", err)
	}
	file := wholeFile{path: filepath.Join(folder, recordName), mode: 0o600, lasting: true}
	err := file.putText([]byte(r.vault + "\n" + r.folder + "\n"))
	if err == nil {
		err = syncFolder(filepath.Dir(folder))
	}
	if err != nil {
		return fmt.Errorf("note the place of the vault: %w", err)
	}
	return nil
}
