// Package inspect says what is wrong with a vault that no human meant, and puts
// back what is damaged in the text of a note where it is sure what stood there.
// It writes nothing, and sees a vault through [Disk] alone.
package inspect
