package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A file system that shows names decomposed and takes both forms for one is
// played by a second link, made after the folder was read.
func TestNamesAreComposed(t *testing.T) {
	const shown, ours = "cafe\u0301.md", "caf\u00e9.md"
	dir := t.TempDir()
	root := expect.Value(os.OpenRoot(dir))(t)
	defer func() { _ = root.Close() }()
	writeFile(t, filepath.Join(dir, shown), "text")
	names := func(between func()) (all []string) {
		folder := expect.Value(root.Open("."))(t)
		list, err := folder.Readdir(-1)
		if err != nil || folder.Close() != nil {
			t.Fatal(err)
		}
		between()
		compose(root, list)
		for _, info := range list {
			all = append(all, info.Name())
		}
		slices.Sort(all)
		return all
	}
	if got := names(func() {}); !slices.Equal(got, []string{shown}) && !slices.Equal(got, []string{ours}) {
		t.Errorf("%q", got)
	}
	link := func() {
		if err := os.Link(filepath.Join(dir, shown), filepath.Join(dir, ours)); err != nil {
			t.Skipf("no links here, or one name: %v", err)
		}
	}
	expect.List(t, names(link), []string{ours}, "the same file by both names")
	expect.List(t, names(func() {}), []string{shown, ours}, "two files")
}
