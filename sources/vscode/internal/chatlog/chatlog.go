// Package chatlog reads the files in which VS Code keeps chat sessions: logs of
// mutations (.jsonl), which are replayed, and documents (.json, exports). Both
// give the tree of a session as far as anything of it is ever shown
// (formats/vscode-copilot-chat.md, sections 1, 2 and 8).
package chatlog

import (
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// Options say how much to keep.
type Options struct {
	Images bool // also the bytes of images that were added to a prompt
}

// File is what was read of a session's file.
type File struct {
	// State is the session: the members of its header and requests. It is nil when
	// the file holds nothing that can be read.
	State *tree.Node
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
	// Unknown counts mutations of unknown kinds.
	Unknown map[string]int
	// BytesRead counts the bytes of the file that were looked at.
	BytesRead int64
}
