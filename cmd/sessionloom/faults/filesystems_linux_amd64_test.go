package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// filesystem is one that a vault may be on. Its commands run in a folder of their
// own, in which "image" is an empty file and "disk" the folder it is mounted at.
type filesystem struct {
	name  string
	size  string
	make  string
	mount string
	alone bool // the vault alone lies there, the rest elsewhere
	lower bool // shows all names in lower case
	first bool // one of the few that are tried unless all is
}

// filesystems are those that this kernel, or a program beside it, may mount: of
// Linux, of sticks and of Windows, with one name for Foo and foo or two, with and
// without a swap of files, second names, and modes.
var filesystems = []filesystem{
	{name: "xfs", size: "320M", make: "mkfs.xfs -q image", mount: "mount -t xfs -o loop image disk"},
	{name: "btrfs", size: "160M", make: "mkfs.btrfs -q image", mount: "mount -t btrfs -o loop image disk"},
	{name: "overlay", size: "0", make: "mkdir lower upper work", mount: "mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay disk"},
	{name: "exFAT", size: "64M", make: "mkfs.exfat image", mount: "mount.exfat-fuse -o umask=077 $(losetup -f --show image) disk", first: true},
	{name: "NTFS", size: "64M", make: "mkfs.ntfs -q -F image", mount: "ntfs-3g -o windows_names,umask=077 image disk"},
	{name: "NTFS that folds names", size: "64M", make: "mkfs.ntfs -q -F image", mount: "lowntfs-3g -o ignore_case,windows_names image disk", alone: true, lower: true},
	{name: "names decomposed and folded, as on HFS+", size: "0", make: `go -C "$FOLDFS" build -o "$PWD/foldfs" .`,
		mount: "./foldfs disk >foldfs.log 2>&1 & for i in $(seq 200); do mountpoint -q disk && exit; sleep 0.05; done; cat foldfs.log; exit 1", alone: true},
}

// mounted makes the file system and mounts it, or skips.
func (f filesystem) mounted(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a disk")
	}
	if *every > 1 && !f.first {
		t.Skip("left to -faults.every 1")
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
	if source, err := filepath.Abs("../../../.ci/foldfs"); err == nil {
		cmd.Env = append(os.Environ(), "FOLDFS="+source)
	}
	return cmd
}

// begin is the place of a operation with its vault on the file system.
func (f filesystem) begin(t *testing.T, dir string, d operation) *place {
	t.Helper()
	dir = expect.Value(os.MkdirTemp(dir, ""))(t)
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

// On every file system a vault may be on, the operations come out as on a disk of
// Linux, and a kill at any call does as little harm.
func TestFileSystems(t *testing.T) {
	needsTracing(t)
	for _, f := range filesystems {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := f.mounted(t)
			points, runs := 0, 0
			for _, d := range operations() {
				if *every > 1 && d.rare > 0 && d.name != "notes of days move" || f.alone && len(d.extra) > 0 || f.lower && (strings.Contains(d.name, "move") || d.name == "settle") {
					continue // the configuration names the vault's place; what has another name was placed by its user, for git, too
				}
				if *every == sampled && d.name != "notes of days move" {
					continue // which makes notes, with words in them, and renames them
				}
				want := d.undisturbed(t)
				p := f.begin(t, dir, d)
				if out := p.run(d.line(p)...); out.code != 0 {
					t.Fatalf("%s: %s", d.name, out)
				}
				d.end(p, d.name)
				f.as(p, d.name, want)
				p.holds(d.name, d.words, ".md")
				p.must(os.RemoveAll(filepath.Dir(p.vault)))
				all := d.points(t)
				points += all
				for n := d.first(); n <= all; n += 60 * d.stride() {
					runs += f.killed(t, dir, d, n, want)
				}
			}
			proved(t, "vault on "+f.name+", all operations, kill -9 at some calls", points, runs, "as on a disk of Linux")
		})
	}
}

// killed kills a operation at its n-th call that changes a file, and says whether it
// came so far.
func (f filesystem) killed(t *testing.T, dir string, d operation, n int, want result) int {
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
	f.as(p, what, want)
	p.holds(what, d.words, ".md")
	if t.Failed() {
		t.FailNow()
	}
	return 1
}

// Whatever things are called, no file system makes two of one or one of two, and
// what a name looks like there does not make a further pass write.
func TestNamesOnFileSystems(t *testing.T) {
	for _, f := range filesystems {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := f.mounted(t)
			p := f.begin(t, dir, operation{prepare: (*place).hostile})
			p.sync(0)
			if f.lower {
				p.sync(0) // links follow the names
			}
			p.steady(f.name)
			want := &place{t: t, home: p.home, dir: t.TempDir()}
			if was, is := len(want.undisturbed()), len(tree(t, p.vault)); was != is {
				t.Errorf("%d files and folders, elsewhere %d", is, was)
			}
			note := p.note(small)
			p.must(os.WriteFile(note, append(p.text(note), "Mine.\n"...), 0o600))
			p.must(os.Rename(note, filepath.Join(filepath.Dir(note), "Cafe\u0301 (mine).md")))
			p.add(middle, 1)
			p.sync(0)
			p.steady(f.name + ", a note edited and renamed")
			p.holds(f.name, []string{"Mine."}, ".md")
			proved(t, "hostile names, a note that its user edits and gives a decomposed name, on "+f.name, len(hostileNames), 4,
				"as many files as elsewhere; a further pass writes nothing; words and name of the user stay")
		})
	}
}

func (p *place) text(file string) []byte {
	p.t.Helper()
	text := expect.Value(os.ReadFile(file))(p.t)
	return text
}

// as expects the vault of an undisturbed run, but for the texts where names come back
// in lower case: so do those in links.
func (f filesystem) as(p *place, what string, want result) {
	p.t.Helper()
	if !f.lower {
		p.as(what, want)
		return
	}
	names := func(all contents) contents {
		low := contents{}
		for name, c := range notGit(all) {
			low[strings.ToLower(name)] = content{mode: c.mode}
		}
		return low
	}
	expect.Is(p.t, differences(names(want.final), names(tree(p.t, p.vault)), false), "", what, "the vault (+) is not that of an undisturbed run (-")
}
