package sources

import "testing"

func TestShortenFiles(t *testing.T) {
	for _, c := range []struct{ kind, detail, folder, want string }{
		{ToolRead, "~/src/w/a.go", "/home/dev/src/w", "a.go"},
		{ToolEdit, "~/src/w/a.go, ~/src/wide/b.go", "/home/dev/src/w/", "a.go, ~/src/wide/b.go"},
		{ToolList, "/srv/w", "/srv/w", "."},
		{ToolCreate, "~/w/a.go", `C:\Users\dev\w`, "a.go"},
		{ToolRun, "~/w/run.sh", "/home/dev/w", "~/w/run.sh"},
		{ToolRead, "/a", "", "/a"},
	} {
		s := Session{Place: Place{Cwd: c.folder}, Turns: []Turn{{Tools: []Tool{{Kind: c.kind, Detail: c.detail}}}}}
		s.ShortenFiles()
		if got := s.Turns[0].Tools[0].Detail; got != c.want {
			t.Errorf("%q in %q is told as %q, want %q", c.detail, c.folder, got, c.want)
		}
	}
}
