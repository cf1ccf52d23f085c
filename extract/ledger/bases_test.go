package ledger

import (
	"testing"
)

// TestBasesAreKeptApart: what is stored of one region leaves the other, and a
// note that is forgotten takes both along.
func TestBasesAreKeptApart(t *testing.T) {
	l, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	check := func(body, nav string) {
		t.Helper()
		gotBody, gotNav := l.Bases("n")
		for _, p := range []struct {
			got  *string
			want string
		}{{gotBody, body}, {gotNav, nav}} {
			got, want := p.got, p.want
			if err != nil || (got == nil) != (want == "") || got != nil && *got != want {
				t.Errorf("got %v, want %q: %v", got, want, err)
			}
		}
	}
	put := func(body, nav *string) {
		t.Helper()
		l.PutBases("n", body, nav)
	}
	one, two, three := "one", "two", "three"
	check("", "")
	put(&one, &two)
	put(nil, &three)
	check(one, three)
	put(&two, nil)
	check(two, three)
	put(nil, nil)
	check(two, three)
	l.DropNote("n")
	check("", "")
	l.run("INSERT INTO merge_bases(note, body) VALUES('n', x'ffff')")
	if body, _ := l.Bases("n"); body != nil {
		t.Error("a damaged base was unpacked")
	}
}
