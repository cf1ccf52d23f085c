package outcome

import (
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/sources"
)

func at(minute int) time.Time { return time.Date(2026, 11, 3, 8, minute, 0, 0, time.UTC) }

func turn(minute int, prompt, answer string) sources.Turn {
	return sources.Turn{At: at(minute), User: prompt, Assistant: answer, Status: sources.Complete}
}

func TestOutcome(t *testing.T) {
	checkpoint := sources.Checkpoint{Number: 3, At: at(30), Overview: "Rotation is complete: ring, file, reload. An issue tracks the rest. A third. A fourth."}
	commit := func(hash, subject string, turn int) sources.Ref {
		return sources.Ref{Type: sources.Commit, Value: hash, Text: subject, Turn: turn}
	}
	tests := map[string]struct {
		s     sources.Session
		files []content.FileUse
		text  string
		from  From
		prose string
	}{
		"a checkpoint": {s: sources.Session{Checkpoints: []sources.Checkpoint{checkpoint}, Turns: []sources.Turn{turn(0, "Rotate", "All of it is in the branch now."), turn(40, "Cost?", "Some.")}},
			text: "Rotation is complete: ring, file, reload.", from: Checkpoint, prose: "Rotation is complete: ring, file, reload. An issue tracks the rest. A third."},
		"work after the checkpoint": {s: sources.Session{Checkpoints: []sources.Checkpoint{checkpoint}, Turns: []sources.Turn{turn(0, "Rotate", "x"), turn(40, "Now commit", "The ring is committed and pushed to the branch.")},
			Refs: []sources.Ref{commit("abc1234", "auth: ring", 1)}},
			text: "`abc1234` auth: ring", from: Commits, prose: "The ring is committed and pushed to the branch."},
		"a checkpoint of the parent": {s: sources.Session{Checkpoints: []sources.Checkpoint{{Number: 1, Overview: "Not ours at all.", Inherited: true}}, Turns: []sources.Turn{turn(0, "Go on", "The indexer now knows every page of the manual.")}},
			text: "The indexer now knows every page of the manual.", from: Answer, prose: "The indexer now knows every page of the manual."},
		"a summary of the agent": {s: sources.Session{Summary: "The claims were explained.", SummaryFrom: sources.TrustNamed, SummaryAt: at(5), Turns: []sources.Turn{turn(0, "Explain", "They are three.")}},
			text: "The claims were explained.", from: Summary, prose: "The claims were explained."},
		"a summary that is too old": {s: sources.Session{Summary: "The claims were explained.", SummaryFrom: sources.TrustDerived, SummaryAt: at(0), Turns: []sources.Turn{turn(0, "Explain", "They are three."), turn(6, "And with an empty file?", "`ErrNoKey`, the ring stays.")}},
			text: "And with an empty file? `ErrNoKey`, the ring stays.", from: Answer, prose: "`ErrNoKey`, the ring stays."},
		"many commits and a pull request": {s: sources.Session{Turns: []sources.Turn{turn(0, "Do it", "- [x] all\n")}, Refs: []sources.Ref{commit("a1", "one", 0), commit("b2", "two", 0), commit("c3", "three", 0), {Type: sources.PR, Value: "44", Text: "v0.4.0"}}},
			text: "`a1` one; `b2` two; +1 more commit; PR 44 v0.4.0", from: Commits},
		"openers, boxes, lead-ins, code and tables are no content": {s: sources.Session{Turns: []sources.Turn{turn(0, "Do it", "Done. Let me sum up.\n\nWhat changed:\n\n```go\nfunc x() {}\n```\n\n| a | b |\n|---|---|\n\n- [x] tests\n\n## The **parser** reads v0.4.0 files, e.g. those of May. More.\n")}},
			text: "The parser reads v0.4.0 files, e.g. those of May.", from: Answer, prose: "The parser reads v0.4.0 files, e.g. those of May. More."},
		"the last message of a turn": {s: sources.Session{Turns: []sources.Turn{{User: "Audit", At: at(0), Status: sources.Complete, Assistant: "No leak, but tokens of tomorrow pass.\n\nTokens of tomorrow are refused now.", Tools: []sources.Tool{{After: 38}}}}},
			text: "Audit: Tokens of tomorrow are refused now.", from: Answer, prose: "Tokens of tomorrow are refused now."},
		"a failed turn says nothing": {s: sources.Session{Turns: []sources.Turn{turn(0, "One", "The first is done as a whole, with its tests."), {User: "Two", Assistant: "Half of the second", Status: sources.Failed}}},
			text: "The first is done as a whole, with its tests.", from: Answer, prose: "The first is done as a whole, with its tests."},
		"Japanese": {s: sources.Session{Turns: []sources.Turn{turn(0, "集計してください", "了解しました。`summary.md` に p50 と p95 をまとめました。標本は小さいです。")}},
			text: "`summary.md` に p50 と p95 をまとめました。", from: Answer, prose: "`summary.md` に p50 と p95 をまとめました。 標本は小さいです。"},
		"German": {s: sources.Session{Turns: []sources.Turn{turn(0, "Bitte", "Alles klar! Ich schaue mir das an. Die Seite ist übersetzt, z.B. das Menü und die Fußzeile.")}},
			text: "Die Seite ist übersetzt, z.B. das Menü und die Fußzeile.", from: Answer, prose: "Die Seite ist übersetzt, z.B. das Menü und die Fußzeile."},
		"files alone": {s: sources.Session{Turns: []sources.Turn{turn(0, "Do it", "Done.")}}, files: []content.FileUse{{Path: "a.go"}, {Path: "b.go"}, {Path: "c.go"}, {Path: "d.go"}},
			text: "changed `a.go`, `b.go`, `c.go`, 1 more file", from: Files},
		"nothing but a question": {s: sources.Session{Turns: []sources.Turn{{User: "\nWhy?\nIndeed"}}}, text: "asked: Why?", from: Prompt},
		"nothing at all":         {text: "", from: Prompt},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Of(&tt.s, tt.files)
			if got.Text != tt.text || got.From != tt.from || got.Prose != tt.prose {
				t.Errorf("got  %q %s, in short %q\nwant %q %s, in short %q", got.Text, got.From, got.Prose, tt.text, tt.from, tt.prose)
			}
		})
	}
}

func TestAsked(t *testing.T) {
	for prompt, want := range map[string]string{
		"Refuse unknown keys\n\nWith their line.": "Refuse unknown keys",
		"Do it, with a todo list.":                "",
		"Now the tests":                           "",
		"Write it.":                               "",
		"Nowhere is that said: say it":            "Nowhere is that said: say it",
		"":                                        "",
	} {
		if got := Asked(turn(0, prompt, "Done.")); got != want {
			t.Errorf("%q gives %q, want %q", prompt, got, want)
		}
	}
}
