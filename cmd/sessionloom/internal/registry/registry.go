// Package registry maps vaults to their state folders, by the last known place of each vault.
package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/store"
)

// entryName is the file with the place of the vault: its path, then its folder.
const entryName = "vault"

// Entry is the place of a vault.
type Entry struct{ Vault, Folder string }

const maxLinks = 40

// Resolved returns a path with symlinks resolved as far as possible.
func Resolved(path string) string {
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

func (r Entry) holds(id string) bool {
	v, err := vault.Open(r.Vault, r.Folder, vault.Options{DryRun: true})
	if err != nil {
		return false
	}
	defer func() { _ = v.Close() }()
	return v.Marker().ID == id
}

// Find returns the state folder of a vault at this place, or "".
func Find(state string, at Entry) (string, error) {
	entries, err := os.ReadDir(state)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read state folder: %w", err)
	}
	for _, e := range entries {
		r, ok := read(filepath.Join(state, e.Name()))
		if ok && r.Folder == at.Folder && (r.Vault == at.Vault || Resolved(r.Vault) == Resolved(at.Vault)) {
			return e.Name(), nil
		}
	}
	return "", nil
}

// Known returns the state folder of a vault, which need not exist now.
func Known(state string, at Entry) (folder string, ok bool) {
	if at.Vault == "" {
		return "", false
	}
	name, err := Find(state, at)
	return filepath.Join(state, name), err == nil && name != ""
}

// StateFolder returns the folder of the vault with this id, also after it moved. A copy of a vault that still
// exists gets its own, as a ledger must see only one vault.
func StateFolder(state, id string, at Entry) (string, error) {
	name, err := Find(state, at)
	if err != nil {
		return "", err
	}
	if name == id || strings.HasPrefix(name, id+"-") {
		return filepath.Join(state, name), nil
	}
	first := filepath.Join(state, id)
	if r, ok := read(first); !ok || !r.holds(id) {
		return first, nil
	}
	sum := sha256.Sum256([]byte(Resolved(at.Vault) + "\n" + at.Folder))
	return first + "-" + hex.EncodeToString(sum[:4]), nil
}

func read(folder string) (Entry, bool) {
	text, err := os.ReadFile(filepath.Join(folder, entryName))
	if err != nil {
		return Entry{}, false
	}
	dir, name, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n")
	return Entry{Vault: dir, Folder: name}, ok
}

// Leave removes this place from all state folders. The state is then found by the vault's id.
func Leave(state string, at Entry) error {
	folder, ok := Known(state, at)
	if !ok {
		return nil
	}
	return os.Remove(filepath.Join(folder, entryName))
}

// Write makes the state folder, readable only by its owner, and records the place of its vault.
func Write(folder string, r Entry) error {
	if have, ok := read(folder); ok && have == r {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make state folder: %w", err)
	}
	file := atomicfile.File{Path: filepath.Join(folder, entryName), Mode: 0o600, Lasting: true}
	err := file.Put([]byte(r.Vault + "\n" + r.Folder + "\n"))
	if err == nil {
		err = store.SyncFolder(filepath.Dir(folder))
	}
	if err != nil {
		return fmt.Errorf("note the place of the vault: %w", err)
	}
	return nil
}
