// Package identity says what a session belongs to: the project of the place it
// worked in, the paths in that project, and the ids that are one session. It reads
// no file and no state: two machines come to one answer.
//
// A session that knows only a folder belongs to the project of the remote that another
// session knows for that folder, or for the repository it lies in; the newest session's word
// counts. This never goes back: a note that stands in the project of a repository keeps it,
// and teaches its folder to others, where nobody else is left who knows the remote.
//
// Layers stay under the id that they were read under. Which session an id belongs to is
// worked out from all claims at once.
package identity
