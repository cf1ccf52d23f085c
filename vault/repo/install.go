package repo

import (
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

// driver is the merge driver in the attributes, section its part of the configuration.
const (
	driver  = "sessionloom"
	section = "merge." + driver
)

// Setup is what has notes of several machines merge; the zero value is nothing.
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

// Install sets up how notes merge.
func (r *Repo) Install(ctx context.Context, s Setup) ([]Part, error) {
	parts, err := r.Installed(ctx, s)
	if err == nil && !parts[0].There {
		err = r.setConfig(ctx, s)
	}
	if err == nil && !parts[1].There {
		err = r.setAttributes(s)
	}
	for i := range parts {
		parts[i].There, parts[i].Changed = s != Setup{}, !parts[i].There
	}
	return parts, err
}

// Uninstall removes exactly what Install added.
func (r *Repo) Uninstall(ctx context.Context) ([]Part, error) { return r.Install(ctx, Setup{}) }

// Installed reports what of a setup is there, and changes nothing.
func (r *Repo) Installed(ctx context.Context, s Setup) ([]Part, error) {
	line, err := r.at().git(ctx, "config", "--local", "--get", section+".driver")
	if exitOf(err) == 1 { // it has none
		err = nil
	}
	text, unread := readOrNothing(r.attributes())
	return []Part{
		{Name: "merge driver", Path: r.commonPath("config"), There: strings.TrimSuffix(string(line), "\n") == s.driverLine()},
		{Name: "attributes", Path: r.attributes(), There: withBlock(text, s.attributeLines()) == text},
	}, errors.Join(err, unread)
}

// driverLine is the line of the merge driver, empty if there is to be none.
func (s Setup) driverLine() string {
	if s == (Setup{}) {
		return ""
	}
	return s.Driver + " %O %A %B %P"
}

func (r *Repo) setConfig(ctx context.Context, s Setup) error {
	if s == (Setup{}) {
		_, err := r.at().git(ctx, "config", "--local", "--remove-section", section)
		return err
	}
	for key, value := range map[string]string{"name": "notes of sessionloom", "driver": s.driverLine()} {
		if _, err := r.at().git(ctx, "config", "--local", section+"."+key, value); err != nil {
			return err
		}
	}
	return nil
}

func (r *Repo) setAttributes(s Setup) error {
	text, err := readOrNothing(r.attributes())
	if err == nil {
		err = putFile(r.attributes(), withBlock(text, s.attributeLines()))
	}
	if err != nil {
		return fmt.Errorf("write attributes: %w", err)
	}
	return nil
}

// attributeLines assign notes and canvases to the driver.
func (s Setup) attributeLines() string {
	if s == (Setup{}) {
		return ""
	}
	escaped := regexp.MustCompile(`[*?\[\]\\]`).ReplaceAllString(s.Folder, `\$0`)
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace("/" + path.Join(escaped, "**"))
	return `"` + quoted + `/*.md" merge=` + driver + "\n" + `"` + quoted + `/*.canvas" merge=` + driver + "\n"
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

const (
	blockBegin = "# >>> sessionloom >>>"
	blockEnd   = "# <<< sessionloom <<<"
)

// withBlock puts our lines in the place of those there, or takes them out. A block without its end
// is no longer ours.
func withBlock(text, lines string) string {
	ours := regexp.MustCompile(`(?m)^` + blockBegin + `\n(?s:.*?)` + blockEnd + `\n?`)
	found := ours.FindStringIndex(text)
	rest := ours.ReplaceAllLiteralString(text, "")
	if lines == "" {
		return rest
	}
	at := len(rest)
	if found != nil {
		at = found[0]
	}
	before := rest[:at]
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return before + blockBegin + "\n" + lines + blockEnd + "\n" + rest[at:]
}

// putFile replaces a file by another text; an empty text removes it.
func putFile(path, text string) error {
	if text == "" {
		return os.Remove(path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".sessionloom-")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(text)
	if err = errors.Join(err, keepMode(temp.Chmod(mode)), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %q: %w", path, err), os.Remove(temp.Name()))
	}
	return nil
}

// keepMode ignores the error of a file system without modes.
func keepMode(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
