package setup

import (
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// Refuse says why no vault is made at a path, and what would be right; nil: one may be
// made there.
func Refuse(path, folder string, known []string, home string) error {
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
	if near := Near(path, known); near != "" {
		hint = "did you mean " + homepath.Tilde(near, home) + "? Else " + hint
	}
	return exit.Usage(hint, "the vault %q %s", at, what)
}

// RefuseFolder refuses a place that is the folder of the notes in a vault, and no vault.
func RefuseFolder(path, folder string) error {
	around := Around(path, folder)
	if around == "" {
		return nil
	}
	return exit.Usage("--vault "+homepath.ShellWord(around)+" writes the notes there", "%q is the folder %s of a vault, and not the vault", path, folder)
}
