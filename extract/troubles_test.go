package extract

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/vault"
)

// noted does something about the machines on which scheduled runs fail, then a
// pass that reads no source.
func (s *stage) noted(do func(*vault.Vault) error) Report {
	s.t.Helper()
	r, err := s.run(func(sync *Sync) (Report, error) {
		if err := do(sync.Vault); err != nil {
			return Report{}, err
		}
		sync.Sources = nil
		return sync.RenderDue(context.Background())
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func fails(machine string, day int) func(*vault.Vault) error {
	return func(v *vault.Vault) error {
		return v.SetTrouble(vault.Trouble{Machine: machine, Since: time.Date(2026, 11, day, 9, 30, 0, 0, time.UTC)})
	}
}

func works(machine string) func(*vault.Vault) error {
	return func(v *vault.Vault) error { return v.ClearTrouble(machine) }
}

// The callout comes and goes with what the vault says of any machine, changes
// nothing else, and is the same whoever renders it.
func TestHomeTellsOfRunsThatFail(t *testing.T) {
	s := newStage(t, 3)
	s.noted(fails("0a0a0a0a", 18))
	if strings.Contains(s.text(homeID), "[!warning]") {
		t.Error("it is told although nobody asked for it")
	}
	s.noted(works("0a0a0a0a"))
	s.settings.HomeCallout = true
	s.mustSync(s.w)
	before := tree(t, s.vault)
	for _, step := range []struct {
		do   func(*vault.Vault) error
		want string // empty: no callout
	}{
		{fails("0a0a0a0a", 18), "On 1 machine, since 18 Nov 2026."},
		{fails("0b0b0b0b", 20), "On 2 machines, since 18 Nov 2026."},
		{works("0a0a0a0a"), "On 1 machine, since 20 Nov 2026."},
		{works("0b0b0b0b"), ""},
	} {
		if r := s.noted(step.do); len(r.Changed) != 1 || r.Changed[0].Outcome != string(vault.Updated) || !strings.HasSuffix(r.Changed[0].Note, "/Home.md") {
			t.Errorf("%q: changed %+v", step.want, r.Changed)
		}
		home := s.text(homeID)
		if strings.Contains(home, "[!warning]") != (step.want != "") || !strings.Contains(home, step.want) {
			t.Errorf("want %q:\n%s", step.want, home)
		}
		if r := s.noted(step.do); len(r.Changed) > 0 {
			t.Errorf("%q once more: changed %+v", step.want, r.Changed)
		}
		s.steady(false, s.w)
	}
	if d := differences(before, tree(t, s.vault)); d != "" {
		t.Errorf("the trouble is over and something of it is left:\n%s", d)
	}
	s.noted(fails("0a0a0a0a", 18))
	s.settings.HomeCallout = false
	if s.mustSync(s.w); strings.Contains(s.text(homeID), "[!warning]") {
		t.Error("it is told although it was switched off")
	}
}
