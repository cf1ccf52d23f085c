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
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the databases of agents are seeded too

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// seed is an invented secret, with what of it is random: no piece of that may be
// found anywhere.
type seed struct{ secret, random, at string }

// kindsOfSeeds are such that every set of rules knows.
var kindsOfSeeds = []seed{
	{"ghp_" + "R8w2Kq7ZtY4mXv9LbN3cJd6HsF1gPa5Ue0To", "R8w2Kq7ZtY4mXv9LbN3cJd6HsF1gPa5Ue0To", ""},
	{"github_pat_11" + "ABQXM7I0kd9WcV2sLr_h5ZpT3nYxE8uGqJ6fRbN1vKwM4aHoSiDyCt7PlZe0XgUj2B5mQ9dF3r", "kd9WcV2sLr_h5ZpT3nYxE8uGqJ6fRbN1vKwM4aHoSiDyCt7PlZe0XgUj2B5mQ9dF3r", ""},
	{"AKIA" + "QX5ZTKW3MRJ7PLNC", "QX5ZTKW3MRJ7PLNC", ""},
	{"sk-ant-api03-" + "t7Hq2vXw9ZbL4kNc8RfJ3mYd6GsP1aUe5ToQiK0xWzB7nVhM2rCl9DjFgS4pEyAu8IqO3tLkX6wNvZbR1cHmJdY5fGsPqA7T-e2KuMx4oWQAA", "t7Hq2vXw9ZbL4kNc8RfJ3mYd6GsP1aUe5ToQiK0xWzB7nVhM2rCl9DjFgS4pEyAu8IqO3tLkX6wNvZbR1cHmJdY5fGsPqA7T", ""},
	{"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJzdWIiOiI4ODEyNzM0NSIsImlhdCI6MTc2MjM4MDAwMH0.Wq3nT8vKx1Zr6LbYc4JmHd9FsPg2AaUe5oQiXk7tRwE", "Wq3nT8vKx1Zr6LbYc4JmHd9FsPg2AaUe5oQiXk7tRwE", ""},
	{"https://bot:" + "Zx8KwQ3vTn7LrYb2Mc@git.example.com/octo-org/widget", "Zx8KwQ3vTn7LrYb2Mc", ""},
	{"Authorization: Bearer " + "n4Vx9TqLw2Zk7RbYc5HmJd8FsPg1AaUe", "n4Vx9TqLw2Zk7RbYc5HmJd8FsPg1AaUe", ""},
	{"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA" + "y7Lq2Xw9ZbT4kNc8RfJ3mVd6GsP1aUe5HoQiK0xWzB7nYhM2\nrCl9DjFgS4pEyAu8IqO3tLkX6wNvZbR1cHmJdY5fGsPqA7T2\n-----END RSA PRIVATE KEY-----", "y7Lq2Xw9ZbT4kNc8RfJ3mVd6GsP1aUe5HoQiK0xWzB7nYhM2", ""},
}

// sower puts a seed of its own into each text.
type sower struct {
	t     *testing.T
	dice  *rand.Rand
	file  string // that is sown into
	field string
	sown  []seed
}

func (s *sower) seed() string { return s.seedOf(len(s.sown) % len(kindsOfSeeds)) }

// seedOf makes a new secret of a kind: letters and digits become others.
func (s *sower) seedOf(kind int) string {
	k := kindsOfSeeds[kind]
	random := []byte(k.random)
	for i, c := range random {
		switch {
		case '0' <= c && c <= '9':
			random[i] = '2' + byte(s.dice.Intn(6)) // as keys of AWS have them
		case 'a' <= c && c <= 'z':
			random[i] = 'a' + byte(s.dice.Intn(26))
		case 'A' <= c && c <= 'Z':
			random[i] = 'A' + byte(s.dice.Intn(26))
		}
	}
	k.secret = strings.Replace(k.secret, k.random, string(random), 1)
	k.random = string(random)
	k.at = s.file + ": " + s.field
	s.sown = append(s.sown, k)
	return k.secret
}

// line is a seed of one line, for names.
func (s *sower) line() string { return s.seedOf(len(s.sown) % 5) }

// rename sows into the name of a file that may have any.
func (s *sower) rename(path string) {
	name, ext := filepath.Base(path), filepath.Ext(path)
	if ext != ".md" && ext != ".csv" || name == "plan.md" || name == "index.md" || strings.Contains(path, "checkpoints") {
		return
	}
	s.file, s.field = name, "its name"
	expect.OK(s.t, os.Rename(path, strings.TrimSuffix(path, ext)+"-"+s.line()+ext))
}

// texts are the members of JSON objects that hold words of a transcript.
var texts = strings.Fields(`content transformedContent path command description title text value message summary cwd gitRoot branch
	query intentionSummary detailedContent label sessionLog old_str new_str file_text commandHistory filesModified fsPath name_
	customTitle textResultForLlm headCommit_ prompt possiblePaths inputText external userMessage fileName overview toolTitle
	model newModel selectedModel currentModel modelId displayName agentDisplayName errorMessage stack url reason details`)

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
		s.field = key
		switch {
		case key == "repository":
			return strings.Replace(s.seedOf(5), "git.example.com/octo-org/widget", "github.com/"+v, 1)
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
	out := expect.Value(json.Marshal(s.sow(v, "")))(s.t)
	return out
}

// file sows into a file of a history.
func (s *sower) sowFile(path string) {
	s.file, s.field = filepath.Base(path), "all of it"
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return // the log of a database that was opened since
	}
	expect.OK(s.t, err)
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
	expect.OK(s.t, os.WriteFile(path, out, 0o600))
}

// database sows into the texts of all tables.
func (s *sower) database(path string) {
	db := expect.Value(sql.Open("sqlite", "file:"+path))(s.t)
	defer func() { _ = db.Close() }()
	for _, c := range s.columns(db) {
		s.field = c[0] + "." + c[1]
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
	expect.OK(s.t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var c [2]string
		expect.OK(s.t, rows.Scan(&c[0], &c[1]))
		out = append(out, c)
	}
	return out
}

// values sows into the JSON values of VS Code's own tables.
func (s *sower) values(db *sql.DB) {
	rows := expect.Value(db.Query("SELECT key, value FROM ItemTable"))(s.t)
	all := map[string][]byte{}
	for rows.Next() {
		var key string
		var value []byte
		expect.OK(s.t, rows.Scan(&key, &value))
		all[key] = value
	}
	_ = rows.Close()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if _, err := db.Exec("UPDATE ItemTable SET value=? WHERE key=?", s.document(all[key]), key); err != nil {
			s.t.Fatal(err)
		}
	}
}
