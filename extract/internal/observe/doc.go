// Package observe compares the vault with the state and says what people did since
// the last run: edits, moves, deletions, copies. It tells events and stores nothing.
// What became of a note or file that is gone is decided in one place, fate.go.
package observe
