package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// benchCase is one row of the table.
type benchCase struct {
	name string
	what string
	run  func(context.Context, *bench, *result) error
}

// cases are in the order they run: the later ones build on the vault the first
// one leaves.
func cases() []benchCase {
	return slices.Concat([]benchCase{
		{"first", "first sync, fsync on", firstSync},
		{"idle", "no change", noChange},
		{"grew", "one session grew by one turn", grew},
		{"grew-store", "the same, with its row in the store's -wal", grewInStore},
		{"rewound", "one session took its last turn back", rewound},
		{"big", "one large event log, first read", bigLog},
		{"big-grew", "the same log grew by 1 KB", bigLogGrew},
		{"many", "ten times the sessions, no change", manySessions},
		{"chats-first", "chats of VS Code, first sync", firstChats},
		{"chats-idle", "the same, no change", idleChats},
		{"chats-json", "one large chat kept as one object", largeChat},
	}, watches(), looks())
}

// Targets of the table, on two cores.
const (
	slack      = 30 * time.Millisecond
	firstRate  = 150     // MB/s
	firstRSS   = 120     // MB
	bigRate    = 300     // MB/s
	bigRSS     = 150     // MB
	grownRead  = 1 << 20 // bytes
	linearity  = 1.2     // times the growth in sessions
	sessionFor = 8       // characters of a session's id in the names of its notes
)

// firstSync weaves the corpus into an empty vault.
func firstSync(ctx context.Context, b *bench, r *result) error {
	r.Target = fmt.Sprintf("≥ %d MB/s of event logs, RSS ≤ %d MB", firstRate, firstRSS)
	last, err := b.firstPasses(ctx, b.std, r)
	if err != nil {
		return err
	}
	r.faster(last.corpus.LogBytes, firstRate)
	r.within(firstRSS)
	return b.firstFloors(ctx, last, r)
}

// firstFloors are reading all sources and creating all notes.
func (b *bench) firstFloors(ctx context.Context, s *stage, r *result) error {
	var sizes []int64
	err := eachFile(s.vault, func(_ string, info fs.FileInfo) error {
		sizes = append(sizes, info.Size())
		return nil
	})
	if err != nil {
		return err
	}
	read, err := medianOf(b.runs, func() (time.Duration, error) { return readAll(ctx, s.home) })
	if err != nil {
		return err
	}
	create, err := medianOf(b.runs, func() (time.Duration, error) { return createAll(ctx, filepath.Join(b.work, "fsync"), sizes) })
	r.Floor = fmt.Sprintf("cat %s; %d files with fsync %s", millis(read), len(sizes), millis(create))
	return err
}

// noChange runs again over what did not move.
func noChange(ctx context.Context, b *bench, r *result) error {
	if err := b.idleOn(ctx, b.std, r); err != nil {
		return err
	}
	b.idle = r.median()
	return nil
}

// idleOn measures passes over a corpus that did not move.
func (b *bench) idleOn(ctx context.Context, p params, r *result) error {
	s, err := b.synced(ctx, p, false)
	if err != nil {
		return err
	}
	limit, err := b.idleRuns(ctx, s, r)
	if err != nil {
		return err
	}
	r.Target = fmt.Sprintf("≤ 2 × find + %s = %s, nothing read, nothing written", millis(slack), millis(limit))
	r.under(limit)
	return nil
}

// idleRuns measures passes with nothing to do and returns their limit. It looks
// at the files itself, whatever the report says.
func (b *bench) idleRuns(ctx context.Context, s *stage, r *result) (limit time.Duration, err error) {
	before, err := sealed(s.vault)
	if err != nil {
		return 0, err
	}
	find, err := medianOf(b.runs, func() (time.Duration, error) { return walk(ctx, s.home, s.vault) })
	if err != nil {
		return 0, err
	}
	r.Floor = "find " + millis(find)
	for range b.runs {
		o, err := b.pass(ctx, s, r)
		if err != nil {
			return 0, err
		}
		r.sawAll(s, o)
		if r.Read > 0 || r.Written > 0 {
			r.miss("%s read, %d notes written", megabytes(r.Read), r.Written)
		}
	}
	touched, err := before.broken(s.vault)
	if err != nil {
		return 0, err
	}
	if len(touched) > 0 {
		r.miss("%d files of the vault touched", len(touched))
		r.remark("touched in the vault: %s", some(touched))
	}
	r.Measured = millis(r.median())
	return 2*find + slack, nil
}

// pass runs the program once and looks whether it left the sources alone.
func (b *bench) pass(ctx context.Context, s *stage, r *result) (outcome, error) {
	before, err := sealed(s.home)
	if err != nil {
		return outcome{}, err
	}
	o, err := b.child.sync(ctx, s)
	if err != nil {
		return o, err
	}
	r.take(o)
	touched, err := before.broken(s.home)
	if len(touched) > 0 {
		r.miss("sources touched")
		r.remark("touched in the sources: %s", some(touched))
	}
	return o, err
}

// manySessions has ten times the sessions of the standard corpus.
func manySessions(ctx context.Context, b *bench, r *result) error {
	s, err := b.synced(ctx, b.many, true)
	if err != nil {
		return err
	}
	limit, err := b.idleRuns(ctx, s, r)
	if err != nil {
		return err
	}
	growth := float64(b.many.Sessions) / float64(b.std.Sessions)
	if b.idle > 0 {
		limit = time.Duration(float64(b.idle) * growth * linearity)
		r.Target = fmt.Sprintf("≤ %.1f × the %s of %d sessions, RSS ≤ %d MB", growth*linearity, millis(b.idle), b.std.Sessions, firstRSS)
	} else {
		r.Target = fmt.Sprintf("≤ 2 × find + %s = %s, RSS ≤ %d MB", millis(slack), millis(limit), firstRSS)
	}
	r.under(limit)
	r.within(firstRSS)
	return nil
}

// some names a few of many, in order.
func some(paths []string) string {
	const few = 3
	slices.Sort(paths)
	if len(paths) > few {
		return strings.Join(paths[:few], ", ") + ", …"
	}
	return strings.Join(paths, ", ")
}

// foreign lists the changed notes that belong to another session: the pages that
// list a session may change with it, its neighbours' own notes may not.
func foreign(changed []string, id string) (others []string) {
	for _, note := range changed {
		for _, of := range []string{"/sessions/", "/checkpoints/", "/memory/"} {
			if strings.Contains(note, of) && !strings.Contains(note, id[:sessionFor]) {
				others = append(others, note)
			}
		}
	}
	return others
}
