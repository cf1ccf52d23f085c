package pages

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// counted are the notes of one project, and how often one is looked up.
type counted struct {
	Notes
	index  *facts.ProjectIndex
	looked int
}

func (c *counted) Project(string) *facts.ProjectIndex { return c.index }

func (c *counted) Note(id string) Place {
	c.looked++
	return Place{Path: "notes/" + id, Title: id}
}

// A canvas costs what it shows, however many sessions and files its project has.
func TestCanvasLooksUpWhatItShows(t *testing.T) {
	looked := map[int]int{}
	for _, n := range []int{80, 800} {
		var sessions []facts.Facts
		for i := range n {
			at := time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)
			sessions = append(sessions, facts.Facts{ID: names.SessionID(fmt.Sprintf("%04d", i)), Type: names.TypeSession, Created: at, Updated: at,
				Files: []string{fmt.Sprintf("f%d.go", i/2)}})
		}
		notes := &counted{index: facts.NewProjectIndex(sessions, nil, nil)}
		b := &Builder{Notes: notes, Zone: time.UTC, HotFiles: facts.HotFiles{MinSessions: 2, HalfLife: 30, Listed: 15}}
		text := b.Canvas("github.com/octo-org/widget")
		if last := names.CanvasNodeID(sessions[n-1].ID); !strings.Contains(text, last) || strings.Contains(text, names.CanvasNodeID(sessions[0].ID)) {
			t.Errorf("the canvas of %d sessions does not show the latest ones", n)
		}
		looked[n] = notes.looked
	}
	if looked[80] != looked[800] {
		t.Errorf("notes looked up by the number of sessions: %v", looked)
	}
}
