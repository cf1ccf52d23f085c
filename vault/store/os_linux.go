package store

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	renameSwap = unix.RENAME_EXCHANGE
	renameExcl = unix.RENAME_NOREPLACE
)

func renameat(dir int, from string, into int, to string, flags uint) error {
	return unix.Renameat2(dir, from, into, to, flags)
}

func changeTime(st *syscall.Stat_t) int64 { return st.Ctim.Nano() }

// beingWritten reports whether anybody has a file open to write: it gets no read lease.
func beingWritten(file *os.File) bool {
	_, err := unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if !errors.Is(err, unix.EAGAIN) {
		return false // any other answer says that there are no leases here
	}
	var at unix.Statfs_t
	return unix.Fstatfs(int(file.Fd()), &at) == nil && leasesTell(uint32(at.Type))
}

// leasesTell reports whether a file system refuses leases for writers alone. Clients of NFS and SMB
// refuse nearly all: no note would ever be replaced there.
func leasesTell(fileSystem uint32) bool {
	return fileSystem != unix.NFS_SUPER_MAGIC && fileSystem != unix.SMB_SUPER_MAGIC &&
		fileSystem != unix.CIFS_SUPER_MAGIC && fileSystem != unix.SMB2_SUPER_MAGIC
}

func startSync(file *os.File) {
	_ = unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) // only a hint: the sync tells errors
}
