package sourcetest

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// Sample returns a copy of testdata/home.
func Sample(t testing.TB) string {
	t.Helper()
	dir := oddFolder(t)
	Must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "home"))))
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

// Facts compares data about the sessions of a sample with the known data, in any order.
func Facts[F any](t testing.TB, got, known []F) {
	t.Helper()
	exact := func(all []F) (texts []string) {
		for _, f := range all {
			texts = append(texts, fmt.Sprintf("%#v", f))
		}
		return texts
	}
	are, should := exact(got), exact(known)
	for i, f := range known {
		if !slices.Contains(are, should[i]) {
			t.Errorf("missing\n%+v", f)
		}
	}
	for i, f := range got {
		if !slices.Contains(should, are[i]) {
			t.Errorf("there is\n%+v", f)
		}
	}
	if len(got) != len(known) {
		t.Errorf("facts of %d sessions, want %d", len(got), len(known))
	}
}
