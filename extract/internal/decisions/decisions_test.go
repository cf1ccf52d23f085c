package decisions

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func TestOf(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for name, c := range map[string]struct {
		acts []sources.Act
		want string
	}{
		"answers": {
			[]sources.Act{
				{Kind: sources.ActAsked, Text: "Which\nport?", Answer: "8080 – not the old one"}, {Kind: sources.ActAsked, Text: "Which user?", Answer: "what do you mean?"}, {Kind: sources.ActAsked, Text: "Which host?"}, {Kind: sources.ActAsked, Text: "Where?", Pending: true},
				{Kind: sources.ActAsked, Text: "Sure?", Answer: "no", Verdict: sources.Rejected}, {Kind: sources.ActAsked, Text: "どのポート？", Answer: "八〇"},
			},
			"answer Which port? → 8080 – not the old one\nanswer どのポート？ → 八〇",
		},
		"plans": {
			[]sources.Act{
				{Kind: sources.ActPlanned, Text: "Two ports", Verdict: sources.Accepted}, {Kind: sources.ActPlanned, Text: "By itself", Verdict: sources.Accepted, Unasked: true},
				{Kind: sources.ActPlanned, Text: "Shown alone"}, {Kind: sources.ActPlanned, Text: "Refused in silence", Verdict: sources.Rejected},
			},
			"plan Two ports",
		},
		"a plan that was changed first": {
			[]sources.Act{
				{Kind: sources.ActPlanned, Text: "Two ports", Verdict: sources.Rejected, Answer: "one port"}, {Kind: sources.ActPlanned, Text: "One port", Verdict: sources.Rejected, Answer: "and TLS"},
				{Kind: sources.ActPlanned, Text: "One port, TLS", Verdict: sources.Accepted},
			},
			"plan One port, TLS; changed first: one port; and TLS",
		},
		"a plan that was refused for good": {
			[]sources.Act{{Kind: sources.ActPlanned, Text: "Two ports", Verdict: sources.Rejected, Answer: "no ports"}, {Kind: sources.ActUndone, Text: "open a port", Turn: 1}},
			"refused Two ports → no ports\nundone open a port",
		},
		"calls": {
			[]sources.Act{{Kind: sources.ActRefused, Text: "rm -rf build", Answer: "keep it"}, {Kind: sources.ActRefused, Text: "ls"},
				{Kind: sources.ActRefused, Text: "mkdir a", Answer: "is it the same as b?"}, {Kind: sources.ActRefused, Text: "cp a b", Answer: "為什麼？"}, {Kind: sources.ActRefused, Text: "mv a b", Answer: "why not c? move nothing"}},
			"refused rm -rf build → keep it\nrefused mv a b → why not c? move nothing",
		},
		"others": {
			[]sources.Act{{Kind: sources.ActListed}, {Kind: sources.ActRemembered, Text: "tests", Answer: "no sleeps"}, {Kind: sources.ActWrote, Text: "plan.md"}, {Kind: sources.ActUndone}, {Kind: sources.ActAsked, Answer: " "}},
			"",
		},
		"said twice": {
			[]sources.Act{{Kind: sources.ActPlanned, Text: "Two ports", Verdict: sources.Accepted}, {Kind: sources.ActPlanned, Text: "Two ports", Verdict: sources.Accepted, Turn: 1}},
			"plan Two ports",
		},
		"a plan that was refused twice": {
			[]sources.Act{{Kind: sources.ActPlanned, Text: "Two ports", Verdict: sources.Rejected, Answer: "why two?"}, {Kind: sources.ActPlanned, Text: "Two ports", Verdict: sources.Rejected, Answer: "one"}},
			"refused Two ports → one; why two?",
		},
		"a plan with an arrow in its title": {
			[]sources.Act{{Kind: sources.ActPlanned, Text: "A → B", Verdict: sources.Rejected, Answer: "by C"}, {Kind: sources.ActPlanned, Text: "A → C → B", Verdict: sources.Accepted}},
			"plan A → C → B; changed first: by C",
		},
		"commands typed for an answer": {
			[]sources.Act{{Kind: sources.ActRefused, Text: "rm -rf build", Answer: "/yolo"}, {Kind: sources.ActPlanned, Text: "Two ports", Verdict: sources.Rejected, Answer: "/clear"},
				{Kind: sources.ActRefused, Text: "cat a", Answer: "/etc/a instead"}, {Kind: sources.ActAsked, Text: "Which folder?", Answer: "/srv"}},
			"refused cat a → /etc/a instead\nanswer Which folder? → /srv",
		},
		"a question that was asked again": {
			[]sources.Act{{Kind: sources.ActAsked, Text: "Which port?", Answer: "what is a port?"}, {Kind: sources.ActAsked, Text: "Which port?", Answer: "80", Turn: 1}},
			"answer Which port? → 80",
		},
		"of the parent": {[]sources.Act{{Kind: sources.ActUndone, Text: "x", Turn: 2}}, ""},
		"long":          {[]sources.Act{{Kind: sources.ActUndone, Text: long}}, "undone " + strings.TrimSpace(long[:160]) + "…"},
	} {
		s := sources.Session{Turns: []sources.Turn{{}, {}, {Inherited: true}}, Acts: c.acts}
		var got []string
		for _, d := range Of(&s) {
			got = append(got, string(d.Kind)+" "+d.Text)
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), c.want)
		}
	}
}

func TestRemembered(t *testing.T) {
	s := sources.Session{Acts: []sources.Act{{Kind: sources.ActUndone, Text: "x"}, {Kind: sources.ActRemembered, Text: "tests", Answer: "no\nsleeps", Turn: 3}}}
	if got := Remembered(&s); len(got) != 1 || got[0] != (Memory{"tests", "no sleeps", 3}) {
		t.Errorf("%+v", got)
	}
}
