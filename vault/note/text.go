package note

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// ByteOrderMark is what some programs begin a text with. It belongs to no line.
var ByteOrderMark = []byte("\xEF\xBB\xBF")

// LineEnd is how a file ends its lines: its first one.
func LineEnd(raw []byte) string {
	if i := bytes.IndexByte(raw, '\n'); i > 0 && raw[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// ToLF returns the text with LF line ends.
func ToLF(b []byte) []byte {
	if bytes.IndexByte(b, '\r') < 0 {
		return b
	}
	return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
}

// NextLine returns the offset behind the line that holds offset at.
func NextLine(raw []byte, at int) int {
	if i := bytes.IndexByte(raw[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(raw)
}

// LineOf is the number of the line that holds an offset, from 1.
func LineOf(raw []byte, at int) int { return 1 + bytes.Count(raw[:at], []byte("\n")) }

// Hash is the hash in region markers and of [Note.Hash]: 16 hex digits.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
