package refs

import (
	"reflect"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func TestFind(t *testing.T) {
	output := "[main 9bddbc4] store: one\n[main (root-commit) 1234567] two\nhttps://github.com/octo-org/widget/pull/41\nhttps://ghe.example:8443/o/n/issues/7\n"
	command := `git commit -m x && gh pr create --title 'Graceful shutdown' --body b`
	want := []sources.Ref{
		{Type: sources.Commit, Value: "9bddbc4", Text: "store: one", Turn: -1}, {Type: sources.Commit, Value: "1234567", Text: "two", Turn: -1},
		{Type: sources.PR, Value: "41", Repo: "github.com/octo-org/widget", Turn: -1}, {Type: sources.Issue, Value: "7", Repo: "ghe.example:8443/o/n", Turn: -1},
	}
	want[2].Text = "Graceful shutdown"
	if got := Find(output, ScanOf(command), TitlesOf(command)); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := Find(output, ScanOf("cat log"), nil); got != nil {
		t.Errorf("of a command that has nothing to do with it: %+v", got)
	}
}

func TestQuietCommits(t *testing.T) {
	const log = "9bddbc4 widgetd: graceful shutdown\n1234567 older words\n"
	for command, want := range map[string]int{
		"git commit -qm 'widgetd: graceful shutdown' && git log --oneline | head -2": 1,
		"git log --oneline | head -2":                 0,
		"git commit -qm 'other' && git log --oneline": 0,
	} {
		got := Quiet(command, log)
		if len(got) != want || want > 0 && (got[0].Value != "9bddbc4" || got[0].Text != "widgetd: graceful shutdown") {
			t.Errorf("%s: %+v", command, got)
		}
	}
}
