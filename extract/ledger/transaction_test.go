package ledger

import (
	"errors"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// kept does something to a ledger in a transaction and returns what is due
// after the ledger was closed and opened again.
func kept(t *testing.T, do func(*Ledger)) []string {
	t.Helper()
	dir := t.TempDir()
	l, err := Open(dir, Options{})
	must(t, err)
	l.MarkDue(DuePage, "before")
	must(t, l.Commit())
	do(l)
	must(t, l.Close())
	l = expect.Value(Open(dir, Options{}))(t)
	due := l.Due(DuePage)
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
			l.MarkDue(DuePage, "new")
			must(t, l.Commit())
		}, []string{"before", "new"}},
		{"closed", func(l *Ledger) { l.MarkDue(DuePage, "new") }, []string{"before"}},
		{"rolled back", func(l *Ledger) {
			l.Done(DuePage, "before")
			must(t, l.Rollback(errors.New("not on the disk")))
			l.MarkDue(DuePage, "new")
			if l.Failed() == nil {
				t.Error("a write after the rollback was taken")
			}
		}, []string{"before"}},
	} {
		expect.List(t, kept(t, c.do), c.want, c.name, "due")
	}
}

// A full disk makes SQLite end the transaction by itself; what is written after
// it would be kept without what was before it.
func TestNothingIsKeptAfterAFailedWrite(t *testing.T) {
	got := kept(t, func(l *Ledger) {
		must(t, l.exec("CREATE TEMP TRIGGER full BEFORE INSERT ON render_queue WHEN NEW.id='full' BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END"))
		l.Done(DuePage, "before")
		l.MarkDue(DuePage, "full")
		if l.Failed() == nil {
			t.Fatal("the trigger did not fail the write")
		}
		l.MarkDue(DuePage, "after")
		if err := l.Commit(); err == nil {
			t.Error("the commit does not tell of the failed write")
		}
	})
	expect.List(t, got, []string{"before"}, "due, want what stood before the transaction")
}
