//go:build unix

package faults

import (
	"errors"
	"net"
	"os"
	"path"
	"strings"
	"syscall"
	"testing"
	"time"
)

// oddities are things that may lie where a file is expected, or a folder.
var oddities = []struct {
	name string
	make func(path string) error
}{
	{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
	{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }},
	{"a link to itself", func(path string) error { return os.Symlink(path, path) }},
	{"a link to a device", func(path string) error { return os.Symlink("/dev/zero", path) }},
	{"a terabyte of holes", func(path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
	}},
	{"a terabyte behind the header of a database", func(path string) error {
		header := append([]byte("SQLite format 3\x00\x10\x00\x02\x02"), make([]byte, 4096)...)
		return errors.Join(os.WriteFile(path, header, 0o600), os.Truncate(path, 1<<40), os.WriteFile(path+"-wal", header, 0o600))
	}},
	{"a socket", func(path string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
		if err != nil {
			return err
		}
		l.SetUnlinkOnClose(false)
		return l.Close()
	}},
	{"nothing", func(string) error { return nil }},
}

// Whatever lies where a file of the history is expected, the pass ends, no note
// goes, and what else changed is written.
func TestOddFiles(t *testing.T) {
	names := []string{
		eventLog, workspace, todos, store, chatLog, chatState, chatOf + "workspace.json",
		"copilot/command-history-state.json", "copilot/vscode.session.metadata.cache.json",
		path.Dir(eventLog) + "/plan.md", path.Dir(eventLog) + "/vscode.metadata.json", path.Dir(eventLog) + "/checkpoints",
		path.Dir(eventLog) + "/files", path.Dir(eventLog) + "/rewind-file-snapshots", path.Dir(eventLog) + "/checkpoints/001-x.md",
		"copilot/session-state/aaaaaaaa-0000-4000-8000-000000000000.jsonl", "copilot/history-session-state",
		chatOf + "chatSessions", chatOf + "chatEditingSessions", chatOf + "GitHub.copilot-chat/transcripts/20d0eb6c-c224-4b67-a68d-795fbfbe12a0.jsonl",
		"user/globalStorage/state.vscdb", "user/workspaceStorage", "copilot/session-state/" + middle, "copilot/session-state",
	}
	type point struct{ name, odd int }
	var points []point
	for i := range names {
		for j := range oddities {
			points = append(points, point{i, j})
		}
	}
	some := thin(points)
	p := newHistory(t)
	p.sync(0)
	before := tree(t, p.vault)
	for _, at := range some {
		name, odd := p.at(names[at.name]), oddities[at.odd]
		if path.Base(name) == "plan.md" && strings.Contains(odd.name, "terabyte") {
			continue // that there was a plan, too large to be taken over, is not forgotten when it is gone
		}
		what := odd.name + " in place of " + names[at.name]
		p.must(os.MkdirAll(path.Dir(name), 0o700))
		p.must(os.RemoveAll(name + ".aside"))
		err := os.Rename(name, name+".aside")
		had := err == nil
		if err := odd.make(name); err != nil {
			t.Logf("%s: %v", what, err)
		}
		p.endures(what)
		p.stands(what, before, nil)
		p.must(errors.Join(os.RemoveAll(name), os.RemoveAll(name+"-wal")))
		if had {
			p.must(os.Rename(name+".aside", name))
		}
	}
	p.sound("after all was put back")
	proved(t, "pipe, socket, device, folder, link, hole or nothing in place of a file or folder of the sources", len(some), len(some), "the pass ends, no note goes, afterwards as at rest")
}

// A folder that is not there, not mounted or not to be read takes no note away.
func TestLostRoots(t *testing.T) {
	p := newHistory(t)
	p.sync(0)
	before := tree(t, p.vault)
	ways := []struct {
		name       string
		take, back func(path string) error
	}{
		{"gone", func(path string) error { return os.Rename(path, path+".aside") }, nil},
		{"empty", func(path string) error { return errors.Join(os.Rename(path, path+".aside"), os.Mkdir(path, 0o700)) }, nil},
		{"a pipe", func(path string) error {
			return errors.Join(os.Rename(path, path+".aside"), syscall.Mkfifo(path, 0o600))
		}, nil},
		{"a loop", func(path string) error { return errors.Join(os.Rename(path, path+".aside"), os.Symlink(path, path)) }, nil},
	}
	for _, way := range ways {
		for _, root := range []string{p.home, p.user} {
			p.must(way.take(root))
			p.endures(way.name + ": " + root)
			p.stands(way.name+": "+root, before, nil)
			p.must(errors.Join(os.RemoveAll(root), os.Rename(root+".aside", root)))
		}
	}
	p.sound("after the roots came back")
	proved(t, "root of a source gone, empty, no folder", 2*len(ways), 2*len(ways), "no note goes")
}

// Nor does one that goes and comes while it is read.
func TestRootsThatComeAndGo(t *testing.T) {
	p := newHistory(t)
	p.sync(0)
	before := tree(t, p.vault)
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for n := 0; err == nil; n++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
				root := []string{p.home, p.user, p.at("copilot/session-state/" + middle), p.at(chatOf + "chatSessions")}[n%4]
				err = errors.Join(os.Rename(root, root+".aside"), os.Rename(root+".aside", root))
				time.Sleep(100 * time.Microsecond)
			}
		}
		stopped <- err
	}()
	runs := 1 + 100 / *every
	for range runs {
		p.endures("while folders come and go")
		p.stands("while folders come and go", before, nil)
	}
	close(stop)
	p.must(<-stopped)
	p.sound("after they stayed")
	proved(t, "folder of a source that goes and comes while it is read", 4, runs, "no note goes, afterwards as at rest")
}

// What its owner may not read is told and left; another user reads the rest.
func TestForbiddenFiles(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs another user to become")
	}
	p := newHistory(t)
	p.must(errors.Join(os.Chmod(p.dir, 0o777), os.Chmod(path.Dir(p.dir), 0o755)))
	for _, dir := range []string{p.home, p.user, p.vault} {
		p.hand(dir, 65534)
	}
	as := []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}
	if out := p.runUnder(as, "sync"); out.code != 0 {
		t.Skipf("cannot run as another user: %s", out)
	}
	before := tree(t, p.vault)
	names := []string{eventLog, workspace, todos, store, chatLog, chatState, "copilot/session-state", "copilot", "user", "user/workspaceStorage", chatOf + "chatSessions"}
	for _, name := range names {
		info, err := os.Stat(p.at(name))
		p.must(err)
		p.must(os.Chmod(p.at(name), 0))
		out := p.runUnder(as, "sync")
		if out.code == 0 && !strings.Contains(out.stderr, "denied") || out.code != 0 && out.code != 3 {
			t.Errorf("%s: %s", name, out)
		}
		p.must(os.Chmod(p.at(name), info.Mode().Perm()))
		p.stands(name, before, nil)
	}
	proved(t, "file or folder of the sources with mode 0000", len(names), len(names), "named, no note goes")
}

// hand gives a folder and all in it to another user.
func (p *place) hand(dir string, uid int) {
	p.t.Helper()
	for name := range tree(p.t, dir) {
		p.must(os.Lchown(path.Join(dir, name), uid, uid))
	}
	p.must(os.Lchown(dir, uid, uid))
}
