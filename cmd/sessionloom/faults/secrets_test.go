//go:build unix

package faults

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the databases of agents are seeded too

	"github.com/sessionloom/sessionloom/testdata"
)

// seeds are invented secrets of kinds that every set of rules knows, each with
// what of it is random: no piece of that may be found anywhere.
var seeds = []struct{ secret, random string }{
	{"ghp_" + "R8w2Kq7ZtY4mXv9LbN3cJd6HsF1gPa5Ue0To", "R8w2Kq7ZtY4mXv9LbN3cJd6HsF1gPa5Ue0To"},
	{"github_pat_11" + "ABQXM7I0kd9WcV2sLr_h5ZpT3nYxE8uGqJ6fRbN1vKwM4aHoSiDyCt7PlZe0XgUj2B5mQ9dF3r", "kd9WcV2sLr_h5ZpT3nYxE8uGqJ6fRbN1vKwM4aHoSiDyCt7PlZe0XgUj2B5mQ9dF3r"},
	{"AKIA" + "QX5ZTKW3MRJ7PLNC", "QX5ZTKW3MRJ7PLNC"},
	{"sk-ant-api03-" + "t7Hq2vXw9ZbL4kNc8RfJ3mYd6GsP1aUe5ToQiK0xWzB7nVhM2rCl9DjFgS4pEyAu8IqO3tLkX6wNvZbR1cHmJdY5fGsPqA7T-e2KuMx4oWQAA", "t7Hq2vXw9ZbL4kNc8RfJ3mYd6GsP1aUe5ToQiK0xWzB7nVhM2rCl9DjFgS4pEyAu8IqO3tLkX6wNvZbR1cHmJdY5fGsPqA7T"},
	{"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJzdWIiOiI4ODEyNzM0NSIsImlhdCI6MTc2MjM4MDAwMH0.Wq3nT8vKx1Zr6LbYc4JmHd9FsPg2AaUe5oQiXk7tRwE", "Wq3nT8vKx1Zr6LbYc4JmHd9FsPg2AaUe5oQiXk7tRwE"},
	{"https://bot:" + "Zx8KwQ3vTn7LrYb2Mc@git.example.com/octo-org/widget", "Zx8KwQ3vTn7LrYb2Mc"},
	{"Authorization: Bearer " + "n4Vx9TqLw2Zk7RbYc5HmJd8FsPg1AaUe", "n4Vx9TqLw2Zk7RbYc5HmJd8FsPg1AaUe"},
	{"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA" + "y7Lq2Xw9ZbT4kNc8RfJ3mVd6GsP1aUe5HoQiK0xWzB7nYhM2\nrCl9DjFgS4pEyAu8IqO3tLkX6wNvZbR1cHmJdY5fGsPqA7T2\n-----END RSA PRIVATE KEY-----", "y7Lq2Xw9ZbT4kNc8RfJ3mVd6GsP1aUe5HoQiK0xWzB7nYhM2"},
}

// sower puts the seeds one after the other into texts.
type sower struct {
	t    *testing.T
	next int
}

func (s *sower) seed() string {
	s.next++
	return seeds[s.next%len(seeds)].secret
}

// line is a seed of one line, for names.
func (s *sower) line() string {
	for {
		if x := s.seed(); !strings.ContainsAny(x, "\n/: ") {
			return x
		}
	}
}

// texts are the members of JSON objects that hold words of a transcript.
var texts = strings.Fields(`content transformedContent path command description title text value message summary cwd gitRoot branch
	query intentionSummary detailedContent label sessionLog old_str new_str file_text commandHistory filesModified fsPath name_
	customTitle textResultForLlm headCommit_ prompt possiblePaths inputText external userMessage fileName overview toolTitle`)

// sow puts a seed behind every text of a JSON value.
func (s *sower) sow(v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			v[k] = s.sow(v[k], k)
		}
	case []any:
		for i := range v {
			v[i] = s.sow(v[i], key)
		}
	case string:
		switch {
		case key == "repository":
			return "https://dev:" + seeds[5].random + "@github.com/" + v
		case key == "cwd" || key == "gitRoot" || key == "branch" || key == "path" || key == "fsPath" || key == "fileName":
			return v + "/" + s.line()
		case slices.Contains(texts, key):
			return v + " " + s.seed() + "\nand on"
		}
	}
	return v
}

// document sows into one JSON text; what is none stays.
func (s *sower) document(text []byte) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return text
	}
	out, err := json.Marshal(s.sow(v, ""))
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

// file sows into a file of a history.
func (s *sower) file(path string) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return // the log of a database that was opened since
	}
	if err != nil {
		s.t.Fatal(err)
	}
	var out []byte
	switch filepath.Ext(path) {
	case ".jsonl":
		for line := range bytes.Lines(text) {
			out = append(append(out, s.document(line)...), '\n')
		}
		out = append(out, "{\"type\": \"torn "+s.seed()...) // readers tell of what they cannot read
	case ".json":
		out = s.document(text)
	case ".yaml":
		for line := range strings.Lines(string(text)) {
			key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if ok && slices.Contains([]string{"name", "summary", "cwd", "branch", "git_root"}, key) {
				line = fmt.Sprintf("%s: %q\n", key, strings.Trim(value, `"'`)+" "+s.line())
			}
			out = append(out, line...)
		}
	case ".md":
		out = slices.Concat(text, []byte("\n- "+s.seed()+"\n"))
	case ".db", ".vscdb":
		s.database(path)
		return
	default:
		return
	}
	if err := os.WriteFile(path, out, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// database sows into the texts of all tables.
func (s *sower) database(path string) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, c := range s.columns(db) {
		if c[1] == "value" {
			s.values(db)
			continue
		}
		if _, err := db.Exec(fmt.Sprintf("UPDATE %q SET %q=%q||' '||? WHERE length(%q)>0", c[0], c[1], c[1], c[1]), s.seed()); err != nil {
			s.t.Logf("%s: %s.%s: %v", filepath.Base(path), c[0], c[1], err)
		}
	}
}

// columns are those of tables that hold words.
func (s *sower) columns(db *sql.DB) (out [][2]string) {
	rows, err := db.Query(`SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
		WHERE m.type='table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'search_index%' AND c.pk=0
		AND (c.type='TEXT' OR m.name='ItemTable') AND c.name NOT LIKE '%id' AND c.name NOT LIKE '%_at'
		AND c.name NOT IN ('status','ref_type','tool_name','host_type','key','scope','source_type','agent_name','repository')`)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var c [2]string
		if err := rows.Scan(&c[0], &c[1]); err != nil {
			s.t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// values sows into the JSON values of VS Code's own tables.
func (s *sower) values(db *sql.DB) {
	rows, err := db.Query("SELECT key, value FROM ItemTable")
	if err != nil {
		s.t.Fatal(err)
	}
	all := map[string][]byte{}
	for rows.Next() {
		var key string
		var value []byte
		if err := rows.Scan(&key, &value); err != nil {
			s.t.Fatal(err)
		}
		all[key] = value
	}
	_ = rows.Close()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if _, err := db.Exec("UPDATE ItemTable SET value=? WHERE key=?", s.document(all[key]), key); err != nil {
			s.t.Fatal(err)
		}
	}
}

// No piece of a secret, in whatever text of a history it stands, is found
// anywhere after any command: not in the vault, its git objects and file names, the
// ledger, a plan, a temporary file, nor in what was printed.
func TestNoSecretGetsOut(t *testing.T) {
	p := newPlace(t)
	p.must(testdata.WriteCopilotHome(p.home))
	user := filepath.Join(p.dir, "Code", "User")
	p.must(testdata.WriteVSCodeUser(user))
	s := &sower{t: t}
	var files []string
	for _, root := range []string{p.home, user} {
		p.must(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, path)
			}
			return err
		}))
	}
	for _, path := range files {
		s.file(path)
	}
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "dev"}, {"config", "user.email", "dev@example.com"}} {
		if out, err := exec.Command("git", append([]string{"-C", p.vault}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git: %s", out)
		}
	}
	plan := filepath.Join(p.dir, "plan.json")
	commands := [][]string{
		{"sources"}, {"sources", "--json"}, {"sync", "--dry-run", "--diff"}, {"sync", "--redactions"},
		{"init"}, {"sync", "--plan", plan}, {"sync", "-v", "--commit"}, {"sync", "--redactions", "--json"},
		{"status", "-v"}, {"check", "--json"}, {"export"}, {"restore", "none"}, {"forget", "none"},
	}
	for _, args := range commands {
		if args[0] != "restore" && args[0] != "forget" && args[0] != "init" {
			args = append(args, "--vscode-user", user)
		}
		out := p.run(args...)
		where := fmt.Sprintf("what %q printed", args[:min(3, len(args))])
		holdsNoSeed(t, where, out.stdout)
		holdsNoSeed(t, where, out.stderr)
		if out.code == 1 && args[0] != "restore" && args[0] != "forget" || len(out.stdout) == 0 && slices.Contains([]string{"export", "status", "sources"}, args[0]) {
			t.Errorf("%s", out)
		}
	}
	looked := p.holdsNoSeeds(p.home, user)
	masks := 0
	p.must(filepath.WalkDir(p.vault, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			var text []byte
			text, err = os.ReadFile(path)
			masks += strings.Count(string(text), "[redacted:")
		}
		return err
	}))
	if s.next < 1000 || looked < 500 || masks < 500 {
		t.Errorf("%d seeds, %d texts looked at, %d masks in notes: this test does not see much", s.next, looked, masks)
	}
	proved(t, fmt.Sprintf("secrets in all texts of a history (%d)", s.next), len(commands), 1, "no piece of one anywhere")
}

// holdsNoSeeds looks through all files of the place but those of the history.
func (p *place) holdsNoSeeds(but ...string) (looked int) {
	p.must(filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || slices.Contains(but, path) {
			return errorsOr(err, fs.SkipDir)
		}
		looked++
		rel, _ := filepath.Rel(p.dir, path)
		holdsNoSeed(p.t, "the name "+rel, rel)
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		holdsNoSeed(p.t, rel, string(text))
		if strings.HasSuffix(path, "ledger.db") {
			looked += p.ledgerHoldsNoSeeds(path)
		}
		return err
	}))
	out, err := exec.Command("git", "-C", p.vault, "log", "-p", "--all").Output()
	p.must(err)
	holdsNoSeed(p.t, "git log", string(out))
	return looked
}

func errorsOr(err, or error) error {
	if err != nil {
		return err
	}
	return or
}

// ledgerHoldsNoSeeds unpacks whatever the ledger has packed.
func (p *place) ledgerHoldsNoSeeds(path string) (looked int) {
	for _, text := range p.ledgerTexts(path) {
		holdsNoSeed(p.t, "a packed text of the ledger", text)
		looked++
	}
	return looked
}

// holdsNoSeed finds pieces of eight bytes, also in lower case as in file names.
func holdsNoSeed(t *testing.T, where, text string) {
	t.Helper()
	const piece = 8
	lower := strings.ToLower(text)
	for _, s := range seeds {
		random := strings.ToLower(s.random)
		for i := 0; i+piece <= len(random); i++ {
			if at := strings.Index(lower, random[i:i+piece]); at >= 0 {
				t.Errorf("%s holds a piece of %.16s…: %q", where, s.secret, text[max(0, at-100):min(len(text), at+60)])
				return
			}
		}
	}
}
