package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

var (
	machineSeed  = flag.Uint64("machines.seed", 1, "of the simulation of several machines")
	machineRuns  = flag.Int("machines.runs", 1, "simulations with seeds from there on")
	machineSteps = flag.Int("machines.steps", 8, "steps of each")
)

func sortedKeys(c contents) []string { return slices.Sorted(maps.Keys(c)) }

// Five machines share a vault: nobody ever has to resolve a conflict in a note, and in the
// end all have the same notes, which are what a pass would write.
func TestFiveMachines(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for seed := *machineSeed; seed < *machineSeed+uint64(*machineRuns); seed++ {
		t.Run(fmt.Sprintf("seed%d", seed), func(t *testing.T) {
			if err := simulate(t, seed, func(m *machine) { m.tool("git", "install") }); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		})
	}
}

// A driver that always takes one side loses what people wrote on the other.
func TestFiveMachinesWithACarelessDriver(t *testing.T) {
	if !*everything {
		t.Skip("left to -whole: it judges the simulation, not the program")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	err := simulate(t, *machineSeed, func(m *machine) {
		m.tool("git", "install")
		m.git("config", "merge.sessionloom.driver", "true")
	})
	if err == nil {
		t.Error("nothing was lost with a driver that takes one side: the simulation proves nothing")
	} else {
		t.Log(err)
	}
}

// Without what git install sets up the same life ends in conflicts: the
// simulation would see it.
func TestFiveMachinesWithoutADriver(t *testing.T) {
	if !*everything {
		t.Skip("left to -whole: it judges the simulation, not the program")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	if err := simulate(t, *machineSeed, func(*machine) {}); err == nil {
		t.Error("no conflict without a merge driver: the simulation proves nothing")
	} else {
		t.Log(err)
	}
}

// simulate lets machines work, edit and exchange in random order, and then
// exchange until all is quiet.
func simulate(t *testing.T, seed uint64, install func(*machine)) error {
	r := rand.New(rand.NewPCG(seed, 5))
	all := newMachines(t, 5, install)
	for n := range *machineSteps {
		m := all[r.IntN(len(all))]
		m.later(1e9)
		switch r.IntN(5) {
		case 0, 1:
			m.works(r, n)
			t.Logf("%d: %s works", n, m.name)
		case 2:
			m.tool("sync", "--commit")
			t.Logf("%d: %s %s", n, m.name, m.edits(r, n))
		default:
			t.Logf("%d: %s exchanges", n, m.name)
			if err := m.exchanges(r.IntN(4) == 0); err != nil {
				return fmt.Errorf("step %d: %w", n, err)
			}
		}
	}
	heads := ""
	for round := 0; ; round++ {
		if round == 12 {
			return fmt.Errorf("the machines do not come to rest:\n%s", all[0].git("log", "--stat", "-3"))
		}
		for _, m := range all {
			if err := m.exchanges(false); err != nil {
				return fmt.Errorf("in the end: %w", err)
			}
		}
		now := ""
		for _, m := range all {
			now += m.git("rev-parse", "HEAD") + " " + m.git("status", "--porcelain") + "\n"
		}
		if now == heads {
			break
		}
		heads = now
	}
	return alike(all)
}

// alike compares the vaults of all machines, and sees one more pass do nothing.
func alike(all []*machine) error {
	first := notesOf(all[0])
	for _, m := range all {
		if d := differences(first, notesOf(m), false); d != "" {
			return fmt.Errorf("%s has other notes:\n%s", m.name, d)
		}
		if out := m.tool("sync", "--full"); !strings.Contains(out, "up to date") && !strings.Contains(out, "kept") {
			return fmt.Errorf("%s: one more pass: %s", m.name, out)
		}
		if d := differences(first, notesOf(m), false); d != "" {
			return fmt.Errorf("%s: one more pass writes:\n%s", m.name, d)
		}
	}
	if err := lost(first, all[0].said); err != nil {
		return err
	}
	for path, f := range first {
		if strings.Contains(f.text, "\n<<<<<<< ") {
			return fmt.Errorf("%s holds a conflict", path)
		}
	}
	return nil
}

// notesOf are the files of a vault without git's own.
func notesOf(m *machine) contents {
	all := walk(m.t, m.vault)
	maps.DeleteFunc(all, func(p string, _ content) bool { return strings.HasPrefix(p, ".git/") })
	return all
}

// lost finds what somebody wrote in a note that still stands, but without it.
func lost(notes contents, said map[string]string) error {
	byID := map[string]string{}
	for _, f := range notes {
		byID[noteID(f.text)] += f.text
	}
	for _, words := range slices.Sorted(maps.Keys(said)) {
		if text, stands := byID[said[words]]; stands && !strings.Contains(text, words) {
			return fmt.Errorf("%q is lost from the note %s", words, said[words])
		}
	}
	return nil
}
