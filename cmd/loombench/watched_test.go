package main

import (
	"encoding/json"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// standInWatch stays until Ctrl-C. An honest one looks now and then, and when it is
// told to; a greedy one works all the time; a blind one sleeps.
func standInWatch(mode string, vault, home string) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGHUP)
	seen := map[string]string{}
	for {
		wait := 200 * time.Millisecond
		if mode == greedy {
			wait = 0
		}
		select {
		case s := <-signals:
			if s == os.Interrupt {
				os.Exit(130)
			}
		case <-time.After(wait):
		}
		if mode == blind {
			continue
		}
		before := len(seen)
		told, err := standInWeave(mode, vault, home, seen)
		if err == nil && len(seen) > before {
			err = json.NewEncoder(os.Stdout).Encode(told)
		}
		if err != nil {
			return err
		}
	}
}

func TestBenchSeesAWatchThatSleeps(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("measured on Linux")
	}
	found, err := runCases(t, blind, "watch-busy")
	if err != nil {
		t.Fatal(err)
	}
	if m := strings.Join(found["watch-busy"].Missed, "; "); !strings.Contains(m, "no sync") {
		t.Errorf("a watch that did nothing reached the target: %q", m)
	}
}

func TestBenchSeesAWatchThatNeverRests(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("measured on Linux")
	}
	found, err := runCases(t, greedy, "watch-busy")
	if err != nil {
		t.Fatal(err)
	}
	if m := strings.Join(found["watch-busy"].Missed, "; "); !strings.Contains(m, "of one core") {
		t.Errorf("a watch that works all the time reached the target: %q", m)
	}
}
