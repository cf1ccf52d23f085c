package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

func humanTurns(lines []line) (n int) {
	for _, l := range lines {
		if l.Type == "user.message" && l.Agent == "" && l.Data.Source == "" {
			n++
		}
	}
	return n
}

func TestAppendedTurnContinuesTheLog(t *testing.T) {
	p := params{Sessions: 30, MB: 2, Seed: 1}
	c, twin := newCorpus(t, p), newCorpus(t, p)
	id := c.Growing[0]
	a := newAuthor(c.home, p)
	before, _, _ := readLog(t, a.path(id))
	old, err := os.ReadFile(a.path(id))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.appendTurn(id, 2); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(a.path(id))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(now, old) {
		t.Error("what stood in the log changed")
	}
	lines, _, tail := readLog(t, a.path(id))
	if len(tail) > 0 || humanTurns(lines) != humanTurns(before)+1 {
		t.Errorf("%d turns and %d bytes of a torn line, want one turn more than %d", humanTurns(lines), len(tail), humanTurns(before))
	}
	first := lines[len(before)]
	if *first.Parent != before[len(before)-1].ID || first.Timestamp < before[len(before)-1].Timestamp {
		t.Error("the new turn does not follow the last event")
	}
	if _, err := newAuthor(twin.home, p).appendTurn(id, 2); err != nil {
		t.Fatal(err)
	}
	if same, _ := os.ReadFile(newAuthor(twin.home, p).path(id)); !bytes.Equal(now, same) {
		t.Error("the same turn on the same log has other bytes")
	}
}

func TestAppendedWordIsAboutAKilobyte(t *testing.T) {
	p := params{Sessions: 30, MB: 2, Seed: 1}
	c := newCorpus(t, p)
	a := newAuthor(c.home, p)
	_, before, _ := readLog(t, a.path(c.Growing[0]))
	if err := a.appendWord(c.Growing[0]); err != nil {
		t.Fatal(err)
	}
	_, after, _ := readLog(t, a.path(c.Growing[0]))
	share(t, "bytes appended", float64(after-before), 700, 1800)
}

func TestRewindRewritesTheLogWithoutItsLastTurn(t *testing.T) {
	p := params{Sessions: 30, MB: 4, Seed: 1}
	c := newCorpus(t, p)
	a := newAuthor(c.home, p)
	id := c.Growing[0]
	old, err := os.ReadFile(a.path(id))
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := readLog(t, a.path(id))
	inode, _ := os.Stat(a.path(id))
	if err := a.rewind(id); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(a.path(id))
	if err != nil {
		t.Fatal(err)
	}
	lines, _, tail := readLog(t, a.path(id))
	if len(tail) > 0 || humanTurns(lines) != humanTurns(before)-1 || lines[len(lines)-1].Type != "session.info" {
		t.Errorf("%d turns after %d, last event %s", humanTurns(lines), humanTurns(before), lines[len(lines)-1].Type)
	}
	if humanTurns(lines) > 0 && bytes.HasPrefix(old, now[:len(now)*3/4]) {
		t.Error("the retained lines have the bytes they had")
	}
	if after, _ := os.Stat(a.path(id)); os.SameFile(inode, after) {
		t.Error("the log was rewritten in place")
	}
}

func TestStoreLearnsATurnInItsWALAlone(t *testing.T) {
	p := params{Sessions: 30, MB: 2, Seed: 1}
	c := newCorpus(t, p)
	a := newAuthor(c.home, p)
	id := c.Growing[0]
	main, err := os.ReadFile(filepath.Join(c.home, storeName))
	if err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		if err := openCopy(t, c.home).QueryRow("SELECT count(*) FROM turns WHERE session_id = ?", id).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	if err := a.tellStore(context.Background(), id, turnRow{user: "one more", answer: "done"}); err != nil {
		t.Fatal(err)
	}
	if got := count(); got != before+1 {
		t.Errorf("%d rows, want %d", got, before+1)
	}
	if now, _ := os.ReadFile(filepath.Join(c.home, storeName)); !bytes.Equal(main, now) {
		t.Error("the main file of the store changed")
	}
	if left, _ := filepath.Glob(filepath.Join(c.home, ".store-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
