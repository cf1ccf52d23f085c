package testdata

import "regexp"

// Settled is the text of a note without what says that its name waits for a title, and the
// fingerprint over that: a note that stands and a fresh one may differ in it.
func Settled(text string) string {
	return regexp.MustCompile(`(?m)(?:^| ¦ )untitled \S+| ¦ ~.{6}$`).ReplaceAllString(text, "")
}
