// Package sourcetest is the suite that every source must pass. A source's own test says how its agent writes
// a history; the suite makes histories, grows and breaks them, and requires what the contract in package
// sources promises, of the readings and of the vault that the engine makes of them. It also has helpers for
// the tests of several sources: files, a sample, fuzzed histories, a vault.
package sourcetest

import (
	"context"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Turn is a prompt and its answer, as a person would see them.
type Turn struct{ User, Answer string }

// Suite is what a source provides for its test.
type Suite struct {
	// Open returns a source that reads the history in dir and nothing else.
	Open func(dir string) sources.Source
	// History writes as the agent would.
	History History
}

// History writes sessions below dir, which exists. ids are UUIDs. At is the time
// of the first turn; later ones follow by a minute each.
type History interface {
	// Write writes the session with these turns, replacing what exists: fewer turns than before are a rewind.
	Write(t *testing.T, dir, id string, at time.Time, turns []Turn)
	// Append adds turns to a session of n turns as the agent does while it runs.
	Append(t *testing.T, dir, id string, at time.Time, n int, turns []Turn)
	// Tear cuts off the end of the session's newest record, so that its last turn has no answer or is
	// missing.
	Tear(t *testing.T, dir, id string)
	// Break makes a record unreadable that belongs to the second turn.
	Break(t *testing.T, dir, id string)
	// Log is the file with the conversation of a session.
	Log(dir, id string) string
}

// Beheader is a History whose logs may lose their start.
type Beheader interface {
	// Behead cuts off everything before the session's last turn.
	Behead(t *testing.T, dir, id string)
}

// Appender is a History whose logs are only appended to: a shorter one lost text.
type Appender interface{ OnlyAppends() }

// Expirer is a History whose agent deletes some files in the end.
type Expirer interface {
	// Expiring writes such files of these turns beside the session, and names them.
	Expiring(t *testing.T, dir, id string, at time.Time, turns []Turn) (paths []string)
}

// Ran is a command that a tool ran in a turn.
type Ran struct {
	Command string
	Exit    int
}

// Runner is a History whose agent runs commands and keeps their exit codes.
type Runner interface {
	// Run writes a session of one turn in which these commands ran.
	Run(t *testing.T, dir, id string, at time.Time, turn Turn, runs []Ran)
}

// start is when the first turn of each session is typed.
var start = time.Date(2026, 4, 2, 9, 0, 0, 0, time.UTC)

// ids of the sessions, in the order of their names.
var ids = [...]string{
	"0a6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a01",
	"1b6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a02",
	"2c6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a03",
}

// Run runs all checks as subtests. After each, the source tree must be as the
// history left it: names, bytes and modification times.
func Run(t *testing.T, s Suite) {
	for name, check := range map[string]func(*testing.T, *bench){
		"Empty":                             empty,
		"One":                               one,
		"Many":                              many,
		"Growing":                           growing,
		"TornTailIsHeldBack":                torn,
		"Rewound":                           rewound,
		"DamageInTheMiddleLeavesTheRest":    broken,
		"Cancelled":                         cancelled,
		"Unicode":                           unicode,
		"HugeLine":                          huge,
		"IDsAndOrderAreStable":              stable,
		"ReadAgainGivesTheSame":             again,
		"VanishedBetweenListAndReadIsTold":  vanished,
		"ConcurrentReadsGiveWhatOneReadDid": concurrent,
		"IDsAreFitForKeys":                  identified,
		"CommandsAreToldWhole":              commands,
		"LogThatFailsKeepsItsNote":          storedFails,
		"TornLogKeepsItsNote":               storedTorn,
		"EmptiedLogKeepsItsNote":            storedEmptied,
		"LogWithoutStartKeepsItsNote":       storedBeheaded,
		"RewoundLogChangesItsNote":          storedRewound,
		"WhatExpiresKeepsItsNote":           storedExpires,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, s)
			check(t, b)
			b.close()
			b.untouched()
		})
	}
}

func empty(t *testing.T, b *bench) {
	if l := b.list(); len(l.Items) != 0 {
		t.Errorf("%d items in an empty folder", len(l.Items))
	}
	missing := b.suite.Open(b.dir + "-missing")
	l, err := missing.List(context.Background())
	if err != nil || len(l.Items) != 0 || len(l.Roots) == 0 {
		t.Fatalf("missing folder: %d items, %d roots, %v", len(l.Items), len(l.Roots), err)
	}
	for _, r := range l.Roots {
		if r.Found || r.Why == "" {
			t.Errorf("missing folder: %+v", r)
		}
	}
}

func one(t *testing.T, b *bench) {
	want := turns(2)
	b.write(ids[0], want)
	item := b.item(ids[0])
	got := b.read(item)
	got.wantTurns(t, want)
	s := got.best(t)
	if s.ID != item.Session || s.Agent == "" {
		t.Errorf("session %q of agent %q, item %q", s.ID, s.Agent, item.Session)
	}
	if !s.Created.Equal(start) && !s.Turns[0].At.Equal(start) {
		t.Errorf("created %v, first turn %v; want one to be %v", s.Created, s.Turns[0].At, start)
	}
	for i, turn := range s.Turns {
		if turn.Index != i || turn.Status != sources.Complete {
			t.Errorf("turn %d: index %d, %q", i, turn.Index, turn.Status)
		}
	}
}

func many(t *testing.T, b *bench) {
	for i, id := range ids {
		b.write(id, turns(i+1))
	}
	for i, id := range ids {
		b.read(b.item(id)).wantTurns(t, turns(i+1))
	}
}

func growing(t *testing.T, b *bench) {
	all := turns(5)
	b.write(ids[0], all[:1])
	for n := 1; n < len(all); n += 2 {
		b.append(ids[0], n, all[n:n+2])
		b.read(b.item(ids[0])).wantTurns(t, all[:n+2])
	}
}

func torn(t *testing.T, b *bench) {
	all := turns(3)
	b.write(ids[0], all)
	b.change(func() { b.suite.History.Tear(t, b.dir, ids[0]) })
	got := b.read(b.item(ids[0])).best(t).Turns
	if len(got) < 2 || len(got) == 3 && got[2].Assistant == all[2].Answer {
		t.Fatalf("%d turns of a log with a torn tail", len(got))
	}
	wantText(t, got[:2], all[:2])
	b.write(ids[0], all)
	b.read(b.item(ids[0])).wantTurns(t, all)
}

func rewound(t *testing.T, b *bench) {
	b.write(ids[0], turns(4))
	b.write(ids[0], turns(2))
	b.read(b.item(ids[0])).wantTurns(t, turns(2))
}

func broken(t *testing.T, b *bench) {
	all := turns(4)
	b.write(ids[0], all)
	b.write(ids[1], all)
	b.change(func() { b.suite.History.Break(t, b.dir, ids[0]) })
	s := b.read(b.item(ids[0])).best(t)
	if len(s.Damage) == 0 {
		t.Error("the damage is not reported")
	}
	if len(s.Turns) < 3 {
		t.Fatalf("%d of 4 turns are left", len(s.Turns))
	}
	wantText(t, s.Turns[:1], all[:1])
	wantText(t, s.Turns[len(s.Turns)-2:], all[2:])
	b.read(b.item(ids[1])).wantTurns(t, all)
}

func cancelled(t *testing.T, b *bench) {
	b.write(ids[0], turns(2))
	item := b.item(ids[0])
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.source.List(ctx); err == nil {
		t.Error("List of a cancelled context succeeded")
	}
	if _, err := b.source.Read(ctx, item); err == nil {
		t.Error("Read of a cancelled context succeeded")
	}
}
