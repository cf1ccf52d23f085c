package vault

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func BenchmarkPutNew(b *testing.B) {
	v, _ := newVault(b, Options{})
	d := secondDraft()
	d.Body = text(strings.Repeat("Some line of a note with words in it.\n", 260))
	for n := 0; b.Loop(); n++ {
		d.Path = fmt.Sprintf("projects/w/sessions/%d.md", n)
		mustPut(b, v, d)
	}
}

func BenchmarkPutOld(b *testing.B) {
	v, _ := newVault(b, Options{})
	first, second := firstDraft(), secondDraft()
	at := mustPut(b, v, first).Path
	first.At, second.At = at, at
	for b.Loop() {
		mustPut(b, v, second)
		mustPut(b, v, first)
	}
}

func BenchmarkScan20000(b *testing.B) {
	v, dir := newVault(b, Options{})
	for i := range 20000 {
		writeFile(b, filepath.Join(dir, "projects", fmt.Sprint(i%40), "sessions", fmt.Sprintf("2026-01-02 a session of some length (%08x).md", i)), "")
	}
	for b.Loop() {
		if list, err := v.Scan(b.Context()); err != nil || len(list) != 20000 {
			b.Fatal(len(list), err)
		}
	}
}
