package editor_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ in, text, file string }{
		{"file:///home/dev/src/widget", "file:///home/dev/src/widget", "/home/dev/src/widget"},
		{"file:///home/dev/a%23b%3Fc.md#12", "file:///home/dev/a#b?c.md#12", "/home/dev/a#b?c.md"},
		{"FILE:///home/dev", "file:///home/dev", "/home/dev"},
		{"file://server/share/x", "file://server/share/x", "//server/share/x"},
		{`\\server\share\x`, "file://server/share/x", "//server/share/x"},
		{"file:////server/share/x", "file://server/share/x", "//server/share/x"},
		{`C:\Users\dev`, "file:///c:/Users/dev", "c:/Users/dev"},
		{"C:/Users/dev", "file:///c:/Users/dev", "c:/Users/dev"},
		{"/home/dev/a b:c", "file:///home/dev/a b:c", "/home/dev/a b:c"},
		{`/home/dev/back\slash`, `file:///home/dev/back\slash`, `/home/dev/back\slash`},
		{"file:///x:y/z", "file:///x:y/z", "/x:y/z"},
		{"vscode-remote://ssh-remote%2Bbuild-host/srv/widget", "vscode-remote://ssh-remote+build-host/srv/widget", "/srv/widget"},
		{"vscode-remote://ssh-remote+win/C:/src", "vscode-remote://ssh-remote+win/c:/src", "c:/src"},
		{"vscode-notebook-cell:/home/dev/n.ipynb#W0s", "vscode-notebook-cell:/home/dev/n.ipynb#W0s", "/home/dev/n.ipynb"},
		{"untitled:Untitled-1", "untitled:Untitled-1", ""},
		{"https://example.org/a%20b?q=1%262#top", "https://example.org/a b?q=1&2#top", ""},
		{"command:workbench.action.reload", "command:workbench.action.reload", ""},
		{"file:///100%/a%zz%20b", "file:///100%/a%zz%20b", "/100%/a%zz%20b"},
		{"file:///caf%C3%A9", "file:///café", "/café"},
		{"file:///caf%E9", "file:///caf%E9", "/caf%E9"}, // no UTF-8: as it stands
		{"file:///%\x10\x12", "file:///%\x10\x12", "/%\x10\x12"},
	} {
		u, ok := editor.ParseURI(c.in)
		if !ok || u.String() != c.text || u.File() != c.file {
			t.Errorf("%q: %q %q %v, want %q %q", c.in, u.String(), u.File(), ok, c.text, c.file)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, in := range []string{"", "  ", "relative/path", "a sentence: with a colon", "x:relative", "1x:/a", ":", "Überschrift:/x"} {
		if u, ok := editor.ParseURI(in); ok {
			t.Errorf("%q is taken for %q", in, u)
		}
	}
}

// TestEdgeCase5EncodedDriveAndBrackets: the drive's colon is percent-encoded too.
func TestEdgeCase5EncodedDriveAndBrackets(t *testing.T) {
	u, _ := editor.ParseURI("file:///c%3A/Users/dev/src/widget%20%28old%29")
	if got, want := u.File(), "c:/Users/dev/src/widget (old)"; got != want || !u.IsWindows() {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEdgeCase15ShapesOfComponents: addresses as objects, of several ages.
func TestEdgeCase15ShapesOfComponents(t *testing.T) {
	for _, c := range []struct{ json, text, file string }{
		{`{"$mid":1,"path":"/a.go","scheme":"file"}`, "file:///a.go", "/a.go"},
		{`{"$mid":1,"fsPath":"c:\\src\\a.go","_sep":1,"external":"file:///c%3A/src/a.go","path":"/C:/src/a.go","scheme":"file"}`, "file:///c:/src/a.go", "c:/src/a.go"},
		{`{"fsPath":"\\workspaces\\w\\a.go","path":"/workspaces/w/a.go","scheme":"vscode-remote","authority":"codespaces+fuzzy"}`, "vscode-remote://codespaces+fuzzy/workspaces/w/a.go", "/workspaces/w/a.go"},
		{`"file:///a.go"`, "file:///a.go", "/a.go"},
	} {
		u := read(t, c.json)
		if !u.IsSet() || u.String() != c.text || u.File() != c.file {
			t.Errorf("%s: %q %q %v", c.json, u.String(), u.File(), u.IsSet())
		}
	}
	for _, in := range []string{`{}`, `[]`, `7`, `null`, `{"scheme":"file"}`, `{"path":7}`} {
		if u := read(t, in); u.IsSet() {
			t.Errorf("%s is taken for %q", in, u)
		}
	}
}

func read(t *testing.T, text string) (u editor.URI) {
	t.Helper()
	must(t, decode.Text(text, &u))
	return u
}

// TestEdgeCase16RemoteAuthorities: both spellings of WSL are one machine; a dev
// container's name is hex of JSON and stays.
func TestEdgeCase16RemoteAuthorities(t *testing.T) {
	a, _ := editor.ParseURI("vscode-remote://wsl%2BUbuntu/home/dev")
	b, _ := editor.ParseURI("vscode-remote://wsl+ubuntu/home/dev")
	if a != b || a.Authority != "wsl+ubuntu" {
		t.Errorf("%q, %q", a, b)
	}
	c, _ := editor.ParseURI("vscode-remote://dev-container%2B7b22686f737450617468223a222f7372632f77227d/workspaces/w")
	if c.Authority != "dev-container+7b22686f737450617468223a222f7372632f77227d" || c.File() != "/workspaces/w" {
		t.Errorf("%q", c)
	}
	d, _ := editor.ParseURI("vscode-remote://SSH-remote+Host/x")
	expect.Is(t, d.Authority, "SSH-remote+Host")
}

func TestBase(t *testing.T) {
	for in, want := range map[string]string{"file:///a/b.go": "b.go", "file:///a/b/": "b", "file:///": "", "https://example.org": "", "untitled:Untitled-1": "Untitled-1"} {
		if u, _ := editor.ParseURI(in); u.Base() != want {
			t.Errorf("%q: %q, want %q", in, u.Base(), want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"file:///c%3A/x", `\\s\h`, "vscode-remote://wsl%2BUbuntu/x?q#f", "a:b", "/", "//", "c:", "%", "file://%2f%2f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, ok := editor.ParseURI(s)
		if !ok {
			expect.Is(t, u, (editor.URI{}), s, "though refused")
			return
		}
		if u.Scheme == "" || !u.IsFile() && u.File() != "" || utf8.ValidString(s) && !utf8.ValidString(u.String()) {
			t.Errorf("%q: %#v", s, u)
		}
		if strings.Contains(u.Base(), "/") {
			t.Errorf("%q: base %q", s, u.Base())
		}
	})
}

var must = expect.OK
