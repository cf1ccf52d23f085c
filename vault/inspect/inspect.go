// Package inspect says what is wrong with a vault that no human meant. It writes
// nothing, and sees of a vault what a [Vault] gives alone.
package inspect

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/vault/inert"
	"github.com/sessionloom/sessionloom/vault/merge"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Finding is something wrong with the vault that no human meant.
type Finding struct {
	Kind  string
	Path  string // from the vault's root
	Line  int    // from 1, 0 where it is about the whole note
	Words string // what is wrong, in plain words
}

// Kinds of findings. They are part of what scripts rely on.
const (
	FindingMarkers    = "markers"          // region or props markers damaged, missing, doubled, nested
	FindingConflict   = "conflict-markers" // an unresolved merge of a version control system
	FindingFront      = "frontmatter"      // frontmatter that cannot be read
	FindingNoID       = "id"               // a note of ours that has lost its id
	FindingDuplicate  = "duplicate-id"     // several notes with one id
	FindingLink       = "broken-link"      // a link we wrote that leads nowhere
	FindingName       = "name"             // a name that no link or not every system can hold
	FindingLeftover   = "leftover"         // a temporary file of an interrupted run
	FindingUnreadable = "unreadable"       // a note that could not be read
	FindingBack       = "missing-backlink" // a note that another one links to, and that should link back
	FindingLive       = "live-content"     // text of ours that would act: run, load, link, hide
	FindingSecret     = "secret"           // a secret in text of ours
	FindingDamaged    = "damaged"          // bytes that no program writes into a note, or none at all
	FindingFile       = "file"             // a view, canvas or picture of ours that is damaged
	FindingUnexpected = "unexpected"       // what lies among our own records and is none of them
)

// Report is how a check of the vault went.
type Report struct {
	Notes    int       // notes of ours
	Standing []Seen    // every note in the managed folder, by path; those of others without an id
	Findings []Finding // by path, line and kind
}

// Seen is a note as a check read it.
type Seen struct {
	ID, Path string // from the managed folder
	Stamp    note.Stamp
	Hash     string // as in [note.Note]; empty of a person's own
}

// Options configures a check.
type Options struct {
	// Ours says whether a note without any marker of ours, by its id and path, is
	// known to be one: a person's own may have an id too. Without an id: whether a
	// file at this path is one of ours.
	Ours func(id, path string) bool
	// Secrets finds the secrets in a text of the note at a path from the managed
	// folder; nil: none are looked for.
	Secrets func(text string) ([]Secret, error)
	// Trusting says that our regions may hold what acts: templates of the user word
	// them, and what is in these is the user's.
	Trusting bool
}

// Vault is the content of a vault. Paths are relative to the managed folder.
type Vault struct {
	Folder        string       // the managed folder, by its path from the vault's root
	Notes, Others []note.Entry // visible files of the managed folder, by path
	// Temps are temporary files of interrupted runs, Unexpected what lies among our own
	// records and is none of them.
	Temps, Unexpected []string
	// Read reads a file; one that is gone is [fs.ErrNotExist], one that is too large to be
	// ours [note.ErrTooLarge].
	Read func(p string) (text []byte, stamp note.Stamp, err error)
	// Stands says whether a file is at a path from the vault's root, or may
	// are there, for nobody lets us look.
	Stands func(at string) bool
}

// Run looks at every note of ours and at what the notes link to. It writes nothing.
func Run(ctx context.Context, v Vault, o Options) (Report, error) {
	c := check{Vault: v, Options: o}
	if err := c.readNotes(ctx); err != nil {
		return Report{}, err
	}
	c.findAlike(FindingDuplicate, func(n *noteInfo) string { return n.id }, "its id %[1]q stands in another note too: %[2]q")
	c.findAlike(FindingName, func(n *noteInfo) string { return folded(n.path) }, "not every system can hold it beside %[2]q")
	if err := c.judgeFiles(ctx); err != nil {
		return Report{}, err
	}
	c.judgeLinks()
	c.findOthers()
	for _, n := range c.notes {
		if n.id != "" {
			c.out.Notes++
		}
		c.out.Standing = append(c.out.Standing, Seen{ID: n.id, Path: n.path, Stamp: n.stamp, Hash: n.hash})
	}
	slices.SortFunc(c.out.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Words, b.Words))
	})
	return c.out, nil
}

type check struct {
	Vault
	Options
	notes []noteInfo // every note in the managed folder, by path
	out   Report
}

type noteInfo struct {
	path  string // from the managed folder
	stamp note.Stamp
	id    string // empty: no note of ours
	hash  string
	links []inert.Link
}

func (c *check) fromRoot(p string) string { return path.Join(c.Folder, p) }

func (c *check) find(kind, p string, line int, words string) {
	c.out.Findings = append(c.out.Findings, Finding{Kind: kind, Path: c.fromRoot(p), Line: line, Words: words})
}

// readNotes reads all notes, except those that vanish meanwhile.
func (c *check) readNotes(ctx context.Context) error {
	for _, f := range c.Notes {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n := noteInfo{path: f.Path, stamp: f.Stamp}
		text, stamp, err := c.Read(n.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, note.ErrTooLarge) && !c.ours("", n.path): // a person's own
		case err != nil:
			c.find(FindingUnreadable, n.path, 0, err.Error())
		default:
			if stamp != (note.Stamp{}) { // else it is not on the disk
				n.stamp = stamp
			}
			c.inspect(&n, text)
		}
		c.notes = append(c.notes, n)
	}
	return nil
}

func (c *check) findOthers() {
	for _, p := range c.Temps {
		c.find(FindingLeftover, p, 0, "a temporary file of an interrupted run")
	}
	for _, p := range c.Unexpected {
		c.find(FindingUnexpected, p, 0, fmt.Sprintf("%q is none of our records", path.Base(p)))
	}
}

// findAlike names notes of ours that share what one alone is to have: an id, or a path in any
// spelling, for some systems ignore case or accents.
func (c *check) findAlike(kind string, common func(*noteInfo) string, words string) {
	alike := map[string][]string{}
	for i := range c.notes {
		if n := &c.notes[i]; n.id != "" { // what a person names beside is theirs to know
			alike[common(n)] = append(alike[common(n)], n.path)
		}
	}
	for key, paths := range alike {
		for i, p := range paths {
			var others []string
			for _, other := range slices.Delete(slices.Clone(paths), i, i+1) {
				others = append(others, c.fromRoot(other))
			}
			if len(others) > 0 {
				c.find(kind, p, 0, fmt.Sprintf(words, key, others))
			}
		}
	}
}

// judgeFiles checks our views, canvases and pictures.
func (c *check) judgeFiles(ctx context.Context) error {
	for _, f := range c.Others {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if words := c.fileDamage(f.Path); words != "" {
			c.find(FindingFile, f.Path, 0, words)
		}
	}
	return nil
}

// fileDamage describes the damage of a view, canvas or picture.
func (c *check) fileDamage(p string) string {
	kind := strings.ToLower(path.Ext(p))
	named := isContentName(p)
	if !named && kind != ".base" && kind != ".canvas" {
		return ""
	}
	text, _, err := c.Read(p)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		return err.Error()
	}
	sum := sha256.Sum256(text)
	switch {
	case named && !strings.HasPrefix(path.Base(p), hex.EncodeToString(sum[:8])+"."):
		return "its content is not what its name says"
	case kind == ".base" && (merge.HashHeader(p, text) != "" || c.ours("", p)) && !isBase(text):
		return "no program can read it as a view of notes"
	case kind == ".canvas" && len(bytes.TrimSpace(text)) > 0 && c.ours("", p) && !isCanvas(text):
		return "no program can read it as a canvas"
	}
	return ""
}

func (c *check) ours(id, p string) bool { return c.Ours != nil && c.Ours(id, p) }

// isBase reports whether Obsidian can read a base: YAML with unequal views.
func isBase(text []byte) bool {
	var base struct {
		Views []struct {
			Name string `yaml:"name"`
		} `yaml:"views"`
	}
	var whole map[string]any
	if yaml.Unmarshal(text, &whole) != nil || yaml.Unmarshal(text, &base) != nil {
		return false
	}
	names := map[string]bool{}
	for _, view := range base.Views {
		if names[view.Name] {
			return false
		}
		names[view.Name] = true
	}
	return true
}

func isCanvas(text []byte) bool {
	var plane *struct{ Nodes, Edges []struct{ ID string } }
	return json.Unmarshal(text, &plane) == nil && plane != nil
}

// isContentName recognizes a picture of ours by its name: that of its content.
func isContentName(p string) bool {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	_, err := hex.DecodeString(name)
	return err == nil && len(name) == 16 && path.Base(path.Dir(p)) == "attachments"
}
