package config

import (
	"strings"
)

// nearest finds the key a misspelt one was probably meant to be: the same last
// word in another section, else the one with the fewest edits.
// Empty: none is near.
func nearest(key string, all []setting) string {
	last := key[strings.LastIndex(key, ".")+1:]
	var keys []string
	for _, s := range all {
		if strings.HasSuffix(s.key, "."+last) {
			return s.key
		}
		keys = append(keys, s.key)
	}
	return fewestEdits(key, keys, func(key string) string { return key })
}

// NearestFile finds the file a misspelt one was probably meant to be, whatever
// ending was given; empty: none is near.
func NearestFile(name, ending string, all []string) string {
	return fewestEdits(name, all, func(s string) string { return strings.TrimSuffix(strings.ToLower(s), ending) })
}

// fewestEdits finds the word that another, misspelt one is nearest to, in what bare
// leaves of both; empty: none is near.
func fewestEdits(word string, all []string, bare func(string) string) string {
	best, least := "", max(3, len(bare(word))/3+1)
	for _, w := range all {
		if d := edits(bare(word), bare(w)); d < least {
			best, least = w, d
		}
	}
	return best
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
