package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The genuine program goes through a few cases over tiny corpora, against
// itself, and finds every session. "make bench" runs all.
func TestCasesOnATinyCorpus(t *testing.T) {
	some := []string{"idle", "grew", "chats-first"}
	bin := filepath.Join(t.TempDir(), "sessionloom")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, "../sessionloom").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cache, std := t.TempDir(), params{Kind: logs, Sessions: 6, MB: 1, Seed: 1}
	var played []benchCase
	for _, c := range cases(std) {
		if slices.Contains(some, c.name) {
			played = append(played, c)
		}
	}
	if len(played) != len(some) {
		t.Fatalf("%d of the cases %q are there", len(played), some)
	}
	for _, c := range played { // here, for the benchmark would start itself
		if _, err := c.corpus.cached(context.Background(), cache); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	err := run(context.Background(), []string{"--corpus", cache, "--work", t.TempDir(), "--bin", bin, "--against", bin,
		"--sessions", "6", "--mb", "1", "--runs", "1", "--only", strings.Join(some, ",")}, &stdout, &stderr)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	for _, c := range played {
		expect.Has(t, stdout.String(), "| "+c.what+" | "+c.floors[0].name+" ", "no row", c.what)
	}
	expect.Lacks(t, stdout.String(), "wrong", "something is wrong with the runs")
	if t.Failed() {
		t.Log(stdout.String())
	}
}

func TestWhatIsWrongWithARun(t *testing.T) {
	for _, c := range cases(params{Kind: logs, Sessions: 6, MB: 1, Seed: 1}) {
		var blind, idle, wrote outcome
		blind.exit = findings
		idle.report.Sessions.Listed = c.corpus.Sessions
		wrote = idle
		wrote.report.Notes.Updated = 1
		if len(c.wrong(blind)) == 0 {
			t.Errorf("%s: nothing is wrong with a run that looked at nothing", c.name)
		}
		changes := c.fresh || c.grow
		if got := c.wrong(idle); len(got) > 0 != changes {
			t.Errorf("%s: of a run that wrote nothing: %q", c.name, got)
		}
		if got := c.wrong(wrote); len(got) > 0 == (changes || c.command != "") {
			t.Errorf("%s: of a run that wrote a note: %q", c.name, got)
		}
	}
}

// slowAndFast are three rounds of two programs; in one of them the machine was
// busy.
func slowAndFast(c benchCase) row {
	r := row{c: c, bytes: 100e6}
	for _, ms := range []time.Duration{100, 900, 110} {
		r.rounds = append(r.rounds, round{floors: []time.Duration{50 * time.Millisecond, 0}, programs: []outcome{
			{wall: 2 * ms * time.Millisecond, cpu: 3 * ms * time.Millisecond, peak: 80e6},
			{wall: ms * time.Millisecond, cpu: ms * time.Millisecond, peak: 160e6},
		}})
	}
	return r
}

func TestPairsGiveMediansOfRatios(t *testing.T) {
	var b strings.Builder
	must(t, (table{rows: []row{slowAndFast(cases(params{})[0])}}).print(&b))
	want := "| 220 ms | 110 ms | 2.00 | 330 ms | 110 ms | 3.00 | 80.0 MB | 160.0 MB | 0.50 |"
	expect.Has(t, b.String(), want, "no", "in")
}

func TestVerdictTellsMissedGoals(t *testing.T) {
	for want, g := range map[string]goal{
		"reached":                    {},
		"missed: 220 ms over 60 ms":  {times: 1.2},
		"missed: 455 under 700 MB/s": {rate: 700},
		"missed: 220 ms over 100 ms": {times: 1, plus: 50 * time.Millisecond},
	} {
		c := cases(params{})[0]
		c.goal = g
		expect.Is(t, slowAndFast(c).verdict(), want, g)
	}
}

func TestChoosesCases(t *testing.T) {
	chosen, err := choose(cases(params{}), "grew,first")
	if got := names(chosen); err != nil || !slices.Equal(got, []string{"first", "grew"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := choose(cases(params{}), "weather"); err == nil {
		t.Error("an unknown case was chosen")
	}
}

var must = expect.OK
