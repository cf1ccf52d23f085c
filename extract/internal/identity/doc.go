// Package identity says what a session belongs to: the project of the place it
// worked in, the paths in that project, and the ids that are one session. It reads
// no file and no state: two machines come to one answer.
package identity
