package ask

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

// NoteNamed finds the note that a name stands for; a path may be that of the file. Where a session
// is meant that has none, the error says why.
func (k Known) NoteNamed(name, home string) (catalog.Entry, error) {
	e, err := k.Note(homepath.InVault(name, k.Config.Vault))
	var unknown *catalog.NameError
	if errors.As(err, &unknown) && len(unknown.Found) == 0 {
		err = cmp.Or(k.noNote(name, home), err)
	}
	return e, err
}

func (k Known) noNote(name, home string) error {
	for _, m := range k.Missing(nil) {
		if len(name) > 1 && strings.HasPrefix(m.Session, name) {
			return exit.Failed("", "the session %s has no note: %s", m.Session, present.WhyMissing(m, home))
		}
	}
	return nil
}

// NearName is the hint to a name that nothing has.
func NearName(err *catalog.NameError) string {
	var known []string
	for _, e := range err.Known {
		known = append(known, e.Title, e.Name, strings.TrimSuffix(path.Base(e.Path), ".md"))
	}
	if near := setup.MostSimilar(err.Name, known, strings.ToLower); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if strings.HasPrefix(err.Of, "deleted") {
		return "sessionloom status lists what you deleted"
	}
	return "sessionloom list shows the sessions, list notes all notes"
}
