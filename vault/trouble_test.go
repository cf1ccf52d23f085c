package vault

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What is noted of a machine is noted once, the first day counts, and nothing but
// such names is believed.
func TestTroubles(t *testing.T) {
	v, dir := newVault(t, Options{})
	day := func(d int) time.Time { return time.Date(2026, 11, d, 23, 59, 0, 0, time.UTC) }
	for _, one := range []Trouble{{"0a0a0a0a", day(20)}, {"0a0a0a0a", day(22)}, {"ffffffff", day(1)}} {
		if err := v.SetTrouble(one); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []Trouble{{"../../aaa", day(1)}, {"", day(1)}, {"0A0A0A0A", day(1)}, {"0a0a0a0a", time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)}} {
		if v.SetTrouble(bad) == nil {
			t.Errorf("%+v is noted", bad)
		}
	}
	folder := filepath.Join(dir, filepath.FromSlash(troublePath))
	for _, name := range []string{"0a0a0a0a-20261119", "0b0b0b0b-20261340", "notes (conflicted copy).md"} { // of another machine, before git merged; of nobody
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := v.Troubles()
	if err != nil || len(all) != 2 || all[0].name() != "0a0a0a0a-20261119" || all[1].name() != "ffffffff-20261101" {
		t.Errorf("%+v %v", all, err)
	}
	r, err := v.Inspect(t.Context(), Inspect{})
	if err != nil || len(r.Findings) != 2 {
		t.Errorf("check finds %+v %v", r.Findings, err)
	}
	if err := v.ClearTrouble("0a0a0a0a"); err != nil {
		t.Fatal(err)
	}
	if all, err = v.Troubles(); err != nil || len(all) != 1 || all[0].Machine != "ffffffff" {
		t.Errorf("%+v %v", all, err)
	}
}
