// Package vault keeps markdown notes on disk without harm to what a human
// wrote: it names them, takes them apart, renews the parts that are ours and
// writes them so that at every moment a path holds complete old or complete new
// bytes. It knows nothing of sessions.
//
// How the text of a note is made, and how what is ours in it is told from what is
// its user's, stands in package note; what a note says that both changed is
// decided in package merge. Here is what touches the disk.
package vault

import "github.com/sessionloom/sessionloom/vault/note"

// PageVersion is the version of what notes say, see [note.Version].
const PageVersion = note.Version

// LayoutVersion is the version of names and places of the notes that this
// version knows. A vault whose marker has a newer one is not opened: notes would
// be written where the newer version does not look for them.
const LayoutVersion = 1
