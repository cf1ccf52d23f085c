package vscode

import (
	"context"
	"path"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/statedb"
)

// Details lists the sessions that stand in an index and have no chat on this
// disk: deleted ones, and those another provider runs
// (formats/vscode-copilot-chat.md, sections 3.1 and 8). An index that cannot be
// read is told as such.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	listed, err := s.listedSessions(ctx)
	if err != nil {
		return nil, err
	}
	untold := func(string, error) {} // List tells the problems
	for _, st := range places.Storages(places.Roots(s.places()), untold) {
		if st.StateDB == "" {
			continue
		}
		state, err := statedb.Read(ctx, st.StateDB, s.cfg.TempDir)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		root := st.Root.Path
		if err != nil {
			out[root] = append(out[root], "index of "+st.Name+" cannot be read: "+err.Error())
			continue
		}
		for _, e := range state.Entries {
			if e.Title != "" && !listed[identity(e.ID, st.Name)] {
				out[root] = append(out[root], indexLine(e))
			}
		}
	}
	return out, nil
}

// indexLine tells of a session of which only an index entry is here.
func indexLine(e statedb.Entry) string {
	why := "no chat on this disk"
	if e.Scheme != statedb.SchemeLocal {
		why = "run by " + e.Scheme
	}
	if e.Place.Cwd != "" {
		why += ", " + path.Base(e.Place.Cwd)
	}
	return e.ID + " " + e.Title + " (" + why + ")"
}
