package content

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func moment(n int) time.Time {
	return time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Minute)
}

func TestProjectFiles(t *testing.T) {
	id := "7524f8de-6567-42a5-9569-07102f5d4c6c"
	s := &sources.Session{
		ID: id, Place: sources.Place{GitRoot: "/home/dev/src/widget", Cwd: "/home/dev/src/widget/cmd"},
		Turns: []sources.Turn{{At: moment(0)}, {At: moment(10)}},
		Files: []sources.FileTouch{
			{Path: "/home/dev/src/widget/b.go", Kind: sources.Edited, Turn: 1, At: moment(12)},
			{Path: `\home\dev\src\widget\b.go`, Kind: sources.Edited, Turn: 0},
			{Path: "main.go", Kind: sources.Created, Turn: 1, At: moment(11)},
			{Path: "../b.go", Kind: sources.Viewed, Turn: 0, At: moment(1)},
			{Path: "/home/dev/src/widget/read.go", Kind: sources.Viewed, Turn: 0, At: moment(1)},
			{Path: "/home/dev/src/widget-two/x.go", Kind: sources.Edited, Turn: 0},
			{Path: "/home/dev/src/widget/../expiry.txt", Kind: sources.Created, Turn: 0},
			{Path: "/home/dev/.copilot/session-state/" + id + "/plan.md", Kind: sources.Created, Turn: 0},
			{Path: "/home/dev/src/widget/.git/COMMIT_EDITMSG", Kind: sources.Edited, Turn: 0},
			{Path: "/home/dev/src/widget", Kind: sources.Viewed, Turn: 0},
		},
	}
	got := Files(s)
	want := []FileUse{
		{Path: "b.go", Kinds: []string{"edited"}, Prompts: []int{1, 2}},
		{Path: "cmd/main.go", Kinds: []string{"created"}, Prompts: []int{2}},
	}
	expect.Deep(t, got, want)
}

func TestFilesOfClonesAndSystemsAreOne(t *testing.T) {
	for _, c := range []struct{ root, path string }{
		{"/home/dev/src/widget", "/home/dev/src/widget/internal/a.go"},
		{"/home/dev/worktrees/w2", "/home/dev/worktrees/w2/internal/a.go"},
		{`C:\src\Widget`, `c:\SRC\widget\internal\a.go`},
		{`C:\src\widget`, "/mnt/c/src/widget/internal/a.go"},
	} {
		uses := Files(&sources.Session{
			Place: sources.Place{GitRoot: c.root, Cwd: c.root},
			Files: []sources.FileTouch{{Path: c.path, Kind: sources.Edited}},
		})
		if len(uses) != 1 || uses[0].Path != "internal/a.go" {
			t.Errorf("%q in %q is %+v", c.path, c.root, uses)
		}
	}
}

func TestHotScore(t *testing.T) {
	day := 24 * time.Hour
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	twiceLongAgo := HotScore([]time.Time{now.Add(-60 * day), now.Add(-61 * day)}, 30*day)
	once := HotScore([]time.Time{now}, 30*day)
	if once <= twiceLongAgo {
		t.Errorf("one late edit scores %v, two old ones %v", once, twiceLongAgo)
	}
	if d := HotScore([]time.Time{now, now}, 30*day) - once; math.Abs(d-1) > 1e-6 {
		t.Errorf("a second edit at one time adds %v, want 1", d)
	}
	a, b := []time.Time{now, now.Add(-day), now.Add(-9 * day)}, []time.Time{now.Add(-9 * day), now, now.Add(-day)}
	expect.Is(t, HotScore(a, 30*day), HotScore(b, 30*day), "the order of the times matters")
	far := []time.Time{time.Unix(0, 0), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}
	if s := HotScore(far, time.Second); math.IsInf(s, 0) || math.IsNaN(s) {
		t.Errorf("far times score %v", s)
	}
	if s := HotScore([]time.Time{{}}, day); !math.IsInf(s, -1) {
		t.Errorf("no time scores %v", s)
	}
}

// Files outside of the project's folder count, but for those that agents keep for themselves.
func TestFilesElsewhere(t *testing.T) {
	s := sources.Session{Place: sources.Place{Cwd: "/home/ann/src/widget", GitRoot: "/home/ann/src/widget"}}
	for _, p := range []string{"main.go", "/home/ann/src/widget/a.go", "/home/ann/src/addons/view.xml", "X:\\addons\\form.xml", "/tmp/scratch.py", "/private/tmp/x.sh", "/home/ann/.claude/plans/p.md", `C:\Users\ann\AppData\Local\Temp\x.ps1`, "/home/ann/src/widget/.git/config", "notes.md"} {
		s.Files = append(s.Files, sources.FileTouch{Path: p, Kind: sources.Edited, Turn: 1})
	}
	s.Files = append(s.Files, sources.FileTouch{Path: "/home/ann/src/other/read.go", Kind: sources.Viewed, Turn: 1})
	var got []string
	for _, u := range FilesElsewhere(&s) {
		got = append(got, u.Path)
	}
	expect.Is(t, strings.Join(got, " "), "x:/addons/form.xml ~/src/addons/view.xml", got)
	s = sources.Session{Place: sources.Place{Cwd: "/home/ann"}, Files: []sources.FileTouch{{Path: "notes/a.md", Kind: sources.Edited}}}
	if in, out := Files(&s), FilesElsewhere(&s); len(in) != 0 || len(out) != 1 || out[0].Path != "~/notes/a.md" {
		t.Errorf("in the home folder: %+v, %+v", in, out)
	}
	s.Place.Repository = "github.com/ann/dotfiles"
	if in, out := Files(&s), FilesElsewhere(&s); len(in) != 1 || len(out) != 0 || in[0].Path != "notes/a.md" {
		t.Errorf("in a repository that is the home folder: %+v, %+v", in, out)
	}
}
