package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestReplies has what agents get for a question, for a form, and for a plan.
func TestReplies(t *testing.T) {
	one, form := []Question{{Question: "Which port?"}}, []Question{{ID: "host"}, {ID: "port"}, {ID: "notes"}}
	for _, c := range []struct {
		text  string
		asked []Question
		want  string
	}{
		{"User selected: 8080", one, "8080"},
		{"User responded: two: lines\nof it", one, "two: lines\nof it"},
		{"User response (freeform): none = fine", one, "none = fine"},
		{"8080", one, "8080"},
		{"User responded: The user is not available to respond and will look later.", one, ""},
		{"The user is not available to respond.", form, "||"},
		{"User skipped question", one, "declined"},
		{"User cancelled the request.", form, "declined"},
		{"User responded: host=a, b, port=80, notes=x=1, y", form, "a, b|80|x=1, y"},
		{"User responded: notes=only these", form, "||only these"},
		{"User responded: as you like", form, "as you like||"},
		{"anything", nil, ""},
	} {
		answers, declined := Replies(c.text, c.asked)
		got := strings.Join(answers, "|")
		if declined {
			got = "declined"
		}
		expect.Is(t, got, c.want, c.text)
	}
	for text, want := range map[string]string{
		"The user rejected this tool call. User feedback: not now":                                      "not now",
		"The user rejected this tool call.":                                                             "",
		"Plan not approved. User feedback:\n\nSplit it.\n\nPlease update the plan based on this":        "Split it.",
		"Plan not approved. User feedback:\n\nUser requested changes but did not provide any specifics": "",
	} {
		expect.Is(t, Feedback(text), want, text)
	}
}

// TestManyReplies has a form of so many values that comparing all with each other takes too long.
func TestManyReplies(t *testing.T) {
	const n = 20_000
	asked, text := make([]Question, n), "f2=first"
	for i := range asked {
		asked[i].ID = fmt.Sprint("f", i)
	}
	text += strings.Repeat(", f7=a, b=c, f2=again, f1=", n)
	answers, _ := Replies(text, asked)
	if answers[2] != "first" || answers[7] != "a, b=c" || answers[1] != "" {
		t.Errorf("%q", answers[:8])
	}
}
