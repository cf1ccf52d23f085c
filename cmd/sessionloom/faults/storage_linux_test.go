package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mounted mounts a file system in memory at a folder, or skips.
func (p *place) mounted(dir, options string) {
	p.t.Helper()
	p.must(os.MkdirAll(dir, 0o777))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		p.t.Skipf("nothing may be mounted here: %s", out)
	}
	p.t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
}

func (p *place) remount(dir, options string) {
	p.t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		p.t.Fatalf("remount: %s", out)
	}
}

// A disk that is really full, of bytes or of files, for the vault or the state:
// the rest is done, and once there is space again all of it.
func TestFullDisk(t *testing.T) {
	runs := 0
	var points [][2]string
	for _, options := range []string{"size=16k", "size=40k", "size=64k", "size=300k", "nr_inodes=3", "nr_inodes=8", "nr_inodes=14", "nr_inodes=18"} {
		points = append(points, [2]string{options, "vault"}, [2]string{options, "state"})
	}
	for _, at := range few(4, points) {
		options, which := at[0], at[1]
		p := newPlace(t, small)
		dir := filepath.Join(p.dir, which)
		p.mounted(dir, options)
		out := p.run("sync")
		runs++
		what := which + " on a disk of " + options
		p.toldOf(what, out)
		p.remount(dir, "size=64m,nr_inodes=10000")
		p.sound(what)
	}
	proved(t, "a disk that is full, of bytes or of files (tmpfs)", 8, runs, "one clear error; once there is space the next run completes the vault")
}

// A vault that cannot be written to is told of before any source is read; what
// only reads works.
func TestReadOnlyVault(t *testing.T) {
	p := newPlace(t)
	p.mounted(p.vault, "size=64m")
	p.add(small, 1)
	p.sync(0)
	p.add(middle, 1)
	p.remount(p.vault, "ro")
	before := tree(t, p.vault)
	if out := p.run("sync"); out.code != 1 || !strings.Contains(out.stderr, "read-only") || !strings.Contains(out.stderr, "hint: ") {
		t.Errorf("sync: %s", out)
	}
	for _, args := range [][]string{{"sync", "--dry-run"}, {"check"}, {"status"}, {"diff"}} {
		if out := p.run(args...); out.code != 0 {
			t.Errorf("want this to work: %s", out)
		}
	}
	if d := differences(before, tree(t, p.vault), true); d != "" {
		t.Errorf("the vault changed:\n%s", d)
	}
	p.remount(p.vault, "rw")
	p.sound("writable again")
	proved(t, "read-only vault", 1, 5, "sync ends with 1 and a hint; dry run, check, status and diff work")
}

// Another user than the owner: nothing of the vault is touched, and what of the
// history may not be read is named.
func TestNotPermitted(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to become somebody else")
	}
	nobody := []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}
	if _, err := exec.LookPath(nobody[0]); err != nil {
		t.Skip("needs setpriv")
	}
	p := placeIn(t, memoryDir(t), small, middle)
	prog, err := program()
	p.must(err)
	p.must(os.Chmod(filepath.Dir(prog), 0o755))
	if out, err := exec.Command("chown", "-R", "65534:65534", p.dir).CombinedOutput(); err != nil {
		t.Fatalf("chown: %s", out)
	}
	p.must(os.Chmod(p.vault, 0o555))
	if out := p.runUnder(nobody, "sync"); out.code != 1 || !strings.Contains(out.stderr, "hint: make the folder writable") || !strings.Contains(out.stderr, "vault") {
		t.Errorf("a vault that may not be written: %s", out)
	}
	p.must(os.Chmod(p.vault, 0))
	for _, args := range [][]string{{"sync"}, {"sync", "--dry-run"}} {
		if out := p.runUnder(nobody, args...); out.code != 1 || !strings.Contains(out.stderr, "permission denied") {
			t.Errorf("%v into a vault that may not be read: %s", args, out)
		}
	}
	p.must(os.Chmod(p.vault, 0o755))
	log := filepath.Join(p.home, "session-state", middle, "events.jsonl")
	p.must(os.Chmod(log, 0))
	if out := p.runUnder(nobody, "sync"); out.code != 3 || !strings.Contains(out.stderr, middle) {
		t.Errorf("a log that may not be read: %s", out)
	}
	p.must(os.Chmod(log, 0o600))
	folder := filepath.Dir(p.note(small))
	p.must(os.Chmod(folder, 0o555))
	if out := p.runUnder(nobody, "sync"); out.code != 3 || !strings.Contains(out.stderr, "permission denied") {
		t.Errorf("a folder that may not be written: %s", out)
	}
	p.must(os.Chmod(folder, 0o755))
	if out := p.runUnder(nobody, "sync"); out.code != 0 {
		t.Errorf("all permitted: %s", out)
	}
	p.sound("permitted again")
	proved(t, "EACCES as another user: vault, log, folder of notes", 4, 5, "exit code 1 or 3; named with path and hint; made up for by the next run")
}

// A note that may not be changed, whoever asks (chattr +i), stays and is named.
func TestImmutableNote(t *testing.T) {
	k := newDisk(t, 32, "rw")
	p := placeIn(t, filepath.Join(k.dir, "a"), small)
	p.add(middle, 0.6)
	p.sync(0)
	note := p.note(middle)
	if out, err := exec.Command("chattr", "+i", note).CombinedOutput(); err != nil {
		t.Skipf("chattr: %s", out)
	}
	p.add(middle, 1)
	out := p.run("sync")
	_ = exec.Command("chattr", "-i", note).Run()
	if out.code != 3 || !strings.Contains(out.stderr, filepath.Base(note)) {
		t.Errorf("sync: %s", out)
	}
	p.sound("may be changed again")
	proved(t, "EPERM: an immutable note", 1, 1, "named, exit code 3; the rest is written; made up for by the next run")
}

// Limits that a shell or a service sets for the program.
func TestLimits(t *testing.T) {
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip("needs prlimit")
	}
	var limits []string
	for n := 5; n <= 40; n += 1 + *every/5 {
		limits = append(limits, fmt.Sprintf("--nofile=%d", n))
	}
	limits = few(2, limits)
	for _, n := range few(2, []int{0, 100, 2000, 5000, 20000, 100000}) {
		limits = append(limits, fmt.Sprintf("--fsize=%d", n))
	}
	done := 0
	for _, limit := range limits {
		p := placeIn(t, memoryDir(t), small, middle)
		out := p.runUnder([]string{"prlimit", limit}, "sync")
		if out.code == 0 {
			done++
		}
		p.toldOf(limit, out)
		p.sound(limit)
	}
	proved(t, "limits of open files (5…40) and of the length of files (0…100 kB)", len(limits), len(limits),
		"one clear error, or done; the next run completes the vault")
}

// Too little memory ends the program as Go ends it; no note is torn.
func TestTooLittleMemory(t *testing.T) {
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip("needs prlimit")
	}
	runs := 0
	for _, mib := range few(3, []int{20, 40, 80, 160, 320, 640, 1280}) {
		p := placeIn(t, memoryDir(t), small, middle)
		p.runUnder([]string{"prlimit", fmt.Sprintf("--as=%d", mib<<20)}, "sync")
		runs++
		p.sound(fmt.Sprintf("%d MiB", mib))
	}
	proved(t, "address space of 20…1280 MiB", runs, runs, "ends; the next run completes the vault")
}

// State, history and temporary files on other disks than the vault.
func TestOtherDisks(t *testing.T) {
	p := newPlace(t)
	for _, dir := range []string{p.vault, p.state, p.home, filepath.Join(p.vault, "Agents/journal")} {
		p.mounted(dir, "size=64m")
	}
	p.add(small, 1)
	p.add(middle, 0.5)
	p.sync(0)
	p.add(middle, 1)
	p.sound("each on its own disk, a folder of the vault too")
	proved(t, "vault, state, history and a folder within the vault on disks of their own", 4, 1, "as on one disk: nothing is renamed across")
}
