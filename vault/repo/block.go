package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The lines around what is ours in a file that others write too.
const (
	blockBegin = "# >>> sessionloom >>>"
	blockEnd   = "# <<< sessionloom <<<"
)

// withBlock puts lines of ours into a text in the place of those that are there,
// else at its end; no lines take them out.
func withBlock(text, lines string) string {
	rest, found := text, -1
	for {
		begin := strings.Index(rest, blockBegin+"\n")
		if begin < 0 || begin > 0 && rest[begin-1] != '\n' {
			break
		}
		end := strings.Index(rest[begin:], blockEnd)
		if end < 0 {
			break // its end was taken out by hand: it is no longer ours
		}
		end += begin + len(blockEnd)
		if end < len(rest) && rest[end] == '\n' {
			end++
		}
		found = begin
		rest = rest[:begin] + rest[end:]
	}
	if lines == "" {
		return rest
	}
	if found < 0 {
		found = len(rest)
	}
	before := rest[:found]
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return before + blockBegin + "\n" + lines + blockEnd + "\n" + rest[found:]
}

// putFile replaces a file by another text; an empty text removes it. It tells
// whether there was anything to do.
func putFile(path, text string, mode fs.FileMode) (changed bool, err error) {
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && text == "":
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	case err == nil && bytes.Equal(old, []byte(text)):
		return false, nil
	case text == "":
		return true, os.Remove(path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil {
		mode |= info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".sessionloom-")
	if err != nil {
		return false, err
	}
	_, err = temp.WriteString(text)
	if err = errors.Join(err, keepMode(temp.Chmod(mode)), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return false, errors.Join(fmt.Errorf("write %q: %w", path, err), os.Remove(temp.Name()))
	}
	return true, nil
}

// keepMode forgives a file system that keeps no modes, or has another owner for
// whatever is made on it.
func keepMode(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
