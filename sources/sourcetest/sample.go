package sourcetest

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Sample returns a copy of testdata/home, whose files were all changed at one time.
func Sample(t testing.TB) string {
	t.Helper()
	dir := oddFolder(t)
	Must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "home"))))
	changed := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	Must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			err = os.Chtimes(path, changed, changed)
		}
		return err
	}))
	return dir
}

// Readings lists a source and reads its items one by one. A reported problem fails the test.
func Readings(t testing.TB, s sources.Source) iter.Seq2[sources.Item, sources.Reading] {
	t.Helper()
	l, err := s.List(context.Background())
	Must(t, err)
	for _, p := range l.Problems {
		t.Errorf("problem while listing: %+v", p)
	}
	return func(yield func(sources.Item, sources.Reading) bool) {
		for _, it := range l.Items {
			r, err := s.Read(context.Background(), it)
			Must(t, err)
			for _, p := range r.Problems {
				t.Errorf("%s: %+v", it.Key, p)
			}
			if !yield(it, r) {
				return
			}
		}
	}
}

// Golden compares all that a source tells of the homes in dir with a file, which a person reviewed. The flag
// -update rewrites the file.
func Golden(t testing.TB, s sources.Source, dir, file string) {
	t.Helper()
	var told []string
	for it, r := range Readings(t, s) {
		told = append(told, fmt.Sprintf("== %v %s\n%s", it.Kind, it.Session, expect.Told(r)))
	}
	slices.Sort(told)
	l, err := s.List(context.Background())
	Must(t, err)
	for i := range l.Roots {
		l.Roots[i].New = time.Time{} // that of the copy
		l.Roots[i].Notes = slices.DeleteFunc(l.Roots[i].Notes, func(note string) bool { return strings.Contains(note, " may go from ") })
	}
	told = append(told, "== home\n"+expect.Told(l.Roots))
	if d, able := s.(sources.Detailer); able {
		details, err := d.Details(context.Background())
		Must(t, err)
		told = append(told, expect.Told(details))
	}
	if v, able := s.(sources.Tester); able {
		told = append(told, "tested with "+v.Tested())
	}
	text := strings.ReplaceAll(strings.Join(told, "\n"), dir, "HOME")
	if *update {
		Write(t, file, []byte(text))
	}
	if want := string(Read(t, file)); text != want {
		t.Errorf("what is read is not what %s tells (-update writes it):\n%s%s", file, linesApart("lacks ", want, text), linesApart("has ", text, want))
	}
	closed(t, s)
}
