package claudecode_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const (
	one = "0a6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a01"
	two = "1b6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a02"
)

var noon = time.Date(2026, 4, 2, 12, 0, 0, 0, time.UTC)

func listOf(t *testing.T, c claudecode.Config) sources.Listing {
	t.Helper()
	l := expect.Value(claudecode.New(c).List(context.Background()))(t)
	return l
}

func keysOf(l sources.Listing) (keys []string) {
	for _, item := range l.Items {
		keys = append(keys, item.Key)
	}
	return keys
}

func TestWhereItLooks(t *testing.T) {
	home := t.TempDir()
	env := func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(home, "work")}[name]
	}
	for name, c := range map[string]struct {
		config claudecode.Config
		want   []string
	}{
		"nowhere":         {claudecode.Config{}, nil},
		"the usual place": {claudecode.Config{Defaults: true, Home: home}, []string{".claude"}},
		"the variable":    {claudecode.Config{Defaults: true, Home: home, Env: env}, []string{"work"}},
		"several":         {claudecode.Config{Defaults: true, Home: home, Homes: []string{filepath.Join(home, "a"), filepath.Join(home, "a"), filepath.Join(home, "b")}}, []string{"a", "b", ".claude"}},
	} {
		var got []string
		for _, r := range listOf(t, c.config).Roots {
			rel, _ := filepath.Rel(home, r.Path) // all lie below it
			got = append(got, rel)
		}
		expect.List(t, got, c.want, name)
	}
}

func TestKeysTellNoFolder(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".claude")
	history{}.Write(t, dir, one, noon, []sourcetest.Turn{{User: "p", Answer: "a"}})
	for path, text := range map[string]string{
		"projects/-home-dev-src-widget/memory/MEMORY.md":                                "x",
		"projects/-home-dev-src-widget/agent-a76c4a2.jsonl":                             "",
		"projects/-home-dev-src-widget/" + one + "/subagents/agent-b.jsonl":             "",
		"projects/-home-dev-src-widget/" + one + "/subagents/workflows/r/agent-c.jsonl": "",
		"projects/-home-dev-src-widget/" + one + "/subagents/agent-acompact-1.jsonl":    "",
		"projects/-home-dev-src-widget/" + one + "/tool-results/x.txt":                  "",
		"projects/-home-dev-src-widget/notes.txt":                                       "",
		"projects/other/" + one + ".jsonl":                                              "",
		"plans/a-b.md":                                                                  "# P",
		"history.jsonl":                                                                 "",
		".credentials.json":                                                             "{}",
		"settings.local.json":                                                           "{}",
	} {
		write(t, filepath.Join(dir, path), []byte(text))
	}
	l := listOf(t, claudecode.Config{Defaults: true, Home: home})
	got := keysOf(l)
	for i, key := range got {
		if strings.Contains(key, "home-dev") || strings.Contains(key, home) {
			t.Errorf("key %q tells a folder", key)
		}
		prefix, rest, _ := strings.Cut(key, "/memory/")
		if rest != "" {
			got[i] = prefix + "/memory/…"
		}
		if prefix, twin, ok := strings.Cut(key, "/"+one+"/"); ok && strings.HasSuffix(prefix, "/session") && twin != "" {
			got[i] = prefix + "/" + one + "/…"
		}
	}
	want := []string{"~/.claude/agent/" + one + "/agent-b", "~/.claude/agent/" + one + "/agent-c", "~/.claude/agent/agent-a76c4a2", "~/.claude/history",
		"~/.claude/memory/…", "~/.claude/plan/a-b", "~/.claude/session/" + one, "~/.claude/session/" + one + "/…"}
	expect.List(t, got, want, strings.Join(got, "\n"), strings.Join(want, "\n"))
	if len(l.Problems) > 0 {
		t.Errorf("problems: %+v", l.Problems)
	}
}

func TestWhatExpires(t *testing.T) {
	for settings, days := range map[string]int{
		"": 30, `{"cleanupPeriodDays": 90}`: 90, `{"cleanupPeriodDays": 0}`: 30, `{"cleanupPeriodDays": "7"}`: 7, `{"cleanupPeriodDays": -1}`: 30,
		`{"cleanupPeriodDays": 99999}`: 0, `{"cleanupPeriodDays": [1]}`: 30, `{`: 30, `{"env": {"SECRET": "x"}, "cleanupPeriodDays": 5}`: 5,
	} {
		dir := t.TempDir()
		history{}.Write(t, dir, one, noon, nil)
		must(t, os.Chtimes(logOf(dir, one), noon, noon))
		if settings != "" {
			write(t, filepath.Join(dir, "settings.json"), []byte(settings))
		}
		l := listOf(t, claudecode.Config{Homes: []string{dir}})
		var want []sources.Expiry
		if days > 0 {
			want = []sources.Expiry{{What: "transcript", Path: logOf(dir, one), Used: noon, At: noon.AddDate(0, 0, days)}}
		}
		if got := l.Items[0].Expires; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", settings, got, want)
		}
		if kept := l.Roots[0].KeptDays; kept != days {
			t.Errorf("%s: kept %d days", settings, kept)
		}
	}
}

func TestWhatLiesInTheWay(t *testing.T) {
	dir := t.TempDir()
	history{}.Write(t, dir, one, noon, []sourcetest.Turn{{User: "p", Answer: "a"}})
	projects := filepath.Join(dir, "projects")
	must(t, os.MkdirAll(filepath.Join(projects, "-x", two+".jsonl"), 0o700))
	must(t, os.MkdirAll(filepath.Join(dir, "history.jsonl"), 0o700))
	if err := os.Symlink(filepath.Join(projects, "-home-dev-src-widget"), filepath.Join(projects, "-moved")); err != nil {
		t.Skip(err)
	}
	must(t, os.Symlink(t.TempDir(), filepath.Join(projects, "-away")))
	l := listOf(t, claudecode.Config{Homes: []string{dir}})
	var told []string
	for _, p := range l.Problems {
		told = append(told, filepath.Base(p.Path))
	}
	slices.Sort(told)
	if want := []string{"-away", two + ".jsonl", "history.jsonl"}; !slices.Equal(told, want) || len(l.Items) != 1 {
		t.Errorf("told %q, want %q; items %q", told, want, keysOf(l))
	}
}

func TestOneHomeInTwoPlaces(t *testing.T) {
	dir := t.TempDir()
	history{}.Write(t, filepath.Join(dir, "a"), one, noon, nil)
	if err := os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Skip(err)
	}
	l := listOf(t, claudecode.Config{Homes: []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}})
	if len(l.Items) != 1 || l.Roots[1].Why == "" {
		t.Errorf("%q, %+v", keysOf(l), l.Roots)
	}
}

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	roots := claudecode.New(claudecode.Config{Homes: []string{dir}}).Watch(context.Background())
	for file, want := range map[string]bool{
		"projects/-x/" + one + ".jsonl": true, "history.jsonl": true, "projects/-x/memory/MEMORY.md": true, "plans/a.md": true,
		"settings.json": false, ".credentials.json": false, "debug/x.txt": false,
	} {
		expect.Is(t, sourcetest.Matters(roots, filepath.ToSlash(dir)+"/"+file), want, file)
	}
}

func TestDetails(t *testing.T) {
	dir := t.TempDir()
	history{}.Write(t, dir, one, noon, []sourcetest.Turn{{User: "Hello memory agent, you are continuing to observe", Answer: "a"}})
	write(t, filepath.Join(dir, "history.jsonl"), []byte(typedLine("Fix it", two)+typedLine("/usage", "2c6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a03")+`{"display":"old","timestamp":1}`+"\n"))
	write(t, filepath.Join(dir, "projects", "-x", "agent-a.jsonl"), nil)
	got := expect.Value(claudecode.New(claudecode.Config{Homes: []string{dir}}).Details(context.Background()))(t)
	want := []string{"1 line in the list of prompts without a session, of version 1", "1 session in which nobody typed a prompt",
		"1 session of which only the list of prompts is left", "1 transcript of sub-agents", "written by version 2.1.330"}
	expect.List(t, got[dir], want)
}

// typedLine is a line of history.jsonl.
func typedLine(text, session string) string {
	return string(line(map[string]any{"display": text, "pastedContents": map[string]any{}, "timestamp": noon.UnixMilli(), "project": cwd, "sessionId": session}))
}

func TestSessionsOfWhichOnlyPromptsAreLeft(t *testing.T) {
	dir := t.TempDir()
	history{}.Write(t, dir, one, noon, []sourcetest.Turn{{User: "p", Answer: "a"}})
	paste := line(map[string]any{"display": "See [Pasted text #1 +8 lines] now", "timestamp": noon.UnixMilli(), "project": cwd + "/.claude/worktrees/x", "sessionId": two,
		"pastedContents": map[string]any{"1": map[string]any{"content": "the paste"}}})
	write(t, filepath.Join(dir, "history.jsonl"), []byte(typedLine("p", one)+string(paste)+typedLine("!ls", two)+typedLine("/compact", two)+typedLine("/changelog v1", two)+
		typedLine("twice", two)+typedLine("twice", two)+"{damaged\n"+typedLine("/status", "2c6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a03")+`{"display":"torn`))
	for _, asked := range []bool{false, true} {
		s := claudecode.New(claudecode.Config{Homes: []string{dir}, PromptOnly: asked})
		l := expect.Value(s.List(context.Background()))(t)
		r := expect.Value(s.Read(context.Background(), l.Items[0]))(t)
		if !slices.Equal(r.RowsOnly, []string{two}) || len(r.Problems) != 1 || r.Problems[0].Fatal || r.Records != 9 {
			t.Errorf("only prompts: %v, problems %v, %d records", r.RowsOnly, r.Problems, r.Records)
		}
		if !asked {
			if len(r.Sessions) > 0 {
				t.Errorf("given unasked: %+v", r.Sessions)
			}
			continue
		}
		la := r.Sessions[0].Layers[0]
		var got []string
		for _, turn := range la.Session.Turns {
			got = append(got, turn.User)
		}
		expect.List(t, got, []string{"See the paste now", "/changelog v1", "twice"}, "prompts")
		if actions(la.Session) != "!ls 0, /compact 0" || la.Rank != sources.RankIndex || la.Session.Place.Cwd != cwd || len(la.Session.Damage) != 1 {
			t.Errorf("%+v", la)
		}
	}
}

func TestMemoryOfAFolderThatIsNotKnown(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "projects", "-home-dev-src-widget", "memory", "MEMORY.md"), []byte("x"))
	write(t, filepath.Join(dir, "projects", "-home-dev-src-widget", one+".jsonl"), []byte(`{"cwd":"/elsewhere"}`+"\n"))
	for _, s := range readHome(t, claudecode.Config{Homes: []string{dir}}).others {
		if s.Place.Cwd != "" || !s.Place.Guessed {
			t.Errorf("the folder is not known: %+v", s.Place)
		}
	}
}

// Files that cannot be read, or hold something else, are told, and the rest is read.
func TestDamageBesides(t *testing.T) {
	dir := t.TempDir()
	history{}.Write(t, dir, one, noon, []sourcetest.Turn{{User: "p", Answer: "a"}})
	for path, text := range map[string]string{
		"projects/-home-dev-src-widget/" + one + "/custom-title.json": "{", "todos/" + one + "-agent-" + one + ".json": `{"x":`,
		"tasks/" + one + "/1.json": `{"id":7,"subject":"Seven","status":"pending"}`, "tasks/" + one + "/2.json": "\x00\x01",
	} {
		write(t, filepath.Join(dir, path), []byte(text))
	}
	s := claudecode.New(claudecode.Config{Homes: []string{dir}})
	l := expect.Value(s.List(context.Background()))(t)
	r := expect.Value(s.Read(context.Background(), l.Items[0]))(t)
	var damage []string
	var tasks string
	for _, la := range r.Layers {
		if la.Session == nil {
			continue
		}
		damage = append(damage, la.Session.Damage...)
		if la.Name == "claude-code/tasks" {
			tasks = open(la.Session)
		}
	}
	slices.Sort(damage)
	if len(r.Problems) != 1 || filepath.Base(r.Problems[0].Path) != "custom-title.json" {
		t.Errorf("problems %+v", r.Problems)
	}
	if want := []string{"tasks/2.json is damaged", "todos.json is damaged"}; !slices.Equal(damage, want) || tasks != "Seven" {
		t.Errorf("damage %q, tasks %q", damage, tasks)
	}
}
