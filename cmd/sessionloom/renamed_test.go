package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata"
)

// A note keeps the name that it was given first, and no source tells what was known then: a fresh
// vault is held against one that grew once its notes have the names of that, from its user.

// nameAs gives the notes of a vault the names that they have in another one, where they are in the
// same folder there. It reports whether any has another name now.
func nameAs(t testing.TB, dir, like string) (renamed bool) {
	t.Helper()
	at := map[string]string{}
	for p, c := range walk(t, like) {
		if id := noteID(c.text); id != "" {
			at[id] = p
		}
	}
	for p, c := range walk(t, dir) {
		kind, _, _ := strings.Cut(noteID(c.text), ":")
		if to := at[noteID(c.text)]; slices.Contains([]string{"session", "checkpoint", "memory"}, kind) && to != "" && to != p && filepath.Dir(to) == filepath.Dir(p) {
			if err := os.Rename(filepath.Join(dir, p), filepath.Join(dir, to)); err != nil {
				t.Fatal(err)
			}
			renamed = true
		}
	}
	return renamed
}

// asNamed leaves out that notes wait for a title: nameAs ends that.
func asNamed(c contents) contents {
	out := maps.Clone(c)
	for p, f := range out {
		f.text = testdata.Settled(f.text)
		out[p] = f
	}
	return out
}
