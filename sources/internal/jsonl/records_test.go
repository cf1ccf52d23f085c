package jsonl_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
)

// Two writers met in a line, or one was cut off: what is whole is read, and the rest is told.
func TestRecordsOfOneLine(t *testing.T) {
	const one, two, torn = `{"type":"a","text":"one"}`, `{"type":"a","text":"two"}`, `{"type":"a","in":[{"type":"b","text":"x"}],"text":"to`
	for line, want := range map[string]struct {
		texts string
		bad   int
	}{
		one:                                   {"one", 0},
		one + two:                             {"one two", 0},
		one + "\x00\x00" + two:                {"one two", 0},
		one + "," + two:                       {"one two", 0},
		one + "]":                             {"one", 1},
		torn:                                  {"", 1},
		torn + one:                            {"one", 1},
		torn + "\x00\x00\x00" + one:           {"one", 1},
		torn + one + two:                      {"one two", 1},
		torn + torn + one:                     {"one", 1},
		one + torn:                            {"one", 1},
		strings.Repeat(one, 100) + torn + two: {strings.Repeat("one ", 100) + "two", 1},
		"\x00\x00" + one:                      {"one", 0},
		"\xef\xbb\xbf" + one:                  {"one", 0},
		strings.Repeat("\x00", 100):           {"", 0},
		strings.Repeat(`{"type":"`, 9):        {"", 1},
	} {
		type record struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		var got []string
		log := jsonl.Log[record]{Heads: []string{`{"type":"`}, Take: func(r *record) (string, bool) {
			got = append(got, r.Text)
			return "", true
		}}
		if err := log.Read(context.Background(), strings.NewReader(line+"\n"), 0); err != nil {
			t.Error(err)
		}
		if texts := strings.Join(got, " "); texts != want.texts || log.Bad != want.bad {
			t.Errorf("%q: %q and %d that could not be read, want %q and %d", line, texts, log.Bad, want.texts, want.bad)
		}
	}
}

// A last line that lacks its end counts where it is whole: nobody writes half of a record that is one.
func TestLastLineWithoutItsEnd(t *testing.T) {
	for text, want := range map[string]int{"{}\n{\"type\":\"a\"}": 2, "{}\n{\"type\":\"a\"}\x00\x00": 2, "{}\n{\"type\":\"a\"": 1, "{}\n{}{": 1, "{}\n5": 1} {
		log := jsonl.Log[struct{}]{Take: func(*struct{}) (string, bool) { return "", true }}
		if err := log.Read(context.Background(), strings.NewReader(text), 0); err != nil || log.Records != want || log.Bad != 0 {
			t.Errorf("%q: %d records, %d bad, %v", text, log.Records, log.Bad, err)
		}
	}
}
