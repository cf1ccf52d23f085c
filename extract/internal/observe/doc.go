// Package observe finds out what people did to the vault since the last run (edits, moves,
// deletions, copies) and takes it into the state: each becomes a fact and makes due what
// shows it. What became of a note that is gone is decided in one place, gone.go.
//
// A note or file that is missing is looked for before it counts as deleted: elsewhere in the
// vault (but not in the managed folder of another vault within it), in folders that cannot be
// read, among tombstones, in git. Where more is missing than max(20, a tenth) at once, notes
// and other files in one count, the run stops. A note whose name not every system takes is
// read and never written to.
package observe
