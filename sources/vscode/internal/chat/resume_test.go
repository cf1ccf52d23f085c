package chat

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// writer makes random sessions that grow as VS Code lets them grow.
type writer struct {
	*rand.Rand
	n int
}

// request is a random request; the last one of a session may be unfinished.
func (w *writer) request(finished bool) string {
	w.n++
	text, more := "prompt", ""
	add := func(one int, member string) {
		if w.IntN(one) == 0 {
			more += "," + member
		}
	}
	switch w.IntN(9) {
	case 0:
		text = "@agent Try Again"
	case 1:
		more += `,"isSystemInitiated":true,"systemInitiatedLabel":"label"`
	case 2:
		more += `,"shouldBeRemovedOnSend":{"requestId":"x"}`
	case 3:
		return fmt.Sprintf(`{"timestamp":1,"prompt":"p%d"}`, w.n)
	}
	metadata := fmt.Sprintf(`"sessionId":"00000000-0000-0000-0000-%012d"`, w.IntN(3))
	if w.IntN(4) == 0 {
		metadata += fmt.Sprintf(`,"summaries":[{"text":"summary %d"}]`, w.n)
	}
	if w.IntN(3) == 0 {
		metadata += fmt.Sprintf(`,"cacheKey":"file:///src/w","renderedUserMessage":{"repoContext":"Owner: o\nRepository name: r\nCurrent branch: b%d"}`, w.n)
	}
	add(2, fmt.Sprintf(`"modelId":"copilot/m%d"`, w.IntN(4)))
	add(3, fmt.Sprintf(`"promptTokens":%d`, w.n))
	add(3, fmt.Sprintf(`"editedFileEvents":[{"uri":{"scheme":"file","path":"/src/w/%d.go"},"eventKind":1}]`, w.n))
	add(3, `"variableData":{"variables":[{"kind":"file","value":{"scheme":"file","path":"/src/w/a.go"}}]}`)
	parts := fmt.Sprintf(`{"value":"answer %d"}`, w.n)
	if w.IntN(3) == 0 {
		parts += `,{"kind":"toolInvocationSerialized","toolId":"copilot_readFile","toolCallId":"c","invocationMessage":"x","isComplete":true,"isConfirmed":true}`
	}
	if w.IntN(5) == 0 {
		parts += fmt.Sprintf(`,{"kind":"toolInvocationSerialized","toolId":"manage_todo_list","toolCallId":"t","isComplete":true,"isConfirmed":true,
			"toolSpecificData":{"kind":"todoList","todoList":[{"id":1,"title":"todo %d","status":"in-progress"}]}}`, w.n)
	}
	if w.IntN(7) == 0 {
		parts += fmt.Sprintf(`,{"kind":"planReview","title":"Plan","content":"plan %d"}`, w.n)
	}
	state := `"modelState":{"value":0}`
	if finished {
		state = fmt.Sprintf(`"modelState":{"value":%d,"completedAt":%d}`, 1+w.IntN(3), 1794216000500+w.n*1000)
	}
	return fmt.Sprintf(`{"requestId":"request_%d","timestamp":%d,"message":{"text":%q},"response":[%s],"result":{"metadata":{%s}},%s%s}`,
		w.n, 1794216000000+w.n*1000, text, parts, metadata, state, more)
}

// grow keeps so many leading requests and puts others behind them.
func (w *writer) grow(requests []string, sealed int) []string {
	out := append([]string(nil), requests[:sealed]...)
	for range w.IntN(4) {
		out = append(out, w.request(true))
	}
	if w.IntN(2) == 0 {
		out = append(out, w.request(false))
	}
	return out
}

// tail is the session as a resumed read gives it.
func tail(t *testing.T, requests []string, sealed int, title string) *tree.Node {
	list := make([]string, len(requests))
	for i, r := range requests {
		if list[i] = "null"; i >= sealed {
			list[i] = r
		}
	}
	return parse(t, `{`+title+`"requests":[`+strings.Join(list, ",")+`]}`)
}

// kept is a session as it comes back.
func kept(t *testing.T, s *sources.Session) *sources.Session {
	var out sources.Session
	if err := json.Unmarshal([]byte(asJSON(t, s)), &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

func TestResumedIsWhole(t *testing.T) {
	resumed := 0
	for seed := range uint64(400) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
		header := `"sessionId":"` + testID + `","creationDate":1794216000000,"repoData":{"remoteUrl":"https://github.com/o/r"},`
		requests := w.grow(nil, 0)
		last := Convert(Input{State: parse(t, `{`+header+`"requests":[`+strings.Join(requests, ",")+`]}`)})
		for step := range 5 {
			sealed, title := last.Sealed, ""
			if sealed > 0 && w.IntN(4) == 0 {
				sealed = 1 + w.IntN(sealed)
			}
			if w.IntN(3) == 0 {
				title = fmt.Sprintf(`"customTitle":"title %d",`, step)
				header += title
			}
			requests = w.grow(requests, sealed)
			whole := Convert(Input{State: parse(t, `{`+header+`"requests":[`+strings.Join(requests, ",")+`]}`)})
			if sealed == 0 {
				last = whole
				continue
			}
			got := Convert(Input{State: tail(t, requests, sealed, title), Sealed: sealed, Prior: kept(t, last.Session), Carry: last.Carry})
			if got.Again {
				last = whole
				continue
			}
			resumed++
			if g, want := asJSON(t, got.Session), asJSON(t, whole.Session); g != want {
				t.Fatalf("seed %d, step %d, %d sealed of %d: resumed\n%s\nwhole\n%s", seed, step, sealed, len(requests), g, want)
			}
			equal(t, fmt.Sprintf("seed %d: sealed", seed), got.Sealed, whole.Sealed)
			equal(t, fmt.Sprintf("seed %d: root", seed), got.Hints.EditedRoot, whole.Hints.EditedRoot)
			if b := got.Hints.Context.Branch; b != "" {
				equal(t, fmt.Sprintf("seed %d: branch", seed), b, whole.Hints.Context.Branch)
			}
			last = got
		}
	}
	if resumed < 800 {
		t.Errorf("only %d conversions were resumed", resumed)
	}
}

func TestResumingNeedsNoTexts(t *testing.T) {
	requests := []string{ask(1, "secret", "secret", `"result":{"metadata":{"summaries":[{"text":"secret"}]}}`), ask(2, "secret", "secret", "")}
	first := convert(t, sessionOf(requests...))
	if strings.Contains(string(first.Carry), "secret") {
		t.Errorf("the carry holds text: %s", first.Carry)
	}
	prior := kept(t, first.Session)
	prior.Turns[1].Assistant, prior.Turns[1].User, prior.Summary = "[masked]", "[masked]", "[masked]"
	requests = append(requests, ask(3, "@agent Try Again", "more", ""))
	got := Convert(Input{State: tail(t, requests, 2, ""), Sealed: 2, Prior: prior, Carry: first.Carry}).Session
	if len(got.Turns) != 2 || got.Turns[1].Assistant != "[masked]\n\nmore" || got.Summary != "[masked]" {
		t.Errorf("%+v", got)
	}
	equal(t, "the prior is left alone", prior.Turns[1].Assistant, "[masked]")
}

func TestResumingIsRefused(t *testing.T) {
	todos := `"response":[{"kind":"toolInvocationSerialized","toolId":"manage_todo_list","toolCallId":"t","isComplete":true,"isConfirmed":true,
		"toolSpecificData":{"kind":"todoList","todoList":[{"id":1,"title":"todo","status":"completed"}]}}]`
	with := func(n int, state int) string {
		return fmt.Sprintf(`{"requestId":"request_%d","message":{"text":"a"},%s,"modelState":{"value":%d}}`, n, todos, state)
	}
	replaced := convert(t, sessionOf(with(1, 1), with(2, 0)))
	equal(t, "sealed where an older todo list was replaced", replaced.Sealed, 1)
	joined := convert(t, sessionOf(ask(1, "a", "b", ""), ask(2, "a", "b", ""), `{"requestId":"request_3","message":{"text":"@agent Try Again"},"response":["x"],"modelState":{"value":0}}`))
	equal(t, "sealed before a turn that goes on", joined.Sealed, 1)
	plain := convert(t, sessionOf(ask(1, "a", "b", ""), ask(2, "a", "b", "")))
	equal(t, "sealed", plain.Sealed, 2)

	next := tail(t, []string{"null", "null", ask(3, "a", "b", `"result":{"metadata":{"cacheKey":"file:///src/w"}}`)}, 2, "")
	tests := []struct {
		name string
		in   Input
	}{
		{"no prior", Input{State: next, Sealed: 2, Carry: plain.Carry}},
		{"no carry", Input{State: next, Sealed: 2, Prior: plain.Session}},
		{"another session", Input{State: tail(t, []string{"null", "null"}, 2, ""), Sealed: 2, Prior: plain.Session, Carry: plain.Carry, ID: "other"}},
		{"broken carry", Input{State: next, Sealed: 2, Prior: plain.Session, Carry: []byte(`{"m":[{"n":2,"t":-1}]}`)}},
		{"prior too short", Input{State: next, Sealed: 2, Prior: &sources.Session{}, Carry: plain.Carry}},
		{"state too short", Input{State: parse(t, `{"requests":[]}`), Sealed: 2, Prior: plain.Session, Carry: plain.Carry}},
		{"a hint that is new", Input{State: next, Sealed: 2, Prior: plain.Session, Carry: plain.Carry}},
		{"todos that were replaced and no longer are", Input{State: tail(t, []string{"null", ask(2, "a", "b", "")}, 1, ""), Sealed: 1, Prior: replaced.Session, Carry: replaced.Carry}},
		{"a turn that goes on", Input{State: next, Sealed: 2, Prior: joined.Session, Carry: joined.Carry}},
	}
	for _, tt := range tests {
		if got := Convert(tt.in); !got.Again || got.Session != nil {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

func TestResumingFarBack(t *testing.T) {
	var requests []string
	for n := range 3 * maxMarks {
		requests = append(requests, ask(n, "a", "b", ""))
	}
	whole := convert(t, sessionOf(requests...))
	if len(whole.Carry) > 10_000 {
		t.Errorf("the carry of %d requests has %d bytes", len(requests), len(whole.Carry))
	}
	for sealed, again := range map[int]bool{len(requests): false, len(requests) - maxMarks + 1: false, len(requests) - maxMarks: true} {
		got := Convert(Input{State: tail(t, requests, sealed, ""), Sealed: sealed, Prior: kept(t, whole.Session), Carry: whole.Carry})
		equal(t, fmt.Sprintf("again from %d", sealed), got.Again, again)
		if !again {
			equal(t, fmt.Sprintf("session from %d", sealed), asJSON(t, got.Session), asJSON(t, whole.Session))
		}
	}
}
