package refs

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func commits(all []sources.Ref) (out [][2]string) {
	for _, r := range all {
		out = append(out, [2]string{r.Value, r.Text})
	}
	return out
}

func TestOf(t *testing.T) {
	output := "[main 9bddbc4] store: one\n[main (root-commit) 1234567] two\nhttps://github.com/octo-org/widget/pull/41\nhttps://ghe.example:8443/o/n/issues/7\n"
	command := `git commit -m x && gh pr create --title 'Graceful shutdown' --body b`
	want := []sources.Ref{
		{Type: sources.Commit, Value: "9bddbc4", Text: "store: one", Turn: -1}, {Type: sources.Commit, Value: "1234567", Text: "two", Turn: -1},
		{Type: sources.PR, Value: "41", Repo: "github.com/octo-org/widget", Turn: -1}, {Type: sources.Issue, Value: "7", Repo: "ghe.example:8443/o/n", Turn: -1},
	}
	want[2].Text = "Graceful shutdown"
	expect.Deep(t, Of(command, output, true), want)
	if got := Of("cat log", output, true); got != nil {
		t.Errorf("of a command that has nothing to do with it: %+v", got)
	}
}

// TestCommits has commits that git tells nothing of, in the shapes that agents write.
func TestCommits(t *testing.T) {
	for name, c := range map[string]struct {
		command, output string
		passed          bool
		want            [][2]string
	}{
		"quiet, in front of a log": {"git commit -qm 'pump: a valve' && git log --oneline | head -2", "9bddbc4 pump: a valve\n1234567 older words\n", true, [][2]string{{"9bddbc4", "pump: a valve"}}},
		"a decorated log":          {"git commit -q -m 'Mend it' && git log --oneline -1", "9bddbc4 (HEAD -> main) Mend it\n", true, [][2]string{{"9bddbc4", "Mend it"}}},
		"a log alone":              {"git log --oneline | head -2", "9bddbc4 pump: a valve\n", true, nil},
		"another subject":          {"git commit -qm 'other'; git log --oneline", "9bddbc4 pump: a valve\n", true, nil},
		"quiet":                    {"git add -A && git commit -q -m 'Mend the pump'", "", true, [][2]string{{"", "Mend the pump"}}},
		"quiet, and failed":        {"git add -A && git commit -q -m 'Mend the pump'", "", false, nil},
		"may have failed":          {"git commit -q -m 'Mend the pump' || true", "", true, nil},
		"followed by another":      {"git commit -q -m 'Mend the pump'; echo done", "done\n", true, nil},
		"two, quiet":               {"git commit -qam 'One' && git commit -q --allow-empty --message=Two", "", true, [][2]string{{"", "One"}, {"", "Two"}}},
		"of two lines":             {"git commit -q -m 'First' -m 'and why'", "", true, [][2]string{{"", "First"}}},
		"a here-document":          {"git commit -q -m \"$(cat <<'EOF'\nMend the \"pump\"\n\nIt dripped.\nEOF\n)\"", "", true, [][2]string{{"", `Mend the "pump"`}}},
		"from the input":           {"git commit -q -F - <<EOF\nMend the seal\n\nBody\nEOF\n", "", true, [][2]string{{"", "Mend the seal"}}},
		"in another folder":        {"cd x && git -C ../y -c user.name=a commit --quiet -am \"Mend $(date)\"", "", true, [][2]string{{"", "Mend $(date)"}}},
		"amended, no words":        {"git commit --amend --no-edit -q", "", true, nil},
		"amended":                  {"git commit --amend -m 'Better words'", "[main 1234abc] Better words\n Date: x\n", true, [][2]string{{"1234abc", "Better words"}}},
		"only its statistics":      {"git commit -m 'Mend it' 2>&1 | tail -1", " 1 file changed, 2 insertions(+)\n", true, [][2]string{{"", "Mend it"}}},
		"the end of what git told": {"git commit -m 'Mend it' | tail -2", " create mode 100644 a/b.go\n rename a/{b => c}/d.go (98%)\n", true, [][2]string{{"", "Mend it"}}},
		"files that went":          {"git add -A; git commit -qm 'x' ; git commit -m 'Clear out' | grep mode", " delete mode 100644 a.go\n", true, nil},
		"files of a pull":          {"git pull; git commit -m 'Mend it' | tail -1", "Fast-forward\n a.go | 1 +\n 1 file changed, 1 insertion(+)\n create mode 100644 a.go\n", true, nil},
		"a listing like it":        {"git commit -m 'Mend it' | tail -1", " create mode is on\n", true, nil},
		"in a shell":               {`bash -lc "git add . && git commit -qm 'Deep'"`, "", true, [][2]string{{"", "Deep"}}},
		"not made":                 {"git commit --dry-run -m 'No'", "", true, nil},
		"a grep for it":            {"grep -rn 'git commit -m x' docs", "docs/a:git commit -m x\n", true, nil},
		"no shell":                 {"git commit -m @'\nx\n'@ | ForEach-Object { $_ }}", "[main 1234abc] x\n", true, [][2]string{{"1234abc", "x"}}},
		"behind a way out":         {"git diff --quiet && exit 0; git commit -qm 'Mend it'", "", true, nil},
		"behind an error":          {"cd x || exit 1; git commit -qm 'Mend it'", "", true, [][2]string{{"", "Mend it"}}},
		"errors end it":            {"set -e\ngit commit -qm 'Mend it'\necho", "", true, [][2]string{{"", "Mend it"}}},
		"errors end it no more":    {"set -e\nset +e\ngit commit -qm 'Mend it'\necho", "", true, nil},
		"errors end a part of it":  {"(set -e; ls)\ngit commit -qm 'Mend it'\necho", "", true, nil},
		"an error that ends none":  {"set -e\ngit diff --quiet && git commit -qm 'Mend it'\necho", "", true, nil},
		"a hook changed it":        {"git commit -m 'feat: x'", "[main 1234abc] feat(pump): x\n", true, [][2]string{{"1234abc", "feat(pump): x"}}},
	} {
		expect.Deep(t, commits(Of(c.command, c.output, c.passed)), c.want, name)
	}
}
