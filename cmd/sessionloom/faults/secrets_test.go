//go:build unix

package faults

import (
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata"
)

// allSown makes a history of each agent, sows into whatever text of it, and returns
// where secrets were put.
func allSown(p *place) soil {
	p.t.Helper()
	p.user = filepath.Join(p.dir, "Code", "User")
	p.must(testdata.WriteCopilotHome(p.home))
	p.must(testdata.WriteVSCodeUser(p.user))
	s := &sower{t: p.t, dice: rand.New(rand.NewSource(1))}
	var files []string
	for _, root := range []string{p.home, p.user} {
		p.must(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, path)
			}
			return err
		}))
	}
	for _, path := range files {
		s.sowFile(path)
	}
	for _, path := range files {
		s.rename(path)
	}
	return soilOf(s.sown)
}

// soil finds pieces of secrets: eight bytes, in lower case as in the names of files.
type soil struct {
	sown   []seed
	pieces map[string]int // index of the secret
}

const pieceOfSeed = 8

func soilOf(sown []seed) soil {
	found := soil{sown, map[string]int{}}
	for n, s := range sown {
		random := strings.ToLower(s.random)
		for i := 0; i+pieceOfSeed <= len(random); i++ {
			found.pieces[random[i:i+pieceOfSeed]] = n
		}
	}
	return found
}

// isNotIn expects a text to hold no piece of a secret.
func (s soil) isNotIn(t *testing.T, where, text string) {
	t.Helper()
	lower := strings.ToLower(text)
	for i := 0; i+pieceOfSeed <= len(lower); i++ {
		if n, ok := s.pieces[lower[i:i+pieceOfSeed]]; ok {
			t.Errorf("%s holds a piece of %.16s… of %s: %q", where, s.sown[n].secret, s.sown[n].at, text[max(0, i-100):min(len(text), i+60)])
			return
		}
	}
}

// No piece of a secret, in whatever text of a history it stands, is found
// anywhere after any command: not in the vault, its git objects and file names, the
// ledger, a plan, a temporary file, nor in what was printed.
func TestNoSecretGetsOut(t *testing.T) {
	p := newPlace(t)
	secrets := allSown(p)
	config := p.at(".config/sessionloom/config.yaml")
	p.must(os.MkdirAll(filepath.Dir(config), 0o700))
	p.must(os.WriteFile(config, []byte("sources: {copilot_cli: {store_only: write}, vscode: {images: true, store_only: write}}\n"), 0o600))
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "dev"}, {"config", "user.email", "dev@example.com"}} {
		if out, err := exec.Command("git", append([]string{"-C", p.vault}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git: %s", out)
		}
	}
	plan := filepath.Join(p.dir, "plan.json")
	commands := [][]string{
		{"sources"}, {"sources", "--json"}, {"sync", "--dry-run", "--diff"},
		{"init"}, {"sync", "--plan", plan}, {"apply", plan}, {"sync", "-v", "--commit"},
		{"diff"}, {"status", "-v"}, {"status", "--json"}, {"check", "--json", "--full"}, {"check", "--repair", "--dry-run"}, {"export"},
		{"sync", "--transcript", "none", "--commit"}, {"sync", "--transcript", "full", "--json"}, {"check"}, {"sync", "-v", "--commit", "--full"},
		{"restore", "none"}, {"forget", "--dry-run", small}, {"forget", "--yes", small}, {"status"},
	}
	for _, args := range commands {
		out := p.run(args...)
		where := fmt.Sprintf("what %q printed", args[:min(3, len(args))])
		secrets.isNotIn(t, where, out.stdout)
		secrets.isNotIn(t, where, out.stderr)
		if out.code == 1 && args[0] != "restore" && args[0] != "check" || len(out.stdout) == 0 && slices.Contains([]string{"export", "status", "sources"}, args[0]) {
			t.Errorf("%s", out)
		}
	}
	looked, masks := p.holdsNoSeeds(secrets, p.home, p.user)
	if len(secrets.sown) < 1000 || looked < 500 || masks < 500 {
		t.Errorf("%d seeds, %d texts looked at, %d masks in notes: this test does not see much", len(secrets.sown), looked, masks)
	}
	proved(t, fmt.Sprintf("secrets in all texts of a history (%d, each another)", len(secrets.sown)), len(commands), 1, "no piece of one anywhere")
}

// holdsNoSeeds looks through all files of the place but those of the history, and
// counts them and the masks in notes.
func (p *place) holdsNoSeeds(secrets soil, but ...string) (looked, masks int) {
	p.must(filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || slices.Contains(but, path) {
			return errorsOr(err, fs.SkipDir)
		}
		looked++
		rel, _ := filepath.Rel(p.dir, path)
		secrets.isNotIn(p.t, "the name "+rel, rel)
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		secrets.isNotIn(p.t, rel, string(text))
		if strings.HasSuffix(path, ".md") {
			masks += strings.Count(string(text), "[redacted:")
		}
		if strings.HasSuffix(path, "ledger.db") {
			for _, packed := range p.ledgerTexts(path) {
				secrets.isNotIn(p.t, "a packed text of the ledger", packed)
				looked++
			}
		}
		return err
	}))
	out, err := exec.Command("git", "-C", p.vault, "log", "-p", "--all").Output()
	p.must(err)
	secrets.isNotIn(p.t, "git log", string(out))
	return looked, masks
}

func errorsOr(err, or error) error {
	if err != nil {
		return err
	}
	return or
}
