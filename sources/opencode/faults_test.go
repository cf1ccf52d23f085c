package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// failed is a call that ended with an error.
func failed(tool string, input object, why any) object {
	return calls(tool, "error", input, object{"error": why})
}

// sums of acts, for tests: kind, text, answer, verdict or that they are pending.
func sums(s *sources.Session) string {
	var all []string
	for _, a := range s.Acts {
		line := string(a.Kind) + " " + a.Text
		if a.Answer != "" {
			line += " = " + a.Answer
		}
		if a.Verdict != "" {
			line += ": " + string(a.Verdict)
		}
		if a.Pending {
			line += "?"
		}
		all = append(all, line)
	}
	return strings.Join(all, " | ")
}

// TestWhatAPersonDecided has questions, plans and calls as a person answered, accepted or refused
// them, in both versions.
func TestWhatAPersonDecided(t *testing.T) {
	const rejected = "The user rejected permission to use this specific tool call"
	ask := object{"questions": []any{object{"question": "Which valve?", "options": []any{object{"label": "Left"}}}, object{"question": "When?"}}}
	one := object{"questions": []any{object{"question": "Mend it?"}}}
	plan := func(text string) object {
		return calls("write", "completed", object{"filePath": folder + "/.opencode/plans/1-calm-otter.md", "content": text}, nil)
	}
	ticked := calls("edit", "completed", object{"filePath": folder + "/.opencode/plans/1-calm-otter.md", "oldString": "[ ] seal", "newString": "[x] seal"}, nil)
	shown := calls("plan_exit", "completed", object{}, object{"output": "User approved switching to build agent. Wait for further instructions."})
	for what, c := range map[string]struct {
		calls []object
		acts  string
		says  string // a part of the answer
	}{
		"answers in the metadata": {[]object{calls("question", "completed", ask, object{"metadata": object{"answers": []any{[]any{"Left", "both"}, []any{"soon"}}}})},
			"asked Which valve? = Left, both | asked When? = soon", "- Which valve?\n  - Left, both\n- When?\n  - soon"},
		"answers in the output": {[]object{calls("question", "completed", ask, object{"output": `User has answered your questions: "Which valve?"="Left, both", "When?"="Unanswered". You can now continue with the user's answers in mind.`})},
			"asked Which valve? = Left, both | asked When?", "- When?\n  - *no answer*"},
		"one answer of two":      {[]object{calls("question", "completed", ask, object{"metadata": object{"answers": []any{[]any{"Left"}, []any{}}}})}, "asked Which valve? = Left | asked When?", ""},
		"nothing follows":        {[]object{calls("question", "running", one, nil)}, "asked Mend it??", ""},
		"something follows":      {[]object{calls("question", "running", one, nil)}, "", "never mind"},
		"in the same message":    {[]object{calls("question", "running", one, nil), says("as I said")}, "asked Mend it??", "as I said"},
		"a question dismissed":   {[]object{failed("question", one, "The user dismissed this question")}, "asked Mend it?: rejected", ""},
		"dismissed, by its name": {[]object{failed("question", one, "QuestionRejectedError: The user dismissed this question")}, "asked Mend it?: rejected", ""},
		"a question aborted":     {[]object{failed("question", one, "Tool execution aborted")}, "", ""},
		"refused with words":     {[]object{failed("bash", object{"command": "rm -r tank"}, rejected+" with the following feedback: drain it first")}, "refused rm -r tank = drain it first: rejected", "**Feedback:** drain it first"},
		"words of two lines":     {[]object{failed("edit", object{"filePath": folder + "/a.go"}, rejected+" with the following feedback: no,\nnot there")}, "refused " + "~/src/widget/a.go = no,\nnot there: rejected", ""},
		"an error as an object":  {[]object{failed("bash", object{"command": "x"}, object{"type": "permission", "message": rejected + " with the following feedback: no"})}, "refused x = no: rejected", ""},
		"refused without words":  {[]object{failed("bash", object{"command": "x"}, rejected+".")}, "", ""},
		"refused by a rule":      {[]object{failed("bash", object{"command": "x"}, "The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []")}, "", ""},
		"a plan accepted":        {[]object{plan("# Mend the pump\n\n- [ ] seal\n"), shown}, "planned Mend the pump: accepted | wrote plan.md", "**Decision:** approved"},
		"a plan refused":         {[]object{plan("# Mend the pump\n"), failed("plan_exit", object{}, "The user dismissed this question")}, "planned Mend the pump: rejected | wrote plan.md", "**Decision:** rejected"},
		"refused with a reason":  {[]object{plan("# Mend the pump\n"), failed("plan_exit", object{}, rejected+" with the following feedback: cheaper")}, "planned Mend the pump = cheaper: rejected | wrote plan.md", "cheaper"},
		"a plan that waits":      {[]object{plan("# Mend the pump\n"), calls("plan_exit", "running", object{}, nil)}, "wrote plan.md | planned Mend the pump?", ""},
		"a plan edited":          {[]object{plan("# Mend\n- [ ] seal\n"), ticked, plan("# Mend\n- [x] seal\n- [ ] test\n")}, "wrote plan.md", ""},
		"a list":                 {[]object{calls("todowrite", "completed", object{"todos": []any{object{"content": "one", "status": "pending"}}}, nil)}, "listed ", ""},
	} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			const at = int64(begin)
			h.session("ses_1", at, nil)
			h.asked("ses_1", "m1", at, "go")
			h.answered("ses_1", "m2", "m1", at+1, c.calls...)
			h.sessionV2("ses_2", at, nil)
			h.v2("ses_2", "user", 1, at, object{"text": "go"})
			var content []any
			for _, one := range c.calls {
				if one["tool"] != nil {
					one = with(object{"name": one["tool"]}, one)
					delete(one, "tool")
				}
				content = append(content, one)
			}
			h.v2("ses_2", "assistant", 2, at+1, object{"content": content})
			if what == "something follows" {
				h.answered("ses_1", "m3", "m1", at+2, says("never mind"))
				h.v2("ses_2", "assistant", 3, at+2, object{"content": []any{says("never mind")}})
			}
		})
		for _, id := range []string{"ses_1", "ses_2"} {
			s := sessionOf(t, dir, id)
			if got := sums(s); got != c.acts || !strings.Contains(s.Turns[0].Assistant, c.says) {
				t.Errorf("%s in %s: %q, want %q; %q", what, id, got, c.acts, s.Turns[0].Assistant)
			}
			if n := len(s.Artifacts); n > 1 || strings.Contains(c.acts, "plan.md") != (n == 1) {
				t.Errorf("%s in %s: %+v", what, id, s.Artifacts)
			}
			if what == "a plan edited" && s.Artifacts[0].Text != "# Mend\n- [x] seal\n- [ ] test\n" {
				t.Errorf("%q", s.Artifacts[0].Text)
			}
		}
	}
}

// TestAPlanOverSeveralTurns keeps the plan as each turn left it, the newest under its own name.
func TestAPlanOverSeveralTurns(t *testing.T) {
	const s, at, file = "ses_1", int64(begin), "/home/dev/.local/share/opencode/plans/1-calm-otter.md"
	dir := t.TempDir()
	edit(t, dir, func(h *home) {
		h.session(s, at, nil)
		h.asked(s, "m1", at, "plan")
		h.answered(s, "m2", "m1", at+1, calls("write", "completed", object{"filePath": file, "content": "# A\n- [ ] x\n"}, nil), calls("plan_exit", "completed", object{}, nil))
		h.asked(s, "m3", at+2, "do it")
		h.answered(s, "m4", "m3", at+3, calls("edit", "completed", object{"filePath": file, "oldString": "- [ ] x", "newString": "- [x] x"}, nil))
		h.asked(s, "m5", at+4, "thanks")
		h.answered(s, "m6", "m5", at+5, says("welcome"))
	})
	got := sessionOf(t, dir, s)
	var all []string
	for _, a := range got.Artifacts {
		all = append(all, fmt.Sprintf("%s %q", a.Name, a.Text))
	}
	expect.Is(t, strings.Join(all, ", "), `plan.md "# A\n- [x] x\n", plan (1).md "# A\n- [ ] x\n"`)
	for i, want := range []int{0, 0, 1} { // planned, written, written
		if len(got.Acts) != 3 || got.Acts[i].Turn != want {
			t.Errorf("%+v", got.Acts)
		}
	}
}

// TestAttachments has parts of prompts that are no text; what is not known is there by its name.
func TestAttachments(t *testing.T) {
	for what, c := range map[string]struct {
		part object
		want string
	}{
		"a document alone":         {object{"type": "file", "mime": "application/pdf", "filename": "pump.pdf", "url": "data:application/pdf;base64,AAAA"}, "file pump.pdf"},
		"a picture without a name": {object{"type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"}, "image image"},
		"a kind with a name":       {object{"type": "voice", "name": "note.ogg", "url": "data:audio/ogg;base64,AAAA"}, "voice note.ogg"},
		"a kind with a file name":  {object{"type": "drawing", "filename": "pump.svg"}, "drawing pump.svg"},
		"a kind with an address":   {object{"type": "sheet", "url": "file:///x/pump%20list.csv"}, "sheet /x/pump list.csv"},
		"a kind without a name":    {object{"type": "hologram", "data": "AAAA"}, "hologram hologram"},
	} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			h.session("ses_1", begin, nil)
			h.message("ses_1", "m1", begin, user(begin), c.part)
			h.answered("ses_1", "m2", "m1", begin+1, says("seen"), with(object{"id": "x"}, object{"type": "gesture", "name": "of the agent"}))
		})
		s := sessionOf(t, dir, "ses_1")
		var got []string
		for _, a := range s.Turns[0].Attachments {
			got = append(got, a.Kind+" "+a.Name)
		}
		if text := strings.Join(got, ", "); text != c.want || told(s) != ">seen" {
			t.Errorf("%s: %q, want %q; %q", what, text, c.want, told(s))
		}
	}
}

// TestCommandsThatWereStopped did not succeed, though their calls did.
func TestCommandsThatWereStopped(t *testing.T) {
	for output, want := range map[string]string{
		"x\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 9 ms\n</bash_metadata>":               "false",
		"x\n\n<bash_metadata>\nUser aborted the command\n</bash_metadata>":                                                "false",
		"x\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 9 ms. Retry it.\n</shell_metadata>": "false",
		"x\n\n<bash_metadata>\nbash tool truncated output as it exceeded 30000 char limit\n</bash_metadata>":              "true",
		"git says that bash tool terminated command is a text":                                                            "true",
		"": "true",
	} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			h.session("ses_1", begin, nil)
			h.asked("ses_1", "m1", begin, "a")
			h.answered("ses_1", "m2", "m1", begin+1, calls("bash", "completed", object{"command": "git push"}, object{"output": output, "metadata": object{"exit": nil}}))
		})
		if c := sessionOf(t, dir, "ses_1").Turns[0].Tools[0]; fmt.Sprint(*c.OK) != want || c.Exit != nil {
			t.Errorf("%q: %+v, want %s", output, c, want)
		}
	}
}

// TestIDsThatComeAgain has calls under one id of a provider, in one message, in two of a turn, and
// a sub-agent that works on: each call counts, and the sub-agent is told once for each call at most.
func TestIDsThatComeAgain(t *testing.T) {
	const at = int64(begin)
	run := func(command string) object {
		return with(calls("bash", "completed", object{"command": command}, nil), object{"id": "call_0", "name": "bash"})
	}
	dir := t.TempDir()
	edit(t, dir, func(h *home) {
		h.session("ses_1", at, nil)
		h.asked("ses_1", "m1", at, "a")
		h.answered("ses_1", "m2", "m1", at+1, run("one"), run("two"))
		h.answered("ses_1", "m3", "m1", at+2, run("three"))
		h.sessionV2("ses_2", at, nil)
		h.v2("ses_2", "user", 1, at, object{"text": "a"})
		h.v2("ses_2", "assistant", 2, at+1, object{"content": []any{run("one"), run("two")}})
		h.v2("ses_2", "assistant", 3, at+2, object{"content": []any{run("three")}})
	})
	for _, id := range []string{"ses_1", "ses_2"} {
		var got []string
		for _, c := range sessionOf(t, dir, id).Turns[0].Tools {
			got = append(got, c.Command)
		}
		expect.Is(t, strings.Join(got, " "), "one two three", id)
	}
}

// TestSessionsOfNobody are those by which opencode names sessions or sums them up.
func TestSessionsOfNobody(t *testing.T) {
	for agent, want := range map[string]sources.Class{"title": sources.Automatic, "summary": sources.Automatic, "build": "", "titles": ""} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			h.session("ses_1", begin, nil)
			h.message("ses_1", "m1", begin, with(user(begin), object{"agent": agent}), says("Generate a title for this conversation:"))
			h.message("ses_1", "m2", begin+1, with(assistant("m1", begin+1), object{"agent": agent, "mode": agent}), says("Pump that drips"))
		})
		if s := sessionOf(t, dir, "ses_1"); s.Class != want {
			t.Errorf("%s: %q", agent, s.Class)
		}
	}
}
