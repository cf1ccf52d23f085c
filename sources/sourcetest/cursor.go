package sourcetest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// private demands that cursors hold no text of the transcript: they are kept
// without being masked.
func private(t *testing.T, b *bench) {
	const prompt, answer = "Where is the heliotrope kept?", "Behind the marzipan, as ever."
	b.write(ids[0], []Turn{{prompt, answer}})
	kept := b.read(b.item(ids[0]), nil)
	b.append(ids[0], 1, []Turn{{answer, prompt}})
	kept = b.read(b.item(ids[0]), kept)
	for _, l := range kept.layers {
		for _, text := range []string{"heliotrope", "marzipan"} {
			if holds(l.Cursor, text) {
				t.Errorf("the cursor of %q holds the word %q of the transcript", l.Name, text)
			}
		}
	}
}

// holds looks for text in a cursor and in what it may wrap in JSON and base64.
func holds(cursor []byte, text string) bool {
	if bytes.Contains(cursor, []byte(text)) {
		return true
	}
	var inside any
	if json.Unmarshal(cursor, &inside) != nil {
		return false
	}
	return holdsValue(inside, text)
}

func holdsValue(v any, text string) bool {
	switch v := v.(type) {
	case string:
		wrapped, err := base64.StdEncoding.DecodeString(v)
		return strings.Contains(v, text) || err == nil && holds(wrapped, text)
	case []any:
		for _, e := range v {
			if holdsValue(e, text) {
				return true
			}
		}
	case map[string]any:
		for k, e := range v {
			if strings.Contains(k, text) || holdsValue(e, text) {
				return true
			}
		}
	}
	return false
}

// identified demands ids that can stand in a line, a key and a path.
func identified(t *testing.T, b *bench) {
	for i, id := range ids {
		b.write(id, turns(i+1))
	}
	for _, id := range ids {
		s := b.read(b.item(id), nil).best(t)
		for _, own := range append([]string{s.ID, s.Parent}, s.Aka...) {
			if !utf8.ValidString(own) || strings.ContainsAny(own, "\x00\t\n\r") {
				t.Errorf("session %q has the id %q", id, own)
			}
		}
		if s.ID == "" || s.ID != b.item(id).Session {
			t.Errorf("session %q says it is %q", id, s.ID)
		}
	}
}
