package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// driver is the name of the merge driver in configuration and attributes.
const driver = "sessionloom"

// Setup is what a repository is told so that notes of several machines merge.
type Setup struct {
	Folder string // the managed folder, from the top of the work tree, with slashes
	Driver string // shell words that merge; %O %A %B %P are added
}

// Part is one of the things a setup consists of.
type Part struct {
	Name    string // such as "merge driver"
	Path    string // the file it stands in
	There   bool   // as it should be
	Changed bool   // by this call
}

// Install tells the repository how to merge notes. What is there already stays,
// but for lines that older versions put into hooks: these it takes out, and gives
// a part for each.
func (r *Repo) Install(ctx context.Context, s Setup) ([]Part, error) { return r.set(ctx, s, true) }

// Uninstall takes out exactly what Install put in, and what older versions did.
func (r *Repo) Uninstall(ctx context.Context) ([]Part, error) { return r.set(ctx, Setup{}, false) }

// Installed tells what of a setup is there, and changes nothing.
func (r *Repo) Installed(ctx context.Context, s Setup) ([]Part, error) {
	parts := []Part{{Name: "merge driver", Path: r.commonPath("config")}, {Name: "attributes", Path: r.attributes()}}
	line, err := r.driverSet(ctx)
	if err != nil {
		return nil, err
	}
	parts[0].There = line == s.driverLine()
	text, err := readOrNothing(r.attributes())
	parts[1].There = err == nil && withBlock(text, s.attributeLines()) == text
	return parts, nil
}

func (r *Repo) set(ctx context.Context, s Setup, on bool) ([]Part, error) {
	conf, err := r.setConfig(ctx, s, on)
	if err != nil {
		return nil, err
	}
	lines := ""
	if on {
		lines = s.attributeLines()
	}
	text, err := readOrNothing(r.attributes())
	if err != nil {
		return nil, fmt.Errorf("read attributes: %w", err)
	}
	attr := Part{Name: "attributes", Path: r.attributes(), There: on}
	if attr.Changed, err = putFile(attr.Path, withBlock(text, lines), 0o644); err != nil {
		return nil, fmt.Errorf("write attributes: %w", err)
	}
	hooks, err := r.clearHooks(ctx)
	return append([]Part{conf, attr}, hooks...), err
}

func (s Setup) driverLine() string { return s.Driver + " %O %A %B %P" }

// driverSet is the merge driver that the repository has, empty where it has none.
func (r *Repo) driverSet(ctx context.Context) (string, error) {
	out, err := r.at().git(ctx, "config", "--local", "--get", "merge."+driver+".driver")
	if exitOf(err) == 1 {
		err = nil
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

func (r *Repo) setConfig(ctx context.Context, s Setup, on bool) (Part, error) {
	p := Part{Name: "merge driver", Path: r.commonPath("config"), There: on}
	section := "merge." + driver
	had, err := r.driverSet(ctx)
	if p.Changed = on && had != s.driverLine() || !on && had != ""; err != nil || !p.Changed {
		return p, err
	}
	if !on {
		_, err = r.at().git(ctx, "config", "--local", "--remove-section", section)
		return p, err
	}
	for key, value := range map[string]string{"name": "notes of sessionloom", "driver": s.driverLine()} {
		if _, err := r.at().git(ctx, "config", "--local", section+"."+key, value); err != nil {
			return p, err
		}
	}
	return p, nil
}

// attributeLines say which files the driver merges: notes.
func (s Setup) attributeLines() string {
	escaped := regexp.MustCompile(`[*?\[\]\\]`).ReplaceAllString(s.Folder, `\$0`)
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace("/" + path.Join(escaped, "**", "*.md"))
	return `"` + quoted + `" merge=` + driver + "\n"
}

func (r *Repo) attributes() string { return r.commonPath("info", "attributes") }

func (r *Repo) commonPath(parts ...string) string {
	return filepath.Join(append([]string{r.common}, parts...)...)
}

func readOrNothing(file string) (string, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return string(b), err
}

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

// oldHooks are the hooks into which older versions put lines.
var oldHooks = []string{"post-merge", "post-rewrite"}

// clearHooks takes out of the hooks, wherever the configuration has them, the lines
// that older versions put there. It gives those that had any.
func (r *Repo) clearHooks(ctx context.Context) ([]Part, error) {
	var parts []Part
	for _, name := range oldHooks {
		out, err := r.at().git(ctx, "rev-parse", "--git-path", "hooks/"+name)
		if err != nil {
			return parts, err
		}
		file := within(r.top, strings.TrimSuffix(string(out), "\n"))
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := readOrNothing(file)
		if err != nil {
			return parts, fmt.Errorf("read hook %q: %w", name, err)
		}
		rest := withBlock(text, "")
		if rest == text {
			continue
		}
		if strings.TrimSpace(rest) == "#!/bin/sh" {
			rest = "" // the whole hook was ours
		}
		if _, err := putFile(file, rest, 0); err != nil {
			return parts, fmt.Errorf("write hook %q: %w", name, err)
		}
		parts = append(parts, Part{Name: "hook " + name, Path: file, Changed: true})
	}
	return parts, nil
}
