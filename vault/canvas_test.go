package vault

import (
	"strings"
	"testing"
)

func TestMergeCanvases(t *testing.T) {
	plane := func(cards ...string) []byte {
		return []byte("{\n\t\"nodes\":[\n\t\t" + strings.Join(cards, ",\n\t\t") + "\n\t],\n\t\"edges\":[]\n}\n")
	}
	const a, b, c = `{"id":"a","type":"file","x":0}`, `{"id":"b","type":"file","x":1}`, `{"id":"c","type":"text","text":"c"}`
	const a2, b2, mine, yours = `{"id":"a","type":"file","x":20}`, `{"id":"b","type":"file","x":21}`, `{"id":"c","type":"text","text":"mine"}`, `{"id":"c","type":"text","text":"yours"}`
	for _, test := range []struct {
		name                     string
		base, ours, theirs, want []byte
	}{
		{"moved on both sides", plane(a, b), plane(a2, b), plane(a, b2), plane(a2, b2)},
		{"one new on each", plane(a), plane(a, b), plane(a, c), plane(a, b, c)},
		{"gone on one", plane(a, b), plane(a2, b), plane(a), plane(a2)},
		{"gone here, changed there", plane(a, b), plane(a), plane(a, b2), plane(a, b2)},
		{"both new", nil, plane(a), plane(a2, b), plane(a2, b)},
		{"both new, the other way round", nil, plane(a2, b), plane(a), plane(a2, b)},
		{"no canvas", []byte("x\ny\n"), []byte("x\nY\n"), []byte("X\ny\n"), []byte("X\nY\n")},
	} {
		if got, clean := MergeCanvases(test.base, test.ours, test.theirs); !clean || string(got) != string(test.want) {
			t.Errorf("%s: clean %v\n%s\nwant\n%s", test.name, clean, got, test.want)
		}
	}
	got, clean := MergeCanvases(plane(c), plane(mine), plane(yours))
	if !clean || !strings.Contains(string(got), `"mine"`) || !strings.Contains(string(got), `"yours"`) {
		t.Errorf("a text is lost: %s", got)
	}
}
