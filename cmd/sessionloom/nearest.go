package main

import "strings"

// nearest finds the key a misspelt one was probably meant to be: the same last
// word in another section, else the one with the fewest edits.
// Empty: none is near.
func nearest(key string, all []setting) string {
	best, least := "", max(3, len(key)/3+1)
	last := key[strings.LastIndex(key, ".")+1:]
	for _, s := range all {
		if strings.HasSuffix(s.key, "."+last) {
			return s.key
		}
		if d := edits(key, s.key); d < least {
			best, least = s.key, d
		}
	}
	return best
}

// nearestFile finds the file a misspelt one was probably meant to be, whatever
// ending was given; empty: none is near.
func nearestFile(name, ending string, all []string) string {
	bare := func(s string) string { return strings.TrimSuffix(strings.ToLower(s), ending) }
	best, least := "", max(3, len(bare(name))/3+1)
	for _, f := range all {
		if d := edits(bare(name), bare(f)); d < least {
			best, least = f, d
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
