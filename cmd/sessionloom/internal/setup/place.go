// Package setup decides what a first run asks and what it may create. It reads
// folders and writes none; who prints and who types is handed in.
package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kind tells what lies where a vault is to be.
type Kind int

// The kinds of places. A vault is made without a question in one that is Empty or
// Known.
const (
	Missing Kind = iota // nothing
	Empty               // a folder without files, but for those of tools
	Known               // Obsidian has opened it, or notes of ours lie in it
	Other               // a folder with files of another kind
	Unclear             // cannot be looked at; opening it tells why
)

// ofTools are entries of a folder that holds no files yet.
var ofTools = []string{".git", ".gitignore", ".gitattributes", ".DS_Store", ".stfolder", "desktop.ini"}

// Look tells what lies at a place, folder being that of our notes in it.
func Look(vault, folder string) Kind {
	entries, err := os.ReadDir(vault)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case err != nil:
		return Unclear
	}
	empty := true
	for _, e := range entries {
		if e.Name() == ".obsidian" && e.IsDir() {
			return Known
		}
		empty = empty && (slices.Contains(ofTools, e.Name()) || isOurStart(vault, folder, e))
	}
	switch {
	case empty:
		return Empty
	case holdsNotes(filepath.Join(vault, folder)):
		return Known
	}
	return Other
}

// isOurStart tells whether an entry of a vault is all that a run made which was killed
// as it began: the folder of our notes without a file.
func isOurStart(vault, folder string, e fs.DirEntry) bool {
	first, _, _ := strings.Cut(folder, "/")
	if !e.IsDir() || e.Name() != first {
		return false
	}
	return nil == filepath.WalkDir(filepath.Join(vault, first), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = fs.ErrExist
		}
		return err
	})
}

const mostRead = 200

// holdsNotes tells whether a folder is one of ours: it has our records, or a note
// with our comments.
func holdsNotes(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, ".sessionloom")); err == nil && info.IsDir() {
		return true
	}
	found, left := false, mostRead
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || left == 0:
			return fs.SkipAll
		case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(d.Name(), ".md"):
			left--
			text, _ := os.ReadFile(path) // one that cannot be read is none of ours
			if found = bytes.Contains(text, []byte("%% sessionloom ")); found {
				return fs.SkipAll
			}
		}
		return nil
	})
	return found
}

// Around is the vault whose folder of notes a path is, or would be: that is no vault of
// its own; empty: it is none.
func Around(path, folder string) string {
	above := filepath.Dir(path)
	if filepath.Base(path) != folder || isFolder(filepath.Join(path, ".obsidian")) || !isFolder(filepath.Join(above, ".obsidian")) {
		return ""
	}
	return above
}

// OtherFolder is a folder at the top of a vault that holds notes of ours, other than the one that is
// asked for; empty: there is none.
func OtherFolder(vault, folder string) string {
	entries, err := os.ReadDir(vault)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		_, err := os.Lstat(filepath.Join(vault, e.Name(), ".sessionloom", "vault.yaml"))
		if err == nil && e.IsDir() && e.Name() != folder {
			return e.Name()
		}
	}
	return ""
}
