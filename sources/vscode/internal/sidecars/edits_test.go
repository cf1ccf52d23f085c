package sidecars

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func editsOf(t testing.TB, text string) *sources.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.json")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	s, err := Edits(path)
	must(t, err)
	return s
}

func told(s *sources.Session) string {
	var out []string
	for _, f := range s.Files {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", f.TurnID, f.Kind, f.Path, f.Verdict)))
		if f.Turn != -1 {
			return "a touch has a turn"
		}
	}
	return strings.Join(out, "\n")
}

func TestEdgeCase25EditsOfBothAges(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"testdata/state-timeline.json", "request_0d5591c8-038f-4099-8b17-cccbf48f2f4d edited /home/dev/src/widget/internal/auth/middleware.go accepted"},
		{"testdata/state-linear.json", "request_a edited /home/dev/src/widget/cmd/main.go rejected\n" +
			"request_b deleted /home/dev/src/widget/old.go accepted"},
	} {
		f, err := Edits(c.file)
		must(t, err)
		if got := told(f); got != c.want || len(f.Damage) > 0 {
			t.Errorf("%s tells, with %v,\n%s\nwant\n%s", c.file, f.Damage, got, c.want)
		}
	}
}

// operation writes one of a timeline.
func operation(kind, path, request string, epoch int) string {
	return fmt.Sprintf(`{"type":%q,"uri":"file://%s","oldUri":"file://%[2]s","newUri":{"$mid":1,"path":"%[2]s.new","scheme":"file"},"requestId":%q,"epoch":%d,"initialContent":"secret"}`, kind, path, request, epoch)
}

func timeline(current int, operations ...string) string {
	return fmt.Sprintf(`{"version":2,"initialFileContents":[["file:///w/a","0000000"]],"timeline":{"checkpoints":[],"fileBaselines":[["file:///w/a::r",{"content":"x"}]],"operations":[%s],"currentEpoch":%d,"epochCounter":9},"recentSnapshot":{"entries":[]}}`,
		strings.Join(operations, ","), current)
}

func TestEditsOfATimeline(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"every operation", timeline(9, operation("create", "/w/a", "r1", 1), operation("textEdit", "/w/a", "r1", 2), operation("textEdit", "/w/a", "r1", 3),
			operation("notebookEdit", "/w/b", "r1", 4), operation("rename", "/w/a", "r2", 5), operation("delete", "/w/b", "r2", 6)),
			"r1 created /w/a\nr1 edited /w/a\nr1 edited /w/b\nr2 deleted /w/a\nr2 renamed /w/a.new\nr2 deleted /w/b"},
		{"what the person went back before", timeline(2, operation("create", "/w/a", "r1", 1), operation("textEdit", "/w/a", "r2", 2)),
			"r1 created /w/a\nr2 edited /w/a rejected"},
		{"no file", timeline(9, operation("textEdit", "", "r1", 1)), ""},
		{"nulls", `{"version":2,"timeline":null,"recentSnapshot":null,"linearHistory":[null,{"stops":[null]}],"pendingSnapshot":{"entries":[null]}}`, ""},
		{"other shapes", `{"version":2,"timeline":[1],"linearHistory":{"a":1},"recentSnapshot":"x"}`, ""},
		{"no object", `[]`, ""},
	} {
		f := editsOf(t, c.text)
		if got := told(f); got != c.want || len(f.Damage) > 0 {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, f.Damage, got, c.want)
		}
	}
	torn := timeline(9, operation("create", "/w/a", "r1", 1), operation("textEdit", "/w/b", "r1", 2))
	torn, _, _ = strings.Cut(torn, "/w/b")
	if f := editsOf(t, torn); told(f) != "r1 created /w/a" || len(f.Damage) != 1 {
		t.Errorf("a torn file tells %q, %v", told(f), f.Damage)
	}
	if _, err := Edits(t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
}

// TestEditsHoldNoContents measures that what a large state keeps of files is not held.
func TestEditsHoldNoContents(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which runs what is short, drops buffers that are used again")
	}
	op := operation("textEdit", "/w/a", "r1", 1)
	op = strings.TrimSuffix(op, "}") + `,"edits":[{"range":{},"text":"` + strings.Repeat("x", 20_000) + `"}]}`
	path := filepath.Join(t.TempDir(), "state.json")
	text := timeline(9, strings.TrimSuffix(strings.Repeat(op+",", 500), ",")) // 10 MB
	must(t, os.WriteFile(path, []byte(text), 0o600))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if f, err := Edits(path); err != nil || len(f.Files) != 1 {
		t.Fatal(f, err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
		t.Errorf("%d bytes are allocated for a file of %d", got, len(text))
	}
}
