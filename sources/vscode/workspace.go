package vscode

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
)

// readWorkspace finds out what folder the storage is of. A workspace that cannot
// be read is told. One that is gone, or says nothing any more, takes no session
// out of its project: what it said when the session was read stays. Else the
// place is left to what the chat itself says.
func (r *reading) readWorkspace() {
	p, ok := r.item.Part(partWorkspace)
	if ok {
		place, err := r.src.workspace(p)
		if err != nil {
			r.problem(r.item.File(p), err)
		}
		r.place = place
	}
	if r.told = tells(r.place); !r.told {
		r.place, r.told = r.toldBefore()
	}
	basis := []string{boolWord(r.src.cfg.Images)}
	if ok || r.told {
		basis = append(basis, r.place.Cwd, r.place.Workspace, strings.Join(r.place.Folders, "\x00"))
	}
	r.basis = stamp.Hash(basis...)
}

// toldBefore is the place that the storage told when a layer was read that is
// kept, false where it never did.
func (r *reading) toldBefore() (sources.Place, bool) {
	for _, layer := range []string{layerLog, layerDocument, layerMemory, layerEdits, layerTranscript} {
		if !decodeCursor(r.prior.Cursor(layer)).Told && !decodeCursor(r.prior.Cursor(layerShelf)).Told {
			continue
		}
		if s, err := r.prior.Layer(layer); err == nil && s != nil && tells(s.Place) {
			return sources.Place{
				Cwd: s.Place.Cwd, Workspace: s.Place.Workspace, Folders: s.Place.Folders,
				Repository: s.Place.Repository, Host: s.Place.Host, HostType: s.Place.HostType,
			}, true
		}
	}
	return sources.Place{}, false
}

// tells says that a place is worth anything.
func tells(p sources.Place) bool { return isPlaced(p) || p.Repository != "" }
