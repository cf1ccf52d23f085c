package codexcli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const (
	second = "01a20212-82c3-7702-9a6c-c6d9be7bd059"
	third  = "01a20213-82c3-7702-9a6c-c6d9be7bd059"
)

func base(id string, end int) string {
	return fmt.Sprintf(`,"history_mode":"paginated","history_base":{"thread_id":%q,"end_ordinal_exclusive":%d}`, id, end)
}

// said sums up the live and the dead prompts of a thread.
func said(s *sources.Session) string {
	var live, dead []string
	for _, turn := range s.Turns {
		live = append(live, turn.User)
	}
	for _, turn := range s.TakenBack {
		dead = append(dead, turn.User)
	}
	return strings.Join(live, " ") + " / " + strings.Join(dead, " ")
}

// What a file of a rewind says of itself cannot be read: it goes on from the file before it, and
// that is told.
func TestDamagedBeginningOfARewind(t *testing.T) {
	dir := t.TempDir()
	write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), lines(0, begins(`,"history_mode":"paginated"`), prompt("a"), prompt("b")))
	rewind := lines(2, begins(base(own, 2)), prompt("c"), prompt("d"))
	rewind = append([]byte("\x00\x00{\"timestamp\":\"2026\n"), rewind[bytes.IndexByte(rewind, '\n')+1:]...)
	write(t, pathOf(dir, "rollout-2026-11-22T07-01-00-"+own+"_"+second+".jsonl"), rewind)
	r := readOf(t, dir, own)
	if got := said(r.Layers[0].Session); got != "a b c d / " || len(r.Problems) != 1 || len(r.Layers[0].Session.Damage) == 0 {
		t.Errorf("%q, problems %v, damage %q", got, r.Problems, r.Layers[0].Session.Damage)
	}
}

func TestBaseThatIsNotThere(t *testing.T) {
	if s := sessionOf(t, begins(base(own, 9)), prompt("d")); s.Complete || len(s.Damage) != 1 {
		t.Errorf("whole: %v, %q", s.Complete, s.Damage)
	}
	s := sessionOf(t, begins(`,"forked_from_id":"`+parent+`"`+base(parent, 9)), prompt("d"))
	if !s.Complete || len(s.Damage) != 0 || s.Parent != parent || s.Turns[0].Inherited {
		t.Errorf("a fork: whole: %v, %q, %+v", s.Complete, s.Damage, s.Turns)
	}
}

// A sub-agent is told with the root that it worked for, without what it copied.
func TestWorker(t *testing.T) {
	meta := func(fields string) string {
		return fmt.Sprintf(`"session_meta","payload":{"id":%q,"thread_source":"subagent"%s}`, own, fields)
	}
	spawn := `,"parent_thread_id":"` + child + `","source":{"subagent":{"thread_spawn":{"parent_thread_id":"` + child + `","agent_nickname":"Ada","agent_role":"explorer"}}}`
	work := []string{prompt("copied"), item("FileChange", `,"id":"0","status":"completed","changes":{"/copied":{"type":"add"}}`), prompt("task"),
		item("FileChange", `,"id":"1","status":"completed","changes":{"/own":{"type":"add"}}`), answer("done", "final_answer")}
	for what, c := range map[string]struct{ fields, root, task string }{
		"root":        {`,"session_id":"` + parent + `","subagent_history_start_ordinal":3` + spawn, parent, "task"},
		"spawner":     {`,"subagent_history_start_ordinal":3` + spawn, child, "task"},
		"copies none": {spawn, child, "copied"},
	} {
		dir := t.TempDir()
		write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), lines(0, append([]string{meta(c.fields)}, work...)...))
		r := readOf(t, dir, own)
		if len(r.Layers) != 0 || len(r.Sessions) != 1 || r.Sessions[0].ID != c.root {
			t.Errorf("%s: %+v", what, r)
			continue
		}
		s := r.Sessions[0].Layers[0].Session
		d, last := s.Delegated[0], s.Files[len(s.Files)-1]
		if d.ID != own || d.Name != "Ada (explorer)" || d.Task != c.task || d.Answer != "done" || last.Path != "/own" || last.Turn != -1 || last.At.IsZero() || len(s.Turns) != 0 {
			t.Errorf("%s: %+v, %+v", what, d, s.Files)
		}
		if copied := slices.ContainsFunc(s.Files, func(f sources.FileTouch) bool { return f.Path == "/copied" }); copied != (c.task == "copied") {
			t.Errorf("%s: %+v", what, s.Files)
		}
	}
}

// What a provider encrypted is no task.
func TestEncryptedTask(t *testing.T) {
	for text, want := range map[string]string{"gAAAAABpIJ0k9x==": "", "Count the words": "Count the words"} {
		s := sessionOf(t, begins(""), prompt("p"), response("function_call", fmt.Sprintf(`,"name":"spawn_agent","call_id":"c","arguments":%q`, fmt.Sprintf(`{"task_name":"guides","message":%q}`, text))),
			item("SubAgentActivity", `,"id":"c","kind":"started","agent_thread_id":"`+child+`","agent_path":"/root/guides"`))
		if len(s.Delegated) != 1 || s.Delegated[0].Task != want || s.Delegated[0].Name != "guides" {
			t.Errorf("%q: %+v", text, s.Delegated)
		}
	}
}

// pack packs as Codex does.
func pack(t *testing.T, body []byte) []byte {
	t.Helper()
	w := expect.Value(zstd.NewWriter(nil))(t)
	return w.EncodeAll(body, nil)
}

func TestArchives(t *testing.T) {
	name := "rollout-2026-11-22T07-00-00-" + own + ".jsonl"
	body := lines(0, begins(""), prompt("a"), answer(strings.Repeat("wide ", 100_000), "final_answer"), prompt("b"))
	dir := t.TempDir()
	archive := filepath.Join(dir, "archived_sessions", name+".zst")
	write(t, pathOf(dir, name), body)
	plain := open(t, dir)
	before := expect.Value(plain.List(context.Background()))(t)
	want := said(readOf(t, dir, own).Layers[0].Session)
	must(t, os.Remove(pathOf(dir, name)))
	write(t, archive, pack(t, body))
	after := expect.Value(plain.List(context.Background()))(t)
	if after.Items[0].Key != before.Items[0].Key || after.Items[0].Parts[0].Name != before.Items[0].Parts[0].Name {
		t.Errorf("an archive move changes %+v to %+v", before.Items[0], after.Items[0])
	}
	r := readOf(t, dir, own)
	if s := r.Layers[0].Session; said(s) != want || !s.Archived || r.Records != 4 || len(r.Problems) != 0 {
		t.Errorf("%q, archived %v, %v", said(s), s.Archived, r.Problems)
	}
	write(t, archive, pack(t, body)[:60])
	r = readOf(t, dir, own)
	if s := r.Layers[0].Session; len(r.Problems) != 1 || len(s.Damage) != 1 || !r.Layers[0].Provisional {
		t.Errorf("a cut archive: %v, %q", r.Problems, s.Damage)
	}
	several := append(pack(t, body[:bytes.IndexByte(body, '\n')+1]), pack(t, body)[:40]...)
	write(t, archive, several)
	if s := readOf(t, dir, own).Layers[0].Session; s.Place.Cwd != "/home/dev/src/widget" {
		t.Errorf("what stood before the damage is lost: %+v", s)
	}
	write(t, pathOf(dir, name), body) // the plain one wins
	if s := readOf(t, dir, own).Layers[0].Session; said(s) != want || s.Archived || len(s.Damage) > 0 {
		t.Errorf("%q, %q", said(s), s.Damage)
	}
	must(t, os.Rename(pathOf(dir, name), filepath.Join(dir, "archived_sessions", name))) // and so it does where it is found later
	must(t, os.Rename(archive, pathOf(dir, name+".zst")))
	if s := readOf(t, dir, own).Layers[0].Session; said(s) != want || !s.Archived || len(s.Damage) > 0 {
		t.Errorf("%q, archived %v, %q", said(s), s.Archived, s.Damage)
	}
}

func TestOldestFormats(t *testing.T) {
	items := `{"role":"user","content":[{"type":"input_text","text":"<environment_context>\n<cwd>/home/dev/src/widget</cwd>\n</environment_context>"}]},
{"role":"user","content":[{"type":"input_text","text":"typed"}]},
{"type":"function_call","name":"shell","arguments":"{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Add File: a.go\\n*** End Patch\"]}","call_id":"c"},
{"type":"function_call_output","call_id":"c","output":"Success. Updated the following files:\nA a.go\n"},
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answered"}]}`
	head := `"id":"` + own + `","timestamp":"2025-05-07T17:24:21.597Z","instructions":""`
	for name, body := range map[string]string{
		"rollout-2025-05-07-" + own + ".json":           `{"session":{` + head + `},"items":[` + items + `]}`,
		"rollout-2025-05-07T17-24-21-" + own + ".jsonl": "{" + head + "}\n" + `{"record_type":"state","id":null}` + "\n" + strings.ReplaceAll(items, "},\n", "}\n") + "\n",
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "sessions", name), []byte(body))
		r := readOf(t, dir, own)
		s := r.Layers[0].Session
		if len(s.Turns) != 1 || s.Turns[0].User != "typed" || s.Turns[0].Assistant != "answered" || len(s.Files) != 1 || s.Place.Cwd != "/home/dev/src/widget" ||
			!s.Complete || s.Created.Year() != 2025 || len(r.Unknown) > 0 {
			t.Errorf("%s: %+v, %v", name, s, r.Unknown)
		}
		write(t, filepath.Join(dir, "sessions", name), []byte(body[:len(body)-40]))
		if s := readOf(t, dir, own).Layers[0].Session; len(s.Turns) != 1 {
			t.Errorf("%s, torn: %+v", name, s)
		}
	}
}

// Bad input is normal: the rest is read and the damage told.
func TestDamage(t *testing.T) {
	good := string(lines(0, begins(""), prompt("a"), answer("b", "final_answer")))
	tail := string(lines(9, prompt("c")))
	for what, c := range map[string]struct {
		between string
		damage  int
	}{
		"NUL bytes":        {strings.Repeat("\x00", 3000) + "\n", 0},
		"an empty line":    {"\n\n", 0},
		"no JSON":          {"<html>\n", 1},
		"a list":           {"[1,2]\n", 1},
		"nothing known":    {"{\"a\":1}\n", 1},
		"cut in a text":    {`{"timestamp":"2026-11-22T07:00:01.000Z","type":"event_msg","payload":{"type":"user_message","message":"x` + "\n", 1},
		"another payload":  {`{"timestamp":"9999-99-99","type":"event_msg","payload":5}` + "\n", 0},
		"year 9999":        {`{"timestamp":"9999-12-31T23:59:59Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":"x"}}}}` + "\n", 0},
		"other types":      {`{"timestamp":5,"ordinal":"x","type":"event_msg","payload":{"type":"item_completed","item":{"type":"FileChange","changes":[1],"status":{}}}}` + "\n", 0},
		"nested type":      {`{"timestamp":"2026-11-22T07:00:01.000Z","x":"\"type\":\"y\"","type":"world_state","payload":{}}` + "\n", 0},
		"two in one line":  {strings.ReplaceAll(string(lines(4, answer("d", "commentary"), answer("e", "commentary"))), "\n", "") + "\n", 0},
		"an unknown event": {string(lines(4, event("from_the_future", ""), item("FromTheFuture", ""), `"new_type","payload":{}`)), 0},
	} {
		dir := t.TempDir()
		write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), []byte(good+c.between+tail))
		r := readOf(t, dir, own)
		s := r.Layers[0].Session
		if said(s) != "a c / " || len(s.Damage) != c.damage || !strings.HasSuffix(s.Turns[0].Assistant, "b") || s.Updated.Year() > 2026 {
			t.Errorf("%s: %q, %q, %+v", what, said(s), s.Damage, s.Turns)
		}
		if what == "an unknown event" && (len(r.Unknown) != 3 || r.Unknown["event_msg/from_the_future"] != 1 || r.Unknown["item/FromTheFuture"] != 1) {
			t.Errorf("unknown: %v", r.Unknown)
		}
	}
}

func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	name := "rollout-2026-11-22T07-00-00-" + own + ".jsonl"
	must(t, os.MkdirAll(pathOf(dir, name), 0o700))
	write(t, pathOf(dir, "notes.txt"), []byte("no rollout"))
	other := strings.Replace(name, own, child, 1)
	if err := os.Symlink(filepath.Join(dir, "nowhere"), pathOf(dir, other)); err != nil {
		t.Skip(err)
	}
	l := expect.Value(open(t, dir).List(context.Background()))(t)
	if len(l.Items) != 0 || len(l.Problems) != 2 || errors.Is(l.Problems[0].Err, fs.ErrNotExist) {
		t.Errorf("%+v, %+v", l.Items, l.Problems)
	}
}
