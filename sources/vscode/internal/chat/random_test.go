package chat

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// TestRandomAnswers puts parts together in any order: no word is lost or moves,
// calls stand where they may, and no code block is left open.
func TestRandomAnswers(t *testing.T) {
	ticks := "```"
	kinds := []string{
		`"%s é"`, `" %s"`, `"%s\n\n"`, `"\n` + ticks + `\n%s"`, `"\n` + ticks + `go\n"`, `"\n` + ticks + `\n"`, `"%s\n` + ticks + `\n"`, "\"`%s\"", "\"\\n`\"",
		`{"kind": "inlineReference", "name": "%s", "inlineReference": {"path": "/a"}}`,
		`{"kind": "undoStop"}`, `{"kind": "thinking"}`, `{"kind": "sparkle"}`,
		`{"kind": "codeblockUri", "isEdit": true, "uri": {"path": "/a"}}`, `{"kind": "codeblockUri", "uri": {"path": "/b"}}`,
		`{"kind": "textEditGroup", "uri": {"path": "/a"}}`, `{"kind": "externalEdit", "uri": {"path": "/b"}}`,
		`{"kind": "warning", "content": "%s\n~~~\nü"}`, `{"kind": "info", "content": "%s"}`,
		`{"kind": "toolInvocationSerialized", "toolId": "t"}`, `{"kind": "toolInvocationSerialized", "toolId": "u", "presentation": "hidden"}`,
	}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var parts, words []string
		for range r.IntN(12) {
			part := kinds[r.IntN(len(kinds))]
			if strings.Contains(part, "%s") {
				word := fmt.Sprintf("word%d.", len(words))
				part, words = fmt.Sprintf(part, word), append(words, word)
			}
			parts = append(parts, part)
		}
		a := read(t, "["+strings.Join(parts, ",")+"]", `{}`)
		check(t, a)
		rest := a.Text
		for _, w := range words {
			_, after, ok := strings.Cut(rest, w)
			if !ok {
				t.Errorf("%s is lost", w)
			}
			rest = after
		}
		open := fence{}
		for line := range strings.Lines(a.Text) {
			open = open.after([]byte(line))
		}
		if open.size > 0 {
			t.Error("a code block is left open")
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n%q", seed, strings.Join(parts, "\n"), a.Text)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	var parts []string
	for i := range 5000 {
		parts = append(parts, `"some words of an answer "`, `{"kind": "inlineReference", "inlineReference": {"path": "/a.go"}}`)
		if i%50 == 0 {
			parts = append(parts, `{"kind": "toolInvocationSerialized", "toolId": "copilot_readFile", "isComplete": true, "invocationMessage": {"value": "Read [](file:///a/b.go#1-9)"}}`)
		}
	}
	n := parsed[chatlog.Response](b, "["+strings.Join(parts, ",")+"]")
	for b.Loop() {
		answerOf(chatlog.Request{Response: n})
	}
}
