package templates

import "testing"

// A link to a file leads nowhere from a note, but says which file is meant.
func TestLinksToFilesAreWrittenOut(t *testing.T) {
	for in, want := range map[string]string{
		"See [store_test.go](internal/store/store_test.go).":        "See `store_test.go`.",
		"See [](file:///home/dev/src/w/a%20b.go#L10-L12) there":     "See `a b.go:10-12` there",
		"Written: [guides/rotation.md](content/guides/rotation.md)": "Written: guides/rotation.md (`content/guides/rotation.md`)",
		"[`Ring`](file:///c%3A/w/ring.go#3) holds":                  "`Ring` (`ring.go:3`) holds",
		"[the *new* one](vscode-remote://ssh-remote%2Bh/srv/x.go)":  "the *new* one (`x.go`)",
		"a %[% x](y.md)":                  "a %\\% x (`y.md`)",
		"[x](#heading)":                   `\[x]\(\#heading)`,
		"[x](javascript:void)":            `\[x]\(javascript:void)`,
		"[web](https://example.com/a.md)": "[web](https://example.com/a.md)",
		"`[code](a.md)`":                  "`[code](a.md)`",
		"[<b>](a.md)":                     "",
	} {
		got := inline(in)
		if want != "" && got != want {
			t.Errorf("inline(%q)\n got %q\nwant %q", in, got, want)
		}
		if again := inline(got); again != got {
			t.Errorf("not idempotent: %q, then %q", got, again)
		}
	}
}
