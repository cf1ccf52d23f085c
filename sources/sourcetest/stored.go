package sourcetest

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// The checks of this file have the engine make a vault of readings, repeatedly: no poorer reading removes
// anything from a note, except what the user took back.

func storedFails(t *testing.T, b *bench) {
	v, all := newKept(b), turns(3)
	b.write(ids[0], all[:2])
	v.sync(b.source).shows(all[:2])
	b.append(ids[0], 2, all[2:])
	b.change(func() { v.failing(vanishing{b.source, b.log(ids[0])}).shows(all[:2]) })
	v.sync(b.source).shows(all)
	v.settled(b.source)
}

func storedTorn(t *testing.T, b *bench) {
	v, all := newKept(b), turns(3)
	b.write(ids[0], all)
	v.sync(b.source)
	b.change(func() { b.suite.History.Tear(t, b.dir, ids[0]) })
	v.sync(b.source).shows(all[:2])
	v.settled(b.source)
	b.write(ids[0], all)
	v.sync(b.source).shows(all)
}

func storedEmptied(t *testing.T, b *bench) {
	v, all := newKept(b), turns(3)
	b.write(ids[0], all[:2])
	before := v.sync(b.source)
	b.change(func() { Write(t, b.log(ids[0]), nil) })
	v.sync(b.source).same(before)
	v.settled(b.source)
	b.write(ids[0], all)
	v.sync(b.source).shows(all)
}

func storedBeheaded(t *testing.T, b *bench) {
	logs, able := b.suite.History.(Beheader)
	if !able {
		t.Skip("its logs have no start to lose")
	}
	v, all := newKept(b), turns(4)
	b.write(ids[0], all[:3])
	v.sync(b.source)
	b.change(func() { logs.Behead(t, b.dir, ids[0]) })
	v.sync(b.source).shows(all[:3])
	b.append(ids[0], 3, all[3:])
	v.sync(b.source).shows(all)
	v.settled(b.source)
}

func storedRewound(_ *testing.T, b *bench) {
	v, all := newKept(b), turns(4)
	b.write(ids[0], all)
	v.sync(b.source)
	b.write(ids[0], all[:2])
	if _, lost := b.suite.History.(Appender); lost {
		v.sync(b.source).shows(all)
	} else {
		v.sync(b.source).shows(all[:2]).hides(all[2:])
	}
	v.settled(b.source)
}

func storedExpires(t *testing.T, b *bench) {
	agent, able := b.suite.History.(Expirer)
	if !able {
		t.Skip("it deletes nothing by itself")
	}
	v, all := newKept(b), turns(3)
	var files []string
	b.write(ids[0], all[:2])
	b.change(func() { files = agent.Expiring(t, b.dir, ids[0], start, all[:2]) })
	with := v.sync(b.source)
	for _, file := range files {
		b.change(func() { Must(t, os.Remove(file)) })
		v.sync(b.source).same(with)
	}
	b.append(ids[0], 2, all[2:])
	v.sync(b.source).shows(all)
	b.change(func() { Must(t, os.Remove(b.log(ids[0]))) })
	v.sync(b.source).shows(all)
}

// log returns the file with the conversation of a session.
func (b *bench) log(id string) string { return b.suite.History.Log(b.dir, id) }

// kept is a vault after a pass.
type kept struct {
	vault *Vault
	notes Notes
}

func newKept(b *bench) kept { return kept{vault: NewVault(b.t)} }

// sync runs a pass in which everything can be read.
func (k kept) sync(s sources.Source) kept {
	k.vault.t.Helper()
	return k.pass(s, false)
}

// failing runs a pass that must report that it read only a part.
func (k kept) failing(s sources.Source) kept {
	k.vault.t.Helper()
	return k.pass(s, true)
}

func (k kept) pass(s sources.Source, part bool) kept {
	k.vault.t.Helper()
	notes, r := k.vault.Run(s)
	if r.Part() != part {
		k.vault.t.Errorf("done in part: %v, want %v; problems %v", r.Part(), part, r.Problems)
	}
	return kept{k.vault, notes}
}

// settled requires that a further pass changes nothing.
func (k kept) settled(s sources.Source) {
	k.vault.t.Helper()
	before := kept{k.vault, k.vault.Notes()}
	after, _ := k.vault.Run(s)
	kept{k.vault, after}.same(before)
}

// shows requires that the vault shows these turns.
func (k kept) shows(turns []Turn) kept {
	k.vault.t.Helper()
	k.tells(turns, true)
	return k
}

// hides requires that the vault shows none of these turns.
func (k kept) hides(turns []Turn) { k.vault.t.Helper(); k.tells(turns, false) }

func (k kept) tells(turns []Turn, want bool) {
	k.vault.t.Helper()
	all := strings.Join(slices.Collect(maps.Values(k.notes)), "\n")
	for _, turn := range turns {
		for _, text := range []string{turn.User, turn.Answer} {
			if strings.Contains(all, text) != want {
				k.vault.t.Errorf("the vault tells %q: %v, want %v", text, !want, want)
			}
		}
	}
}

// same requires the notes of before, byte for byte.
func (k kept) same(before kept) {
	k.vault.t.Helper()
	if diff := k.notes.Differ(before.notes); diff != "" {
		k.vault.t.Errorf("the notes are not what they were:\n%s", diff)
	}
}

// vanishing is a source with a file that is missing during Read.
type vanishing struct {
	sources.Source
	file string
}

func (s vanishing) Read(ctx context.Context, it sources.Item) (sources.Reading, error) {
	if err := os.Rename(s.file, s.file+"-away"); err != nil {
		return sources.Reading{}, err
	}
	r, err := s.Source.Read(ctx, it)
	if back := os.Rename(s.file+"-away", s.file); back != nil {
		return r, back
	}
	return r, err
}
