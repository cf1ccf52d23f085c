package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test binary stands in for the measured program when this variable says so.
const standIn = "LOOMBENCH_STANDIN"

// How the stand-in behaves.
const (
	honest = "honest" // does what a synchroniser should
	sloppy = "sloppy" // rewrites another session's note and a file of the sources and does not tell
	greedy = "greedy" // reads every log on every pass
	blind  = "blind"  // looks at nothing
	broken = "broken" // fails
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(standIn); mode != "" {
		if err := standInSync(mode, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func argument(args []string, name string) string {
	for i, a := range args[:len(args)-1] {
		if a == name {
			return args[i+1]
		}
	}
	return ""
}

// standInSync writes a note for each log that moved, with no more in it than
// the log's size, and remembers the stamps it saw.
func standInSync(mode string, args []string) error {
	if mode == broken {
		return fmt.Errorf("cannot work today")
	}
	if args[0] == "watch" {
		return standInWatch(mode, argument(args, "--vault"), argument(args, "--copilot-home"))
	}
	if mode == blind {
		_, err := fmt.Println(`{"schema": 1}`)
		return err
	}
	vault, state, home := argument(args, "--vault"), argument(args, "--state"), cmp.Or(argument(args, "--copilot-home"), argument(args, "--vscode-user"))
	if args[0] == "export" {
		_, err := fmt.Println(`{"schema": 1}`)
		return err
	}
	if args[0] == "diff" || args[0] == "status" || args[0] == "check" {
		if mode == sloppy {
			return standInNote(vault, "Agents/projects/p/sessions/other.md", args[0])
		}
		return nil
	}
	seen := map[string]string{}
	known, err := os.ReadFile(filepath.Join(state, "seen.json"))
	if err == nil {
		err = json.Unmarshal(known, &seen)
	} else if os.IsNotExist(err) {
		err = os.MkdirAll(state, 0o700)
	}
	if err != nil {
		return err
	}
	told, err := standInWeave(mode, vault, home, seen)
	if err != nil {
		return err
	}
	if mode == sloppy {
		pid := fmt.Sprint(os.Getpid())
		if err := errors.Join(standInNote(vault, "Agents/projects/p/sessions/other.md", pid), standInNote(home, "trace", pid)); err != nil {
			return err
		}
	}
	b, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(state, "seen.json"), b, 0o600); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}

// standInWeave returns the report.
func standInWeave(mode, vault, home string, seen map[string]string) (any, error) {
	listed, created, read, changed := 0, 0, int64(0), []map[string]string{}
	err := eachFile(home, func(name string, info fs.FileInfo) error {
		id := filepath.Base(filepath.Dir(name))
		switch {
		case id == "chatSessions":
			id = filepath.Base(name)
		case filepath.Base(name) != "events.jsonl":
			return nil
		}
		stamp := fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		note := "Agents/projects/p/sessions/" + id[:8] + ".md"
		listed++
		if seen[id] == "" || mode == greedy {
			read += info.Size()
		}
		if seen[id] == stamp {
			return nil
		}
		seen[id] = stamp
		created++
		changed = append(changed, map[string]string{"note": note, "outcome": "created"})
		return standInNote(vault, note, stamp)
	})
	return map[string]any{
		"schema": 1, "sessions": map[string]int{"listed": listed}, "notes": map[string]int{"created": created},
		"sources": []any{map[string]any{"name": "copilot-cli", "bytes_read": read}}, "changed": changed,
	}, err
}

func standInNote(vault, note, text string) error {
	path := filepath.Join(vault, note)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// runCases measures the stand-in over small corpora.
func runCases(t *testing.T, mode, only string) (map[string]result, error) {
	t.Helper()
	cache := t.TempDir()
	b := &bench{
		child: child{bin: os.Args[0], env: []string{standIn + "=" + mode}}, work: t.TempDir(), runs: 2, watch: time.Second,
		std:    params{Sessions: 40, MB: 2, Seed: 1},
		big:    params{Sessions: 1, MB: 4, Long: true, Seed: 1},
		many:   params{Sessions: 80, MB: 3, Seed: 1},
		wide:   params{Sessions: 60, MB: 2, Seed: 1},
		chats:  params{Sessions: 40, MB: 2, Chats: true, Seed: 1},
		object: params{Sessions: 1, MB: 4, Chats: true, Long: true, Seed: 1},
		homes:  map[string]string{}, stages: map[string]*stage{}, say: t.Logf,
	}
	b.corpus = func(ctx context.Context, p params) (corpus, error) {
		if err := cacheCorpus(ctx, cache, p, func(int) {}); err != nil {
			return corpus{}, err
		}
		return openCorpus(cache, p)
	}
	chosen, err := choose(only)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]result{}
	for _, c := range chosen {
		r := result{Case: c.what}
		if err := c.run(context.Background(), b, &r); err != nil {
			return nil, err
		}
		found[c.name] = r
	}
	return found, nil
}

// misses leaves out what depends on the speed of this machine.
func misses(r result) (all []string) {
	for _, m := range r.Missed {
		if !strings.Contains(m, "MB/s") && !strings.Contains(m, " over ") && !strings.Contains(m, " an hour") && !strings.Contains(m, " of one core") {
			all = append(all, m)
		}
	}
	return all
}

func TestAnHonestProgramMissesNothingButTime(t *testing.T) {
	found, err := runCases(t, honest, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range found {
		if m := misses(r); len(m) > 0 {
			t.Errorf("%s: missed %q", name, m)
		}
		if r.Measured == "" || r.Target == "" || r.Floor == "" || len(r.RunsMS) != 2 && !strings.HasPrefix(name, "watch-") {
			t.Errorf("%s: incomplete row %+v", name, r)
		}
	}
	if n := found["first"].Written; n != 40 {
		t.Errorf("first sync wrote %d notes, want 40", n)
	}
	if n := found["grew"].Written; n != 1 {
		t.Errorf("one grown session wrote %d notes, want 1", n)
	}
}

func TestBenchSeesWhatAProgramDoesNotTell(t *testing.T) {
	found, err := runCases(t, sloppy, "idle,grew")
	if err != nil {
		t.Fatal(err)
	}
	if m := strings.Join(misses(found["idle"]), "; "); !strings.Contains(m, "sources touched") || !strings.Contains(m, "files of the vault touched") {
		t.Errorf("a rewritten note or a touched source went unnoticed: %q", m)
	}
	m := strings.Join(misses(found["grew"]), "; ")
	for _, want := range []string{"report does not say so", "notes of other sessions changed"} {
		if !strings.Contains(m, want) {
			t.Errorf("missed %q, want %q among it", m, want)
		}
	}
}

func TestBenchSeesALookThatWrites(t *testing.T) {
	found, err := runCases(t, sloppy, "diff,check-note")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range found {
		if m := strings.Join(misses(r), "; "); !strings.Contains(m, "touched") {
			t.Errorf("%s: a note that was written went unnoticed: %q", name, m)
		}
	}
}

func TestBenchSeesBodiesReadForNothing(t *testing.T) {
	found, err := runCases(t, greedy, "idle,big-grew")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range found {
		if m := strings.Join(misses(r), "; "); !strings.Contains(m, "read") {
			t.Errorf("%s: reading everything went unnoticed: %q", name, m)
		}
	}
}

func TestBenchSeesThatNothingWasLookedAt(t *testing.T) {
	found, err := runCases(t, blind, "first,idle,grew")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range found {
		if len(misses(r)) == 0 {
			t.Errorf("%s: a program that does nothing reached the target", name)
		}
	}
}

func TestAFailingProgramIsAnErrorWithItsWords(t *testing.T) {
	_, err := runCases(t, broken, "first")
	if err == nil || !strings.Contains(err.Error(), "cannot work today") {
		t.Errorf("error is %v, want what the program said", err)
	}
}

func TestTableTellsMissedTargets(t *testing.T) {
	s := summary{Results: []result{
		{Case: "fast", Measured: "1 ms"},
		{Case: "slow", Measured: "9 ms", Missed: []string{"9 ms over 5 ms"}, Remarks: []string{"one problem"}},
	}}
	var b strings.Builder
	if err := s.writeTable(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| reached |", "| missed: 9 ms over 5 ms |", "- slow: one problem"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
}

func TestSealTellsWhatCameChangedAndWent(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"same", "changed", "gone"} {
		if err := standInNote(dir, name, "old"); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sealed(dir)
	if err != nil {
		t.Fatal(err)
	}
	if paths, err := s.broken(dir); err != nil || len(paths) > 0 {
		t.Errorf("untouched, but %q, %v", paths, err)
	}
	for _, name := range []string{"changed", "sub/new"} {
		if err := standInNote(dir, name, "newer"); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	paths, err := s.broken(dir)
	if want := "changed, sub/new, (1 files that are gone)"; err != nil || strings.Join(paths, ", ") != want {
		t.Errorf("got %q, %v, want %s", paths, err, want)
	}
}
