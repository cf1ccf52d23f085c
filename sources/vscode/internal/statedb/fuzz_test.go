package statedb

import (
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzIndex reads arbitrary values of all lists: nothing panics, every entry has
// an id, no session is listed twice, and their order does not depend on chance.
func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"version":1,"entries":{"40a86369-6e1d-4d1a-8f65-f8682085b206":{"title":"A","timing":{"created":1},"isEmpty":true},
		"copilotcli:/40a86369-6e1d-4d1a-8f65-f8682085b206":{"sessionId":"x","isExternal":true},"x":null}}`),
		[]byte(`[{"resource":"copilotcli:/x","label":"B","status":1,"changes":[{"insertions":1}]},{"resource":{"scheme":"a","path":"/x"}}]`),
		[]byte(`[{"resource":"vscode-chat-session://local/NDBhODYz","archived":true},{"resource":"copilotcli:/x","pinned":true}]`))
	f.Add([]byte(`{"entries":[]}`), []byte(`{}`), []byte(`[[[[`))
	f.Fuzz(func(t *testing.T, index, model, marks []byte) {
		var entries [2][]Entry
		for i := range entries {
			var l lists
			_ = l.readIndex(index)
			_ = l.readModel(model)
			_ = l.readState(marks)
			if i == 1 {
				slices.Reverse(l.seen)
			}
			entries[i] = l.entries()
		}
		seen := map[key]bool{}
		for _, e := range entries[0] {
			k := keyOf(e.Scheme, e.ID)
			if e.ID == "" || seen[k] || !utf8.ValidString(e.Title) {
				t.Errorf("%+v", e)
			}
			seen[k] = true
			e.Session()
		}
		if !reflect.DeepEqual(entries[0], entries[1]) {
			t.Errorf("another order makes\n%+v\nof\n%+v", entries[1], entries[0])
		}
		_, _ = decodeMetadata(string(index))
	})
}
