package pages

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/templates"
)

// hotMinimum is how many hot files make a chart worth its room.
const hotMinimum = 3

// hotChart names the hottest files of a project by the shortest ends of their
// paths that tell them apart: a chart puts equal labels into one bar.
func hotChart(hot []facts.HotFile) []templates.HotBar {
	if len(hot) < hotMinimum {
		return nil
	}
	hot = hot[:min(projectHot, len(hot))]
	paths := make([]string, len(hot))
	for i, h := range hot {
		paths[i] = h.Path
	}
	bars := make([]templates.HotBar, len(hot))
	for i, label := range shortPaths(paths) {
		bars[i] = templates.HotBar{Label: templates.Text(label), Sessions: hot[i].Sessions}
	}
	return bars
}

// shortPaths gives each path by its last elements: the name, and as many folders
// as tell it from the others.
func shortPaths(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		parts := strings.Split(p, "/")
		n := 1
		for n < len(parts) && shares(paths, i, "/"+strings.Join(parts[len(parts)-n:], "/")) {
			n++
		}
		out[i] = strings.Join(parts[len(parts)-n:], "/")
	}
	return out
}

// shares tells whether another path than the i-th has this end.
func shares(paths []string, i int, end string) bool {
	for j, p := range paths {
		if j != i && strings.HasSuffix("/"+p, end) {
			return true
		}
	}
	return false
}
