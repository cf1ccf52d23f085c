package copilotcli

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// A session that the SDK started may be called anything, and alike in several
// homes. What its name lacks is taken from how it began, which never changes: the
// start that its log tells, else the time of creation in workspace.yaml, else that
// in the store. So a copied folder is the same session and another one is not.

// sessionName is the name of a session's folder or file, as the store and the
// metadata know it.
func sessionName(item sources.Item) string {
	return item.Key[strings.LastIndexByte(item.Key, '/')+1:]
}

// sessionID is the identity of a session, as far as its name alone tells: empty
// where that is no UUID.
func sessionID(name string) string {
	if id := sources.FoldUUID(name); sources.IsUUID(id) {
		return id
	}
	return ""
}

// namedID is the identity of a session whose name is no UUID, by how it began. Its
// digest is of letters: a number would read as that of a part of the session.
func namedID(name, began string) string {
	letters := strings.Map(func(r rune) rune {
		if r <= '9' {
			return r - '0' + 'g'
		}
		return r
	}, files.Hash(name, began)[:8])
	return bareID(name) + ":" + letters
}

// bareID is an id that names alone make, under which rows of a store may be known.
func bareID(name string) string { return agentName + ":" + name }

// createdAt is how a session began whose log does not tell, empty where that is unknown.
func createdAt(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// otherIDs are the ids besides one, each once. A list of them is kept by line.
func otherIDs(ids []string, but string) (out []string) {
	for _, id := range ids {
		if id != but && !slices.Contains(out, id) && !strings.Contains(id, "\n") {
			out = append(out, id)
		}
	}
	return out
}

// forkedFrom is the id of the session that a log says it was forked from. A fork
// begins with the start of its parent.
func forkedFrom(name, start string) string {
	if id := sessionID(name); id != "" || name == "" {
		return id
	}
	return namedID(name, start)
}
