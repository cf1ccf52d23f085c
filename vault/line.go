package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// This is all of ours that stands in a note of the user's, outside of the managed
// folder: a line with a comment at its end that names it and has a hash of its text
// as we wrote it. So it is found wherever its user moved it in the note, and is ours
// to renew only while it says what we wrote.
//
//	[[Agents/journal/2026-11-03|Agents: 4 sessions]] %% sessionloom:line daily-2026-11-03 5f3a9c01 %%

// PutLine puts a line into a note that exists, at its end, or renews it where it
// stands; an empty text takes it away. p is from the vault's root, key is made of
// small letters, digits and "-" and names the line. What was changed in the line,
// or was written around it, stays. A line that was placed once and is gone was
// removed by its user: Result.Outcome is [Removed], nothing is written, and it is
// for the caller to set a tombstone, then to call [Vault.ForgetLine]. A note that is gone is [fs.ErrNotExist].
func (v *Vault) PutLine(ctx context.Context, p, key, text string) (Result, error) {
	if err := canceled(ctx); err != nil {
		return Result{}, err
	}
	err := checkNotePath(p)
	if err == nil && (!lineKey(key) || strings.ContainsAny(text, "\r\n")) {
		err = fmt.Errorf("line %q: not a line", key)
	}
	var r Result
	if err == nil {
		r, err = v.putLine(p, key, text)
	}
	if err != nil {
		return Result{Outcome: Failed, Path: p}, fmt.Errorf("write line into %q: %w", p, err)
	}
	if !v.opt.Texts {
		r.Old, r.New = nil, nil
	}
	return r, nil
}

func lineKey(key string) bool {
	return key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func (v *Vault) putLine(p, key, text string) (r Result, err error) {
	f, err := v.around.open(path.Dir(p), false)
	if err != nil {
		return Result{}, err
	}
	defer v.around.done(f)
	if _, err := v.sweepOutside(path.Dir(p)); err != nil { // an earlier run may have been killed here
		return Result{}, err
	}
	for range maxTries {
		was, err := f.readFile(path.Base(p))
		if err != nil {
			return Result{}, err
		}
		next, outcome, reason := v.setLine(was.text, key, text)
		note := Note{Path: p, Stamp: was.stamp}
		if !bytes.Equal(next, was.text) && !v.opt.DryRun {
			note.Stamp, err = v.replace(f, path.Base(p), was, next)
			v.disown(p)
		}
		if errors.Is(err, errMoved) {
			continue
		}
		switch {
		case err != nil:
		case len(findLines(next, key)) > 0:
			err = v.markPlaced(key)
		case text == "" && outcome == Updated:
			err = v.ForgetLine(key)
		}
		r = v.result(outcome, note, was.text, next)
		r.Reason = reason
		return r, err
	}
	return Result{Outcome: Kept, Path: p, Note: Note{Path: p}, Reason: "it is being edited right now"}, nil
}

// setLine gives the text of a note with its line renewed.
func (v *Vault) setLine(raw []byte, key, text string) (next []byte, outcome Outcome, reason string) {
	doc := takeApart(raw)
	lines := findLines(raw, key)
	switch {
	case len(lines) > 1:
		return raw, Unchanged, "" // copied by its user
	case len(lines) == 1 && !lines[0].untouched():
		return raw, Unchanged, ""
	case len(lines) == 1:
		l := lines[0]
		if text == "" {
			return splice(raw, doc.eol, []edit{{start: l.start, end: l.end}}), Updated, ""
		}
		next = splice(raw, doc.eol, []edit{{start: l.from, end: l.to, text: managedLine(key, text)}})
		if bytes.Equal(next, raw) {
			return raw, Unchanged, ""
		}
		return next, Updated, ""
	case text == "" || len(raw) == 0 || doc.body != nil: // empty: it is being made
		return raw, Unchanged, ""
	case v.placed(key):
		return raw, Removed, ""
	case doc.broken != "":
		return raw, Kept, doc.broken
	}
	return splice(raw, doc.eol, []edit{{start: len(raw), end: len(raw), text: gapBefore(raw) + managedLine(key, text) + "\n"}}), Updated, ""
}

// gapBefore sets a line at the end of a text apart from what stands there.
func gapBefore(raw []byte) string {
	switch end := toLF(raw[max(0, len(raw)-4):]); {
	case !bytes.HasSuffix(end, []byte("\n")):
		return "\n\n"
	case !bytes.HasSuffix(end, []byte("\n\n")):
		return "\n"
	}
	return ""
}

func managedLine(key, text string) string {
	return text + " %% " + markerWord + "line " + key + " " + textHash([]byte(text))[:8] + " %%"
}

// line is a line of ours. Before it may stand what makes it part of a list or a
// quote.
type line struct {
	start, end int // all of it, with its end of line
	from, to   int // what we wrote
	text, sum  string
}

func (l line) untouched() bool { return textHash([]byte(l.text))[:8] == l.sum }

func findLines(raw []byte, key string) []line {
	shape := regexp.MustCompile(`(?m)^([ \t>*+-]*)([^\r\n]*?) %% ` + markerWord + `line ` + key + ` ([0-9a-f]{8}) %%[ \t]*\r?$`)
	var out []line
	for _, m := range shape.FindAllSubmatchIndex(raw, -1) {
		out = append(out, line{start: m[0], end: nextLine(raw, m[0]), from: m[4], to: m[7] + len(" %%"),
			text: string(raw[m[4]:m[5]]), sum: string(raw[m[6]:m[7]])})
	}
	return out
}

// linesPath is the folder of what was placed once: an empty file for each line.
const linesPath = metaPath + "/lines"

// Lines lists the keys of the lines that were placed and not seen to be gone.
func (v *Vault) Lines() ([]string, error) {
	names, err := v.metaNames(linesPath)
	if err != nil {
		return nil, fmt.Errorf("list placed lines: %w", err)
	}
	return names, nil
}

func (v *Vault) placed(key string) bool {
	f, err := v.folders.open(linesPath, false)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) // what cannot be read may say so
	}
	defer v.folders.done(f)
	return f.exists(key)
}

// markPlaced notes in the vault that a line was placed, so that one which its user
// removes is known for that on every machine. It comes after the text: a line that
// stands can be remembered later.
func (v *Vault) markPlaced(key string) error {
	if v.opt.DryRun || v.placed(key) {
		return nil
	}
	f, err := v.folders.open(linesPath, true)
	if err != nil {
		return err
	}
	defer v.folders.done(f)
	_, err = v.create(f, key, nil)
	return err
}

// ForgetLine forgets that a line was placed: PutLine would place it again.
func (v *Vault) ForgetLine(key string) error {
	if v.opt.DryRun || !lineKey(key) || !v.placed(key) {
		return nil
	}
	f, err := v.folders.open(linesPath, false)
	if err == nil {
		defer v.folders.done(f)
		v.folders.touched(f)
		v.wroteIn(f, key)
		err = f.root.Remove(key)
	}
	if err != nil {
		return fmt.Errorf("forget line %q: %w", key, err)
	}
	return nil
}

// Glance gives the stamp of a note by its path from the vault's root.
func (v *Vault) Glance(p string) (Stamp, error) {
	if err := checkNotePath(p); err != nil {
		return Stamp{}, err
	}
	info, err := v.outer.Lstat(p)
	if err != nil {
		return Stamp{}, fmt.Errorf("look at %q: %w", p, err)
	}
	return stampOf(info), nil
}

// AppSetting reads a settings file of Obsidian's, such as "daily-notes.json". One
// that is missing is empty.
func (v *Vault) AppSetting(name string) ([]byte, error) {
	f, err := v.around.open(".obsidian", false)
	var c content
	if err == nil {
		c, err = f.readFile(name)
		v.around.done(f)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read setting %q: %w", name, err)
	}
	return c.text, nil
}
