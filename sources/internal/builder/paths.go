package builder

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// Short writes a path from the folder of the project on, with slashes, else from the home folder on.
func (b *Builder) Short(path string) string {
	slashed, place := strings.ReplaceAll(path, `\`, "/"), b.Session.Place
	root := strings.TrimRight(strings.ReplaceAll(cmp.Or(place.GitRoot, place.Cwd), `\`, "/"), "/")
	below, ok := strings.CutPrefix(slashed, root+"/")
	switch {
	case root == "" || path == "":
	case slashed == root:
		return "."
	case ok:
		return below
	}
	return sources.Tilde(strings.TrimPrefix(path, "./"))
}

// Changed notes that a file changed in a turn that is not known, if no call changed it.
func (b *Builder) Changed(path string) {
	if path = b.PathOf(path); path != "" {
		b.changed = append(b.changed, sources.FileTouch{Path: path, Kind: sources.Edited, Turn: -1, At: b.now})
	}
}

func (b *Builder) layChanged() {
	if len(b.changed) == 0 {
		return
	}
	known := map[string]bool{}
	for _, f := range b.Session.Files {
		known[b.Short(f.Path)] = known[b.Short(f.Path)] || f.Kind != sources.Viewed
	}
	for _, f := range b.changed {
		if key := b.Short(f.Path); !known[key] {
			known[key], b.Session.Files = true, append(b.Session.Files, f)
		}
	}
}
