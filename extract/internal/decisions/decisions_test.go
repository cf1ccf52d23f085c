package decisions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

var at = time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC)

func rows(found []Decision) string {
	var out []string
	for _, d := range found {
		out = append(out, d.Kind+" | "+d.Text)
	}
	return strings.Join(out, "\n")
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ prompt, answer, want string }{
		{"", "**Decision**: keys live in a file.", "decision | Decision: keys live in a file."},
		{"", "**Decision:** keys live in a file", "decision | Decision: keys live in a file"},
		{"", "Decided: keys live in a file. More of it. Never log one of them.", "decision | Decided: keys live in a file.\nrule | Never log one of them."},
		{"", "- **Root cause**: the clock. It stood still.\n- Fix: a clock of its own.", "cause | Root cause: the clock. It stood still.\nfix | Fix: a clock of its own."},
		{"", "- Always run `gofmt`. It is quick.\n- **Never** sleep in a test.", "rule | Always run `gofmt`. It is quick.\nrule | Never sleep in a test."},
		{"", "Gotcha: maps are not ordered.\n\nTrade-off: memory for speed, twice.\n\nLesson learned: measure before that.\n\nDead end: `fsnotify` loses the file.",
			"gotcha | Gotcha: maps are not ordered.\ntrade-off | Trade-off: memory for speed, twice.\nlesson | Lesson learned: measure before that.\ndead end | Dead end: `fsnotify` loses the file."},
		{"", "It sleeps on purpose. Order matters here: keys come first.", "on purpose | It sleeps on purpose.\norder | Order matters here: keys come first."},
		{"How? Why is kid a claim?", "Because the verifier never reads the header.", "why | Why is kid a claim? Because the verifier never reads the header."},
		{"Why is kid a claim", "Because the verifier never reads the header.", "why | Why is kid a claim: Because the verifier never reads the header."},
		{"Tell me.", "It is a claim. Because the header is never read.", "why | It is a claim. Because the header is never read."},
		{"", "Because the header is never read.", "why | Because the header is never read."},
		{"", "## Decisions\n\n- keys in a file\n- no Redis\n\n## Next\n\n- write it", "decision | keys in a file\ndecision | no Redis"},
		{"", "**Key decisions:**\n- keys in a file\n- no Redis\n\nThat is all of it.", "decision | keys in a file\ndecision | no Redis"},
		{"", "### Why not Redis?\n\nIt needs a service.", "why | Why not Redis? It needs a service."},
		{"", "**Why not Redis?** It needs a service of its own.", "why | Why not Redis? It needs a service of its own."},
		{"", "Must be escaped, each for its own reason:\n\n1. links\n2. embeds", ""},
		{"", "**Decision:** Start\n\n**Feedback:** none", ""},
		{"", "Why does it fail?\n\nMustard. Neverland. Whyever not. Causes trouble. Fix it now. Fixed the rest.", ""},
		{"", "```\nDecision: not this one here\n```\n> Never quote me on this.\n\n- [ ] Never forget the box\n- [x] Decision: to be boxed in", ""},
		{"", "~~~\nNever in this code\n", ""},
		{"", "Never mind, it works.", ""},
		{"", "Entscheidung: Schlüssel liegen in einer Datei.\n\nNiemals einen Schlüssel protokollieren.\n\nUrsache: die Uhr stand still.\n\nSo ist es absichtlich.\n\nImmerhin läuft der Rest davon.",
			"decision | Entscheidung: Schlüssel liegen in einer Datei.\nrule | Niemals einen Schlüssel protokollieren.\ncause | Ursache: die Uhr stand still.\non purpose | So ist es absichtlich."},
		{"", "**Decisión**: las claves van en un archivo.\n\nNunca registrar una clave.\n\nCausa raíz: el reloj estaba parado.\n\nEs así a propósito.",
			"decision | Decisión: las claves van en un archivo.\nrule | Nunca registrar una clave.\ncause | Causa raíz: el reloj estaba parado.\non purpose | Es así a propósito."},
		{"Pourquoi un fichier ?", "Parce que le service est trop lourd.", "why | Pourquoi un fichier ? Parce que le service est trop lourd."},
		{"", "Décision : les clés sont dans un fichier.\n\nNe jamais journaliser une clé.\n\nIl faut charger les clés avant.\n\nPiège : les cartes ne sont pas triées.",
			"decision | Décision : les clés sont dans un fichier.\nrule | Ne jamais journaliser une clé.\ngotcha | Piège : les cartes ne sont pas triées."},
		{"", "決定：鍵はファイルに置く。\n\n必ず先に鍵を読み込む。\n\n**原因**: 時計が止まっていた。\n\nわざと固定しています。", "decision | 決定：鍵はファイルに置く。\nrule | 必ず先に鍵を読み込む。\ncause | 原因: 時計が止まっていた。\non purpose | わざと固定しています。"},
		{"", "决定：密钥放在文件里。\n\n绝不记录密钥内容。\n\n根本原因：时钟停了一会儿。\n\n这里故意不排序。", "decision | 决定：密钥放在文件里。\nrule | 绝不记录密钥内容。\ncause | 根本原因：时钟停了一会儿。\non purpose | 这里故意不排序。"},
		{"", "Decision: " + strings.Repeat("word ", 80), "decision | Decision: " + strings.TrimSpace(strings.Repeat("word ", 57)) + "…"},
	} {
		s := &sources.Session{Turns: []sources.Turn{{At: at, User: c.prompt, Assistant: c.answer}}}
		if got := rows(Of(s)); got != c.want {
			t.Errorf("%q, %q:\n%s\nwant\n%s", c.prompt, c.answer, got, c.want)
		}
		if found := said(c.answer, c.prompt); len(found) > 0 && len(Of(s)[0].Text) > maxText {
			t.Errorf("%q is too long", c.answer)
		}
	}
}

func TestPrompts(t *testing.T) {
	for prompt, want := range map[string]string{
		"Agreed, key file. Start with the ring. Then test.":  "Agreed, key file. Start with the ring.",
		"No Redis. Keep it in memory.":                       "No Redis. Keep it in memory.",
		"Use the standard library, and nothing else at all.": "Use the standard library, and nothing else at all.",
		"Take option 1 and write the indexer.":               "Take option 1 and write the indexer.",
		"No":                                                 "",
		"No thanks.":                                         "",
		"No idea why it does that.":                          "",
		"Use which port?":                                    "",
		"Use these values:\na, b":                            "",
		"Useful things to know first":                        "",
		"Now use it.":                                        "",
		"Nimm die Datei, kein Redis.":                        "Nimm die Datei, kein Redis.",
		"De acuerdo, un archivo basta.":                      "De acuerdo, un archivo basta.",
		"D'accord, un fichier suffit.":                       "D'accord, un fichier suffit.",
		"標準ライブラリだけを使ってください。":                                 "標準ライブラリだけを使ってください。",
		"不要用 Redis，放在内存里。":                                   "不要用 Redis，放在内存里。",
	} {
		want = strings.TrimPrefix("asked | "+want, "asked | ")
		if got := strings.TrimPrefix(rows(Of(&sources.Session{Turns: []sources.Turn{{User: prompt}}})), "asked | "); got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

// Each place of a session is looked at, what is said again is told once, and nothing of a
// parent or of a call.
func TestPlaces(t *testing.T) {
	answer := "Decision: of a first message, not the last.\n\nDecision: told in the answer, last."
	s := sources.Session{
		Checkpoints: []sources.Checkpoint{
			{Number: 1, At: at.Add(time.Hour), Overview: "Decision: made in the overview.", WorkDone: "- Decision: made in the work.", Technical: "- Decision: made in the details.", NextSteps: "- Must not be told here.", History: "1. Decided to leave this out"},
			{Number: 2, At: at.Add(2 * time.Hour), Technical: "- Decision: made in the details.", Inherited: false},
			{Number: 3, Technical: "- Decision: of the parent alone.", Inherited: true},
		},
		Artifacts: []sources.Artifact{{Kind: sources.Plan, At: at, Text: "# Plan\n\nNever without a plan."}, {Kind: sources.Memory, At: at, Text: "# Notes\n\n- compare with errors.Is\n- short one"},
			{Kind: sources.Research, At: at, Text: "Decision: of research, left out."}},
		Turns: []sources.Turn{{User: "Decide", At: at.Add(3 * time.Hour), Assistant: answer, Tools: []sources.Tool{{After: 40, Detail: "Decision: of a call"}}},
			{User: "Use nothing of the parent.", Inherited: true}, {User: "Go on", Status: sources.Cancelled, Assistant: "Decision: of a cancelled turn."}},
	}
	var got []string
	for _, d := range Of(&s) {
		got = append(got, fmt.Sprintf("%d %d %s", d.Turn, d.Checkpoint, d.Text))
	}
	want := []string{"-1 0 Never without a plan.", "-1 0 compare with errors.Is", "-1 0 short one", "-1 1 Decision: made in the overview.", "-1 1 Decision: made in the work.", "-1 1 Decision: made in the details.",
		"0 0 Decision: told in the answer, last."}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	s.IsMemory = true
	if text := rows(Of(&s)); strings.Contains(text, "errors.Is") {
		t.Errorf("the memory of a repository stands in place: %s", text)
	}
}

// FuzzDecisions holds that any text gives lines that are short and one.
func FuzzDecisions(f *testing.F) {
	for _, seed := range []string{"**Decision**: a b c", "## Why?\n- x\n", "Because\xff", "```\n", "Never: é\n\n> x", "なぜ：", "- [ ] a\n1. **b**", "🔥 Always x"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, prompt, answer string) {
		for _, d := range Of(&sources.Session{Turns: []sources.Turn{{User: prompt, Assistant: answer}}, Artifacts: []sources.Artifact{{Kind: sources.Memory, Text: answer}}}) {
			if len(d.Text) > maxText || strings.ContainsAny(d.Text, "\n\r\t") || d.Kind == "" {
				t.Errorf("%+v of %q", d, answer)
			}
		}
	})
}

func TestReplaces(t *testing.T) {
	tests := []struct {
		later, older string
		want         bool
	}{
		{"Use a token bucket in memory instead of the fixed window counter.", "Decision: count requests in a fixed window.", false},
		{"Use a token bucket instead of the fixed window.", "Decision: count requests in a fixed window.", true},
		{"No Redis. Use a token bucket in memory instead of the window, and forget idle clients.", "No Redis, keep it in memory and forget idle clients.", false},
		{"Decision: we no longer store sessions in Redis.", "Decision: store sessions in Redis.", true},
		{"Schlüssel in der Datenbank statt einer Datei mit Schlüsseln.", "Entscheidung: eine Datei mit Schlüsseln, beim Start gelesen.", true},
		{"Always run the linter.", "Never run the linter on generated files.", false},
	}
	for _, tt := range tests {
		if got := Replaces(tt.later, tt.older); got != tt.want {
			t.Errorf("Replaces(%q, %q) = %v", tt.later, tt.older, got)
		}
	}
}
