package store

import (
	"github.com/sessionloom/sessionloom/vault/note"

	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openNonblock keeps an open of a pipe from waiting for its other end.
const openNonblock = syscall.O_NONBLOCK

// swapNames exchanges two files of a folder in one step;
// [errors.ErrUnsupported] where the file system cannot.
func swapNames(dir *os.File, a, b string) error {
	return rename2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}

// renameNoReplace moves a file from one folder to another, or gives it a new name
// in its own, unless that name is taken; [errors.ErrUnsupported] where the file
// system cannot.
func renameNoReplace(dir *os.File, from string, into *os.File, to string) error {
	return rename2(dir, from, into, to, unix.RENAME_NOREPLACE)
}

func rename2(dir *os.File, from string, into *os.File, to string, flags uint) error {
	err := unix.Renameat2(int(dir.Fd()), from, int(into.Fd()), to, flags)
	if err == unix.EINVAL || err == unix.ENOSYS || err == unix.ENOTSUP {
		return errors.ErrUnsupported
	}
	if err != nil {
		return &os.LinkError{Op: "renameat2", Old: from, New: to, Err: err}
	}
	return nil
}

// beingWritten tells whether anybody has a file open to write, where the system
// can tell: it grants a read lease on no such file.
func beingWritten(file *os.File) bool {
	_, err := unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if !errors.Is(err, unix.EAGAIN) {
		return false // any other answer says that there are no leases here
	}
	var at unix.Statfs_t
	return unix.Fstatfs(int(file.Fd()), &at) == nil && leasesTell(uint32(at.Type))
}

// leasesTell tells whether a lease is refused for the sake of a writer alone, by the
// magic number of a file system. A client of NFS or SMB refuses it for every file
// that its server has not left to it, which is most of them: believing that, no note
// would ever be replaced there.
func leasesTell(fileSystem uint32) bool {
	return fileSystem != unix.NFS_SUPER_MAGIC && fileSystem != unix.SMB_SUPER_MAGIC &&
		fileSystem != unix.CIFS_SUPER_MAGIC && fileSystem != unix.SMB2_SUPER_MAGIC
}

// startSync sends a file's bytes on their way to the disk and does not wait.
func startSync(file *os.File) {
	_ = unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) // only a hint: the sync tells errors
}

// removeFolder removes an empty folder and never a file.
func removeFolder(_ *os.Root, dir *os.File, name string) error {
	return unix.Unlinkat(int(dir.Fd()), name, unix.AT_REMOVEDIR)
}

func syncFolder(dir *os.File) error { return tolerate(dir.Sync()) }

func stampOf(info fs.FileInfo) note.Stamp {
	s := note.Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.CTime, s.Inode = st.Ctim.Nano(), st.Ino
	}
	return s
}

// linked tells whether a file has several names.
func linked(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}

// writable tells why nothing can be written in a folder, nil if it can.
func writable(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	err = unix.Faccessat(int(dir.Fd()), ".", unix.W_OK, 0)
	if errors.Is(err, unix.EROFS) || errors.Is(err, unix.EACCES) {
		return errors.Join(&fs.PathError{Op: "write", Path: root.Name(), Err: err}, dir.Close())
	}
	return dir.Close()
}
