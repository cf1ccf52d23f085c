package texts

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest is the start of the SHA-256 of s: n digits in hex.
func Digest(s string, n int) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])[:n]
}
