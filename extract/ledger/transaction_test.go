package ledger

import (
	"slices"
	"testing"
)

// kept does something to a ledger in a transaction and returns what is due
// after the ledger was closed and opened again.
func kept(t *testing.T, do func(*Ledger)) []string {
	t.Helper()
	dir := t.TempDir()
	l, err := Open(dir, Options{})
	must(t, err)
	must(t, l.MarkDue(DuePage, "before"))
	must(t, l.Begin())
	do(l)
	must(t, l.Close())
	l, err = Open(dir, Options{})
	must(t, err)
	due, err := l.Due(DuePage)
	must(t, err)
	must(t, l.Close())
	return due
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOnlyWhatWasCommittedIsKept(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*Ledger)
		want []string
	}{
		{"committed", func(l *Ledger) {
			must(t, l.MarkDue(DuePage, "new"))
			must(t, l.Commit())
		}, []string{"before", "new"}},
		{"closed", func(l *Ledger) { must(t, l.MarkDue(DuePage, "new")) }, []string{"before"}},
		{"rolled back", func(l *Ledger) {
			must(t, l.Done(DuePage, "before"))
			must(t, l.Rollback())
			if err := l.MarkDue(DuePage, "new"); err == nil {
				t.Error("a write after the rollback was taken")
			}
		}, []string{"before"}},
	} {
		if got := kept(t, c.do); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q is due, want %q", c.name, got, c.want)
		}
	}
}

// A full disk makes SQLite end the transaction by itself; what is written after
// it would be kept without what stood before it.
func TestNothingIsKeptAfterAFailedWrite(t *testing.T) {
	got := kept(t, func(l *Ledger) {
		must(t, l.exec("CREATE TEMP TRIGGER full BEFORE INSERT ON render_queue WHEN NEW.id='full' BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END"))
		must(t, l.Done(DuePage, "before"))
		if err := l.MarkDue(DuePage, "full"); err == nil {
			t.Fatal("the trigger did not fail the write")
		}
		if err := l.MarkDue(DuePage, "after"); err == nil {
			t.Error("a write after the failed one was taken")
		}
		if err := l.Commit(); err == nil {
			t.Error("the commit does not tell of the failed write")
		}
	})
	if !slices.Equal(got, []string{"before"}) {
		t.Errorf("%q is due, want what stood before the transaction", got)
	}
}
