package claudecode

import (
	"reflect"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func TestSectionsOfACompaction(t *testing.T) {
	const lead = "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n"
	const tail = "\n\nIf you need specific details from before compaction (like exact code snippets), read the full transcript at: /x\nContinue the conversation from where it left off without asking.\n\nThe messages after this summary are kept verbatim."
	for name, c := range map[string]struct {
		text string
		want sources.Checkpoint
	}{
		"sections": {lead + "<system-reminder>\nx\n</system-reminder>\nSummary:\n1. Primary Request and Intent:\n   Shard it, `a < b`.\n\n2. Pending Tasks:\n   - one\n     - deeper\n\n3. Optional Next Step:\n   Commit.\n\n4. Oddities:\n   none" + tail,
			sources.Checkpoint{Overview: "Shard it, `a < b`.", NextSteps: "- one\n  - deeper\n\nCommit.", Technical: "**Oddities**\n\nnone"}},
		"an analysis before": {lead + "Analysis:\nThe user asked.\n\nSummary:\n1. Current Work:\n   x", sources.Checkpoint{WorkDone: "x"}},
		"no sections":        {"Some words.\n\nMore.", sources.Checkpoint{Raw: "Some words.\n\nMore."}},
		"words in front":     {"Well:\n1. Current Work:\n   x", sources.Checkpoint{Raw: "Well:\n1. Current Work:\n   x"}},
		"nothing":            {lead, sources.Checkpoint{}},
	} {
		if got := checkpoint(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, c.want)
		}
	}
}

func TestUnpastedKeepsTheRest(t *testing.T) {
	for _, text := range []string{"", "plain", "<pasted_content id=\"\">", "<pasted_content id=\"a\"></pasted_content id=\"b\">"} {
		if got := unpasted(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A beginning alone proves nothing where persons write so too, and what says who typed a line
// counts before its looks.
func TestWhatAPersonTyped(t *testing.T) {
	var line, typed, system, team record
	typed.PromptSource, system.PromptSource, team.TeamName = "typed", "system", "crew"
	member := typed
	member.Origin.Kind, member.TeamName = "human", "crew"
	for text, want := range map[string][5]textKind{ // of a plain line, a typed one, the program's, a team's, one of a person in a team
		"plain": {typedPrompt, typedPrompt, programPrompt, programPrompt, typedPrompt},
		"<goal>Build it</goal>\n<rules>none</rules>":                   {typedPrompt, typedPrompt, programPrompt, programPrompt, typedPrompt},
		"<goal>Build it</goal>":                                        {programPrompt, typedPrompt, programPrompt, programPrompt, typedPrompt},
		"<tick> of a clock":                                            {typedPrompt, typedPrompt, programPrompt, programPrompt, typedPrompt},
		"<tick>12:00</tick>":                                           {programPrompt, typedPrompt, programPrompt, programPrompt, typedPrompt},
		"Unknown command: foo":                                         {failedProbe, typedPrompt, programPrompt, programPrompt, typedPrompt},
		"Unknown command: foo, why do I see this?":                     {typedPrompt, typedPrompt, programPrompt, programPrompt, typedPrompt},
		"<command-name>/x</command-name>":                              {slashCommand, slashCommand, programPrompt, programPrompt, slashCommand},
		"<task-notification>\nx\n</task-notification>\nRead the file.": {programPrompt, typedPrompt, programPrompt, programPrompt, typedPrompt},
	} {
		for i, r := range []*record{&line, &typed, &system, &team, &member} {
			if got := kindIn(r, text); got != want[i] {
				t.Errorf("%q in line %d is %d, want %d", text, i, got, want[i])
			}
		}
	}
}

func TestUnpasted(t *testing.T) {
	for text, want := range map[string]string{
		"see\n<pasted_content id=\"a\">\none\n</pasted_content id=\"a\"> and":                                      "see\n\none and",
		"<pasted_content id=\"a\">x</pasted_content id=\"a\"><pasted_content id=\"b\">y</pasted_content id=\"b\">": "x\n\ny",
		"<pasted_content id=\"a\"><pasted_content id=\"b\">y</pasted_content id=\"b\">":                            "<pasted_content id=\"a\"><pasted_content id=\"b\">y</pasted_content id=\"b\">",
		"<pasted_content id=\"a\"><pasted_content id=\"b\">y</pasted_content id=\"b\"></pasted_content id=\"a\">":  "<pasted_content id=\"b\">y</pasted_content id=\"b\">",
	} {
		if got := unpasted(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
