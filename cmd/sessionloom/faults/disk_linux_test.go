package faults

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// disk is a file system of its own, in a file.
type disk struct {
	t          *testing.T
	image, dir string
	options    string
}

// newDisk makes an ext4 of that many MiB and mounts it; skipped where that is not
// permitted.
func newDisk(t *testing.T, mib int, options string) *disk {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a disk")
	}
	if _, err := exec.LookPath("mkfs.ext4"); err != nil {
		t.Skip("needs mkfs.ext4")
	}
	base := memoryDir(t)
	d := &disk{t: t, image: filepath.Join(base, "image"), dir: filepath.Join(base, "disk"), options: "loop," + options}
	f, err := os.Create(d.image)
	if err == nil {
		err = f.Truncate(int64(mib) << 20)
		_ = f.Close()
	}
	if err == nil {
		err = os.Mkdir(d.dir, 0o700)
	}
	expect.OK(t, err)
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", "-m", "0", d.image).CombinedOutput(); err != nil {
		t.Skipf("mkfs.ext4: %s", out)
	}
	if out, err := exec.Command("mount", "-t", "ext4", "-o", d.options, d.image, d.dir).CombinedOutput(); err != nil {
		t.Skipf("a disk may not be mounted here: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", d.dir).Run() })
	return d
}

// resolve puts all on the disk that was written so far.
func (d *disk) resolve() {
	d.t.Helper()
	f, err := os.Open(d.dir)
	if err == nil {
		err = unix.Syncfs(int(f.Fd()))
		_ = f.Close()
	}
	expect.OK(d.t, err)
}

// What of a disk's journal is still written when the power fails.
const (
	cutJournal = 1 // what is in the journal by then
	cutAll     = 2 // nothing
)

// cut has the power fail: from here on nothing reaches the disk.
func (d *disk) cut(how uint32) error {
	f, err := os.Open(d.dir)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	const shutdown = 0x8004587d // EXT4_IOC_SHUTDOWN
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), shutdown, uintptr(unsafe.Pointer(&how))); errno != 0 {
		return errno
	}
	return nil
}

// restart is the machine coming up again.
func (d *disk) restart() {
	d.t.Helper()
	var out []byte
	var err error
	for range 50 { // a process that was killed lets go of its files a moment later
		if out, err = exec.Command("umount", d.dir).CombinedOutput(); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		d.t.Fatalf("unmount: %s", out)
	}
	if out, err := exec.Command("mount", "-t", "ext4", "-o", d.options, d.image, d.dir).CombinedOutput(); err != nil {
		d.t.Fatalf("mount: %s", out)
	}
}
