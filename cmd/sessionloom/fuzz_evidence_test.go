package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// FuzzEvidence plays random homes of sessions, forks and copies whose parents are
// rewound, cut, emptied and deleted. After each sync every word that was said in
// a log on disk, or in the rows of a folder without one, is in a note and in
// the export; no file is called edited that nobody edited.
func FuzzEvidence(f *testing.F) {
	for _, seed := range few(2, []uint64{0, 1, 2, 3, 4, 5}) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 13))
		e := &evidence{scenario: newStage(t), r: r}
		if r.IntN(2) == 0 {
			e.keepsStore()
		}
		for range 2 + r.IntN(2) {
			e.session()
		}
		between := r.IntN(3) > 0
		for step := range 3 + r.IntN(4) {
			what := e.happens()
			e.told = append(e.told, fmt.Sprintf("%d %s", step, what))
			if between && r.IntN(2) == 0 {
				e.judge()
			}
		}
		e.judge()
	})
}

// evidence is a home under way.
type evidence struct {
	*scenario
	r     *rand.Rand
	talks []*talk
	words int
	told  []string // what happened, for the report of a failure
	once  bool     // a pass was made
	back  []string // words that a rewind took back: rows may still have them
}

var evidenceWord = regexp.MustCompile(`\b(?:ask|say|row)[0-9]{5}z\b`)

func (e *evidence) word(kind string) string {
	e.words++
	return fmt.Sprintf("%s%05dz", kind, e.words)
}

func (e *evidence) uuid() string {
	return fmt.Sprintf("%08x-aaaa-4bbb-8ccc-%012x", e.r.Uint32(), len(e.talks)+1)
}

func (e *evidence) session() {
	s := e.begins(e.uuid(), []string{widget, latency}[e.r.IntN(2)])
	e.talks = append(e.talks, s)
	for range 1 + e.r.IntN(3) {
		e.prompt(s)
	}
}

func (e *evidence) prompt(s *talk) {
	s.asks("Please look at " + e.word("ask"))
	if e.r.IntN(3) == 0 {
		s.edits("src/edited.go")
	}
	if e.r.IntN(5) > 0 {
		s.says("Looked at " + e.word("say") + ".")
	}
}

// living is a session whose log can be continued with, nil if there is none.
func (e *evidence) living() *talk {
	for _, i := range e.r.Perm(len(e.talks)) {
		s := e.talks[i]
		if b, err := os.ReadFile(filepath.Join(e.home, s.path("events.jsonl"))); err == nil && len(b) > 0 {
			return s
		}
	}
	return nil
}

func (e *evidence) happens() string {
	s := e.living()
	if s == nil {
		e.session()
		return "a session"
	}
	name := s.uuid[:8]
	switch e.r.IntN(13) {
	case 0:
		e.session()
		return "a session"
	case 1:
		e.prompt(s)
		return name + " goes on"
	case 2, 3, 4:
		fork := s.forks(e.uuid())
		e.talks = append(e.talks, fork)
		for range e.r.IntN(3) {
			e.prompt(fork)
		}
		return name + " is forked as " + fork.uuid[:8]
	case 5, 6:
		n := e.r.IntN(3)
		e.back = append(e.back, evidenceWord.FindAllString(s.text(s.path("events.jsonl")), -1)...)
		s.rewindsTo(n)
		return fmt.Sprintf("%s is rewound to %d", name, n)
	case 7:
		lines := strings.SplitAfter(s.text(s.path("events.jsonl")), "\n")
		n := 1 + e.r.IntN(len(lines))
		if e.r.IntN(3) == 0 {
			e.lasting = e.lasting || e.once
			s.write(s.path("events.jsonl"), strings.Join(lines[n-1:], ""))
			return fmt.Sprintf("%s loses its first %d lines", name, n-1)
		}
		s.write(s.path("events.jsonl"), strings.Join(lines[:n], ""))
		return fmt.Sprintf("%s is cut after %d lines", name, n)
	case 8:
		e.lasting = e.lasting || e.once
		if e.r.IntN(2) == 0 {
			s.write(s.path("events.jsonl"), "")
			return name + " is emptied"
		}
		s.isDeleted()
		return name + " is deleted"
	case 9:
		return e.copies(s)
	case 10:
		return e.circle(s)
	case 11:
		return e.leavesRows(s)
	default:
		s.write(s.path("rewind-snapshots/index.json"), fmt.Sprintf(`{"version":1,"snapshots":[{"snapshotId":"1","eventId":"x","userMessage":"u",`+
			`"timestamp":%q,"fileCount":2,"gitBranch":"main","files":{"a":{"gitStatus":"M"},"b":{"gitStatus":"??"}}}],`+
			`"filePathMap":{"a":%q,"b":%q}}`, iso(s.clock), s.cwd+"/dirty.go", s.cwd+"/sub/dirty.txt"))
		return name + " had dirty files around"
	}
}

// copies duplicates a folder under another id, as a person does by hand.
func (e *evidence) copies(s *talk) string {
	child := *s
	child.uuid, child.waiting, child.next = e.uuid(), exchange{}, 0
	e.later(time.Minute)
	child.write(child.path("events.jsonl"), strings.ReplaceAll(s.text(s.path("events.jsonl")), s.uuid, child.uuid))
	child.workspace()
	e.talks = append(e.talks, &child)
	if e.r.IntN(2) == 0 {
		e.prompt(&child)
	}
	return s.uuid[:8] + " is copied as " + child.uuid[:8]
}

// circle has two or three sessions name each other as what they were forked from.
func (e *evidence) circle(s *talk) string {
	ring := []*talk{s}
	for range 1 + e.r.IntN(2) {
		if next := e.living(); !slices.Contains(ring, next) {
			ring = append(ring, next)
		}
	}
	names := ""
	for i, s := range ring {
		parent := ring[(i+1)%len(ring)]
		s.log("session.info", fields{"infoType": "fork", "message": fmt.Sprintf("Forked from %q (%s) as %q (%s).", "A", parent.uuid, "B", s.uuid)})
		names += " " + s.uuid[:8]
	}
	return "a circle of" + names
}

// leavesRows has the CLI keep nothing of a session but its folder and rows.
func (e *evidence) leavesRows(s *talk) string {
	e.lasting = e.lasting || e.once
	if e.rows == nil {
		s.isDeleted()
		return s.uuid[:8] + " is deleted"
	}
	bare := e.begins(e.uuid(), widget)
	e.talks = append(e.talks, bare)
	bare.asks("Please look at " + e.word("row")).says("Looked at " + e.word("row") + ".").leaves()
	bare.remove(bare.path("events.jsonl"))
	bare.remove(bare.path("checkpoints"))
	return bare.uuid[:8] + " has rows alone"
}

// said are the words that are on disk.
func (e *evidence) said() map[string]string {
	e.t.Helper()
	at := map[string]string{}
	logs := expect.Value(filepath.Glob(filepath.Join(e.home, "session-state", "*", "events.jsonl")))(e.t)
	for _, path := range logs {
		b := expect.Value(os.ReadFile(path))(e.t)
		for line := range strings.Lines(string(b)) {
			var event struct {
				Type string
				Data struct{ Content string }
			}
			if json.Unmarshal([]byte(line), &event) == nil && (event.Type == "user.message" || event.Type == "assistant.message") {
				for _, w := range evidenceWord.FindAllString(event.Data.Content, -1) {
					at[w] = path
				}
			}
		}
	}
	if e.rows == nil {
		return at
	}
	found := expect.Value(e.rows.db.Query("SELECT session_id, coalesce(user_message,'')||' '||coalesce(assistant_response,'') FROM turns"))(e.t)
	defer func() { e.check(found.Close()) }()
	for found.Next() {
		var id, text string
		e.check(found.Scan(&id, &text))
		folder := filepath.Join(e.home, "session-state", id)
		if _, err := os.Stat(folder); err != nil {
			continue // the session was deleted
		}
		if log, err := os.Stat(filepath.Join(folder, "events.jsonl")); err == nil && log.Size() > 0 {
			continue
		}
		for _, w := range evidenceWord.FindAllString(text, -1) {
			if !slices.Contains(e.back, w) {
				at[w] = folder
			}
		}
	}
	e.check(found.Err())
	return at
}

// judge makes a pass and holds its vault against the disk.
func (e *evidence) judge() {
	e.t.Helper()
	e.later(time.Minute)
	r, stderr, code := e.pass(e.vault)
	if code != exitDone {
		e.fails("exit code %d: %s %+v", code, stderr, r.Problems)
	}
	e.once = true
	now := walk(e.t, e.vault)
	args := append([]string{"export"}, e.flags(e.vault)...)
	exported, stderr, code := runProgram(e.t, e.config, args...)
	if code != exitDone {
		e.fails("export ends with %d: %s", code, stderr)
	}
	shown := map[string]bool{}
	for path, f := range now {
		if strings.HasSuffix(path, ".md") {
			for _, w := range evidenceWord.FindAllString(f.text, -1) {
				shown[w] = true
			}
		}
		if strings.Contains(f.text, "dirty") {
			e.fails("%s tells of a file that nobody edited", path)
		}
	}
	if strings.Contains(exported, "dirty") {
		e.fails("the export tells of a file that nobody edited")
	}
	said := e.said()
	for _, w := range slices.Sorted(maps.Keys(said)) {
		if !shown[w] {
			e.fails("%s of %s stands in no note", w, said[w])
		}
		if !strings.Contains(exported, w) {
			e.fails("%s of %s is not exported", w, said[w])
		}
	}
	if r, _, _ := e.pass(e.vault); len(r.Changed) > 0 {
		e.fails("the second pass changes %v", r.Changed)
	}
	if d := differences(now, walk(e.t, e.vault), true); d != "" {
		e.fails("the second pass writes:\n%s", d)
	}
	if e.lasting {
		return
	}
	dir := filepath.Join(e.t.TempDir(), "fresh")
	e.furnish(dir)
	e.passes(dir)
	if nameAs(e.t, dir, e.vault) {
		e.pass(dir)
	}
	if d := differences(asNamed(withoutViews(now)), asNamed(withoutViews(walk(e.t, dir))), false); d != "" {
		e.fails("incremental (-) is not fresh (+):\n%s", d)
	}
}

func (e *evidence) fails(format string, args ...any) {
	e.t.Helper()
	e.t.Errorf("%s\n  after: %s", fmt.Sprintf(format, args...), strings.Join(e.told, "; "))
	e.t.FailNow()
}

// withoutViews leaves out bases, which stay when the last note goes.
func withoutViews(files contents) contents {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(path string, _ content) bool { return strings.HasSuffix(path, ".base") })
	return files
}
