package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// KeptFile is what we want a file of ours to say that is no note: a view of the
// notes in a format of Obsidian's own (.base, .canvas).
type KeptFile struct {
	Path string // from the managed folder, with slashes
	Text string // with LF line ends
	// Once says that the file is only created: what stands there is the user's.
	Once bool
	// Base is the text as we last wrote it, without its first line, see
	// [FileResult]; empty where that is unknown.
	Base string
}

// FileResult tells what was done with a [KeptFile].
type FileResult struct {
	Outcome  Outcome
	Path     string // from the managed folder
	Reason   string // why the user's version stays, in plain words
	Base     string // the Base of the next time, empty where there is none
	Old, New []byte // whole texts, only with Options.Texts
}

// PutFile creates a file of ours or brings it up to date. Where its user changed
// it both changes are merged by line; where that cannot be done without losing
// one of theirs, or would break the file, theirs stays and the outcome is Kept.
// Equal bytes are not written. It counts as durable only after the next
// [Vault.Flush].
//
// A file that is kept up to date begins with a comment line that holds the hash of
// our text, so that a file nobody changed can be told without a base. A user's
// program may drop that line; it is not put back.
func (v *Vault) PutFile(ctx context.Context, d KeptFile) (FileResult, error) {
	failed := FileResult{Outcome: Failed, Path: d.Path}
	err := canceled(ctx)
	if err == nil {
		err = checkAttachment(d.Path)
	}
	if err != nil {
		return failed, err
	}
	r, err := v.putFile(d)
	if err != nil {
		return failed, fmt.Errorf("write file %q: %w", d.Path, err)
	}
	r.Path = d.Path
	if v.opt.DryRun {
		v.folders.rehearsal.put(Result{Outcome: r.Outcome, Path: r.Path, Reason: r.Reason, Old: r.Old, New: r.New})
	}
	if !v.opt.Texts {
		r.Old, r.New = nil, nil
	}
	return r, nil
}

func (v *Vault) putFile(d KeptFile) (FileResult, error) {
	f, err := v.folders.open(path.Dir(d.Path), !v.opt.DryRun)
	if v.opt.DryRun && errors.Is(err, fs.ErrNotExist) {
		return v.fileResult(d.fresh(), nil), nil
	}
	if err != nil {
		return FileResult{}, err
	}
	defer v.folders.done(f)
	name := path.Base(d.Path)
	for range maxTries {
		was, err := f.readFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			p := d.fresh()
			if !v.opt.DryRun {
				if _, err = v.create(f, name, p.text); err == nil {
					err = syncFolder(f.dir) // before a page can show it
				}
			} else {
				err = nil
			}
			if errors.Is(err, ErrTaken) {
				continue // it came into being meanwhile
			}
			return v.fileResult(p, nil), err
		}
		if err != nil {
			return FileResult{}, err
		}
		p := d.onto(was.text)
		if v.opt.DryRun || bytes.Equal(p.text, was.text) {
			return v.fileResult(p, was.text), nil
		}
		if _, err = v.replace(f, name, was, p.text); !errors.Is(err, errMoved) {
			return v.fileResult(p, was.text), err
		}
	}
	return FileResult{Outcome: Kept, Reason: "it is being edited right now", Base: d.Base}, nil
}

// PreviewFile is the text that [Vault.PutFile] would have a file hold now.
func (v *Vault) PreviewFile(d KeptFile) ([]byte, error) {
	was, err := v.File(d.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.fresh().text, nil
	case err != nil:
		return nil, err
	}
	return d.onto(was).text, nil
}

func (v *Vault) fileResult(p filePlan, old []byte) FileResult {
	return FileResult{Outcome: p.outcome, Reason: p.reason, Base: p.base, Old: old, New: p.text}
}

// filePlan is what a file is to hold.
type filePlan struct {
	text    []byte
	outcome Outcome
	reason  string
	base    string
}

// fresh is the plan for a file that does not exist.
func (d KeptFile) fresh() filePlan {
	if d.Once {
		return filePlan{text: []byte(d.Text), outcome: Created}
	}
	return filePlan{text: []byte(sealLine(d.Text) + d.Text), outcome: Created, base: d.Text}
}

// onto is the plan for a file that holds a text already.
func (d KeptFile) onto(was []byte) filePlan {
	stays := filePlan{text: was, outcome: Unchanged, base: d.Base}
	if d.Once {
		return stays
	}
	plain := string(toLF(bytes.TrimPrefix(was, byteOrderMark)))
	mark, version, sum, theirs := cutSeal(plain)
	base := d.Base
	if base == "" && textHash([]byte(theirs)) == sum {
		base = theirs
	}
	keep := func(reason string) filePlan {
		stays.outcome, stays.reason = Kept, reason
		return stays
	}
	switch {
	case version > layoutVersion:
		return keep("it was written by a newer version")
	case theirs == d.Text:
		base = d.Text // nothing can clash
	case base == "":
		return keep("it is not as it was written, and what was written is not known")
	case !wellFormed(d.Path, theirs):
		return keep("it cannot be read")
	}
	m := merge3(base, theirs, d.Text)
	if len(m.refused) > 0 {
		return keep("edited where there is something new")
	}
	if !wellFormed(d.Path, m.text) {
		return keep("edited in a way that cannot be joined with what is new")
	}
	if mark != "" {
		mark = sealLine(d.Text)
	}
	p := filePlan{text: renewed(was, plain, mark+m.text), outcome: Updated, base: d.Text}
	switch {
	case mark+m.text == plain:
		p.text, p.outcome = was, Unchanged
	case theirs != base:
		p.outcome = Merged
	}
	return p
}

const sealWord = "# sessionloom:file v="

// sealLine is the first line of a file that is kept up to date.
func sealLine(text string) string {
	return sealWord + strconv.Itoa(layoutVersion) + " sha256=" + textHash([]byte(text)) + "\n"
}

// Seal is the hash in the first line of ours of a file that is kept up to date,
// empty where there is none.
func Seal(text []byte) string {
	_, _, sum, _ := cutSeal(string(toLF(bytes.TrimPrefix(text, byteOrderMark))))
	return sum
}

// cutSeal takes the first line of ours off a text. One that nobody could have
// written is left in, as any comment of the user's.
func cutSeal(text string) (line string, version int, sum, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	fields, ok := strings.CutPrefix(line, sealWord)
	number, sum, found := strings.Cut(fields, " sha256=")
	version, err := strconv.Atoi(number)
	if !ok || !found || err != nil {
		return "", 0, "", text
	}
	return line + "\n", version, strings.TrimSpace(sum), rest
}

// renewed makes a file say another text than its plain one. Lines that stay keep
// their line ends, others get those of the first.
func renewed(was []byte, plain, text string) []byte {
	at := rawOffsets{raw: was}
	if bytes.HasPrefix(was, byteOrderMark) {
		at.at = len(byteOrderMark)
	}
	var edits []edit
	for _, e := range lineEdits(plain, text) {
		edits = append(edits, edit{start: at.of(e.Start), end: at.of(e.End), text: e.New})
	}
	return splice(was, lineEnd(was), edits)
}

// wellFormed tells whether a file can be read by Obsidian: that of a base as YAML
// with one view of a name.
func wellFormed(p, text string) bool {
	if path.Ext(p) != ".base" {
		return true
	}
	var base struct {
		Views []struct {
			Name string `yaml:"name"`
		} `yaml:"views"`
	}
	var whole map[string]any
	if yaml.Unmarshal([]byte(text), &whole) != nil || yaml.Unmarshal([]byte(text), &base) != nil {
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
