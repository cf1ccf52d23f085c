package sourcetest

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden notes anew")

// Notes are the texts of a vault's notes by path, with slashes.
type Notes map[string]string

// Of returns the note of the session whose id begins with id, or "".
func (n Notes) Of(id string) string {
	for _, text := range n {
		if strings.Contains(text, "\nid: \"session:"+id) {
			return text
		}
	}
	return ""
}

// Differ returns the lines in which the notes differ from others, or "".
func (n Notes) Differ(want Notes) string {
	var b strings.Builder
	all := maps.Clone(want)
	maps.Copy(all, n)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		have, is := n[path]
		should, wanted := want[path]
		if is != wanted || have != should {
			fmt.Fprintf(&b, "%s: there %t, wanted %t\n%s%s", path, is, wanted, linesApart("lacks ", should, have), linesApart("has ", have, should))
		}
	}
	return b.String()
}

// linesApart returns the lines of a text that another one lacks.
func linesApart(mark, text, other string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(other, line) {
			b.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}

// Golden compares the notes in folders of these names with those in a file, which a person reviewed. The flag
// -update rewrites the file.
func (n Notes) Golden(t testing.TB, file string, folders ...string) {
	t.Helper()
	now := maps.Clone(n)
	maps.DeleteFunc(now, func(path, _ string) bool {
		return !slices.ContainsFunc(folders, func(f string) bool { return strings.Contains(path, "/"+f+"/") })
	})
	a, err := txtar.ParseFile(file)
	if *update {
		if err != nil {
			a = &txtar.Archive{} // its comment stays, if there is one
		}
		a.Files = nil
		for _, path := range slices.Sorted(maps.Keys(now)) {
			a.Files = append(a.Files, txtar.File{Name: path, Data: []byte(now[path])})
		}
		Write(t, file, txtar.Format(a))
		return
	}
	Must(t, err)
	want := Notes{}
	for _, f := range a.Files {
		want[f.Name] = string(f.Data)
	}
	if diff := now.Differ(want); diff != "" {
		t.Errorf("the notes are not those of %s (-update writes it):\n%s", file, diff)
	}
}
