// Package setup decides what a first run asks and may create. It reads folders and writes none; input and
// output are passed in.
package setup

import (
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
	Known               // Obsidian has opened it, or it has our records
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
	case isFolder(filepath.Join(vault, ".obsidian")), isFolder(filepath.Join(vault, folder, ".sessionloom")):
		return Known
	case slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		begun := strings.HasPrefix(folder+"/", e.Name()+"/") && !holdsFiles(filepath.Join(vault, e.Name())) // by a killed run
		return !begun && !slices.Contains(ofTools, e.Name())
	}):
		return Other
	}
	return Empty
}

// holdsFiles reports whether a path is or holds more than folders.
func holdsFiles(path string) bool {
	return nil != filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = fs.ErrExist
		}
		return err
	})
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
