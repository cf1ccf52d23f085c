//go:build linux

package faults

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// pieces are what developers' transcripts hold, from the corpus of the rules.
func pieces(t *testing.T, name string) []string {
	t.Helper()
	text := expect.Value(os.ReadFile("../../../extract/redact/testdata/" + name))(t)
	// The marks keep others from taking the file for one full of secrets.
	return strings.Split(strings.ReplaceAll(string(text), "‸", ""), "=== ")[1:]
}

// told has a session say each of the texts, in turns: as a prompt, an answer, a
// command and its output.
func (p *place) told(session int, texts []string) {
	p.log(session, func(w *bufio.Writer) {
		for i, text := range texts {
			i += 1000 * session // events of two sessions are not the same
			say := func(text string) string {
				b := expect.Value(json.Marshal("```text\n" + text + "\n```"))(p.t)
				return string(b)
			}
			event(w, "user.message", 4*i+1, `{"content":%s}`, say(text))
			event(w, "assistant.message", 4*i+2, `{"content":%s}`, say(text))
			event(w, "tool.execution_start", 4*i+3, `{"toolCallId":"c%d","toolName":"bash","arguments":{"command":%s}}`, i, say(text))
			event(w, "tool.execution_complete", 4*i+4, `{"toolCallId":"c%d","success":true,"result":{"content":%s}}`, i, say(text))
		}
	})
}

// A hundred leaks as they happen, and sixty texts that look like some: each secret
// is masked by itself, and nothing else is.
func TestLeaksOfDailyWork(t *testing.T) {
	p := newPlace(t)
	marked := regexp.MustCompile(`(?s)«(.*?)»`)
	var leaks, secrets []string
	for _, piece := range pieces(t, "leaks.txt") {
		for _, m := range marked.FindAllStringSubmatch(piece, -1) {
			secrets = append(secrets, strings.FieldsFunc(m[1], func(r rune) bool { return r == '\n' })...)
		}
		leaks = append(leaks, strings.NewReplacer("«", "", "»", "").Replace(piece))
	}
	harmless := pieces(t, "harmless.txt")
	p.told(1, leaks)
	p.told(2, harmless)
	p.sync(0, "--transcript", "full")
	leaky, plain := "", ""
	for session, name := range p.sessionNotes() {
		switch {
		case strings.HasPrefix(session, "00000001"):
			leaky += p.noteText(name)
		case strings.HasPrefix(session, "00000002"):
			plain += p.noteText(name)
		}
	}
	for _, secret := range secrets {
		if strings.HasPrefix(secret, "-----") {
			continue // the frame of a key
		}
		expect.Lacks(t, leaky, secret, "in a note")
	}
	if n := strings.Count(leaky, "[redacted:"); n < 2*len(leaks) {
		t.Errorf("%d masks stand in the note of %d leaks", n, len(leaks))
	}
	for line := range strings.Lines(plain) {
		if strings.Contains(line, "[redacted:") && !strings.Contains(line, "stands where the token was") {
			t.Errorf("a harmless line: %s", line)
		}
	}
	for _, line := range []string{`token := os.Getenv("GITHUB_TOKEN")`, "token-service-7d9c8b6f5c-x2x4q", "--token-color-1: #ff9e64;"} {
		expect.Has(t, plain, line, "does not stand in the note")
	}
	proved(t, "leaks of daily work, and what looks like one", len(leaks)+len(harmless), 1, "masked, but nothing else")
}
