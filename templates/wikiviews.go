package templates

import "time"

// Index is the catalogue of a vault in the layout of a wiki: every page that
// matters with a line about it, by category.
type Index struct {
	Count       int // sessions
	First, Last time.Time
	Projects    []Entry
	Journal     []IndexGroup
	More        int // sessions beyond those listed
	References  []Entry
}

// IndexGroup are the sessions of a project, newest first.
type IndexGroup struct {
	Project  Link
	Sessions []Entry
}

// Entry is one line of a catalogue. A zero At is not shown.
type Entry struct {
	Link Link
	What Text
	At   time.Time
}

// Hot is what was worked on last in a vault in the layout of a wiki.
type Hot struct {
	Sessions []Entry
	Files    []HotFile
	Open     Threads
}

// HotFile is a file that is edited often.
type HotFile struct {
	Link, Project Link
	Sessions      int
	Last          time.Time
}
