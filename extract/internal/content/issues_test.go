package content

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func TestIssuesThatPromptsName(t *testing.T) {
	for prompt, want := range map[string]string{
		"Fix issue 42.":                                        "issue 42",
		"fix the Issue #7 first":                               "issue 7",
		"PR 43 and PR #44 are next":                            "pr 43, pr 44",
		"See pull request #5":                                  "pr 5",
		"Look at octo-org/widget#42 (a leak)":                  "issue octo-org/widget#42",
		"Merge PR octo-org/widget#43":                          "pr octo-org/widget#43",
		"https://github.com/octo-org/w.js/issues/42":           "issue github.com/octo-org/w.js#42",
		"<https://gitlab.com/a/b/c/-/merge_requests/9#note_1>": "pr gitlab.com/a/b/c#9",
		"a line about the key (widget issue 42)":               "issue widget#42",
		"schließe Issue 42":                                    "issue 42",
		"issue 42":                                             "issue 42",
		"Issue 12: the parser":                                 "issue 12",

		"#42":                         "",
		"# Issues\n## 42":             "",
		"color: #424242; issue #42ff": "",
		"Issue 2 of your list":        "",
		"issue 50 concurrent calls":   "",
		"issue 42.5":                  "",
		"src/main.go#42":              "",
		"https://x.org/docs/page#42":  "",
		"tissue 42, PRs, PR":          "",
		"see PR 7":                    "",
		"octo-org/widget#0":           "",
	} {
		s := &sources.Session{Turns: []sources.Turn{{User: prompt}}}
		var got []string
		for _, n := range Issues(s) {
			got = append(got, n.Type+" "+n.Value)
		}
		if all := strings.Join(got, ", "); all != want {
			t.Errorf("%q names %q, want %q", prompt, all, want)
		}
	}
}

func TestIssuesAreNamedInTheirSentence(t *testing.T) {
	s := &sources.Session{Turns: []sources.Turn{
		{User: "Issue 11 was said before.", Inherited: true},
		{User: "Thanks. Now fix issue 42, please. Then issue 42 again.\nAnd go on."},
	}}
	got := Issues(s)
	if len(got) != 1 || got[0].Turn != 1 || got[0].Text != "Now fix issue 42, please." {
		t.Errorf("got %+v", got)
	}
}
