package stamp

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Hash hashes texts, told apart from each other.
func Hash(texts ...string) string {
	h := sha256.New()
	var n [8]byte
	for _, t := range texts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(t)))
		h.Write(n[:])
		for len(t) > 0 { // in parts: a prompt may be large
			part := t[:min(len(t), 64<<10)]
			h.Write([]byte(part))
			t = t[len(part):]
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
