package session

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func TestWindowThatHadOneFolderFirst(t *testing.T) {
	ws := sources.Session{ID: uuid, Place: sources.Place{Workspace: "/home/dev/all.code-workspace", Folders: []string{"/a", "/b"}}}
	one := sources.Session{ID: uuid, Updated: clock(9), Place: sources.Place{Cwd: "/home/dev/src/widget"}}
	m := Merge([]sources.Layer{{Name: "a", Session: &ws}, {Name: "b", Session: &one}})
	if p := m.Session.Place; p.Workspace != "" || p.Cwd == "" {
		t.Errorf("the better layer knows its folder: %+v", p)
	}
	one.Updated = ws.Updated
	m = Merge([]sources.Layer{{Name: "a", Session: &ws}, {Name: "b", Rank: 1, Session: &one}})
	if p := m.Session.Place; p.Workspace == "" || len(p.Folders) != 2 {
		t.Errorf("the better layer knows its workspace: %+v", p)
	}
}
