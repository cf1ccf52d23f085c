package observe

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// HeldError says that a run stopped before it wrote anything, because what it
// found looks like an accident rather than a wish.
type HeldError struct{ What, Hint string }

func (e *HeldError) Error() string { return e.What }

// tally counts files of ours that are no notes.
type tally struct {
	all     int
	missing map[string]int // by kind
}

// allowed refuses to take many missing notes and files for deletions, or any where
// the vault's marker went too (design: absence is not deletion). The notes were
// counted with the files that are gone, and are gone no more when these are asked for.
func (k look) allowed(notes, all int, files tally) error {
	gone := notes
	for _, n := range files.missing {
		gone += n
	}
	if gone > 0 {
		if err := k.Vault.Standing(); err != nil {
			return err
		}
	}
	all += files.all
	if limit := max(20, all/10); gone <= limit || k.Force {
		return nil
	}
	return &HeldError{
		What: fmt.Sprintf("%s of %s are missing: nothing was written", files.words(notes), texts.Count(all, "file", "files")),
		Hint: "if you deleted them on purpose, run again with --force; else bring the folder back first",
	}
}

// words tells what is missing, by kind.
func (t tally) words(notes int) string {
	kinds := []struct {
		n         int
		one, many string
	}{
		{notes, "note", "notes"}, {t.missing[names.TypeBase], "base", "bases"},
		{t.missing[names.TypeCanvas], "canvas", "canvases"}, {t.missing[names.TypePicture], "image", "images"},
	}
	var out []string
	for _, k := range kinds {
		if k.n > 0 {
			out = append(out, texts.Count(k.n, k.one, k.many))
		}
	}
	return strings.Join(out, ", ")
}
