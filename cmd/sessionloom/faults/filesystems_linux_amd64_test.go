package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// filesystem is one that a vault may lie on. Its commands run in a folder of their
// own, in which "image" is an empty file and "disk" the folder it is mounted at.
type filesystem struct {
	name  string
	size  string
	make  string
	mount string
	alone bool // the vault alone lies there, the rest elsewhere: it keeps no secrets, or no database
}

// filesystems are those that this kernel, or a program beside it, may mount: of
// Linux, of sticks and of Windows, with one name for Foo and foo or two, with and
// without a swap of files, second names, and modes.
var filesystems = []filesystem{
	{name: "xfs", size: "320M", make: "mkfs.xfs -q image", mount: "mount -t xfs -o loop image disk"},
	{name: "btrfs", size: "160M", make: "mkfs.btrfs -q image", mount: "mount -t btrfs -o loop image disk"},
	{name: "overlay", size: "0", make: "mkdir lower upper work", mount: "mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay disk"},
	{name: "exFAT", size: "64M", make: "mkfs.exfat image", mount: "mount.exfat-fuse -o umask=077 $(losetup -f --show image) disk"},
	{name: "NTFS", size: "64M", make: "mkfs.ntfs -q -F image", mount: "ntfs-3g -o windows_names,umask=077 image disk"},
	{name: "NTFS that folds names", size: "64M", make: "mkfs.ntfs -q -F image", mount: "lowntfs-3g -o ignore_case,windows_names image disk", alone: true},
}

// mounted makes the file system and mounts it, or skips.
func (f filesystem) mounted(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a disk")
	}
	base := memoryDir(t)
	t.Cleanup(func() {
		_ = f.shell(base, "umount -l disk; losetup -j image | cut -d: -f1 | xargs -r losetup -d").Run()
	})
	if out, err := f.shell(base, "set -e; mkdir disk; truncate -s "+f.size+" image; "+f.make+"; "+f.mount).CombinedOutput(); err != nil {
		t.Skipf("%s may not be had here: %s", f.name, out)
	}
	return filepath.Join(base, "disk")
}

func (filesystem) shell(dir, script string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	return cmd
}

// begin is the place of a deed with its vault on the file system.
func (f filesystem) begin(t *testing.T, dir string, d deed) *place {
	t.Helper()
	dir, err := os.MkdirTemp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	p := placeIn(t, memoryDir(t))
	p.vault = filepath.Join(dir, "vault")
	p.must(os.Mkdir(p.vault, 0o700))
	if !f.alone {
		p = placeIn(t, dir)
	}
	p.add(small, 1)
	d.prepare(p)
	return p
}

// On every file system a vault may lie on, the deeds come out as on a disk of
// Linux, and a kill at any call does as little harm.
func TestFileSystems(t *testing.T) {
	needsTracing(t)
	for _, f := range filesystems {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := f.mounted(t)
			points, runs := 0, 0
			for _, d := range deeds() {
				if *every > 1 && d.rare > 2 {
					continue
				}
				want := d.undisturbed(t)
				p := f.begin(t, dir, d)
				if out := p.run(d.line(p)...); out.code != 0 {
					t.Fatalf("%s: %s", d.name, out)
				}
				d.end(p, d.name)
				p.as(d.name, want)
				p.holds(d.name, d.words, ".md")
				p.must(os.RemoveAll(filepath.Dir(p.vault)))
				all := d.points(t)
				points += all
				for n := d.first(); n <= all; n += 4 * d.stride() {
					runs += f.killed(t, dir, d, n, want)
				}
			}
			proved(t, "vault on "+f.name+", all deeds, kill -9 at each call", points, runs, "as on a disk of Linux")
		})
	}
}

// killed kills a deed at its n-th call that changes a file, and says whether it
// came so far.
func (f filesystem) killed(t *testing.T, dir string, d deed, n int, want result) int {
	t.Helper()
	p := f.begin(t, dir, d)
	defer func() { _ = os.RemoveAll(filepath.Dir(p.vault)) }()
	at := ""
	p.traced(nth(n, func(c call) fate { at = p.inPlace(c); return fate{kill: true} }), d.line(p)...)
	if at == "" {
		return 0
	}
	what := fmt.Sprintf("%s: killed at call %d, %s", d.name, n, at)
	p.whole(what, want)
	p.holds(what, d.words, "")
	d.end(p, what)
	p.as(what, want)
	p.holds(what, d.words, ".md")
	if t.Failed() {
		t.FailNow()
	}
	return 1
}
