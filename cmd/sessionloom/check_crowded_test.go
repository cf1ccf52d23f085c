package main

import (
	"fmt"
	"testing"
)

// A session that edited more files with notes than its navigation names is whole.
func TestCheckOfASessionOfManyFiles(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i := range 2 { // edited in two sessions: each file has a note
		talk := s.begins(fmt.Sprintf("%08x-aaaa-4bbb-8ccc-00000000000%d", i+1, i+1), widget)
		talk.asks("Please rename it everywhere")
		for n := range navFilesTwice {
			talk.edits(fmt.Sprintf("src/file%02d.go", n))
		}
		talk.says("Renamed.")
	}
	if r, stderr, code := s.pass(s.vault); code != exitDone || r.Notes.Created < navFilesTwice {
		t.Fatalf("exit code %d: %s %+v", code, stderr, r)
	}
	out, stderr, code := runProgram(t, s.config, append([]string{"check", "--full"}, s.flags(s.vault)...)...)
	if code != exitDone {
		t.Errorf("exit code %d:\n%s%s", code, out, stderr)
	}
}

// navFilesTwice is twice as many files as the navigation of a session names.
const navFilesTwice = 24
