package chat

import (
	"cmp"

	"github.com/sessionloom/sessionloom/sources"
)

// origin says how it is known.
type origin int

const (
	fromPart  origin = iota
	fromGroup        // edits of a file as the editor applied them, also of one that a tool created
	fromTool
)

// touches are the files of an answer in order of the first touch.
type touches struct {
	all  []sources.FileTouch
	from []origin // of each
	at   map[touch]int
}

// add notes a touch once per path and kind.
func (t *touches) add(to touch, tool string, from origin) {
	if to.path == "" {
		return
	}
	if i, ok := t.at[to]; ok {
		if t.from[i] == fromGroup {
			t.from[i] = from
		}
		t.all[i].Tool = cmp.Or(t.all[i].Tool, tool)
		return
	}
	if t.at == nil {
		t.at = make(map[touch]int)
	}
	t.at[to] = len(t.all)
	t.from = append(t.from, from)
	t.all = append(t.all, sources.FileTouch{Path: to.path, Kind: to.kind, Tool: tool, Turn: -1})
}

func (t *touches) has(path, kind string) bool {
	_, ok := t.at[touch{path, kind}]
	return ok
}

// list leaves out the edits that made up the files a tool created.
func (t *touches) list() []sources.FileTouch {
	var out []sources.FileTouch
	for i, f := range t.all {
		if t.from[i] != fromGroup || !t.has(f.Path, sources.Created) {
			out = append(out, f)
		}
	}
	return out
}
