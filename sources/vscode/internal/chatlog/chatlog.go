// Package chatlog reads the files in which VS Code keeps chat sessions: logs of
// mutations (.jsonl), which are replayed, and documents (.json, exports). Both
// give a Session, which declares what is ever shown of one
// (formats/vscode-copilot-chat.md, sections 1, 2 and 8).
package chatlog

import "time"

// File is what was read of a session's file.
type File struct {
	// State is the session: the members of its header and requests. It is nil when
	// the file holds nothing that can be read.
	State *Session
	// Whole says that the session is known from its start, so that what the file
	// does not know did not happen.
	Whole bool
	// Torn says that the file ends within the one entry, or the document, that holds
	// the session: a crash cut it off, or VS Code is writing it just now.
	Torn bool
	// Rewound says that requests were cut off or replaced by others.
	Rewound bool
	// Damage says in plain words what could not be read; it holds no text of the
	// transcript.
	Damage []string
	// Unknown counts mutations of unknown kinds, and values of another type than
	// they should be.
	Unknown map[string]int
}

// When reads milliseconds since 1970; zero where they are no date of a chat, from
// 2001 to 2100.
func When(ms int64) time.Time {
	const first, last = 1e12, 4102444800000
	if ms < first || ms > last {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
