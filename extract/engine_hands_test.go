package extract

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestNamesThatNotEverySystemTakes: a note of ours under such a name is told of
// once and neither written nor deleted; one of the user's is nobody's business.
func TestNamesThatNotEverySystemTakes(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.living()[0]
	path := s.find(names.SessionID(st.s.ID))
	renamed := filepath.Join(filepath.Dir(path), "what: a name.md")
	if err := errors.Join(os.Rename(path, renamed), os.WriteFile(filepath.Join(s.vault, "Agents", "10:30 talk.md"), []byte("mine\n"), 0o644)); err != nil {
		t.Skip(err) // this system takes none
	}
	was := expect.Value(os.ReadFile(renamed))(t)
	for n := range 3 {
		st.grow(s.w, s.r)
		r := s.mustSync(s.w)
		if r.Notes.Tombstoned > 0 || r.Part() || len(r.Problems) > 0 || (len(r.Kept) == 1) != (n == 0) {
			t.Fatalf("pass %d: %+v", n, r)
		}
	}
	if now, err := os.ReadFile(renamed); err != nil || string(now) != string(was) {
		t.Errorf("it was written: %v", err)
	}
	must(t, os.Rename(renamed, path))
	if r := s.mustSync(s.w); len(r.Kept) > 0 || r.Notes.Tombstoned > 0 || r.Notes.Updated == 0 {
		t.Errorf("after its name was mended: %+v", r)
	}
	checkStep(t, s.bench, s.w, false)
}

// A file of the user whose name differs in case alone has that name: not every system holds both.
func TestNameTakenInAnotherCase(t *testing.T) {
	s := newStage(t, 1)
	s.w.begin(s.r).s.Place = sources.Place{Repository: "octo-org/docs", Host: "github.com"}
	mine := filepath.Join(s.vault, "Agents", "projects", "docs (octo-org)", "Docs (Octo-Org).md")
	must(t, errors.Join(os.MkdirAll(filepath.Dir(mine), 0o755), os.WriteFile(mine, []byte("mine"), 0o644)))
	s.mustSync(s.w)
	expect.Is(t, filepath.Base(s.find(names.ProjectID("github.com/octo-org/docs"))), "docs (octo-org) (agents).md", "the page of the project is called")
	checkStep(t, s.bench, s.w, false)
}

func TestNoteInTheWayStopsNoOther(t *testing.T) {
	s := newStage(t, 1)
	path := s.find(names.ProjectID("github.com/octo-org/widget"))
	other := s.w.living()[0]
	other.grow(s.w, s.r)
	st := s.w.begin(s.r)
	st.s.Place = sources.Place{Repository: "octo-org/docs", Host: "github.com"}
	must(t, os.WriteFile(filepath.Join(s.vault, "Agents", "projects", "docs (octo-org)"), []byte("mine"), 0o644))
	before := tree(t, s.vault)
	r := s.mustSync(s.w)
	if !r.Part() || r.Notes.Failed == 0 {
		t.Fatalf("what could not be written is not told of: %+v", r)
	}
	after := tree(t, s.vault)
	rel, _ := filepath.Rel(s.vault, path)
	if before[filepath.ToSlash(rel)] == after[filepath.ToSlash(rel)] {
		t.Error("the other project was not brought up to date")
	}
	checkLinks(t, s.bench, s.w, after)
	must(t, os.Remove(filepath.Join(s.vault, "Agents", "projects", "docs (octo-org)")))
	if r := s.mustSync(s.w); r.Part() {
		t.Fatalf("the next pass did not make up for it: %+v", r.Problems)
	}
	empty := newBench(t)
	empty.mustSync(s.w)
	expect.Is(t, differences(tree(t, s.vault), tree(t, empty.vault)), "", "made up for it in another way than at once")
}

func TestDeletionAfterACommitIsADeletion(t *testing.T) {
	s := newStage(t, 2)
	commit := func(hash string) { s.head = hash }
	commit("1111")
	must(t, os.WriteFile(filepath.Join(s.vault, "Agents", "mine.md"), []byte("mine\n"), 0o644))
	s.mustSync(s.w)
	commit("2222")
	s.mustSync(s.w) // finds nothing new, and all notes in their places
	must(t, os.Remove(s.find(names.SessionID(s.w.living()[0].s.ID))))
	if r := s.mustSync(s.w); r.Notes.Tombstoned != 1 {
		t.Errorf("%d tombstones, want 1", r.Notes.Tombstoned)
	}
}

func TestNotesThatACheckoutTookAreNotDeleted(t *testing.T) {
	s := newStage(t, 3)
	commit := func(hash string) { s.head = hash }
	commit("1111")
	s.w.living()[1].grow(s.w, s.r)
	s.mustSync(s.w)
	st := s.w.living()[0]
	path := s.find(names.SessionID(st.s.ID))
	commit("2222")
	whole := tree(t, s.vault)
	must(t, os.Remove(path))
	r := s.mustSync(s.w)
	if r.Notes.Tombstoned+r.Notes.Created > 0 || r.Part() || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Error, names.SessionID(st.s.ID)) {
		t.Errorf("a note that is missing after a checkout: %+v", r)
	}
	if n := s.links(path); n > 0 {
		t.Errorf("%d links lead to it", n)
	}
	if r := s.mustSync(s.w); len(r.Changed)+len(r.Problems) > 0 {
		t.Errorf("the next pass does not rest: %+v", r)
	}
	_, err := s.run(func(y *Engine) (Report, error) { return y.Restore(t.Context(), []string{st.s.ID}) })
	must(t, err)
	expect.Is(t, differences(whole, tree(t, s.vault)), "", "asked back")
	commit("3333")
	must(t, os.Remove(path))
	s.force = true
	if r := s.mustSync(s.w); r.Notes.Tombstoned != 1 {
		t.Errorf("with force %d tombstones, want 1", r.Notes.Tombstoned)
	}
}

func TestDeletionThatCameWithItsTombstoneIsNotCountedAgain(t *testing.T) {
	s := newStage(t, 2)
	there := s.withoutLedger()
	there.mustSync(s.w)
	st := s.w.living()[0]
	must(t, os.Remove(s.find(names.SessionID(st.s.ID))))
	s.mustSync(s.w)
	must(t, os.RemoveAll(there.vault))
	must(t, os.CopyFS(there.vault, os.DirFS(s.vault)))
	if r := there.mustSync(s.w); r.Notes.Tombstoned > 0 || len(r.Changed) > 0 {
		t.Errorf("the deletion counts again: %+v", r)
	}
	checkStep(t, there, s.w, false)
}

func TestDuplicatesStandForOneNoteInEveryPass(t *testing.T) {
	s := newStage(t, 2)
	path := s.find(names.SessionID(s.w.living()[0].s.ID))
	text := expect.Value(os.ReadFile(path))(t)
	copied := strings.TrimSuffix(path, ".md") + " 1.md"
	must(t, os.WriteFile(copied, []byte(strings.Replace(string(text), "title: \"", "title: \"My copy of ", 1)), 0o644))
	s.w.living()[1].grow(s.w, s.r)
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, false)
	if s.links(path) == 0 {
		t.Error("the links left the note for its copy")
	}
	must(t, os.Remove(copied))
	if r := s.mustSync(s.w); r.Notes.Moved+r.Notes.Tombstoned > 0 {
		t.Errorf("taking the copy away counts as %+v", r.Notes)
	}
	checkStep(t, s.bench, s.w, false)
	s.w.living()[0].grow(s.w, s.r)
	if r := s.mustSync(s.w); r.Notes.Updated == 0 || len(r.Kept) > 0 {
		t.Errorf("the note is not kept up to date again: %+v", r)
	}
}

func TestNoteMovedOutAndDeletedThereStaysDeleted(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.living()[0]
	path := s.find(names.SessionID(st.s.ID))
	out := filepath.Join(s.vault, "away.md")
	must(t, os.Rename(path, out))
	s.mustSync(s.w)
	must(t, edit(out, func(text string) string { return strings.Replace(text, "title: \"", "title: \"Away: ", 1) }))
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, false)
	must(t, os.Rename(out, filepath.Join(s.vault, "further.md")))
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, false)
	must(t, os.Remove(filepath.Join(s.vault, "further.md")))
	if r := s.mustSync(s.w); r.Notes.Tombstoned != 1 {
		t.Errorf("%d tombstones, want 1", r.Notes.Tombstoned)
	}
	checkStep(t, s.bench, s.w, false)
	must(t, os.RemoveAll(s.state))
	s.mustSync(s.w)
	if _, err := os.Stat(path); err == nil {
		t.Error("the deleted note came back with a new ledger")
	}
}

func TestRestoreBringsBackWhatItNames(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes the race detector a minute, and runs nothing at once")
	}
	s := newStage(t, 1)
	st := s.w.living()[0]
	st.s.Artifacts = []sources.Artifact{{Kind: sources.File, Name: "a:b.txt", Text: "kept", At: st.s.Turns[0].At}}
	long := strings.Repeat("A long answer. ", 1<<16)
	for range 3 {
		st.grow(s.w, s.r)
		st.s.Turns[len(st.s.Turns)-1].Assistant = long
	}
	st.checkpoint(s.w, s.r)
	s.settings.Transcript = "full"
	s.mustSync(s.w)
	ids := []string{names.PartID(st.s.ID, 2), names.MemoryID(st.s.ID, st.s.Artifacts[0]), names.CheckpointID(st.s.ID, 1), names.SessionID(st.s.ID)}
	whole := tree(t, s.vault)
	takeAll := func() {
		for _, id := range ids {
			must(t, os.Remove(s.find(id+`"`)))
		}
		if r := s.mustSync(s.w); r.Notes.Tombstoned != len(ids) {
			t.Fatalf("%d tombstones, want %d", r.Notes.Tombstoned, len(ids))
		}
	}
	for lost, named := range map[bool][]string{false: ids, true: {st.s.ID}} {
		takeAll()
		if lost {
			must(t, os.RemoveAll(s.state))
		}
		_, err := s.run(func(y *Engine) (Report, error) { return y.Restore(t.Context(), named) })
		must(t, err)
		if d := differences(whole, tree(t, s.vault)); d != "" {
			t.Fatalf("restore of %q with the ledger lost=%v:\n%s", named, lost, d)
		}
	}
}

func TestLowerThresholdMakesPagesOfFilesLikeANewVault(t *testing.T) {
	s := newStage(t, 3)
	s.settings.HotFiles.MinSessions = 4
	s.mustSync(s.w)
	s.settings.HotFiles.MinSessions = 3
	s.mustSync(s.w)
	empty := newBench(t)
	empty.settings = s.settings
	empty.mustSync(s.w)
	expect.Is(t, differences(tree(t, s.vault), tree(t, empty.vault)), "", "the threshold was lowered")
}

func TestExcludedSessionsAreCountedOnce(t *testing.T) {
	s := newStage(t, 1)
	s.w.living()[0].grow(s.w, s.r)
	for range 2 {
		st := s.w.begin(s.r)
		st.s.Place = sources.Place{Repository: "octo-org/docs", Host: "github.com"}
	}
	r := expect.Value(s.run(func(y *Engine) (Report, error) {
		y.Scope.Excluded = []string{"docs"}
		return y.Run(t.Context())
	}))(t)
	if c := r.Sessions; c.Excluded != 2 || c.Listed != c.New+c.Changed+c.Unchanged+c.Failed {
		t.Errorf("counts %+v", c)
	}
	for path := range tree(t, s.vault) {
		if strings.Contains(path, "docs (") {
			t.Errorf("%s was written", path)
		}
	}
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, true)
}

func TestEmptiedSessionLeavesNoPageBehind(t *testing.T) {
	s := newStage(t, 3)
	s.w.living()[1].grow(s.w, s.r)
	st := s.w.living()[0]
	st.s.Turns, st.s.Files, st.s.Refs, st.s.Checkpoints = nil, nil, nil, nil
	st.touch()
	r := s.mustSync(s.w)
	if r.Notes.Removed == 0 {
		t.Fatal("the note of a session without content stays")
	}
	checkStep(t, s.bench, s.w, true)
	expect.Is(t, r.Sessions.Empty, 1, "empty sessions")
}

func TestFileNotesFindTheirSessionsWhateverTheirTitle(t *testing.T) {
	s := newStage(t, 3)
	path := s.find("file:")
	must(t, edit(path, func(text string) string { return strings.Replace(text, "title: \"", "title: \"Mine: ", 1) }))
	s.mustSync(s.w)
	must(t, os.Remove(path))
	s.mustSync(s.w)
	if n := s.links(path); n > 0 {
		t.Errorf("%d links to the deleted note are left", n)
	}
	checkStep(t, s.bench, s.w, false)
}

func TestIdsAreReadBack(t *testing.T) {
	for _, key := range []string{"github.com/octo-org/widget", "git.corp:8443/group/sub/widget", "folder/lab-0a1b2c3d", identity.KeyLoose} {
		for _, path := range []string{"main.go", "a:b/c.go", "folder/x-1:y"} {
			k, rest, ok := names.CutFileID(strings.TrimPrefix(names.FileID(key, path), "file:"))
			if !ok || k != key || rest != path {
				t.Errorf("%q + %q is read back as %q + %q, %v", key, path, k, rest, ok)
			}
		}
	}
	for _, id := range []string{"9f1c2d3e-0000-4000-8000-000000000000", "copilot-cli:folder/x-1:12", "sdk:a:b"} {
		a := sources.Artifact{Kind: sources.Plan, Name: "plan.md"}
		b := sources.Artifact{Kind: sources.File, Name: "notes:file/x.txt"}
		for _, f := range []facts.Facts{
			{ID: names.SessionID(id), Type: names.TypeSession}, {ID: names.PartID(id, 2), Type: names.TypePart}, {ID: names.CheckpointID(id, 3), Type: names.TypeCheckpoint},
			{ID: names.MemoryID(id, a), Type: names.TypeMemory, Kind: a.Kind}, {ID: names.MemoryID(id, b), Type: names.TypeMemory, Kind: b.Kind},
		} {
			expect.Is(t, f.Session(), id, f.ID, "session")
		}
	}
	memory := facts.Facts{ID: names.SharedMemoryID("github.com/o/r", sources.Artifact{Name: "memory/x"}, ""), Type: names.TypeMemory, Kind: sources.Memory}
	expect.Is(t, memory.Session(), "", "memory of a repository is taken for that of session")
}

func TestLinksFollowABrokenPage(t *testing.T) {
	s := newStage(t, 2)
	path := s.find(names.ProjectID("github.com/octo-org/widget"))
	must(t, edit(path, func(text string) string { return strings.Replace(text, "---\n", "---\nbroken: [by hand\n", 1) }))
	s.mustSync(s.w)
	must(t, os.Rename(path, filepath.Join(s.vault, "Agents", "other.md")))
	s.mustSync(s.w)
	if n := s.links(path); n > 0 {
		t.Errorf("%d links lead to where the page was", n)
	}
	checkStep(t, s.bench, s.w, false)
	must(t, os.Remove(filepath.Join(s.vault, "Agents", "other.md")))
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, false)
}

func TestForkNamesItsParentAgain(t *testing.T) {
	s := newStage(t, 1)
	st := s.w.living()[0]
	s.w.fork(st, s.r)
	s.mustSync(s.w)
	whole := tree(t, s.vault)
	must(t, os.Remove(s.find(names.SessionID(st.s.ID))))
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, false)
	_, err := s.run(func(y *Engine) (Report, error) { return y.Restore(t.Context(), []string{st.s.ID}) })
	must(t, err)
	expect.Is(t, differences(whole, tree(t, s.vault)), "", "restoring the parent left traces")
}

func TestCheckpointOfADeletedSessionNoteFollowsItsProject(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.living()[0]
	st.checkpoint(s.w, s.r)
	s.mustSync(s.w)
	must(t, os.Remove(s.find(names.SessionID(st.s.ID))))
	s.mustSync(s.w)
	page := s.find(names.ProjectID("github.com/octo-org/widget"))
	must(t, os.Rename(page, filepath.Join(s.vault, "Agents", "other.md")))
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, false)
}

func TestPageAHumanWroteInDropsItsDeadLinks(t *testing.T) {
	s := newStage(t, 2)
	page := s.find("file:")
	must(t, edit(page, func(text string) string { return text + "\nwritten by me\n" }))
	s.mustSync(s.w)
	must(t, os.Remove(s.find(names.SessionID(s.w.living()[0].s.ID))))
	r := s.mustSync(s.w)
	text := expect.Value(os.ReadFile(page))(t)
	if !strings.Contains(string(text), "written by me") || len(r.Kept) == 0 {
		t.Errorf("the page is to stay and be told of: %+v\n%s", r.Kept, text)
	}
	checkStep(t, s.bench, s.w, false)
}

// A page that nothing is left for goes in the run that takes the tick its user made in it.
func TestPageGoesOnceItsTickIsTaken(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.begin(s.r)
	st.s.Place = sources.Place{Cwd: "/home/dev/lab/probe", GitRoot: "/home/dev/lab/probe"}
	st.s.Todos = []sources.Todo{{ID: "1", Title: "calibrate the probe", Status: sources.TodoOpen}}
	st.s.Acts = append(st.s.Acts, sources.Act{Kind: sources.ActListed, Turn: 0})
	s.mustSync(s.w)
	page := s.find(names.ProjectID("folder/probe"))
	ticked := false
	must(t, edit(page, func(text string) string {
		ticked = strings.Contains(text, "- [ ] ")
		return strings.Replace(text, "- [ ] ", "- [x] ", 1)
	}))
	if !ticked {
		t.Fatal("the page lists nothing open")
	}
	late := s.w.begin(s.r)
	late.s.Place = st.s.Place
	late.s.Place.Repository, late.s.Place.Host = "octo-org/probe", "github.com"
	s.mustSync(s.w)
	if _, err := os.Stat(page); err == nil {
		t.Error("the page of the former project stays")
	}
	checkStep(t, s.bench, s.w, false)
}

// A note is its user's whatever they call its id, as long as that has no shape of ours.
func TestNoteWithAnIDOfItsUser(t *testing.T) {
	s := newStage(t, 1)
	mine := filepath.Join(s.vault, "Agents", "mine.md")
	for _, id := range []string{"202611031405", "zettel:3a", "Home page"} {
		must(t, os.WriteFile(mine, []byte("---\nid: "+id+"\n---\nwords\n"), 0o644))
		if r := s.mustSync(s.w); len(r.Kept)+len(r.Problems) > 0 {
			t.Errorf("id %s: %+v", id, r)
		}
		checkStep(t, s.bench, s.w, false)
		must(t, os.Remove(mine))
		if r := s.mustSync(s.w); r.Notes.Tombstoned > 0 {
			t.Errorf("id %s counts as deleted", id)
		}
	}
}

// Notes follow their project to its new folder though the state was lost since they were written.
func TestLateRemoteAndALostState(t *testing.T) {
	s := newStage(t, 1)
	place := sources.Place{Cwd: "/home/dev/lab/probe", GitRoot: "/home/dev/lab/probe"}
	for range 2 {
		s.w.begin(s.r).s.Place = place
	}
	s.mustSync(s.w)
	late := s.w.begin(s.r)
	late.s.Place = place
	late.s.Place.Repository, late.s.Place.Host = "octo-org/probe", "github.com"
	must(t, os.RemoveAll(s.state))
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, true)
}

// Where a file lies that may be the note, or is it without its id, no second one is made, though
// the state is gone that knew it.
func TestNoSecondNoteBesideAnUnclearOne(t *testing.T) {
	blank := func(path string) error { return edit(path, func(text string) string { return "\n" + text }) }
	conflict := func(path string) error {
		return edit(path, func(text string) string { return "<<<<<<< ours\n=======\n>>>>>>> theirs\n" + text })
	}
	closed := func(path string) error { return os.Chmod(path, 0) }
	for name, spoil := range map[string]func(path string) error{"blank line first": blank, "conflict": conflict, "unreadable": closed} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, 3)
			st := s.w.living()[0]
			whole := tree(t, s.vault)
			for _, id := range []string{names.SessionID(st.s.ID), names.HomeID, "day:"} {
				path := s.find(id)
				text, err := os.ReadFile(path)
				must(t, errors.Join(err, spoil(path)))
				if _, err := os.ReadFile(path); err == nil && name == "unreadable" {
					t.Skip("this user may read everything")
				}
				must(t, os.RemoveAll(s.state))
				s.mustSync(s.w)
				must(t, os.Chmod(path, 0o644))
				if name != "unreadable" {
					checkStep(t, s.bench, s.w, false)
				}
				must(t, os.WriteFile(path, text, 0o644))
				if r := s.mustSync(s.w); len(r.Kept)+len(r.Problems) > 0 {
					t.Errorf("%s is mended: %+v", id, r)
				}
				if d := differences(whole, tree(t, s.vault)); d != "" {
					t.Fatalf("%s is mended:\n%s", id, d)
				}
			}
		})
	}
}
