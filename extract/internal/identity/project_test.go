package identity

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestProjectOfRemote(t *testing.T) {
	for _, c := range []struct {
		place sources.Place
		key   string
	}{
		{sources.Place{Repository: "octo-org/widget", HostType: "github"}, "github.com/octo-org/widget"},
		{sources.Place{Repository: "octo-org/widget"}, "github.com/octo-org/widget"},
		{sources.Place{Repository: "Octo-Org/Widget", Host: "GHE.corp.com"}, "ghe.corp.com/octo-org/widget"},
		{sources.Place{Repository: "github.com/octo-org/widget"}, "github.com/octo-org/widget"},
		{sources.Place{Repository: "https://me:pass@github.com/octo-org/widget.git"}, "github.com/octo-org/widget"},
		{sources.Place{Repository: "https://p@ss@github.com:443/octo-org/widget/"}, "github.com/octo-org/widget"},
		{sources.Place{Repository: "git@github.com:octo-org/widget.git"}, "github.com/octo-org/widget"},
		{sources.Place{Repository: "ssh://git@ssh.github.com:443/octo-org/widget.git"}, "github.com/octo-org/widget"},
		{sources.Place{Repository: "git@gitlab.com:group/sub/widget.git"}, "gitlab.com/group/sub/widget"},
		{sources.Place{Repository: "https://dev.azure.com/Org/My%20Project/_git/widget"}, "dev.azure.com/org/my-project/widget"},
		{sources.Place{Repository: "https://org@dev.azure.com/org/proj/_git/widget"}, "dev.azure.com/org/proj/widget"},
		{sources.Place{Repository: "git@ssh.dev.azure.com:v3/org/proj/widget"}, "dev.azure.com/org/proj/widget"},
		{sources.Place{Repository: "https://org.visualstudio.com/DefaultCollection/proj/_git/widget"}, "dev.azure.com/org/proj/widget"},
		{sources.Place{Repository: "https://org.visualstudio.com/_git/widget"}, "dev.azure.com/org/widget/widget"},
		{sources.Place{Repository: "org/proj/widget", HostType: "ado"}, "dev.azure.com/org/proj/widget"},
		{sources.Place{Repository: "octo-org/wid\u3164get\u115f"}, "github.com/octo-org/wid-get"},
		{sources.Place{Repository: "file:///srv/git/widget.git"}, KeyLoose},
		{sources.Place{Repository: "/srv/git/widget.git"}, KeyLoose},
		{sources.Place{Repository: `C:\git\widget`}, KeyLoose},
		{sources.Place{Repository: "../../etc/passwd"}, KeyLoose},
		{sources.Place{Repository: "widget"}, KeyLoose},
	} {
		expect.Is(t, ProjectOf(c.place).Key, c.key, c.place)
	}
}

func TestProjectOfFolderIsTheSameEverywhere(t *testing.T) {
	for _, same := range [][]sources.Place{
		{{Cwd: "/home/dev/lab/latency"}, {Cwd: "/Users/eve/lab/latency/"}, {Cwd: "/root/lab/latency"},
			{Cwd: "/home/dev/lab/latency/sub", GitRoot: "/home/dev/lab/latency"}, {Cwd: `\\wsl$\Ubuntu\home\dev\lab\latency`},
			{Cwd: "/home/dev/lab/./x/../latency"}, {Cwd: "file:///home/dev/lab/latency"}, {GitRoot: "/home/dev", Cwd: "/home/dev/lab/latency"}},
		{{Cwd: `C:\Users\Dev\Lab\Latency`}, {Cwd: "c:/users/dev/lab/latency"}, {Cwd: "/mnt/c/Users/dev/lab/latency"},
			{Cwd: "/c/Users/dev/lab/latency"}, {Cwd: `\\?\C:\Users\dev\lab\latency`}, {Cwd: `\\server\Users\eve\lab\latency`}},
		{{Cwd: `D:\src\app`}, {Cwd: "/mnt/d/src/app"}, {Cwd: "d:/SRC/app"}},
	} {
		want := ProjectOf(same[0])
		for _, p := range same {
			expect.Is(t, ProjectOf(p), want, p)
			for _, part := range []string{"dev", "Users", "home", ":"} {
				if strings.Contains(want.Key+want.Name+want.Folder, part) {
					t.Errorf("%+v tells the path of %+v", want, p)
				}
			}
		}
	}
	if a, b := ProjectOf(sources.Place{Cwd: "/home/dev/a/x"}), ProjectOf(sources.Place{Cwd: "/home/dev/b/x"}); a.Folder == b.Folder {
		t.Errorf("two folders are both %+v", a)
	}
}

func TestJunkFoldersAreNoProject(t *testing.T) {
	for _, cwd := range []string{"", "/", "/home/dev", "/Users/eve/", "/root", "/tmp", "/private/tmp", `C:\`, `C:\WINDOWS\system32`, `c:\windows`,
		`C:\Users\dev`, "/mnt/c/Users/dev", `C:\Program Files\Microsoft VS Code`, `C:\Users\dev\AppData\Local\Programs\Microsoft VS Code`,
		`\\server\Users\eve`, "relative/path", "."} {
		if got := ProjectOf(sources.Place{Cwd: cwd}); got.Key != KeyLoose || got.Name != "Loose sessions" || got.Folder != "Loose sessions" {
			t.Errorf("%q is %+v", cwd, got)
		}
	}
}

func TestProjectNames(t *testing.T) {
	for key, want := range map[string]string{
		"github.com/octo-org/widget":               "widget (octo-org)|widget (octo-org)",
		"ghe.corp.com/octo-org/widget":             "widget (ghe.corp.com octo-org)|widget (ghe.corp.com octo-org)",
		"gitlab.com/group/sub/widget":              "widget (gitlab.com group/sub)|widget (gitlab.com group sub)",
		"folder/latency-3fa2c0de":                  "latency (3fa2)|latency (3fa2)",
		"github.com/octo-org/.github":              ".github (octo-org)|github (octo-org b9d6)",
		"github.com/octo-org/con.d":                "con.d (octo-org)|con-d (octo-org caf7)",
		KeyLoose:                                   "Loose sessions|Loose sessions",
		"github.com/o/" + strings.Repeat("x", 200): strings.Repeat("x", 200) + " (o)|",
	} {
		p := ProjectFromKey(key)
		name, folder, _ := strings.Cut(want, "|")
		if p.Name != name || p.Key != key {
			t.Errorf("%q is %+v, want name %q", key, p, name)
		}
		switch {
		case strings.HasPrefix(p.Folder, ".") || len(p.Folder) > 120 || strings.ContainsAny(p.Folder, `/\:*?"<>|#^[]`):
			t.Errorf("%q has folder %q", key, p.Folder)
		case folder != "" && p.Folder != folder:
			t.Errorf("%q has folder %q, want %q", key, p.Folder, folder)
		}
	}
	a, b := ProjectFromKey("github.com/o/.github").Folder, ProjectFromKey("github.com/o/github").Folder
	if a == b {
		t.Errorf("two projects have the folder %q", a)
	}
	if reservedName(ProjectFromKey("github.com/o/con.d").Folder) {
		t.Error("a folder is a device of Windows")
	}
}

func TestProjectURLs(t *testing.T) {
	gh := ProjectOf(sources.Place{Repository: "octo-org/widget"})
	corp := ProjectOf(sources.Place{Repository: "git.corp.com/o/w", HostType: "github"})
	gl := ProjectOf(sources.Place{Repository: "git@gitlab.com:g/s/w.git"})
	ado := ProjectOf(sources.Place{Repository: "org/proj/w", HostType: "ado"})
	unknown := ProjectOf(sources.Place{Repository: "git.corp.com/o/w"})
	folder := ProjectOf(sources.Place{Cwd: "/home/dev/lab/latency"})
	for got, want := range map[string]string{
		gh.URL():                       "https://github.com/octo-org/widget",
		gh.CommitURL("5f75d04"):        "https://github.com/octo-org/widget/commit/5f75d04",
		gh.PullURL("41"):               "https://github.com/octo-org/widget/pull/41",
		gh.IssueURL("42"):              "https://github.com/octo-org/widget/issues/42",
		gh.FileURL("a b/[x].go"):       "https://github.com/octo-org/widget/blob/HEAD/a%20b/%5Bx%5D.go",
		corp.PullURL("1"):              "https://git.corp.com/o/w/pull/1",
		gl.PullURL("2"):                "https://gitlab.com/g/s/w/-/merge_requests/2",
		ado.PullURL("3"):               "https://dev.azure.com/org/proj/_git/w/pullrequest/3",
		ado.IssueURL("4"):              "https://dev.azure.com/org/proj/_workitems/edit/4",
		unknown.URL() + folder.URL():   "",
		gh.PullURL("1/../../evil"):     "",
		gh.CommitURL("javascript:x()"): "",
	} {
		expect.Is(t, got, want)
	}
}

func TestProjectGlobs(t *testing.T) {
	p := ProjectOf(sources.Place{Repository: "octo-org/widget"})
	folder := ProjectOf(sources.Place{Cwd: "/home/dev/lab/latency"})
	for glob, want := range map[string]bool{
		"widget": true, "wid*": true, "Octo-Org/*": true, "github.com/octo-org/widget": true, "*/*/widget": true, "widget (octo-org)": true,
		"*": true, "other": false, "octo-org": false, "[": false, "": false,
	} {
		expect.Is(t, p.Matches(glob), want, glob, "matches")
	}
	if !folder.Matches("latency") || folder.Matches("widget") {
		t.Error("a folder is not matched by its name alone")
	}
}
