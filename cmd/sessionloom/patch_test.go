package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// patched returns the vault as it is once the patch that diff prints was applied to
// a copy of it; nil if there is no git to do that.
func (s *scenario) patched(happened string, flags ...string) contents {
	s.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		return nil
	}
	dir := filepath.Join(s.t.TempDir(), "patched")
	copyTree(s.t, s.vault, dir)
	args := append([]string{"diff"}, s.flags(s.vault)...)
	patch, stderr, code := runProgram(s.t, s.config, append(args, flags...)...)
	if code != exitDone && code != exitPartial {
		s.t.Errorf("%s: diff ends with %d: %s", happened, code, stderr)
	}
	file := filepath.Join(s.t.TempDir(), "patch")
	s.check(os.WriteFile(file, []byte(patch), 0o600))
	if strings.Contains(patch, "diff --git ") {
		git := exec.CommandContext(s.t.Context(), "git", "-C", dir, "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", file)
		git.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		if out, err := git.CombinedOutput(); err != nil {
			s.t.Errorf("%s: git apply: %v\n%s", happened, err, out)
		}
	}
	return readable(walk(s.t, dir))
}

// readable leaves out what is not a text for people.
func readable(files contents) contents {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(path string, _ content) bool {
		return strings.HasPrefix(path, ".") || strings.Contains(path, "/.") || strings.Contains(path, "/attachments/")
	})
	return files
}

// A patch names files as git does, whatever a user calls them.
func TestPatchOfOddNames(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such names here")
	}
	s := newStage(t)
	s.lasting, s.unsound = true, []string{"name"}
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.sync("a session")
	for _, name := range []string{"Agents/été/\"my\" note.md", "Agents/ b/c.md", `"x"/y.md`} {
		s.userMoves(alpha, name)
		a.asks("Go on").says("Gone on.")
		s.sync("moved to " + name)
	}
}
