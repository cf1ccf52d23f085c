// Package inspect says what is wrong with a vault that no human meant, and puts
// back what is damaged in the text of a note where it is sure what stood there.
// It writes nothing, and sees a vault through [Disk] alone.
//
// A repair keeps the lines of the user. Where a line of theirs has no place in the repaired
// note, the whole text is put into the folder of rescued texts before anything is written.
package inspect
