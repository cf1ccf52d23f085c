package chatlog

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources/internal/stamp"
)

// history writes a log as VS Code does: it changes a session and notes the
// difference. It also makes changes VS Code does not.
type history struct {
	*rand.Rand
	state map[string]any
	log   strings.Builder
	next  int
}

type object = map[string]any

func newHistory(seed uint64) *history {
	h := &history{Rand: rand.New(rand.NewPCG(seed, 1))}
	h.state = object{"version": 3, "sessionId": "s", "requests": []any{}, "inputState": object{"mode": object{"id": "agent", "kind": "agent"}}}
	for range h.IntN(4) {
		h.state["requests"] = append(h.requests(), h.request())
	}
	h.line(object{"kind": 0, "v": h.state})
	return h
}

func (h *history) line(entry object) { h.log.WriteString(encode(entry) + "\n") }

func (h *history) requests() []any { return h.state["requests"].([]any) }

func (h *history) text() string {
	return strings.Repeat(string(rune('a'+h.IntN(26))), 1+h.IntN(5))
}

func (h *history) request() object {
	h.next++
	return object{"requestId": fmt.Sprintf("r%d", h.next), "message": object{"text": h.text()}, "response": []any{},
		"modeInfo": object{"kind": "agent"}, "modelId": "copilot/m", "modelState": object{"value": 0},
		"agent": object{"name": "agent", "metadata": h.text()}}
}

func (h *history) part() any {
	switch h.IntN(6) {
	case 0:
		return object{"kind": "thinking", "value": h.text()}
	case 1:
		return object{"kind": "inlineReference", "inlineReference": object{"path": "/" + h.text(), "scheme": "file", "fsPath": "x"}}
	case 2:
		return object{"kind": "textEditGroup", "uri": object{"path": "/x"}, "edits": []any{[]any{object{"text": h.text()}}, []any{}}}
	}
	return object{"value": h.text()}
}

// set changes a value at a path and writes it down.
func (h *history) set(value any, path ...any) {
	var node any = h.state
	for _, step := range path[:len(path)-1] {
		node = at(node, step)
	}
	entry := object{"kind": 1, "k": path, "v": value}
	switch last := path[len(path)-1].(type) {
	case string:
		if value == nil {
			delete(node.(object), last)
			entry = object{"kind": 1 + 2*h.IntN(2), "k": path}
		} else {
			node.(object)[last] = value
		}
	case int:
		node.([]any)[last] = value
	}
	h.line(entry)
}

func at(node, step any) any {
	if i, ok := step.(int); ok {
		return node.([]any)[i]
	}
	return node.(object)[step.(string)]
}

// push replaces what follows the first n elements of an array.
func (h *history) push(n int, values []any, path ...any) {
	var parent any = h.state
	for _, step := range path[:len(path)-1] {
		parent = at(parent, step)
	}
	old, _ := at(parent, path[len(path)-1]).([]any)
	entry := object{"kind": 2, "k": path}
	if n != len(old) || h.IntN(4) == 0 {
		entry["i"] = n
	}
	if len(values) > 0 {
		entry["v"] = values
	}
	parent.(object)[path[len(path)-1].(string)] = append(slices.Clone(old[:n]), values...)
	h.line(entry)
}

// step does one thing that happens in a chat, seldom one that does not.
func (h *history) step() {
	n := len(h.requests())
	i := n - 1
	if h.IntN(12) == 0 && n > 0 {
		i = h.IntN(n)
	}
	switch c := h.IntN(41); {
	case c < 7 || n == 0:
		h.push(n, []any{h.request()}, "requests")
	case c < 20:
		response := h.requests()[i].(object)["response"].([]any)
		keep := len(response) - h.IntN(min(2, len(response))+1)
		h.push(keep, []any{h.part(), h.part()}[:1+h.IntN(2)], "requests", i, "response")
	case c < 24:
		h.set(object{"metadata": object{"sessionId": h.text(), "toolCallResults": h.text()}}, "requests", i, "result")
	case c < 29:
		h.set(object{"value": 1 + h.IntN(3)}, "requests", i, "modelState")
	case c < 31:
		h.set(h.text(), "customTitle")
	case c < 33:
		h.set(object{"mode": object{"id": h.text()}, "inputText": h.text()}, "inputState")
	case c == 33:
		h.set(nil, []string{"inputState", "customTitle", "computedTitle"}[h.IntN(3)])
	case c == 34:
		h.set(object{"remoteUrl": h.text()}, "repoData")
	case c == 35:
		h.push(h.IntN(n+1), []any{h.request(), h.request()}[:h.IntN(3)], "requests")
	case c == 36:
		h.line(object{"kind": 0, "v": h.state})
	case c == 37:
		h.log.Reset()
		h.line(object{"kind": 0, "v": h.state})
	case c == 38:
		if response := h.requests()[i].(object)["response"].([]any); len(response) > 0 {
			h.set(h.part(), "requests", i, "response", h.IntN(len(response)))
		}
	case c == 39:
		h.set(h.text(), "requests", i, []string{"confirmation", "unheardOf", "timestamp"}[h.IntN(3)])
		h.set(h.text(), "requests", i, "message", "text")
		h.set(h.text(), "requests", i, "agent", []string{"metadata", "name"}[h.IntN(2)])
		for j, part := range h.requests()[i].(object)["response"].([]any) {
			if _, ok := part.(object)["value"]; ok {
				h.set(h.text(), "requests", i, "response", j, "value")
			}
		}
	default:
		r := h.request()
		if h.IntN(2) == 0 {
			delete(r, []string{"modeInfo", "modelId"}[h.IntN(2)])
		}
		h.push(n, []any{r}, "requests")
	}
}

// Replaying what was written for the changes of a session gives what is kept of
// the session.
func TestReplayGivesTheSession(t *testing.T) {
	for seed := range uint64(120) {
		h := newHistory(seed)
		for range 30 {
			h.step()
		}
		f := readText(t, h.log.String())
		if got, want := dump(f.State), kept(t, encode(h.state)); got != want || len(f.Damage) > 0 {
			t.Fatalf("seed %d: %v\ngot  %s\nwant %s\n%s", seed, f.Damage, got, want, h.log.String())
		}
	}
}

// Whatever happened since, reading on from a cursor gives what reading whole
// gives, whichever requests the caller holds.
func TestResumedEqualsWhole(t *testing.T) {
	start := uint64(time.Now().UnixNano())
	resumed := 0
	for seed := start; seed < start+120; seed++ {
		h := newHistory(seed)
		path := filepath.Join(t.TempDir(), "s.jsonl")
		var prior File
		for range 12 {
			for range h.IntN(4) {
				h.step()
			}
			text := h.log.String()
			if h.IntN(4) == 0 {
				text = text[:len(text)-1-h.IntN(min(20, len(text)-1))] // VS Code is writing
			}
			put(t, path, text)
			held := prior.State.Get("requests").Len()
			sealed := held - h.IntN(min(held, 3)+1)
			got, err := ReadLog(t.Context(), path, prior.Cursor, sealed, Options{})
			if err != nil {
				t.Fatal(err)
			}
			whole, err := ReadLog(t.Context(), path, nil, 0, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Sealed > 0 {
				resumed++
			}
			if err := sameReading(got, whole, prior, sealed); err != nil {
				t.Fatalf("seed %d, %d sealed: %v\n%s", seed, sealed, err, text)
			}
			whole.Cursor = got.Cursor
			prior = whole
		}
	}
	if resumed < 60 {
		t.Errorf("only %d reads were resumed", resumed)
	}
}

// sameReading compares a reading with that of the whole log, prior being the
// whole one before it.
func sameReading(got, whole, prior File, sealed int) error {
	if got.Same {
		if dump(prior.State) != dump(whole.State) || got.State != nil {
			return fmt.Errorf("said to be the same\nbefore %s\nnow    %s", dump(prior.State), dump(whole.State))
		}
		return nil
	}
	if got.Whole != whole.Whole || got.Rewound != whole.Rewound || !reflect.DeepEqual(got.Damage, whole.Damage) {
		return fmt.Errorf("got %+v\nwant %+v", got, whole)
	}
	if got.Sealed == 0 {
		if dump(got.State) != dump(whole.State) {
			return fmt.Errorf("got  %s\nwant %s", dump(got.State), dump(whole.State))
		}
		return nil
	}
	if got.Sealed != sealed {
		return fmt.Errorf("%d sealed", got.Sealed)
	}
	// What the caller makes of it: the held requests, the header as it was, and
	// what is new.
	state, want, before := plain(got.State).(object), plain(whole.State).(object), plain(prior.State).(object)
	merged := maps.Clone(before)
	maps.Copy(merged, state)
	merged["requests"] = append(slices.Clone(before["requests"].([]any)[:sealed]), state["requests"].([]any)[sealed:]...)
	if encode(merged) != encode(want) {
		return fmt.Errorf("got  %s\nwant %s", encode(merged), encode(want))
	}
	for i := range sealed {
		if got.State.Get("requests").At(i).Has() {
			return fmt.Errorf("request %d is not null", i)
		}
	}
	return nil
}

// A log that only grew is read on from where it was left.
func TestResumeReadsTheTailOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	long := make([]string, 2000)
	for i := range long {
		long[i] = fmt.Sprint("r", i)
	}
	log := initial(long...)
	put(t, path, log)
	first, err := ReadLog(t.Context(), path, nil, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(first.Cursor), "say") || strings.Contains(string(first.Cursor), "r1") {
		t.Error("text in the cursor")
	}
	same, err := ReadLog(t.Context(), path, first.Cursor, 2000, Options{})
	if err != nil || !same.Same || same.BytesRead != 0 {
		t.Errorf("unchanged: %+v, %v", same, err)
	}
	put(t, path, log+push("new"))
	for _, sealed := range []int{2000, 1999, 0} {
		f, err := ReadLog(t.Context(), path, first.Cursor, sealed, Options{})
		if err != nil || f.State.Get("requests").Len() != 2001 {
			t.Fatalf("%+v, %v", f, err)
		}
		if sealed == 2000 && (f.Sealed != 2000 || f.BytesRead > 100<<10) || sealed < 2000 && f.Sealed != 0 {
			t.Errorf("of %d: %d sealed, %d bytes read of %d", sealed, f.Sealed, f.BytesRead, len(log))
		}
	}
	put(t, path, log+push("new")[:30]) // being written
	torn, err := ReadLog(t.Context(), path, first.Cursor, 2000, Options{})
	if err != nil || !torn.Same || torn.BytesRead > 100<<10 {
		t.Errorf("a torn tail: %+v, %v", torn, err)
	}
	if f, err := ReadLog(t.Context(), path, first.Cursor, 2000, Options{Images: true}); err != nil || f.Same || f.Sealed > 0 {
		t.Errorf("with images now: %+v, %v", f, err)
	}
}

// What makes a log be read whole although the caller holds its requests.
func TestWholeAgain(t *testing.T) {
	log := initial("a") + push("b")
	for name, c := range map[string]struct{ log, ids string }{
		"a settled request": {log + `{"kind":1,"k":["requests",0,"modelState"],"v":{"value":2}}` + "\n", "a b"},
		"cut below":         {log + `{"kind":2,"k":["requests"],"i":1}` + "\n", "a"},
		"initial entry":     {log + initial("x"), "x"},
		"repository":        {log + `{"kind":1,"k":["repoData"],"v":{"localBranch":"x"}}` + "\n", "a b"},
		"title taken away":  {log + `{"kind":3,"k":["customTitle"]}` + "\n", "a b"},
		"unreadable line":   {log + "{\n", "a b"},
		"smaller":           {initial("a"), "a"},
		"other head":        {strings.Replace(log, `"s1"`, `"s2"`, 1) + push("c"), "a b c"},
		"other end":         {strings.Replace(log, "say b", "SAY b", 1) + push("c"), "a b c"},
		"of equal size":     {strings.Replace(log, "say a", "SAY a", 1), "a b"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, "s.jsonl", log)
			first, err := ReadLog(t.Context(), path, nil, 0, Options{})
			if err != nil {
				t.Fatal(err)
			}
			put(t, path, c.log)
			later := time.Now().Add(time.Hour)
			if err := os.Chtimes(path, later, later); err != nil {
				t.Fatal(err)
			}
			f, err := ReadLog(t.Context(), path, first.Cursor, 2, Options{})
			if err != nil || f.Same || f.Sealed != 0 || ids(f.State) != c.ids {
				t.Errorf("%q, %d sealed, %+v, %v", ids(f.State), f.Sealed, f, err)
			}
		})
	}
}

// A clock can be set back by anybody, the time of the last change cannot.
func TestLogOfEqualSizeAndTimeIsReadWhole(t *testing.T) {
	log := initial("a") + push("b")
	path := write(t, "s.jsonl", log)
	first, err := ReadLog(t.Context(), path, nil, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if stamp.Of(info).CTime == 0 {
		t.Skip("this system does not tell the time of the last change")
	}
	put(t, path, strings.Replace(log, "say a", "SAY a", 1))
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	f, err := ReadLog(t.Context(), path, first.Cursor, 2, Options{})
	if err != nil || f.Same || f.Sealed != 0 || !strings.Contains(dump(f.State), "SAY a") {
		t.Errorf("%q, %d sealed, %+v, %v", ids(f.State), f.Sealed, f, err)
	}
}

func TestForgedCursor(t *testing.T) {
	path := write(t, "s.jsonl", initial("a")+push("b"))
	first, err := ReadLog(t.Context(), path, nil, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, initial("a")+push("b")+push("c"))
	for _, at := range []restart{{Requests: 1, Offset: 7}, {Requests: 2, Offset: -4}, {Requests: 1 << 40, Offset: 1}, {Requests: -1, Offset: 3, Line: -8}} {
		var c cursor
		if err := json.Unmarshal(first.Cursor, &c); err != nil {
			t.Fatal(err)
		}
		c.Restarts = []restart{at}
		b, _ := json.Marshal(c)
		f, err := ReadLog(t.Context(), path, b, 2, Options{})
		if err != nil || ids(f.State) != "a b c" {
			t.Errorf("%+v: %q, %v", at, ids(f.State), err)
		}
	}
}
