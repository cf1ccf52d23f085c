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
	"slices"
	"strings"
)

// driver is the name of the merge driver in configuration and attributes.
const driver = "sessionloom"

// hookNames are the hooks that have the notes rendered anew: after a merge or a
// pull, and after a rebase.
var hookNames = []string{"post-merge", "post-rewrite"}

// Setup is what a repository is told so that notes of several machines merge.
type Setup struct {
	Folder string // the managed folder, from the top of the work tree, with slashes
	Driver string // shell words that merge; %O %A %B %P are added
	After  string // shell words that run after a hook; its name and arguments are added
}

// Part is one of the things a setup consists of.
type Part struct {
	Name    string // such as "hook post-merge"
	Path    string // the file it stands in
	There   bool   // as it should be
	Changed bool   // by this call
	// Refused is why it could not be set up, in plain words, and Line what the
	// user can put there by hand.
	Refused, Line string
}

// The parts that merge, without the hooks.
const (
	driverPart     = "merge driver"
	attributesPart = "attributes"
)

// Merges tells whether of a setup the parts are there that merge.
func Merges(parts []Part) bool {
	return !slices.ContainsFunc(parts, func(p Part) bool { return !p.There && (p.Name == driverPart || p.Name == attributesPart) })
}

// Install tells the repository how to merge notes. What is there already stays.
func (r *Repo) Install(ctx context.Context, s Setup) ([]Part, error) { return r.set(ctx, s, true) }

// Uninstall takes out exactly what Install put in.
func (r *Repo) Uninstall(ctx context.Context) ([]Part, error) { return r.set(ctx, Setup{}, false) }

// Installed tells what of a setup is there, and changes nothing.
func (r *Repo) Installed(ctx context.Context, s Setup) ([]Part, error) {
	parts := []Part{{Name: driverPart, Path: r.commonPath("config")}, {Name: attributesPart, Path: r.attributes()}}
	out, err := r.at().git(ctx, "config", "--local", "--get", "merge."+driver+".driver")
	if err != nil && exitOf(err) != 1 {
		return nil, err
	}
	parts[0].There = strings.TrimSuffix(string(out), "\n") == s.driverLine()
	text, err := readOrNothing(r.attributes())
	parts[1].There = err == nil && withBlock(text, s.attributeLines(), atEnd) == text
	for _, name := range hookNames {
		file, err := r.hook(ctx, name)
		if err != nil {
			return nil, err
		}
		text, err := readOrNothing(file)
		parts = append(parts, Part{Name: "hook " + name, Path: file, There: err == nil && withBlock(text, s.hookLines(name), hookPlace) == text})
	}
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
	attr := Part{Name: attributesPart, Path: r.attributes(), There: on}
	if attr.Changed, err = putFile(attr.Path, withBlock(text, lines, atEnd), 0o644); err != nil {
		return nil, fmt.Errorf("write attributes: %w", err)
	}
	parts := []Part{conf, attr}
	for _, name := range hookNames {
		part, err := r.setHook(ctx, s, name, on)
		if err != nil {
			return parts, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func (s Setup) driverLine() string { return s.Driver + " %O %A %B %P" }

func (r *Repo) setConfig(ctx context.Context, s Setup, on bool) (Part, error) {
	p := Part{Name: driverPart, Path: r.commonPath("config"), There: on}
	section := "merge." + driver
	out, err := r.at().git(ctx, "config", "--local", "--get", section+".driver")
	if err != nil && exitOf(err) != 1 {
		return p, err
	}
	had := strings.TrimSuffix(string(out), "\n")
	switch {
	case !on && err != nil, on && had == s.driverLine():
		return p, nil
	case !on:
		p.Changed = true
		_, err = r.at().git(ctx, "config", "--local", "--remove-section", section)
		return p, err
	}
	p.Changed = true
	for key, value := range map[string]string{"name": "notes of sessionloom", "driver": s.driverLine()} {
		if _, err := r.at().git(ctx, "config", "--local", section+"."+key, value); err != nil {
			return p, err
		}
	}
	return p, nil
}

// attributeLines say which files the driver merges.
func (s Setup) attributeLines() string {
	escaped := regexp.MustCompile(`[*?\[\]\\]`).ReplaceAllString(s.Folder, `\$0`)
	var lines string
	for _, files := range []string{"*.md", "*.base", "*.canvas"} {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace("/" + path.Join(escaped, "**", files))
		lines += `"` + quoted + `" merge=` + driver + "\n"
	}
	return lines
}

func (r *Repo) attributes() string { return r.commonPath("info", "attributes") }

func (r *Repo) commonPath(parts ...string) string {
	return filepath.Join(append([]string{r.common}, parts...)...)
}

// hook is the file of a hook, wherever the configuration has hooks.
func (r *Repo) hook(ctx context.Context, name string) (string, error) {
	out, err := r.at().git(ctx, "rev-parse", "--git-path", "hooks/"+name)
	if err != nil {
		return "", err
	}
	return within(r.top, strings.TrimSuffix(string(out), "\n")), nil
}

func (r *Repo) setHook(ctx context.Context, s Setup, name string, on bool) (Part, error) {
	file, err := r.hook(ctx, name)
	if err != nil {
		return Part{}, err
	}
	p := Part{Name: "hook " + name, Path: file, There: on}
	text, err := readOrNothing(file)
	if err != nil {
		return p, fmt.Errorf("read hook %q: %w", name, err)
	}
	if !on {
		next := withBlock(text, "", hookPlace)
		if next != text && strings.TrimSpace(next) == shebang {
			next = ""
		}
		p.Changed, err = putFile(file, next, 0)
		return p, err
	}
	shared, err := r.shared(ctx, file)
	switch {
	case err != nil:
		return p, err
	case shared != "":
		p.Refused = "the hooks of this repository lie in " + filepath.Dir(file) + ", which " + shared
	case text != "" && !shellScript.MatchString(text):
		p.Refused = "there is a hook already, and it is no shell script"
	}
	if p.Refused != "" {
		p.There, p.Line = false, s.call(name)
		return p, nil
	}
	if text == "" {
		text = shebang + "\n"
	}
	p.Changed, err = putFile(file, withBlock(text, s.hookLines(name), hookPlace), 0o755)
	return p, err
}

const shebang = "#!/bin/sh"

var shellScript = regexp.MustCompile(`\A#!\s*\S*/(env\s+)?(ba|da|z|k|a)?sh\b`)

// shared says whom a file is shared with, in plain words; empty where it belongs
// to this repository on this machine alone.
func (r *Repo) shared(ctx context.Context, file string) (string, error) {
	for _, dir := range []string{r.common, r.gitDir} {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			return "", nil
		}
	}
	rel, err := filepath.Rel(r.top, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "other repositories may use too", nil
	}
	ignored, err := r.ignored(ctx, []string{filepath.ToSlash(rel)})
	if err != nil || len(ignored) > 0 {
		return "", err
	}
	return "is part of the repository and so of other machines", nil
}

// hookLines run what comes after a hook. Whatever becomes of it, git goes on.
func (s Setup) hookLines(name string) string {
	return "# Renders the notes anew. sessionloom git uninstall takes these lines out.\n" +
		`if [ -z "$` + Guard + `" ]; then` + "\n\t" + s.call(name) + "\nfi\n"
}

// call is the one line of a hook that matters.
func (s Setup) call(name string) string { return s.After + " " + name + ` "$@" </dev/null || :` }

// hookPlace is the end of a script, or before a last line that never comes back.
func hookPlace(text string) int {
	trimmed := strings.TrimRight(text, "\n\t ")
	last := strings.LastIndexByte(trimmed, '\n') + 1
	if line := trimmed[last:]; strings.HasPrefix(line, "exec ") || strings.HasPrefix(line, "exit") {
		return last
	}
	return len(text)
}

func readOrNothing(file string) (string, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return string(b), err
}

// Quiet says whether after a hook of this name the work tree is as it will
// stay: git is done, and nothing of the user's is still put aside.
func (r *Repo) Quiet(hook string, args []string) bool {
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.gitDir, name))
		return err == nil
	}
	switch {
	case there("rebase-merge/autostash"), there("rebase-apply/autostash"), there("MERGE_AUTOSTASH"):
		return false
	case hook == "post-rewrite": // comes while git still takes the rebase for unfinished
		return len(args) > 0 && args[0] == "rebase"
	}
	return !there("rebase-merge") && !there("rebase-apply") && !there("CHERRY_PICK_HEAD") && !there("REVERT_HEAD")
}
