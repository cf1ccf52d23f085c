package stamp

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// grain is the coarsest step in which a file system may count modification
// times (FAT counts two seconds).
const grain = 2 * time.Second

// Young says that a part was modified so shortly before now that another change
// could hide behind the same stamp.
func Young(parts []sources.Part, now time.Time) bool {
	for _, p := range parts {
		if age := now.UnixNano() - p.Stamp.MTime; age >= 0 && age < int64(grain) {
			return true
		}
	}
	return false
}

// Digest hashes names and stamps of parts.
func Digest(parts []sources.Part) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p.Name))
		var b [33]byte // begins with a NUL, which no name holds
		binary.LittleEndian.PutUint64(b[1:], uint64(p.Stamp.Size))
		binary.LittleEndian.PutUint64(b[9:], uint64(p.Stamp.MTime))
		binary.LittleEndian.PutUint64(b[17:], p.Stamp.Inode)
		binary.LittleEndian.PutUint64(b[25:], uint64(p.Stamp.CTime))
		h.Write(b[:])
	}
	return short(h.Sum(nil))
}

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
	return short(h.Sum(nil))
}

func short(sum []byte) string { return hex.EncodeToString(sum[:12]) }
