//go:build unix

package faults

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/s2"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// rewound is a session with three checkpoints.
const rewound = "7524f8de-6567-42a5-9569-07102f5d4c6c"

// undoing are operations that take something back: from notes, or from the damage done
// to them.
func undoing() []operation {
	return []operation{
		{name: "rewind, notes go", prepare: rewinds, args: []string{"sync"}, words: edits, rare: 2},
		{name: "first prompt taken back", prepare: renames, args: []string{"sync"}, words: edits, rare: 2},
		{name: "rule for secrets added", prepare: addsRules, args: []string{"sync"}, words: edits, hidden: slipped, rare: 2},
		{name: "repair", prepare: damages, args: []string{"check", "--repair"}, words: append([]string{"Mine."}, edits...), rare: 2},
		{name: "repair of files", prepare: damagesFiles, args: []string{"check", "--repair"}, words: edits, rare: 2},
		{name: "settle", prepare: stops, args: []string{"git", "settle"}, words: edits, rare: 8},
	}
}

// rewinds takes back the last three prompts of a session, two checkpoints with
// them.
func rewinds(p *place) {
	onceEdited(p)
	p.add(rewound, 1)
	p.sync(0)
	dir := "copilot/session-state/" + rewound + "/"
	var kept strings.Builder
	prompts := 0
	for line := range strings.Lines(string(p.read(dir + "events.jsonl"))) {
		if strings.Contains(line, `"type":"user.message"`) {
			if prompts++; prompts == 3 {
				break
			}
		}
		kept.WriteString(line)
	}
	p.write(dir+"events.jsonl", []byte(kept.String()))
	gone := expect.Value(filepath.Glob(p.at(dir + "checkpoints/00*.md")))(p.t)
	for _, file := range gone[1:] {
		p.must(os.Remove(file))
	}
}

// renames has a session begin with another prompt than before, by which its note is
// named.
func renames(p *place) {
	onceEdited(p)
	log := "copilot/session-state/" + middle + "/events.jsonl"
	text := string(p.read(log))
	at := strings.Index(text, `"type":"user.message"`)
	now := strings.Replace(text[at:], "Why", "After all: why", 2)
	if p.write(log, []byte(text[:at]+now)); now == text[at:] {
		p.t.Fatal("the first prompt reads otherwise")
	}
}

// slipped are words of the two sessions that rules are added for: they are in
// names of notes, prompts and answers.
var slipped = []string{"pprof", "ErrSignature"}

// addsRules has secrets slip into notes and ledger before there is a rule for
// them. One of the sessions is no longer available then, so that its notes are to be
// masked where they are.
func addsRules(p *place) {
	onceEdited(p)
	p.edit(small, func(text string) string { return text + "\n" + edits[1] + "\n" })
	p.sync(0)
	p.must(os.RemoveAll(filepath.Join(p.home, "session-state", small)))
	addsRulesFor(p, slipped)
}

// addsRulesFor adds a rule for each pattern to the configuration.
func addsRulesFor(p *place, patterns []string) {
	rules := "redact:\n  rules:\n"
	for i, word := range patterns {
		rules += fmt.Sprintf("    - {name: house-word-%d, pattern: %q}\n", i, word)
	}
	p.write(".config/sessionloom/config.yaml", []byte(rules))
}

// hides expects some words nowhere in the vault, in no name there, and not in the
// ledger.
func (p *place) hides(what string, words []string) {
	p.t.Helper()
	if len(words) == 0 {
		return
	}
	for _, root := range []string{p.vault, p.state} {
		p.must(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			texts := []string{strings.TrimPrefix(path, p.dir)}
			if d.Type().IsRegular() {
				text := expect.Value(os.ReadFile(path))(p.t)
				texts = append(texts, string(text))
			}
			if d.Name() == "ledger.db" {
				texts = append(texts, p.ledgerTexts(path)...)
			}
			for _, text := range texts {
				for _, word := range words {
					if at := strings.Index(text, word); at >= 0 {
						p.t.Errorf("%s: %q shows %q", what, path, text[max(0, at-60):min(len(text), at+40)])
					}
				}
			}
			return nil
		}))
	}
}

// ledgerTexts unpacks whatever a ledger has packed.
func (p *place) ledgerTexts(path string) (texts []string) {
	p.t.Helper()
	db := expect.Value(sql.Open("sqlite", "file:"+path+"?mode=ro"))(p.t)
	defer func() { _ = db.Close() }()
	rows := expect.Value(db.Query("SELECT content FROM layers UNION ALL SELECT body FROM merge_bases UNION ALL SELECT nav FROM merge_bases UNION ALL SELECT value FROM kv"))(p.t)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var b []byte
		p.must(rows.Scan(&b))
		if plain, err := s2.Decode(nil, b); err == nil {
			texts = append(texts, string(plain))
		}
	}
	p.must(rows.Err())
	return texts
}

// damages harms notes in ways that can be mended: a marker line that a human wrote
// over, zeros in place of half of a note, a note that was cut.
func damages(p *place) {
	onceEdited(p)
	p.edit("2026-11-12 agents", func(text string) string { return strings.Replace(text, "%% /sessionloom body", "Mine.", 1) })
	p.edit("2026-11-09 agents", func(text string) string { return text[:len(text)/2] + strings.Repeat("\x00", len(text)-len(text)/2) })
	p.edit(small, func(text string) string { return text[:len(text)*2/3] })
}

// damagesFiles harms what is ours and no note: a view, a canvas.
func damagesFiles(p *place) {
	onceEdited(p)
	p.add(large, 1)
	p.sync(0)
	for _, pattern := range []string{"Agents/Sessions.base", "Agents/projects/*/*.canvas"} {
		found := expect.Value(filepath.Glob(filepath.Join(p.vault, pattern)))(p.t)
		if len(found) != 1 {
			p.t.Fatalf("%d files %s", len(found), pattern)
		}
		p.must(os.WriteFile(found[0], []byte("# sessionloom:file v=1 sha256=0123456789abcdef\nviews: [\x00"), 0o600))
	}
}

// stops has git stop at a note that one side deleted and the other one changed.
func stops(p *place) {
	if _, err := exec.LookPath("git"); err != nil {
		p.t.Skip("needs git")
	}
	p.git("init", "--quiet", "--initial-branch=main")
	onceEdited(p)
	p.git("add", "--all")
	p.git("commit", "--quiet", "--message=before")
	p.git("checkout", "--quiet", "-b", "there")
	p.must(os.Remove(p.note(small)))
	p.git("commit", "--quiet", "--all", "--message=deleted there")
	p.git("checkout", "--quiet", "main")
	p.edit(small, func(text string) string { return text + "\n" + edits[1] + "\n" })
	p.git("commit", "--quiet", "--all", "--message=written in here")
	cmd := exec.Command("git", "-C", p.vault, "merge", "--quiet", "there")
	cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err == nil {
		p.t.Fatalf("git did not stop: %s", out)
	}
}
