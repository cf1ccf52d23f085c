package jsonl

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

type row struct {
	N string `json:"n"`
}

func TestLog(t *testing.T) {
	var got []string
	l := Log[row]{
		Pass: func(head []byte) (string, bool) { return "strange", strings.HasPrefix(string(head), `{"pass"`) },
		Take: func(r *row) (string, bool) {
			got = append(got, r.N)
			return "", r.N != ""
		},
	}
	text := "{\"n\":\"a\"}\n{\"pass\":1}\n\n{\"n\":\"b\"}{\"n\":\"c\"}\n\x00{\"n\":\"d\"}\n{\"n\":\n{\"n\":7}\n[1]\n{\"n\":\"" + strings.Repeat("x", 99) + "\"}\n{\"n\":\"torn\""
	if err := l.Read(context.Background(), strings.NewReader(text), 90); err != nil {
		t.Fatal(err)
	}
	expect.List(t, got, []string{"a", "b", "c", "d", ""}, "records")
	expect.Deep(t, l.Unknown, map[string]int{"strange": 1, "n of another type": 1}, "unknown")
	if l.Records != 9 || l.Bad != 3 || !slices.Equal(l.Damage(), []string{"3 lines could not be read", "a record of 0 MB was skipped"}) {
		t.Errorf("%d records, %d bad, %q", l.Records, l.Bad, l.Damage())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.Read(ctx, strings.NewReader(text), 0); err == nil {
		t.Error("a cancelled context is no error")
	}
}
