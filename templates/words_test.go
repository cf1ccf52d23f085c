package templates

import (
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/templates/escape"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/inert"
)

func TestSpansReadAsAPersonSaysThem(t *testing.T) {
	newYear := time.Date(2027, time.January, 1, 0, 20, 0, 0, time.UTC)
	for want, list := range map[string][]Span{
		"":                            nil,
		"Tue 3 Nov 2026, 08:30":       {{Start: at(3, 8, 30)}},
		"Tue 3 Nov 2026, 08:30–09:28": {{at(3, 8, 30), at(3, 9, 28)}},
		"Tue 3 Nov 2026, 08:30, and 14:00–15:10":            {{at(3, 8, 30), at(3, 8, 30)}, {at(3, 14, 0), at(3, 15, 10)}},
		"Tue 3 Nov 2026, 08:30–09:28, and Wed 4 Nov, 08:03": {{at(3, 8, 30), at(3, 9, 28)}, {at(4, 8, 3), at(4, 8, 3)}},
		"Mon 30 Nov 2026, 23:50 – Fri 1 Jan 2027, 00:20":    {{at(30, 23, 50), newYear}},
		"Sun 1 Nov 2026, 09:00, Mon 2 Nov, 09:00, 2 more times, and Thu 5 Nov, 09:00": {
			{Start: at(1, 9, 0)}, {Start: at(2, 9, 0)}, {Start: at(3, 9, 0)}, {Start: at(4, 9, 0)}, {Start: at(5, 9, 0)},
		},
	} {
		expect.Is(t, spans(list), want)
	}
}

func TestNumbersAndCounts(t *testing.T) {
	for want, got := range map[string]string{
		"1 prompt": count(1, "prompt", "prompts"), "2,400 prompts": count(2400, "prompt", "prompts"), "": count(0, "prompt", "prompts"),
		"1,234,567":     number(1234567),
		"on 3 Nov 2026": since(at(3, 1, 0), at(3, 5, 0)), "from 2 Nov 2026 to 3 Nov 2026": since(at(2, 0, 0), at(3, 0, 0)),
	} {
		expect.Is(t, got, want)
	}
}

func TestDigestEndsAtABoundaryAndClosesItsFence(t *testing.T) {
	long := strings.Repeat("A sentence. ", 10) + "\n\n```go\n" + strings.Repeat("x := 1\n", 300) + "```\n\nThe end."
	got := escape.Block(string(answer(Turn{Answer: Text(long), Digest: true})))
	if !strings.HasSuffix(got, "x := 1\n```\n\n… (1,042 characters more)") {
		t.Errorf("ends with %q", got[len(got)-80:])
	}
	if found := inert.Find(got); found != nil {
		t.Error(found)
	}
	expect.Is(t, answer(Turn{Answer: Text(long)}), Text(long), "a full answer was shortened")
	if got := answer(Turn{Answer: Text(strings.Repeat("x", 1400)), Digest: true}); len(got) != 1400 {
		t.Error("an answer a little too long was shortened")
	}
}

func TestPromptIsShownOnceAndWhole(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for prompt, want := range map[string][2]string{
		"one line":                        {"one line", ""},
		"first\n\nsecond\nthird":          {"first", "second\nthird"},
		"```go\nfunc main() {\n```\nwhy?": {"func main() {", "```go\nfunc main() {\n```\nwhy?"},
		long:                              {escape.Cut(strings.TrimSpace(long), titleBytes), strings.TrimSpace(long)},
	} {
		if title, rest := splitPrompt(prompt); title != want[0] || rest != want[1] {
			t.Errorf("%q: got %q, %q", prompt, title, rest)
		}
	}
}
