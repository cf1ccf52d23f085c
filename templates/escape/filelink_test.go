package escape

import (
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A link to a file leads nowhere from a note, but says which file is meant.
func TestLinksToFilesAreWrittenOut(t *testing.T) {
	for in, want := range map[string]string{
		"See [store_test.go](internal/store/store_test.go).":        "See `store_test.go`.",
		"See [](file:///home/dev/src/w/a%20b.go#L10-L12) there":     "See `a b.go:10-12` there",
		"Written: [guides/rotation.md](content/guides/rotation.md)": "Written: guides/rotation.md (`content/guides/rotation.md`)",
		"[`Ring`](file:///c%3A/w/ring.go#3) holds":                  "`Ring` (`ring.go:3`) holds",
		"[the *new* one](vscode-remote://ssh-remote%2Bh/srv/x.go)":  "the *new* one (`x.go`)",
		"a [x %% y](y.md)":                "a x %\\% y (`y.md`)",
		"[2026. Plan](plan.md)":           "2026\\. Plan (`plan.md`)",
		"[.github folder](.github/)":      ".github folder (`.github/`)",
		"[x](#heading)":                   `\[x]\(\#heading)`,
		"[x](javascript:void)":            `\[x]\(javascript:void)`,
		"[web](https://example.com/a.md)": "[web](https://example.com/a.md)",
		"`[Code](a.md)`":                  "`[Code](a.md)`",
		"[<b>](a.md)":                     "",
	} {
		got := Inline(in)
		if want != "" && got != want {
			t.Errorf("inline(%q)\n got %q\nwant %q", in, got, want)
		}
		expect.Is(t, Inline(got), got, "not idempotent", "then")
	}
}

// The words of a label must not become what the line before them, or its start,
// makes of them; nor may the code that names the file pair with ticks beside it.
func TestLabelsOfLinksToFilesDoNotAct(t *testing.T) {
	for in, want := range map[string]string{
		"#[a](b.md)":                              `#[a]\(b.md)`,
		"<[!-- x](a.md) hidden -->":               `<[!-- x]\(a.md) hidden -->`,
		"[~~~dataviewjs](a.md)":                   `\[~~~dataviewjs]\(a.md)`,
		"~[~~dataviewjs](a.md)":                   `~[~~dataviewjs]\(a.md)`,
		"[- x](a.md)":                             `\[- x]\(a.md)`,
		"[*](a.md)":                               `\[*]\(a.md)`,
		"1[. x](a.md)":                            `1[. x]\(a.md)`,
		"obsidian:[//open?vault=x](a.md)":         `obsidian:[//open?vault=x]\(a.md)`,
		"`` <script>x</script> ``[](a.md)":        "`` <script>x</script> ``[]\\(a.md)",
		"[](a.md)`` <script>x</script> ``":        "\\[]\\(a.md)`` <script>x</script> ``",
		"[](=%20%23)tag":                          `\[]\(=%20%23)tag`,
		"[x](%0A)":                                "x (`%0A`)",
		"[x](%EE%80%80jwt~0123456789ab%EE%80%81)": "x (`%EE%80%80jwt~0123456789ab%EE%80%81`)",
		"[x](a/ghp%5F0123)":                       "x (`a/ghp%5F0123`)",
		"[x](caf%C3%A9%20%5B1%5D.md)":             "x (`café [1].md`)",
	} {
		got := Inline(in)
		expect.Is(t, got, want, "inline", in)
		expect.Is(t, Inline(got), got, "not idempotent", "then")
	}
}
