package eventlog

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// fixtures are real logs of the CLI with their bulk cut, by the id of their session.
func fixtures() map[string]string {
	return map[string]string{
		"log-aborted":  "9292b758-5ff8-474b-b5b4-aaed6fda88d1",
		"log-early":    "58b1bdc8-3166-4c53-8a35-44c3d1bd6483",
		"log-failing":  "8612c3a0-b47f-46ff-9df4-6de928a8d4c3",
		"log-fork":     "43cd92ce-3731-4a2a-b5af-640b153c9d8f",
		"log-long":     "7524f8de-6567-42a5-9569-07102f5d4c6c",
		"log-plan":     "238830e1-ab2e-466c-8938-ddf6a3b3b6fb",
		"log-release":  "78151c9b-f0fd-4545-932d-fd56681b286e",
		"log-rewound":  "f7cdb2e6-22b7-413d-8ab6-33862dd1bf0d",
		"log-steering": "7a241af3-eeba-4c06-b3d9-35b3bedd4547",
		"log-subagent": "a61cce10-15df-453a-816c-b35e34802980",
	}
}

func fixture(t testing.TB, name string) *sources.Session {
	t.Helper()
	r := expect.Value(Read(context.Background(), filepath.Join("testdata", name+".jsonl"), fixtures()[name]))(t)
	if len(r.Session.Damage) > 0 || len(r.Unknown) > 0 {
		t.Errorf("%s: damage %q, unknown %v", name, r.Session.Damage, r.Unknown)
	}
	return r.Session
}

const testID = "11111111-2222-4333-8444-555555555555"

// writeLog writes records, each with its envelope, and returns the path.
func writeLog(t testing.TB, records ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.jsonl")
	must(t, os.WriteFile(path, []byte(strings.Join(records, "\n")+"\n"), 0o600))
	return path
}

// ev writes a record of a type with its data, at the n-th second of a day.
func ev(kind string, n int, data string) string {
	at := time.Date(2026, 3, 1, 10, 0, n, 0, time.UTC).Format(time.RFC3339)
	return `{"type":"` + kind + `","data":` + data + `,"id":"` + kind + "-" + strconv.Itoa(n) + `","timestamp":"` + at + `","parentId":null}`
}

func startEvent() string {
	return ev("session.start", 0, `{"sessionId":"`+testID+`","startTime":"2026-03-01T10:00:00Z","selectedModel":"gpt-5",
"context":{"cwd":"/home/ada/src/app","gitRoot":"/home/ada/src/app","repository":"ada/app","repositoryHost":"github.com","branch":"main"}}`)
}

func oneLineEvents(records ...string) []string {
	for i, r := range records {
		records[i] = strings.ReplaceAll(r, "\n", "")
	}
	return records
}

// readRecords reads a log made of a session.start and the given records.
func readRecords(t testing.TB, records ...string) *sources.Session {
	t.Helper()
	path := writeLog(t, oneLineEvents(append([]string{startEvent()}, records...)...)...)
	r := expect.Value(Read(context.Background(), path, testID))(t)
	return r.Session
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b := expect.Value(json.MarshalIndent(v, "", " "))(t)
	return string(b)
}

func TestFixturesShowTheirFacts(t *testing.T) {
	for _, c := range []struct {
		name               string
		turns, checkpoints int
		statuses           string
		refs               string
		edited             string // created or edited, in order, relative to the project
		artifacts          string
	}{
		{"log-aborted", 3, 0, "complete cancelled cancelled", "commit d7c50c9",
			"content/guides/rotation.md content/_index.md", ""},
		{"log-early", 2, 0, "complete complete", "commit 5f75d04, commit e8ed74b",
			"internal/auth/jwt.go internal/auth/jwt_test.go internal/auth/jwt.go", ""},
		{"log-failing", 2, 0, "complete complete", "commit 3ee38ba, commit ec17bf5",
			"internal/store/store.go /tmp/expiry.txt internal/auth/jwt_test.go internal/auth/jwt.go", ""},
		{"log-fork", 3, 0, "complete complete complete", "commit d3872ae", "scripts/index.py", "research/stemming.md"},
		{"log-long", 6, 3, "complete complete complete complete complete complete",
			"commit 63eee27, commit 2ba9e72, commit 52e15d1, commit 5ab6ffd, issue 42, pr 43", "*", ""},
		{"log-plan", 3, 0, "complete complete complete", "commit dcc04dd, commit 58598f7, pr 41", "*",
			"plan/plan.md file/curl-examples.md"},
		{"log-release", 2, 0, "complete complete", "commit d3d8546, pr 44, issue 45", "*", ""},
		{"log-rewound", 2, 0, "complete complete", "commit 3a79bc9", "*", ""},
		{"log-steering", 2, 0, "complete complete", "", "", ""},
		{"log-subagent", 1, 0, "complete", "commit 0b8493d", "internal/auth/jwt.go",
			"research/auth-audit.md file/threats.csv"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fixture(t, c.name)
			if len(s.Turns) != c.turns || len(s.Checkpoints) != c.checkpoints {
				t.Errorf("%d turns, %d checkpoints; want %d, %d", len(s.Turns), len(s.Checkpoints), c.turns, c.checkpoints)
			}
			statuses, refs, edited, artifacts := shownBy(s)
			for _, x := range []struct{ what, got, want string }{
				{"statuses", statuses, c.statuses}, {"refs", refs, c.refs},
				{"edited", edited, c.edited}, {"artifacts", artifacts, c.artifacts},
			} {
				if x.got != x.want && x.want != "*" {
					t.Errorf("%s: %s; want %s", x.what, x.got, x.want)
				}
			}
		})
	}
}

// shownBy lists what a session shows, in one line each.
func shownBy(s *sources.Session) (statuses, refs, edited, artifacts string) {
	var st, rs, ed, ar []string
	for _, turn := range s.Turns {
		st = append(st, string(turn.Status))
	}
	for _, r := range s.Refs {
		rs = append(rs, r.Type+" "+r.Value)
	}
	for _, f := range s.Files {
		if f.Kind != sources.Viewed {
			ed = append(ed, strings.TrimPrefix(f.Path, s.Place.GitRoot+"/"))
		}
	}
	for _, a := range s.Artifacts {
		ar = append(ar, a.Kind+"/"+a.Name)
	}
	return strings.Join(st, " "), strings.Join(rs, ", "), strings.Join(ed, " "), strings.Join(ar, " ")
}
