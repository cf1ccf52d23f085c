package files

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"io/fs"
	"os"

	"github.com/sessionloom/sessionloom/sources"
)

// StampOf gives the stamp of a file from the result of a stat. Inode and change time
// are zero where the system has none.
func StampOf(info fs.FileInfo) sources.Stamp {
	s := sources.Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}
	s.Inode, s.CTime = system(info)
	return s
}

// StampDatabase stamps a SQLite database, of which info is the result of a stat,
// together with what lies beside it and holds its newest rows. The change time of
// that does not count: SQLite run as root sets its owner anew whenever it is read.
func StampDatabase(path string, info fs.FileInfo) sources.Stamp {
	s := StampOf(info)
	for _, suffix := range []string{"-wal", "-journal"} {
		if info, err := os.Lstat(path + suffix); err == nil {
			newest := StampOf(info)
			newest.CTime = 0
			s = joinStamps(s, newest)
		}
	}
	return s
}

// joinStamps makes one stamp of two files that hold one content, such as a database
// and its write-ahead log: it moves when either does.
func joinStamps(a, b sources.Stamp) sources.Stamp {
	return sources.Stamp{
		Size:  a.Size + b.Size,
		MTime: max(a.MTime, b.MTime),
		Inode: a.Inode ^ (b.Inode<<32 | b.Inode>>32),
		CTime: max(a.CTime, b.CTime),
	}
}

// StampNames is a stamp that moves exactly when a set of names does.
func StampNames(set map[string]bool) sources.Stamp {
	var st sources.Stamp
	for n := range set {
		h := fnv.New64a()
		h.Write([]byte(n))
		st.Size++
		st.Inode ^= h.Sum64()
	}
	return st
}

// Hash hashes texts, told apart from each other.
func Hash(texts ...string) string {
	h := sha256.New()
	var n [8]byte
	for _, t := range texts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(t)))
		h.Write(n[:])
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
