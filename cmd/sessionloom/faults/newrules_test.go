//go:build unix

package faults

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// spoken is a word of the sessions that a rule is added for: it is in the name
// of a note that is in no commit yet.
const spoken = "testexpiry"

// What a new rule masks is nowhere in the state folder afterwards: neither in
// what a check remembers, nor in what is to be committed, unless the repository
// itself still has a file of that name.
func TestNewRulesLeaveNoTrace(t *testing.T) {
	p := placeIn(t, memoryDir(t), small)
	keepsGit(p)
	p.sync(0, "--commit")
	p.add(large, 1)
	p.sync(0)
	if out := p.run("check", "--full"); out.code != 0 {
		t.Fatal(out)
	}
	words := append([]string{spoken}, slipped...)
	for _, word := range words {
		if word = strings.ToLower(word); len(p.showing(p.state, word)) == 0 {
			t.Fatalf("%q is not to be found before", word)
		}
	}
	p.must(os.RemoveAll(filepath.Join(p.home, "session-state", small)))
	addsRulesFor(p, append([]string{"(?i)" + spoken}, "(?i)"+slipped[0], "(?i)"+slipped[1]))
	p.sync(0)
	for _, file := range p.showing(p.state, spoken) {
		t.Errorf("%s still shows %q, a name that is in no commit", file, spoken)
	}
	if out := p.run("check", "--full"); out.code != 0 {
		t.Fatal(out)
	}
	p.sync(0, "--commit")
	for _, word := range words {
		for _, file := range append(p.showing(p.state, word), p.showing(filepath.Join(p.vault, "Agents"), word)...) {
			t.Errorf("%s still shows %q once all is committed", file, word)
		}
	}
	p.git("diff", "--quiet", "HEAD")
	p.steady("with new rules")
	proved(t, "rules added to a vault in git that was checked", 1, 1, "neither ledger, nor what is to be committed, nor what a check remembers shows what they mask")
}

// showing lists the files below a folder that show a word, in whatever case.
func (p *place) showing(dir, word string) (files []string) {
	p.t.Helper()
	for path, c := range tree(p.t, dir) {
		if !c.mode.IsRegular() {
			continue
		}
		file := filepath.Join(dir, path)
		text, err := os.ReadFile(file)
		p.must(err)
		texts := []string{path, string(text)}
		if filepath.Base(path) == "ledger.db" {
			texts = append(texts, p.ledgerTexts(file)...)
		}
		if strings.Contains(strings.ToLower(strings.Join(texts, "\n")), strings.ToLower(word)) {
			files = append(files, file)
		}
	}
	return files
}
