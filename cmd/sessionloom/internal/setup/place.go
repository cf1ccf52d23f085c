// Package setup decides what a first run asks and may create. It reads folders and writes none; input and
// output are passed in.
package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// Kind is what exists at the path of a new vault.
type Kind int

// The kinds of places. In Empty and Known ones a vault is made without a question.
const (
	Missing Kind = iota // nothing
	Empty               // a folder without files, except for files of tools
	Known               // Obsidian has opened it, or it has generated notes
	Other               // a folder with files of another kind
	Unclear             // cannot be examined; opening it gives the reason
)

// ofTools are entries of a folder that holds no files yet.
var ofTools = []string{".git", ".gitignore", ".gitattributes", ".DS_Store", ".stfolder", "desktop.ini"}

// Look returns what exists at a path; folder is the notes folder in it.
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

// isOurStart reports whether an entry is the empty notes folder of a run that was killed at its beginning.
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

// holdsNotes reports whether a folder has our records, or a generated note.
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
			text, _ := os.ReadFile(path) // an unreadable one is not generated
			if found = bytes.Contains(text, []byte("%% sessionloom ")); found {
				return fs.SkipAll
			}
		}
		return nil
	})
	return found
}

// Around returns the vault whose notes folder is or would be at a path, or "".
func Around(path, folder string) string {
	above := filepath.Dir(path)
	if filepath.Base(path) != folder || isFolder(filepath.Join(path, ".obsidian")) || !isFolder(filepath.Join(above, ".obsidian")) {
		return ""
	}
	return above
}

// OtherFolder returns another folder of a vault with generated notes, or "".
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

// Refuse returns the reason why a path cannot become a vault, or nil.
func Refuse(path, folder, home string) error {
	at, what := homepath.Tilde(path, home), "does not exist"
	hint := "--create makes it"
	switch Look(path, folder) {
	case Missing:
	case Other:
		what = "is no Obsidian vault and is not empty"
		hint = "--create writes the notes into its folder " + folder
	default:
		return nil
	}
	return exit.Usage(hint, "the vault %q %s", at, what)
}

// RefuseFolder rejects the notes folder of a vault as the path of a vault.
func RefuseFolder(path, folder string) error {
	around := Around(path, folder)
	if around == "" {
		return nil
	}
	return exit.Usage("--vault "+homepath.ShellWord(around)+" writes the notes there", "%q is the folder %s of a vault, and not the vault", path, folder)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
