package opencode_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/opencode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata"
)

var (
	growSeed  = flag.Uint64("grow.seed", 1, "seed of the first history that grows row by row")
	growRuns  = flag.Int("grow.runs", 2, "how many such histories")
	growSteps = flag.Int("grow.steps", 10, "how often each of them grows")
)

// notes is a vault of a home.
type notes struct {
	*sourcetest.Vault
	t    *testing.T
	home string
	mu   sync.Mutex
	read []string // sessions that the last run read
}

func vaultOf(t *testing.T, home string) *notes {
	t.Helper()
	v := &notes{Vault: sourcetest.NewVault(t), t: t, home: home}
	v.Now = func() time.Time { return time.Now().Add(time.Hour) }
	return v
}

// reads tells which sessions are read.
type reads struct {
	*opencode.Source
	told func(id string)
}

func (r reads) Read(ctx context.Context, it sources.Item) (sources.Reading, error) {
	r.told(it.Session)
	return r.Source.Read(ctx, it)
}

// sync runs a pass, and gives the notes.
func (v *notes) sync() sourcetest.Notes {
	v.t.Helper()
	sourcetest.Age(v.t, v.home)
	v.read = nil
	return v.Sync(reads{open(v.home), func(id string) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.read = append(v.read, id)
	}})
}

// What the notes of the sample say was looked at by a person: the notes of sessions and
// checkpoints stand in testdata/notes.txtar.
func TestSampleHasTheGoldenNotes(t *testing.T) {
	vaultOf(t, sourcetest.Sample(t)).sync().Golden(t, "testdata/notes.txtar", "sessions", "checkpoints")
}

// secret has the shape of a token.
const secret = "ghp_Qm4Rb7TzK1wXc9Ld2VfY5sHj8NpA3eGu6oBq"

// Every text of every record is hostile and has a secret in it: nothing acts in a note, and no
// secret is in one.
func TestHostileTextsAndSecrets(t *testing.T) {
	for what, hostile := range map[string]string{"texts": testdata.Hostile, "line": testdata.HostileLine(), "secrets": "token=" + secret + " "} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) { poisoned(h, hostile) })
		v := vaultOf(t, dir)
		if notes := v.sync(); len(notes) < 6 {
			t.Errorf("%s: %d notes", what, len(notes))
		}
		v.Harmless(secret[4:])
	}
}

// poisoned writes sessions of both versions of which every text is x.
func poisoned(h *home, x string) {
	const at = int64(begin)
	everything := object{"command": x, "description": x, "filePath": "/home/dev/" + x, "pattern": x, "query": x, "url": x, "prompt": x, "subagent_type": x, "patchText": "*** Add File: " + x, "other": x,
		"todos": []any{object{"id": x, "content": x, "status": x}}, "content": x}
	more := object{"output": "[main abc1234] " + x + "\n<task_result>" + x + "</task_result>", "title": x, "metadata": object{"exit": 1, "sessionId": x, "files": []any{object{"filePath": x, "type": x, "movePath": x}}}}
	var parts []object
	for _, tool := range []string{"bash", "edit", "write", "apply_patch", "read", "task", "todowrite", "grep", "webfetch", x} {
		parts = append(parts, says(x), calls(tool, "completed", everything, more), calls(tool, "error", everything, object{"error": x}))
	}
	parts = append(parts, object{"type": "patch", "files": []any{x}}, object{"type": x})
	h.session("ses_1", at, object{"title": x, "directory": "/home/dev/" + x, "agent": x, "version": x, "permission": x, "revert": `{"messageID":"m7"}`})
	h.message("ses_1", "m1", at, with(user(at), object{"summary": object{"diffs": []any{object{"file": x, "status": x}}}}), says(x),
		object{"type": "file", "mime": x, "filename": x, "url": x}, object{"type": "subtask", "prompt": x, "command": x})
	h.message("ses_1", "m2", at+1, with(assistant("m1", at+1), object{"agent": x, "mode": x, "modelID": x, "path": object{"cwd": x}}), parts...)
	h.message("ses_1", "m3", at+2, user(at+2), object{"type": "compaction"})
	h.message("ses_1", "m4", at+3, with(assistant("m3", at+3), object{"summary": true}), says(x))
	h.asked("ses_1", "m5", at+4, x)
	h.message("ses_1", "m6", at+5, with(assistant("m5", at+5), object{"error": object{"name": x, "data": object{"message": x}}}))
	h.asked("ses_1", "m7", at+6, x)
	h.answered("ses_1", "m8", "m7", at+7, says(x))
	h.insert("todo", object{"session_id": "ses_1", "content": x, "status": x, "priority": x, "position": 0, "time_created": 1, "time_updated": at}, nil)
	for i, e := range []object{{"messageID": "m0"}, {"info": with(user(at-1), object{"id": "m0"})}, {"part": object{"id": "p", "messageID": "m0", "type": "text", "text": x}}} {
		kind := []string{"message.removed.1", "message.updated.1", "message.part.updated.1"}[i]
		h.insert("event", object{"id": fmt.Sprint("evt", i), "aggregate_id": "ses_1", "seq": i, "type": kind, "data": text(e)}, nil)
	}
	h.session("ses_2", at, object{"parent_id": "ses_1", "title": x, "agent": x})
	h.asked("ses_2", "m20", at, x)
	h.answered("ses_2", "m21", "m20", at+1, says(x))
	h.sessionV2("ses_3", at, object{"title": x, "directory": "/home/dev/" + x})
	h.v2("ses_3", "user", 1, at, object{"text": x, "files": []any{object{"uri": x, "mime": x, "name": x}}})
	var content []any
	for _, p := range parts {
		content = append(content, with(p, object{"name": p["tool"]}))
	}
	h.v2("ses_3", "assistant", 2, at+1, object{"agent": x, "model": object{"id": x}, "content": content, "error": object{"type": x, "message": x}, "snapshot": object{"files": []any{x}}})
	h.v2("ses_3", "shell", 3, at+2, object{"command": x})
	h.v2("ses_3", "compaction", 4, at+3, object{"status": "completed", "summary": x})
	h.v2("ses_3", x, 5, at+4, object{"text": x})
}

// A history grows as opencode writes it: turns, answers that are written into, undos with what
// follows them, forks, sub-agents, names, lists of todos, versions, deletions. After each step
// the vault is the one that an empty vault becomes, and only what changed was read.
func TestGrowsAsItIsWritten(t *testing.T) {
	for run := range uint64(*growRuns) {
		t.Run(fmt.Sprint("seed=", *growSeed+run), func(t *testing.T) {
			g := &growing{t: t, home: t.TempDir(), r: rand.New(rand.NewPCG(*growSeed+run, 7)), logged: run%2 == 1, now: begin}
			edit(t, g.home, func(*home) {})
			v := vaultOf(t, g.home)
			var did []string
			for step := range *growSteps {
				edit(t, g.home, func(h *home) {
					g.h, g.changed = h, map[string]bool{}
					for range 1 + g.r.IntN(3) {
						did = append(did, g.step())
					}
				})
				got := v.sync()
				for _, id := range v.read {
					if !g.changed[id] {
						t.Fatalf("step %d: %s was read, which did not change; %v", step, id, did)
					}
				}
				same(t, fmt.Sprint("a second pass after ", did), v.sync(), got)
				if len(v.read) > 0 {
					t.Fatalf("a second pass read %v", v.read)
				}
				if g.deletes = step > *growSteps*2/3; step%4 == 3 && !g.deletes {
					same(t, fmt.Sprint("an empty vault after ", did), got, vaultOf(t, g.home).sync())
				}
			}
		})
	}
}

// growing is a history that grows.
type growing struct {
	t       *testing.T
	h       *home
	home    string
	r       *rand.Rand
	logged  bool // in a log of events
	now     int64
	n       int
	live    []string // sessions
	v2      map[string]bool
	changed map[string]bool
	deletes bool // sessions are deleted now, of which an empty vault would not know
}

// touch notes that a session changed, as the log of events does.
func (g *growing) touch(id string) {
	g.changed[id] = true
	if g.logged {
		exec(g.t, g.h.db, "INSERT INTO event_sequence VALUES (?, 0, NULL) ON CONFLICT DO UPDATE SET seq = seq + 1", id)
	}
}

func (g *growing) tick() int64 { g.now += 60_000; return g.now }

func (g *growing) id(kind string) string { g.n++; return fmt.Sprintf("%s_%05d", kind, g.n) }

// some is a session, a new one at first.
func (g *growing) some() string {
	if len(g.live) == 0 || g.r.IntN(4) == 0 {
		id := g.id("ses")
		if g.v2 == nil {
			g.v2 = map[string]bool{}
		}
		if g.v2[id] = g.r.IntN(3) == 0; g.v2[id] {
			g.h.sessionV2(id, g.tick(), nil)
		} else {
			g.h.session(id, g.tick(), nil)
		}
		g.live = append(g.live, id)
		g.touch(id)
		return id
	}
	return g.live[g.r.IntN(len(g.live))]
}

func (g *growing) step() string {
	id := g.some()
	table := "session"
	if g.v2[id] {
		table = "session_v2"
	}
	switch n := g.r.IntN(12); {
	case n < 5:
		g.turn(id)
		return "turn of " + id
	case n == 5:
		exec(g.t, g.h.db, "UPDATE "+table+" SET title = ? WHERE id = ?", g.id("A name"), id)
		g.touch(id)
		return "name of " + id
	case n == 6:
		exec(g.t, g.h.db, "UPDATE part SET data = replace(data, 'said', 'said and said'), time_updated = ? WHERE message_id = (SELECT id FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1)", g.tick(), id)
		exec(g.t, g.h.db, "UPDATE session_message SET data = replace(data, 'said', 'said and said'), time_updated = ? WHERE session_id = ? AND type = 'assistant'", g.tick(), id)
		g.touch(id)
		return "answer of " + id
	case n == 7 && !g.v2[id]:
		return g.undo(id)
	case n == 8 && !g.v2[id]:
		return g.fork(id)
	case n == 9:
		child := g.id("ses")
		g.h.session(child, g.tick(), object{"parent_id": id, "title": "Look (@general subagent)", "agent": "general"})
		g.live = append(g.live, child)
		g.turn(child)
		return "sub-agent of " + id
	case n == 10:
		exec(g.t, g.h.db, "INSERT OR REPLACE INTO todo VALUES (?, ?, 'pending', 'high', ?, 1, ?)", id, g.id("todo"), g.r.IntN(3), g.tick())
		g.touch(id)
		return "todo of " + id
	}
	if !g.deletes {
		g.turn(id)
		return "turn of " + id
	}
	for _, table := range []string{"session", "session_v2"} { // its notes stay
		exec(g.t, g.h.db, "DELETE FROM "+table+" WHERE id = ?", id)
	}
	g.live = slices.DeleteFunc(g.live, func(x string) bool { return x == id })
	return "deletion of " + id
}

func (g *growing) turn(id string) {
	g.touch(id)
	at, m, a := g.tick(), g.id("msg"), g.id("msg")
	if g.v2[id] {
		g.h.v2(id, "user", int64(g.n), at, object{"text": "ask " + m})
		g.n++
		g.h.v2(id, "assistant", int64(g.n), at+9, object{"time": object{"created": at, "completed": at + 5}, "content": []any{says("said " + a)}, "finish": "stop"})
		return
	}
	g.h.asked(id, m, at, "ask "+m)
	g.h.answered(id, a, m, at+9, says("said "+a), calls("edit", "completed", object{"filePath": folder + "/" + m + ".go"}, nil))
}

// undo takes the last prompt back, or what was taken back for good.
func (g *growing) undo(id string) string {
	var revert, last string
	must(g.t, g.h.db.QueryRow("SELECT coalesce(json_extract(revert, '$.messageID'), '') FROM session WHERE id = ?", id).Scan(&revert))
	if revert != "" {
		exec(g.t, g.h.db, "DELETE FROM part WHERE message_id IN (SELECT id FROM message WHERE session_id = ? AND id >= ?)", id, revert)
		exec(g.t, g.h.db, "DELETE FROM message WHERE session_id = ? AND id >= ?", id, revert)
		exec(g.t, g.h.db, "UPDATE session SET revert = NULL WHERE id = ?", id)
		g.turn(id)
		return "what follows the undo in " + id
	}
	// The only prompt stays: a note whose title goes keeps an empty list of aliases.
	_ = g.h.db.QueryRow("SELECT max(id) FROM message WHERE session_id = ? AND data LIKE '%\"role\":\"user\"%' HAVING count(*) > 1", id).Scan(&last)
	if last != "" {
		exec(g.t, g.h.db, "UPDATE session SET revert = json_object('messageID', ?) WHERE id = ?", last, id)
		g.touch(id)
	}
	return "undo in " + id
}

// fork copies a session under new ids.
func (g *growing) fork(id string) string {
	var parent any
	must(g.t, g.h.db.QueryRow("SELECT parent_id FROM session WHERE id = ?", id).Scan(&parent))
	if parent != nil {
		return "no fork of the sub-agent " + id
	}
	fork := g.id("ses")
	g.h.session(fork, g.tick(), object{"title": "x (fork #1)"})
	g.live = append(g.live, fork)
	tag := g.id("copy")
	exec(g.t, g.h.db, "INSERT INTO message SELECT 'msg_' || ?1 || id, ?2, time_created, time_updated, replace(data, '\"parentID\":\"', '\"parentID\":\"msg_' || ?1) FROM message WHERE session_id = ?3", tag, fork, id)
	exec(g.t, g.h.db, "INSERT INTO part SELECT ?1 || id, 'msg_' || ?1 || message_id, ?2, time_created, time_updated, data FROM part WHERE session_id = ?3", tag, fork, id)
	g.turn(fork)
	return "fork of " + id
}

func same(t *testing.T, what string, got, want sourcetest.Notes) {
	t.Helper()
	if diff := got.Differ(want); diff != "" {
		t.Fatalf("%s: the notes differ:\n%s", what, diff)
	}
}
