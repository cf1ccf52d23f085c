package claudecode

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// A line that is passed over by its beginning is one of which nothing is taken.
func TestNothingIsPassedOver(t *testing.T) {
	logs, err := filepath.Glob("testdata/home/projects/*/*.jsonl")
	if err != nil || len(logs) < 20 {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	passed := 0
	for _, path := range logs {
		text, err := os.ReadFile(path)
		must(t, err)
		for line := range bytes.Lines(text) {
			if tells(t, line) {
				passed++
			}
		}
	}
	if passed < 400 {
		t.Errorf("only %d lines are passed over", passed)
	}
}

// tells demands that a line is passed over only if nothing is taken of it, and reports
// whether it is.
func tells(t *testing.T, line []byte) bool {
	line = bytes.TrimSuffix(line, []byte("\n"))
	head := line[:min(len(line), 4<<10)]
	unknown, pass := passable(head)
	if !pass {
		return false
	}
	var r record
	if decode.Text(string(line), &r) != nil {
		return true // a damaged one of a type that tells nothing
	}
	if r.Type == "attachment" && r.Attachment.Type != queuedCommand {
		return true
	}
	if slices.Contains(taken, r.Type) || (unknown == "") != slices.Contains(known, r.Type) {
		t.Errorf("a line of type %q is passed over, unknown %q: %.300s", r.Type, unknown, line)
	}
	return true
}

func FuzzPassable(f *testing.F) {
	f.Add([]byte(`{"type":"mode","mode":"normal"}`))
	f.Add([]byte(`{"parentUuid":null,"isSidechain":false,"attachment":{"type":"date"},"type":"attachment","uuid":"u"}`))
	f.Add([]byte(`{"parentUuid":null,"message":{"content":"\"attachment\":{\"type\":\"x\""},"type":"user"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		// A text is escaped, wherever it stands: no words of it make the line pass.
		text, err := json.Marshal(string(line))
		must(t, err)
		own := append(append([]byte(`{"parentUuid":null,"cwd":`), text...), `,"type":"user","message":{"content":"x"}}`...)
		if _, pass := passable(own); pass {
			t.Errorf("passed over: %s", own)
		}
	})
}
