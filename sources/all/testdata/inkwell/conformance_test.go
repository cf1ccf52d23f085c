package inkwell_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/inkwell"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, sourcetest.Suite{
		Open:    func(dir string) sources.Source { return inkwell.New(inkwell.Config{Home: dir}) },
		History: history{},
	})
}

type history struct{}

func (history) Log(dir, id string) string { return filepath.Join(dir, id+".jsonl") }

func (h history) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	write(t, h.Log(dir, id), messages(at, 0, turns))
}

func (h history) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	write(t, h.Log(dir, id), append(read(t, h.Log(dir, id)), messages(at, n, turns)...))
}

func (h history) Tear(t *testing.T, dir, id string) {
	body := read(t, h.Log(dir, id))
	write(t, h.Log(dir, id), body[:len(body)-20])
}

func (h history) Break(t *testing.T, dir, id string) {
	lines := bytes.SplitAfter(read(t, h.Log(dir, id)), []byte("\n"))
	lines[3] = []byte("{\"role\":\"assistant\n")
	write(t, h.Log(dir, id), bytes.Join(lines, nil))
}

func messages(at time.Time, n int, turns []sourcetest.Turn) (out []byte) {
	for i, turn := range turns {
		for _, m := range []map[string]any{{"role": "user", "text": turn.User}, {"role": "assistant", "text": turn.Answer}} {
			m["at"] = at.Add(time.Duration(n+i) * time.Minute)
			line, err := json.Marshal(m)
			if err != nil {
				panic(err) // plain data
			}
			out = append(append(out, line...), '\n')
		}
	}
	return out
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func write(t *testing.T, path string, body []byte) {
	t.Helper()
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
}
