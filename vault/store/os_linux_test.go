package store

import "testing"

// TestLeasesOfServers: on NFS and SMB the answer to a lease says nothing about
// writers, so it holds no note back.
func TestLeasesOfServers(t *testing.T) {
	for name, magic := range map[string]uint32{"NFS": 0x6969, "CIFS": 0xff534d42, "SMB 2": 0xfe534d42, "SMB": 0x517b} {
		if leasesTell(magic) {
			t.Errorf("a lease refused by %s counts as a note that is open to write", name)
		}
	}
	for name, magic := range map[string]uint32{"ext4": 0xef53, "btrfs": 0x9123683e, "xfs": 0x58465342, "tmpfs": 0x01021994, "overlay": 0x794c7630} {
		if !leasesTell(magic) {
			t.Errorf("a lease refused by %s does not count", name)
		}
	}
}
