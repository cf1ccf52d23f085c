package identity

import (
	"errors"
	"maps"
	"strings"
	"testing"
)

func TestParseJoins(t *testing.T) {
	const lab, cmd, repo, other = "folder/latency-e3b399fc", "folder/cmd-160595e6", "github.com/octo-org/widget", "github.com/octo-org/renamed"
	known := []string{lab, cmd, repo}
	for name, c := range map[string]struct {
		said  map[string]string
		want  Joins
		wrong []string // words of each error
	}{
		"nothing":              {nil, Joins{}, nil},
		"by keys":              {map[string]string{lab: repo}, Joins{lab: repo}, nil},
		"by names":             {map[string]string{"latency (e3b3)": "widget (octo-org)"}, Joins{lab: repo}, nil},
		"by ids of pages":      {map[string]string{"project:" + lab: "project:" + other}, Joins{lab: other}, nil},
		"to what nobody knows": {map[string]string{lab: other}, Joins{lab: other}, nil},
		"a chain":              {map[string]string{lab: cmd, cmd: other, other: repo}, Joins{lab: repo, cmd: repo, other: repo}, nil},
		"twice the same":       {map[string]string{lab: repo, "latency (e3b3)": repo}, Joins{lab: repo}, nil},
		"twice":                {map[string]string{lab: repo, "latency (e3b3)": other}, Joins{lab: repo}, []string{"and to"}},
		"a circle, and into it": {map[string]string{lab: cmd, cmd: repo, repo: cmd}, Joins{},
			[]string{`"` + cmd + `" is joined in a circle`, `"` + lab + `" is joined in a circle`, `"` + repo + `" is joined in a circle`}},
		"itself":            {map[string]string{lab: lab}, Joins{}, []string{"in a circle"}},
		"unknown":           {map[string]string{"folder/x-00000000": repo, lab: "folder/y-00000000"}, Joins{}, []string{`"folder/x-00000000"`, `"folder/y-00000000"`}},
		"no key":            {map[string]string{lab: "none", "": repo, "none": repo}, Joins{}, []string{`""`, `"none"`, `"none"`}},
		"a short name":      {map[string]string{"widget": lab}, Joins{repo: lab}, nil},
		"the others remain": {map[string]string{lab: repo, "x": repo}, Joins{lab: repo}, []string{`"x"`}},
	} {
		joins, wrong := ParseJoins(c.said, known)
		if !maps.Equal(joins, c.want) {
			t.Errorf("%s: %v, want %v", name, joins, c.want)
		}
		text := ""
		if err := errors.Join(wrong...); err != nil {
			text = err.Error()
		}
		for _, words := range c.wrong {
			if len(wrong) != len(c.wrong) || !strings.Contains(text, words) {
				t.Errorf("%s: %v, want %q", name, text, c.wrong)
			}
		}
		if len(c.wrong) == 0 && len(wrong) > 0 {
			t.Errorf("%s: %v", name, text)
		}
	}
}

// Who is joined to a repository teaches its folder; who is joined to a folder follows that to
// its remote; and a note that knows another project does not hold its session back.
func TestProjectOfAJoinedFolder(t *testing.T) {
	const repo, renamed = "github.com/octo-org/widget", "github.com/octo-org/renamed"
	at := func(folder string, isRoot bool) Located {
		return Located{FolderEvidence: FolderEvidence{OwnProject: folderKey(folder), Folder: folder, IsGitRoot: isRoot}}
	}
	knows := at("~/new", true)
	knows.OwnProject = repo
	noted := at("~/x", true)
	noted.NoteProject = repo
	old, cmd := at("~/old", true), at("~/old/cmd", false)
	for name, c := range map[string]struct {
		all   []Located
		joins Joins
		me    Located
		want  string
	}{
		"joined":                    {nil, Joins{old.OwnProject: repo}, old, repo},
		"below what is joined":      {[]Located{old}, Joins{old.OwnProject: repo}, cmd, repo},
		"to a folder":               {nil, Joins{old.OwnProject: "folder/new-1"}, old, "folder/new-1"},
		"to a folder with a remote": {[]Located{knows}, Joins{old.OwnProject: folderKey("~/new")}, old, repo},
		"whose remote is renamed":   {[]Located{knows}, Joins{old.OwnProject: folderKey("~/new"), repo: renamed}, old, renamed},
		"its note":                  {nil, Joins{repo: renamed}, noted, renamed},
		"against its note":          {nil, Joins{noted.OwnProject: renamed}, noted, renamed},
		"another":                   {nil, Joins{old.OwnProject: repo}, at("~/y", true), folderKey("~/y")},
	} {
		if got := InferProjects(append(c.all, c.me), c.joins).Project(c.me); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
