package extract

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// noteView answers what pages ask of notes, tasks and files. It is safe for concurrent
// use.
type noteView struct{ p *pass }

// newBuilder makes the pages of this pass.
func (p *pass) newBuilder() *pages.Builder {
	v := noteView{p}
	return &pages.Builder{
		Templates: p.Pages, Notes: v, Tasks: taskView{p.Ledger, p.atlas}, Files: fileView{p}, Zone: p.zone, Layout: p.layout,
		HotFiles: p.Settings.HotFiles, Transcript: p.Settings.Transcript, HomeCount: p.Settings.HomeCount,
	}
}

// Note finds a note. What was found once is remembered until it changes.
func (v noteView) Note(id string) pages.Place { return v.p.placeOf(id) }

func (v noteView) Project(key string) (*facts.ProjectIndex, error) { return v.p.atlas.project(key) }

func (v noteView) WithKey(key string) ([]facts.Facts, error) {
	rows, err := v.p.Ledger.FactsWithKey(key)
	if err != nil {
		return nil, err
	}
	return decodeAll(rows)
}

func (v noteView) Latest(typ string, n int) ([]facts.Facts, error) {
	rows, err := v.p.Ledger.LatestFacts(typ, n)
	if err != nil {
		return nil, err
	}
	return decodeAll(rows)
}

func (v noteView) OwnMemory() ([]facts.Facts, error) {
	rows, err := v.p.Ledger.FactsOfProject("", names.TypeMemory)
	if err != nil {
		return nil, err
	}
	all, err := decodeAll(rows)
	return slices.DeleteFunc(all, func(f facts.Facts) bool { return !names.IsOwnMemory(f.ID) }), err
}

func (v noteView) Neighbours(id string) (before, after string, err error) {
	kind, _, _ := strings.Cut(id, ":")
	before, after, err = v.p.Ledger.NeighbourKeys("page:"+kind+":", "page:"+id)
	return names.TrimKey(before), names.TrimKey(after), err
}

func (v noteView) Totals() (n int, first, last time.Time, err error) {
	n, from, to, err := v.p.Ledger.Count(names.TypeSession)
	first, _ = time.Parse(time.RFC3339, from)
	last, _ = time.Parse(time.RFC3339, to)
	return n, first, last, err
}

func decodeAll(rows [][]byte) ([]facts.Facts, error) {
	out := make([]facts.Facts, 0, len(rows))
	for _, r := range rows {
		f, err := facts.Decode(r)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// taskView answers what pages ask of open ends.
type taskView struct {
	ledger *ledger.Ledger
	atlas  *atlas
}

func (v taskView) Open(n int) ([]pages.Task, int, error) {
	rows, total, err := v.ledger.Threads(n)
	return tasksOf(rows), total, err
}

func (v taskView) OfSessions(project string, notes map[string]bool) (open []content.TaskBox, err error) {
	if x, loaded := v.atlas.loaded(project); loaded {
		return x.OpenTasksOf(notes), nil
	}
	rows, err := v.ledger.ThreadsLeft(project, slices.Sorted(maps.Keys(notes)))
	for _, t := range tasksOf(rows) {
		open = append(open, t.TaskBox)
	}
	return open, err
}

func tasksOf(rows []ledger.Thread) []pages.Task {
	out := make([]pages.Task, len(rows))
	for i, t := range rows {
		at, _ := time.Parse(time.RFC3339, t.At)
		out[i] = pages.Task{Project: t.Project, TaskBox: content.TaskBox{Text: t.Text, Session: t.Session, At: at}}
	}
	return out
}

func (v taskView) Count(note string) (int, error) { return v.ledger.OpenCount(note) }

// fileView answers what pages ask of our files that are no notes.
type fileView struct{ p *pass }

func (v fileView) Link(id, project, path string) string {
	return v.p.fileLink(id, v.p.inProject(project, path))
}

func (v fileView) Picture(project, path string) string {
	if v.p.Vault.Buried(names.PictureID(path)) {
		return ""
	}
	lies, err := v.p.pictureAt(project, path)
	if err != nil {
		return ""
	}
	return v.p.fromRoot(lies)
}
