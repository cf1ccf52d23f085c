package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// FuzzPoison puts something that nobody expects into the files and rows of one
// session among good ones. The good ones have their notes, whatever becomes of it;
// what failed is reported, and the next pass changes nothing.
func FuzzPoison(f *testing.F) {
	for _, seed := range few(2, []uint64{27, 0, 1, 2}) { // the first one has a day of the last week of 9999
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := &poisoner{scenario: newStage(t), r: rand.New(rand.NewPCG(seed, 11))}
		p.keepsStore()
		good := p.talk("0c1d0001-aaaa-4bbb-8ccc-000000000001", "good one")
		p.talk("badly-run", "bad one")
		p.talk("0c1d0003-aaaa-4bbb-8ccc-000000000003", "other one")
		w := p.edition("Code").opens(widget)
		w.chat("0c1d0004-aaaa-4bbb-8ccc-000000000004").asks("good chat").says("good answer")
		w.oldChat("0c1d0006-aaaa-4bbb-8ccc-000000000006").asks("other chat").says("other answer")
		bad := []*chat{w.chat("0c1d0005-aaaa-4bbb-8ccc-000000000005"), w.oldChat("0c1d0007-aaaa-4bbb-8ccc-000000000007")}
		for _, c := range bad {
			c.asks("bad chat").says("bad answer").edits(widget + "/bad.go").isCalled("Bad")
		}
		w.indexes()
		if p.r.IntN(2) == 0 {
			p.judge("before")
		}
		for range 1 + p.r.IntN(3) {
			p.poison(bad)
		}
		p.judge("poisoned")
		good.asks("good once more").says("yes")
		p.judge("grown")
	})
}

// poisoner is a home of which one session is spoilt.
type poisoner struct {
	*scenario
	r    *rand.Rand
	told []string
}

// talk is a session with one of everything.
func (p *poisoner) talk(name, words string) *talk {
	s := p.begins(name, widget)
	s.asks("do the "+words).says("did the "+words).edits("a.go").commits("abc1234", words)
	s.compacts("Sum of "+words, "It is the "+words+".", "go on with "+words)
	s.plans("# Plan of " + words + "\n\n- [ ] ship " + words + "\n")
	s.saves("notes.md", "kept "+words)
	return s.notes("todo "+words, "pending").asks("and more " + words).says("more").leaves()
}

// poison spoils a file or a row of the bad session, or a chat.
func (p *poisoner) poison(chats []*chat) {
	dir := filepath.Join(p.home, "session-state", "badly-run")
	files := []string{"events.jsonl", "events.jsonl", "events.jsonl", "workspace.yaml", "plan.md", "files/notes.md", "checkpoints/001-sum-of-bad-one.md", "checkpoints/index.md"}
	switch p.r.IntN(5) {
	case 0:
		p.row(filepath.Join(dir, "session.db"), "todos", "1", "id", "title", "description", "status", "created_at", "updated_at")
	case 1:
		table := []string{"sessions", "turns", "checkpoints", "session_files", "session_refs"}[p.r.IntN(5)]
		columns := map[string][]string{
			"sessions": {"cwd", "repository", "branch", "summary", "created_at", "updated_at"}, "turns": {"turn_index", "user_message", "assistant_response", "timestamp"},
			"checkpoints":   {"checkpoint_number", "title", "overview", "next_steps", "created_at"},
			"session_files": {"file_path", "tool_name", "turn_index", "first_seen_at"}, "session_refs": {"ref_type", "ref_value", "turn_index", "created_at"},
		}[table]
		key := "session_id"
		if table == "sessions" {
			key = "id"
		}
		column := columns[p.r.IntN(len(columns))]
		if _, err := p.rows.db.Exec(fmt.Sprintf("UPDATE OR IGNORE %s SET %s = ? WHERE %s = 'badly-run'", table, column, key), p.value()); err == nil {
			p.rows.exec("UPDATE schema_version SET version = version")
		}
		p.told = append(p.told, table+"."+column)
	case 2:
		c := chats[p.r.IntN(len(chats))]
		p.file(c.file(map[bool]string{false: ".jsonl", true: ".json"}[c.old]))
	default:
		p.file(filepath.Join(dir, filepath.FromSlash(files[p.r.IntN(len(files))])))
	}
}

// row spoils the rows of a database.
func (p *poisoner) row(path, table, where string, columns ...string) {
	db, err := sql.Open("sqlite", path)
	p.check(err)
	column := columns[p.r.IntN(len(columns))]
	_, err = db.Exec("UPDATE OR IGNORE "+table+" SET "+column+" = ? WHERE "+where, p.value())
	p.told = append(p.told, fmt.Sprintf("%s %s.%s (%v)", filepath.Base(path), table, column, err))
	p.check(db.Close())
	p.wrote = time.Now()
}

// file spoils a text: a value in its JSON, a line, bytes, or all of it.
func (p *poisoner) file(path string) {
	text, err := os.ReadFile(path)
	if err != nil || len(text) > 4<<20 {
		return // gone or blown up
	}
	lines := strings.SplitAfter(string(text), "\n")
	n := p.r.IntN(len(lines))
	how := p.r.IntN(12)
	switch {
	case how == 0:
		text = text[:p.r.IntN(len(text)+1)]
	case how == 1:
		p.check(os.Truncate(path, int64(1)<<(10+p.r.IntN(18)))) // a hole of up to 128 MB
		p.told = append(p.told, filepath.Base(path)+" has a hole")
		p.wrote = time.Now()
		return
	case how == 2:
		text = []byte(strings.Join(slices.Insert(lines, n, fmt.Sprint(p.value())+"\n"), ""))
	case how >= 7: // a time
		found := anyTime.FindAllIndex(text, -1)
		if len(found) == 0 {
			return
		}
		at := found[p.r.IntN(len(found))]
		text = slices.Concat(text[:at[0]], []byte(p.farTime(text[at[0]] == '1')), text[at[1]:])
	case how == 3 && len(text) > 0:
		text[p.r.IntN(len(text))] = byte(p.r.IntN(256))
	case strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".jsonl"):
		if strings.HasSuffix(path, ".json") {
			lines, n = []string{string(text)}, 0
		}
		var v any
		if json.Unmarshal([]byte(lines[n]), &v) != nil {
			return
		}
		lines[n] = encode(p.t, p.spoil(v, &how)) + "\n"
		text = []byte(strings.NewReplacer(`"\u0001raw`, "", `raw\u0001"`, "").Replace(strings.Join(lines, "")))
	default: // a key or a heading stays, what it says does not
		key, _, _ := strings.Cut(lines[n], " ")
		lines[n] = key + " " + fmt.Sprint(p.value()) + "\n"
		text = []byte(strings.Join(lines, ""))
	}
	p.told = append(p.told, fmt.Sprintf("%s, line %d (%d)", filepath.Base(path), n, how))
	p.put(path, string(text))
}

// spoil replaces one value within another.
func (p *poisoner) spoil(v any, _ *int) any {
	switch w := v.(type) {
	case map[string]any:
		if keys := slices.Sorted(maps.Keys(w)); len(keys) > 0 && p.r.IntN(8) > 0 {
			key := keys[p.r.IntN(len(keys))]
			w[key] = p.spoil(w[key], nil)
			return w
		}
	case []any:
		if len(w) > 0 && p.r.IntN(8) > 0 {
			i := p.r.IntN(len(w))
			w[i] = p.spoil(w[i], nil)
			return w
		}
	}
	if value := p.value(); p.r.IntN(4) > 0 {
		return value
	}
	return json.RawMessage([]string{"1e999", "-1e999", "null", "[[[[[]]]]]", `{"a":{"b":1}}`, "true", "18446744073709551616", "-0", `"\ud800"`}[p.r.IntN(9)])
}

// value is one at the end of what its kind may be.
func (p *poisoner) value() any {
	switch p.r.IntN(4) {
	case 0:
		return []any{0, -1, 1, 253402300799999, int64(1e18), -int64(1e18), 1e308, 0.5, 1 << 31}[p.r.IntN(9)]
	case 1:
		return p.farTime(false)
	case 2:
		return strings.Repeat([]string{"x", "a b ", "[[", "\n", "é", "# ", "%% "}[p.r.IntN(7)], 1<<(4+p.r.IntN(16)))
	}
	return []any{"", " ", "\x00", "a\u202eb", "../..", "/", "C:\\", "\n---\n", "<% x %>", "*a", "&a [*a]", "!!binary x", "{{", "id: x", nil, true}[p.r.IntN(16)]
}

// anyTime is a time as logs have it, in words or in milliseconds.
var anyTime = regexp.MustCompile(`20\d\d-\d\d-\d\dT[0-9:.]+Z|\b1[67]\d{11}\b`)

func (p *poisoner) farTime(millis bool) string {
	if millis {
		return []string{"253402300799999", "253370764800000", "0", "-1", "1000000000000000000", "1e300"}[p.r.IntN(6)]
	}
	year := []string{"0000", "0001", "1969", "9998", "9999", "9999", "9999", "10000", "292277026596", "-0001"}[p.r.IntN(10)]
	return year + []string{"-12-27T00:00:00Z", "-12-31T23:59:59.999Z", "-01-01T00:00:00+14:00", "-12-31 23:59:59", "-12-31T23:59:59-23:00"}[p.r.IntN(5)]
}

func (p *poisoner) judge(step string) {
	p.t.Helper()
	p.rests()
	fail := func(format string, args ...any) {
		p.t.Helper()
		p.t.Errorf("%s, %s: %s", strings.Join(p.told, "; "), step, fmt.Sprintf(format, args...))
	}
	first, stderr, code := p.pass(p.vault)
	if code != exitDone && code != exitPartial {
		fail("exit code %d: %s", code, stderr)
	}
	if (code == exitPartial) != first.Part() {
		fail("exit code %d with problems %v", code, first.Problems)
	}
	all := ""
	now := walk(p.t, p.vault)
	for _, f := range now {
		all += f.text
	}
	words := []string{"did the good one", "more good one", "It is the good one.", "kept good one", "ship good one", "did the other one", "good answer", "other answer"}
	for _, w := range words {
		if !strings.Contains(all, w) {
			fail("no note says %q", w)
		}
	}
	p.rests()
	if r, stderr, again := p.pass(p.vault); again != code || len(r.Changed) > 0 {
		fail("a further pass: exit code %d after %d, %v: %s", again, code, r.Changed, stderr)
	}
	if d := differences(now, walk(p.t, p.vault), true); d != "" {
		fail("a further pass writes:\n%s", d[:min(len(d), 4000)])
	}
	if step != "grown" {
		return
	}
	if _, stderr, code := runProgram(p.t, p.config, append([]string{"status"}, p.flags(p.vault)...)...); code != exitDone {
		fail("status ends with %s: %s", strconv.Itoa(code), stderr)
	}
	out, stderr, code := runProgram(p.t, p.config, append([]string{"export"}, p.flags(p.vault)...)...)
	if code != exitDone && code != exitPartial || !strings.Contains(out, "did the good one") || !strings.Contains(out, "did the other one") {
		fail("export ends with %d: %s", code, stderr)
	}
}
