package stamp

import (
	"hash/fnv"

	"github.com/sessionloom/sessionloom/sources"
)

// Names is a stamp that moves exactly when a set of names does.
func Names(set map[string]bool) sources.Stamp {
	var st sources.Stamp
	for n := range set {
		h := fnv.New64a()
		h.Write([]byte(n))
		st.Size++
		st.Inode ^= h.Sum64()
	}
	return st
}
