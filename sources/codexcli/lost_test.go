package codexcli_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func prompts(turns []sources.Turn) (all []string) {
	for _, t := range turns {
		all = append(all, t.User+": "+t.Assistant)
	}
	return all
}

// What a reviewer found stands in the turn of the review, whatever ends it.
func TestFindingsOfAReview(t *testing.T) {
	review := []string{begins(""), prompt("one"), answer("A", "final_answer"), event("entered_review_mode", ""),
		event("exited_review_mode", `,"review_output":{"overall_explanation":"FOUND"}`)}
	for name, more := range map[string][]string{
		"the end":      nil,
		"a prompt":     {prompt("two"), answer("B", "final_answer")},
		"another task": {event("task_started", `,"turn_id":"u"`), prompt("two"), event("task_complete", `,"last_agent_message":"B"`)},
	} {
		want := []string{"one: A", ": FOUND"}
		if more != nil {
			want = append(want, "two: B")
		}
		expect.List(t, prompts(sessionOf(t, slices.Concat(review, more)...).Turns), want, name)
	}
}

// A rollback takes a plan and a goal back too, and one of nothing takes nothing.
func TestRollbackOfPlansAndOfNothing(t *testing.T) {
	plan := func(text string) string { return item("Plan", fmt.Sprintf(`,"text":%q`, text)) }
	s := sessionOf(t, begins(""), prompt("one"), plan("Plan A"), answer("A", "final_answer"), prompt("two"), plan("Plan B"), answer("B", "final_answer"), event("thread_rolled_back", `,"num_turns":1`))
	if len(s.Artifacts) != 1 || s.Artifacts[0].Text != "Plan A" {
		t.Errorf("plans %+v", s.Artifacts)
	}
	s = sessionOf(t, begins(""), prompt("one"), answer("A", "commentary"), event("thread_rolled_back", `,"num_turns":0`), answer("B", "final_answer"))
	if got := prompts(s.Turns); !slices.Equal(got, []string{"one: A\n\nB"}) || len(s.TakenBack) > 0 {
		t.Errorf("%q", got)
	}
}

// Of several older rollouts the longest is the session; what another has alone was taken back.
func TestEarlierStatesOfAThread(t *testing.T) {
	dir := t.TempDir()
	typed := func(text string) string { return event("user_message", fmt.Sprintf(`,"message":%q`, text)) }
	said := func(text string) string { return event("agent_message", fmt.Sprintf(`,"message":%q`, text)) }
	write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), lines(0, begins(""), typed("one"), said("A"), typed("only here"), said("B")))
	write(t, pathOf(dir, "rollout-2026-11-22T08-00-00-"+own+".jsonl"), lines(0, begins(""), typed("one"), said("A"), typed("two"), said("a longer answer than that of the other file")))
	s := readOf(t, dir, own).Layers[0].Session
	if got, back := prompts(s.Turns), prompts(s.TakenBack); len(got) != 2 || got[1] != "two: a longer answer than that of the other file" || !slices.Equal(back, []string{"only here: B"}) {
		t.Errorf("turns %q, taken back %q", got, back)
	}
}

// Two writers met in the lists of names and of prompts, or the power failed: what is whole is read.
func TestDamagedLists(t *testing.T) {
	dir := t.TempDir()
	write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), lines(0, begins(""), prompt("one"), answer("A", "final_answer")))
	write(t, filepath.Join(dir, "session_index.jsonl"), []byte(fmt.Sprintf(`{"id":%q,"thread_name":"OLD"}`+"\n"+`{"id":%q,"thread_na{"id":%q,"thread_name":"NEW"}`+"\n", own, own, own)))
	write(t, filepath.Join(dir, "history.jsonl"), []byte("\x00\x00\x00"+fmt.Sprintf(`{"session_id":%q,"ts":1,"text":"typed"}`, parent)+"\n"))
	for _, la := range readOf(t, dir, own).Layers {
		if la.Name == "codex-cli/names" && la.Session.Title != "NEW" {
			t.Errorf("title %q", la.Session.Title)
		}
	}
	r := readKey(t, codexcli.New(codexcli.Config{Homes: []string{dir}, PromptOnly: true}), "/history")
	if len(r.RowsOnly) != 1 || r.RowsOnly[0] != parent {
		t.Errorf("known by prompts alone: %q", r.RowsOnly)
	}
}

// A turn that ended without a word or a call has failed: nothing runs any more.
func TestTurnsThatEnd(t *testing.T) {
	typed := event("user_message", `,"message":"go"`)
	for name, c := range map[string]struct {
		more []string
		want sources.Status
	}{
		"no answer":    {[]string{typed, event("task_complete", `,"last_agent_message":null`)}, sources.Failed},
		"the last one": {[]string{typed, event("task_complete", `,"last_agent_message":"A"`)}, sources.Complete},
		"a command": {[]string{typed, event("exec_command_end", `,"call_id":"c","command":["ls"],"exit_code":0`),
			event("task_complete", `,"last_agent_message":null`)}, sources.Complete},
		"at work":     {[]string{typed}, sources.Pending},
		"interrupted": {[]string{typed, event("turn_aborted", `,"reason":"interrupted"`), event("task_complete", "")}, sources.Cancelled},
		"killed":      {[]string{typed, event("task_started", `,"turn_id":"u"`), typed}, sources.Cancelled},
	} {
		s := sessionOf(t, append([]string{begins(""), event("task_started", `,"turn_id":"t"`)}, c.more...)...)
		expect.Is(t, s.Turns[0].Status, c.want, name)
	}
}

// Of a question with an id the answer stands with its words; where its user typed instead of choosing,
// the words that the program adds do not.
func TestAnswersToQuestions(t *testing.T) {
	for given, want := range map[string]string{
		`["small"]`: "small", `["small","user_note: but red"]`: "small, but red", `["None of the above","user_note: as large as it gets"]`: "as large as it gets", `["None of the above"]`: "None of the above",
	} {
		s := sessionOf(t, begins(""), prompt("go"),
			response("function_call", fmt.Sprintf(`,"call_id":"c","name":"request_user_input","arguments":%q`, `{"questions":[{"id":"size","question":"Which size?"}]}`)),
			response("function_call_output", fmt.Sprintf(`,"call_id":"c","output":%q`, `{"answers":{"size":{"answers":`+given+`}}}`)))
		if len(s.Acts) != 1 || s.Acts[0].Text != "Which size?" || s.Acts[0].Answer != want {
			t.Errorf("%s: %+v", given, s.Acts)
		}
	}
}
