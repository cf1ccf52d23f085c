// Package extract decides: what changed in the sources, which layers make one
// session, what of it is worth a note, and which notes are due. It alone knows
// both sessions and notes.
package extract
