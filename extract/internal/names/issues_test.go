package names

import "testing"

func TestIssueNamed(t *testing.T) {
	const widget = "github.com/octo-org/widget"
	for _, c := range []struct{ project, typ, value, want, path string }{
		{widget, "issue", "42", "issue:github.com/octo-org/widget:42", "projects/widget (octo-org)/issues/issue 42 (widget).md"},
		{widget, "pr", "#43", "pr:github.com/octo-org/widget:43", "projects/widget (octo-org)/issues/PR 43 (widget).md"},
		{widget, "issue", "Octo-Org/docs-site#7", "issue:github.com/octo-org/docs-site:7", "projects/docs-site (octo-org)/issues/issue 7 (docs-site).md"},
		{"git.example.com/a/b", "issue", "c/d#7", "issue:git.example.com/c/d:7", "projects/d (git.example.com c)/issues/issue 7 (d).md"},
		{widget, "pr", "ghe.example.com:8443/team/x#7", "pr:ghe.example.com/team/x:7", "projects/x (ghe.example.com team)/issues/PR 7 (x).md"},
		{widget, "issue", "https://github.com/octo-org/widget/issues/42#note", "issue:github.com/octo-org/widget:42", "projects/widget (octo-org)/issues/issue 42 (widget).md"},
		{widget, "pr", "https://gitlab.com/a/b/c/-/merge_requests/9", "pr:gitlab.com/a/b/c:9", "projects/c (gitlab.com a b)/issues/PR 9 (c).md"},
		{widget, "issue", "gadget#42", "issue:github.com/octo-org/gadget:42?", "projects/gadget (octo-org)/issues/issue 42 (gadget).md"},
		{widget, "issue", "widget#42", "issue:github.com/octo-org/widget:42", "projects/widget (octo-org)/issues/issue 42 (widget).md"},
		{"folder/latency-3fa2cc11", "issue", "42", "issue:folder/latency-3fa2cc11:42", "projects/latency (3fa2)/issues/issue 42 (latency).md"},
		{"folder/latency-3fa2cc11", "issue", "gadget#42", "", ""},
		{"none", "issue", "42", "", ""},
		{"none", "pr", "octo-org/widget#43", "pr:github.com/octo-org/widget:43", "projects/widget (octo-org)/issues/PR 43 (widget).md"},
		{widget, "commit", "42", "", ""},
		{widget, "issue", "0", "", ""},
		{widget, "issue", "4 2", "", ""},
		{widget, "issue", "../../x#1", "", ""},
		{widget, "issue", "", "", ""},
	} {
		i, ok := IssueNamed(c.project, c.typ, c.value)
		if !ok {
			if c.want != "" {
				t.Errorf("%s %q in %s names none", c.typ, c.value, c.project)
			}
			continue
		}
		got := i.ID()
		if back, ok := IssueFromID(got); !ok || back.ID() != got || back.Guessed {
			t.Errorf("the id %q reads back as %+v", got, back)
		}
		if i.Guessed {
			got += "?"
		}
		if got != c.want || i.Path() != c.path {
			t.Errorf("%s %q in %s is %q at %q", c.typ, c.value, c.project, got, i.Path())
		}
	}
}

func TestIDsUnderAnotherKey(t *testing.T) {
	const was, is = "folder/latency-e3b399fc", "github.com/octo-org/widget"
	for id, want := range map[string]string{
		ProjectID(was):                        ProjectID(is),
		FileID(was, "a:b.go"):                 FileID(is, "a:b.go"),
		"issue:" + was + ":42":                "issue:" + is + ":42",
		"pr:" + was + ":42":                   "pr:" + is + ":42",
		"memory:" + was + ":repo:build.md":    "memory:" + is + ":repo:build.md",
		ProjectID(was + "0"):                  "",
		SessionID("s"):                        "",
		"memory:s:plan":                       "",
		"memory:user:" + was + ":repo:x":      "",
		FileID("github.com/octo-org/x", "a"):  "",
		CanvasID(was):                         "",
		"memory:" + was + ":plan":             "",
		"checkpoint:" + was + ":repo:build:1": "",
	} {
		if got := UnderOtherKey(id, was, is); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}
