package ledger

import "testing"

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
		b, err := l.Bases("n")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []struct {
			packed []byte
			want   string
		}{{b.Body, body}, {b.Nav, nav}} {
			got, err := UnpackBase(p.packed)
			if err != nil || (got == nil) != (p.want == "") || got != nil && *got != p.want {
				t.Errorf("got %v, want %q: %v", got, p.want, err)
			}
		}
	}
	put := func(body, nav *string) {
		t.Helper()
		if err := l.PutBases("n", Bases{Body: PackBase(body), Nav: PackBase(nav)}); err != nil {
			t.Fatal(err)
		}
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
	if err := l.DropNote("n"); err != nil {
		t.Fatal(err)
	}
	check("", "")
	if _, err := UnpackBase([]byte("\xff\xffdamaged")); err == nil {
		t.Error("a damaged base was unpacked")
	}
}
