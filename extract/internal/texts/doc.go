// Package texts folds, cuts and hashes short texts: what titles, keys and names
// are made of. It knows nothing of sessions and notes.
package texts
