// Package merge decides what a text says that two sides changed: a note between
// its user and us, a file that is no note, and the versions of a note on two
// machines. It knows texts alone, and what a human wrote is in every text that
// it gives.
//
// The base of a region is our last render with what was taken of it, never the result of a
// merge; in a clash the base keeps its lines. A base counts if it has the hash in the begin line.
// Without one (a lost ledger, an edit on another machine) an untouched region is regenerated, a
// touched one that equals our new render takes that as its base, and any other stays as it is
// until its text is again one that we rendered. So a lost ledger costs updates of edited
// regions, never text.
package merge
