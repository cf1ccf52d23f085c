// Package merge decides what a text says that two sides changed: a note between
// its user and us, a file that is no note, and the versions of a note on two
// machines. It knows texts alone, and what a human wrote is in every text that
// it gives.
package merge
