package index

import "github.com/sessionloom/sessionloom/vault"

// StampOf is a stamp as the state keeps it.
func StampOf(s vault.Stamp) [4]int64 {
	return [4]int64{s.Size, s.MTime, s.CTime, int64(s.Inode)}
}

// VaultStamp is a stamp that the state kept.
func VaultStamp(s [4]int64) vault.Stamp {
	return vault.Stamp{Size: s[0], MTime: s[1], CTime: s[2], Inode: uint64(s[3])}
}
