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
