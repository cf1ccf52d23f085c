package merge

import (
	"bytes"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// NewFile is what a new file is to hold: ours behind a line with its hash.
func NewFile(path, ours string) []byte { return []byte(headerOf(path).with(ours)) }

// File puts our new text into a file, in its line ends. One that its user changed is theirs, and stays.
func File(path string, was []byte, ours string) []byte {
	if !IsAsWritten(path, was) {
		return was
	}
	at := len(was) - len(bytes.TrimPrefix(was, note.ByteOrderMark))
	return note.Splice(was, note.LineEnd(was), []note.Edit{{Start: at, End: len(was), Text: headerOf(path).with(ours)}})
}

// plainFile is a text without a byte order mark, with LF line ends.
func plainFile(text []byte) string {
	return string(note.ToLF(bytes.TrimPrefix(text, note.ByteOrderMark)))
}

func isCanvas(p string) bool { return path.Ext(p) == ".canvas" }

type header struct {
	start, end string
	instead    string // of this the line stands in the place
}

// headerOf is that of a kind of file. A canvas has it under a key that readers pass over.
func headerOf(path string) header {
	if isCanvas(path) {
		return header{`{"sessionloom":"v=1 sha256=`, `",`, "{\n"}
	}
	return header{start: "# sessionloom:file v=1 sha256="}
}

func (h header) with(ours string) string {
	line := h.start + note.Hash([]byte(ours)) + h.end + "\n"
	return line + strings.TrimPrefix(ours, h.instead)
}

// cut takes our line off a text; without one, or with that of a newer version, sum is empty.
func (h header) cut(text string) (sum, rest string) {
	line, rest, _ := strings.Cut(text, "\n")
	fields, ok := strings.CutPrefix(line, h.start)
	sum, ends := strings.CutSuffix(fields, h.end)
	if !ok || !ends {
		return "", text
	}
	return strings.TrimSpace(sum), h.instead + rest
}

// HashHeader is the hash in our first line of a file; empty: it has none.
func HashHeader(path string, text []byte) string {
	sum, _ := headerOf(path).cut(plainFile(text))
	return sum
}

// IsAsWritten reports whether a file is as we wrote it.
func IsAsWritten(path string, text []byte) bool {
	sum, rest := headerOf(path).cut(plainFile(text))
	return sum != "" && sum == note.Hash([]byte(rest))
}
