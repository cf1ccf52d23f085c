package identity

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// seen is a session by its id.
type seen struct {
	id string
	Located
}

func projectOfSeen(all []seen, noted map[string]string, me seen) string {
	var located []Located
	for _, s := range all {
		s.NoteProject = noted[s.id]
		located = append(located, s.Located)
	}
	me.NoteProject = noted[me.id]
	return InferProjects(located, nil).Project(me.Located)
}

func TestProjectOfAFolderThatAnotherSessionKnows(t *testing.T) {
	const repo, other, own = "github.com/octo-org/widget", "github.com/octo-org/other", "folder/w-1"
	record := func(id, own, folder string, isRoot bool, updated string) seen {
		return seen{id, Located{FolderEvidence: FolderEvidence{OwnProject: own, Folder: folder, IsGitRoot: isRoot}, Updated: updated}}
	}
	teacher := record("t", repo, "~/src/w", true, "2026-01-01")
	for name, c := range map[string]struct {
		all   []seen
		noted map[string]string
		me    seen
		want  string
	}{
		"that very folder":           {[]seen{teacher}, nil, record("x", own, "~/src/w", false, ""), repo},
		"below the root":             {[]seen{teacher}, nil, record("x", own, "~/src/w/cmd/a", false, ""), repo},
		"a root of its own below":    {[]seen{teacher}, nil, record("x", own, "~/src/w/cmd/a", true, ""), own},
		"beside it":                  {[]seen{teacher}, nil, record("x", own, "~/src/w2", false, ""), own},
		"below what is no root":      {[]seen{record("t", repo, "~/src/w", false, "")}, nil, record("x", own, "~/src/w/cmd", false, ""), own},
		"its own remote":             {[]seen{teacher}, nil, record("x", other, "~/src/w", true, ""), other},
		"the newest remote":          {[]seen{teacher, record("u", other, "~/src/w", true, "2026-01-02")}, nil, record("x", own, "~/src/w", false, ""), other},
		"of the same time":           {[]seen{teacher, record("u", other, "~/src/w", true, "2026-01-01")}, nil, record("x", own, "~/src/w", false, ""), other},
		"its note stands there":      {nil, map[string]string{"x": repo}, record("x", own, "~/src/w", false, ""), repo},
		"it stands there, no folder": {nil, map[string]string{"x": repo}, record("x", KeyLoose, "", false, ""), repo},
		"the note of another":        {[]seen{record("y", own, "~/src/w", true, "")}, map[string]string{"y": repo}, record("x", own, "~/src/w/cmd", false, ""), repo},
		"nobody else knows it":       {[]seen{teacher}, map[string]string{"x": other}, record("x", own, "~/src/w", false, ""), other},
		"a newer one than its note's": {[]seen{teacher, record("u", other, "~/src/w", true, "2025-01-01")}, map[string]string{"x": other},
			record("x", own, "~/src/w", false, ""), repo},
		"a note in another folder": {nil, map[string]string{"x": "folder/y-2"}, record("x", own, "~/src/w", false, ""), own},
		"memory of the person":     {[]seen{teacher}, nil, record("x", "", "", false, ""), ""},
	} {
		all := append(slices.Clone(c.all), c.me)
		expect.Is(t, projectOfSeen(all, c.noted, c.me), c.want, name)
		slices.Reverse(all)
		expect.Is(t, projectOfSeen(all, c.noted, c.me), c.want, name, "the other way round")
	}
}

// A note is no evidence for more than its project: sessions that are located again, now with notes, stay.
func TestProjectsFoundOnceStay(t *testing.T) {
	folders := []string{"~/a", "~/a/b", "~/a/b/c", "~/d", ""}
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 1))
		all := make([]Located, 2+random.IntN(6))
		for i := range all {
			folder := folders[random.IntN(len(folders))]
			all[i] = Located{FolderEvidence: FolderEvidence{OwnProject: KeyLoose, Folder: folder, IsGitRoot: folder != "" && random.IntN(2) == 0}, IsConversation: true, Updated: strconv.Itoa(random.IntN(3))}
			if folder != "" {
				all[i].OwnProject = folderKey(folder)
			}
			if random.IntN(3) == 0 {
				all[i].OwnProject = "github.com/o/" + strconv.Itoa(random.IntN(2))
			}
		}
		before := InferProjects(all, nil)
		again := slices.Clone(all)
		for i := range again {
			again[i].NoteProject = before.Project(all[i])
		}
		after := InferProjects(again, nil)
		for i := range again {
			if got := after.Project(again[i]); got != again[i].NoteProject {
				t.Fatalf("seed %d: %+v moves from %q to %q", seed, all[i].FolderEvidence, again[i].NoteProject, got)
			}
		}
	}
}
