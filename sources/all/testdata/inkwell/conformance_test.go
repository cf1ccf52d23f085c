package inkwell_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/inkwell"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, sourcetest.Suite{
		Open:    func(dir string) sources.Source { return inkwell.New(inkwell.Config{Home: dir}) },
		History: history{},
	})
}

func TestHostileTextsInAVault(t *testing.T) {
	const id, secret = "0a6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a01", "ghp_SYNTHETIC0example0token0for0tests000"
	dir, v := t.TempDir(), sourcetest.NewVault(t)
	open := func() sources.Source { return inkwell.New(inkwell.Config{Home: dir}) }
	for n := range 3 {
		turn := sourcetest.Turn{User: secret + testdata.Hostile, Answer: testdata.Hostile + secret}
		history{}.Write(t, dir, id, time.Now(), slices.Repeat([]sourcetest.Turn{turn}, n+1))
		sourcetest.Age(t, dir) // what is young is read again
		v.SyncAsFresh("another turn", open)
	}
	v.Harmless(secret)
}

type history struct{}

func (history) Log(dir, id string) string { return filepath.Join(dir, id+".jsonl") }

func (h history) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	write(t, h.Log(dir, id), messages(at, 0, turns))
}

func (h history) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	sourcetest.Append(t, h.Log(dir, id), messages(at, n, turns))
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

var read, write = sourcetest.Read, sourcetest.Write
