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
