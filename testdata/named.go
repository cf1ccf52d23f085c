package testdata

import "regexp"

// Settled returns the text of a note without the mark that its name waits for a title, and without the
// fingerprint over that, in which an existing note and a fresh one may differ.
func Settled(text string) string {
	return regexp.MustCompile(`(?m)(?:^| ¦ )untitled \S+| ¦ ~.{6}$`).ReplaceAllString(text, "")
}
