package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// looks are the cases of the commands that look and write nothing, on a vault of
// ten thousand notes: with nothing changed, and with one note that its user wrote
// in.
func looks() []benchCase {
	var all []benchCase
	for _, command := range []string{"diff", "status", "check"} {
		l := look{command: command}
		all = append(all, benchCase{command, "ten thousand notes: " + command + ", nothing changed", l.run})
		l.edit = true
		all = append(all, benchCase{command + "-note", "the same, one note changed", l.run})
	}
	return all
}

// look is one command that is measured.
type look struct {
	command string
	edit    bool
}

// lookFactor is what a look may cost: so many times the stat walk of all it has to
// look at, and reading what changed.
const lookFactor = 2

func (l look) run(ctx context.Context, b *bench, r *result) error {
	s, err := b.synced(ctx, b.wide, true)
	if err != nil {
		return err
	}
	notes, err := sessionNotes(s.vault)
	if err != nil {
		return err
	}
	if err := l.settle(ctx, b, s); err != nil {
		return err
	}
	places := []string{s.vault}
	if l.command != "check" {
		places = append(places, s.home)
	}
	find, err := medianOf(b.runs, func() (time.Duration, error) { return walk(ctx, places...) })
	if err != nil {
		return err
	}
	limit := lookFactor * find
	r.Floor = fmt.Sprintf("find over %s %s", words(len(places)), millis(find))
	for i := range b.runs {
		if err := l.once(ctx, b, s, r, notes[i%len(notes)]); err != nil {
			return err
		}
	}
	r.Measured = millis(r.median())
	r.Target = fmt.Sprintf("≤ %d × find = %s, nothing written", lookFactor, millis(limit))
	r.under(limit)
	return nil
}

func words(places int) string {
	if places == 1 {
		return "the vault"
	}
	return "vault and sources"
}

// once measures one run. A note that was changed is taken in afterwards, so that
// the next run finds one changed note too.
func (l look) once(ctx context.Context, b *bench, s *stage, r *result, note string) error {
	if l.edit {
		if err := appendTo(note, []byte("\nA word of its reader's.\n")); err != nil {
			return err
		}
		// A note as young as the look is read once more, which is not what is measured.
		time.Sleep(50 * time.Millisecond)
	}
	before, err := sealed(s.vault, s.home)
	if err != nil {
		return err
	}
	o, err := b.child.look(ctx, s, l.command)
	if err != nil {
		return err
	}
	r.RunsMS = append(r.RunsMS, float64(o.elapsed.Microseconds())/1000)
	r.RSS = max(r.RSS, o.rss)
	touched, err := before.broken(s.vault, s.home)
	if err != nil {
		return err
	}
	if len(touched) > 0 {
		r.miss("%s touched", some(touched))
	}
	if !l.edit {
		return nil
	}
	return l.settle(ctx, b, s)
}

// settle has the program take in what was changed, as often as it needs to find
// nothing young.
func (l look) settle(ctx context.Context, b *bench, s *stage) error {
	for range 2 {
		if _, err := b.child.sync(ctx, s); err != nil {
			return err
		}
	}
	_, err := b.child.look(ctx, s, "check")
	return err
}

// look runs a command that writes nothing into the vault.
func (c child) look(ctx context.Context, s *stage, command string) (outcome, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.bin, append([]string{command}, s.flags()...)...)
	cmd.Env, cmd.Stderr = c.env, &stderr
	begin := time.Now()
	err := cmd.Run()
	o := outcome{elapsed: time.Since(begin)}
	if err != nil {
		return o, fmt.Errorf("run %s: %w\n%s", command, err, lastBytes(stderr.Bytes(), 2000))
	}
	o.rss = peakRSS(cmd.ProcessState)
	return o, nil
}

// sessionNotes lists the notes of sessions, sorted.
func sessionNotes(vault string) ([]string, error) {
	var notes []string
	err := eachFile(vault, func(name string, _ fs.FileInfo) error {
		if strings.Contains(filepath.ToSlash(name), "/sessions/") {
			notes = append(notes, filepath.Join(vault, name))
		}
		return nil
	})
	if err == nil && len(notes) == 0 {
		err = fmt.Errorf("no notes of sessions in %q: %w", vault, os.ErrNotExist)
	}
	slices.Sort(notes)
	return notes, err
}
