package extract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault"
)

// fading makes an item of which something expires, last used at a minute.
func fading(key, id string, minute int) *thing {
	it := of(key, sources.KindSession, true, "tale/log", sources.RankLog, chat(id, minute, widget))
	it.expires = []sources.Expiry{{What: "memory", Path: key, Used: at(minute), At: at(minute).Add(time.Hour)}}
	return it
}

// What an agent is about to delete is read before all else, of all sources, the
// oldest first: also a pass that is cut short has it.
func TestWhatExpiresIsReadFirst(t *testing.T) {
	b := newBench(t)
	var order []string
	lasting, dying := &pile{name: "a"}, &pile{name: "z"}
	for i := range 4 {
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		lasting.items = append(lasting.items, of("a"+id[7:8], sources.KindSession, true, "tale/log", sources.RankLog, chat(id, i, widget)))
	}
	dying.items = []*thing{
		of("z0", sources.KindSession, true, "tale/log", sources.RankLog, chat(idA, 9, widget)),
		fading("z1", idB, 8), fading("z2", idC, 7),
	}
	sync := func(after int) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		order = nil
		note := func(key string) {
			if order = append(order, key); len(order) == after {
				stop()
			}
		}
		lasting.began, dying.began = note, note
		err := b.open(lasting, false, func(s *Engine) error {
			s.Sources, s.Mode.Jobs = []sources.Source{lasting, dying}, 1
			_, err := s.Run(ctx)
			return err
		})
		if after == 0 && err != nil || after > 0 && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	tells := func(want ...string) {
		t.Helper()
		var got []string
		lasting.began, dying.began = nil, nil
		l := expect.Value(ledger.Open(b.state, ledger.Options{Discard: true}))(t)
		v := expect.Value(vault.Open(b.vault, "Agents", vault.Options{DryRun: true}))(t)
		r, err := (&Engine{Sources: []sources.Source{lasting, dying}, Ledger: l, Vault: v, Folder: "Agents", Pages: b.set, Masker: b.masker(),
			Settings: b.settings, Mode: Mode{DryRun: true}, Now: func() time.Time { return time.Unix(2e9, 0) }}).Run(t.Context())
		must(t, errors.Join(err, l.Close(), v.Close()))
		for _, e := range r.Expiring {
			got = append(got, fmt.Sprint(e.Path, " ", e.Archived))
		}
		expect.List(t, got, want)
	}
	tells("z1 false", "z2 false")
	sync(2)
	if want := []string{"z2", "z1"}; !slices.Equal(order, want) {
		t.Fatalf("read %q, want %q", order, want)
	}
	sync(0)
	expect.List(t, order, []string{"z0", "a0", "a1", "a2", "a3"}, "read", "what the pass had before it was cut is kept")
	for range 2 { // told in a pass that finds nothing new as well
		tells("z1 true", "z2 true")
		sync(0)
	}
	lasting.began, dying.began = nil, nil // from here on several are read at a time
	b.steady(true, lasting, dying)
}
