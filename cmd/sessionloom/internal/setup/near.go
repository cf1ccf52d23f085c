package setup

import (
	"os"
	"path/filepath"
	"strings"
)

// Near finds the folder that a path was probably meant to be: one of the known
// vaults that lies below it or has a similar name, else a folder of a similar path.
// Empty: none is near.
func Near(path string, known []string) string {
	for _, v := range known {
		if strings.HasPrefix(v, path+string(filepath.Separator)) {
			return v
		}
	}
	if v := MostSimilar(filepath.Base(path), known, filepath.Base); v != "" && v != path {
		return v
	}
	if at := similarFolder(path); at != path {
		return at
	}
	return ""
}

// similarFolder is the folder that a path leads to where each name that is not there
// is replaced by a similar one.
func similarFolder(path string) string {
	if isFolder(path) || path == filepath.Dir(path) {
		return path
	}
	parent := similarFolder(filepath.Dir(path))
	if parent == "" {
		return ""
	}
	if same := filepath.Join(parent, filepath.Base(path)); isFolder(same) {
		return same
	}
	entries, _ := os.ReadDir(parent) // one that cannot be read has no names to offer
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			folders = append(folders, filepath.Join(parent, e.Name()))
		}
	}
	return MostSimilar(filepath.Base(path), folders, filepath.Base)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// MostSimilar finds the one of some words whose name differs least from the wanted
// one; empty: none is similar.
func MostSimilar(want string, words []string, name func(string) string) string {
	best, least := "", min(2, len([]rune(want))/3)
	for _, w := range words {
		if d := distance(strings.ToLower(want), strings.ToLower(name(w))); d < least || d == least && best == "" {
			best, least = w, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with the next one to
// make one word of another.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var older, above []int
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		older, above, row = above, row, make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			replace := above[j]
			if x[i] != y[j] {
				replace++
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, replace)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
	}
	return row[len(y)]
}
