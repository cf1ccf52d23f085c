package extract

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
)

// A note that no pass can render, because what it was made from is not here, is
// masked where it lies: in what is ours of it. What its user wrote stays and is
// told of.

// maskNotes masks the notes that showed what is masked by now and were not
// rendered in this pass, then writes what shows their facts.
func (p *pass) maskNotes(ctx context.Context) error {
	if p.unmasked == nil {
		return nil
	}
	left := slices.DeleteFunc(slices.Sorted(maps.Keys(p.unmasked)), func(id string) bool { return p.rendered[id] || pageOrder(id) >= 0 })
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	for _, id := range left {
		if err := ctx.Err(); err != nil {
			return err
		}
		row, known, err := p.Ledger.Note(id)
		if err == nil && known {
			err = p.maskNote(ctx, row)
		}
		if err != nil {
			return err
		}
	}
	if err := errors.Join(p.Vault.Flush(), p.dropUnmaskedBases(), p.tellOfRescued(ctx)); err != nil {
		return errors.Join(err, p.Ledger.Rollback())
	}
	p.marks[markUnmasked] = nil
	p.forget.purged = true
	if len(left) == 0 {
		return p.commit()
	}
	return errors.Join(p.rememberWritten(), p.commit(), p.writeNotes(ctx))
}

// maskNote masks what is ours of a note.
func (p *pass) maskNote(ctx context.Context, row ledger.NoteRow) error {
	if !p.writable(row) {
		p.tellUnmasked(row, row.Path)
		return nil
	}
	text, err := p.textOf(row)
	if err != nil {
		p.unreadable(row.Path, err)
		return nil
	}
	d, v, err := p.maskedDraft(row, text)
	if err != nil {
		return err
	}
	numbers := redact.NumbersAfter(string(text))
	var failed error
	mask := func(s string) string {
		masked, err := p.Masker.Text(s)
		failed = errors.Join(failed, err)
		return numbers.Text(masked)
	}
	v.Props, err = p.maskedProps(row, text, mask)
	if err != nil {
		return err
	}
	if d.moveTo != "" {
		if err := p.moveMasked(ctx, d); err != nil {
			return err
		}
		v.At = d.row.Path
	}
	if v.Props != nil {
		if d.row.Base, err = encodeProps(v.Props); err != nil {
			return err
		}
	}
	res, err := p.Vault.Rework(ctx, v, mask)
	if err = errors.Join(err, failed); err != nil {
		p.fail(d, err)
		return nil
	}
	after, err := p.afterMasking(res, row)
	if err != nil || after {
		p.tellUnmasked(row, res.Path)
	}
	return errors.Join(err, p.settle(d, res))
}

// moveMasked gives a note another name, which is of our choosing.
func (p *pass) moveMasked(ctx context.Context, d *draft) error {
	was := d.row
	if err := p.move(ctx, d); err != nil {
		return err
	}
	d.path, d.row.Home, d.row.Keys = d.row.Path, d.row.Path, d.facts.keys()
	return p.storeFacts(was, true, d.row, d.facts)
}

// maskedDraft is a draft of a note as it stands, with another name where its own
// shows what is masked.
func (p *pass) maskedDraft(row ledger.NoteRow, text []byte) (*draft, vault.Draft, error) {
	f := factsOf(vault.Parse(row.Path, text))
	d := &draft{facts: f, shown: f, planned: f, row: row, path: row.Path, session: row.Session, kind: ledger.DueNav, owner: row.ID}
	v := vault.Draft{ID: row.ID, At: d.at(), Path: row.Path, Outside: d.outside(), Bases: p.basesOf(row.ID)}
	if d.outside() || row.Home != row.Path {
		return d, v, nil
	}
	found, err := p.Masker.Find(string(text))
	if err != nil {
		return d, v, fmt.Errorf("look for secrets in %q: %w", row.Path, err)
	}
	name := trimMD(path.Base(row.Path))
	for _, s := range found {
		if slug := vault.Slug(string(text[s.From:s.To]), 60); len(slug) > 3 {
			name = strings.ReplaceAll(name, slug, "")
		}
	}
	to := path.Join(path.Dir(row.Path), vault.FileName(strings.ReplaceAll(name, "- ", " "))+".md")
	if _, taken := p.files[to]; !taken && to != row.Path {
		d.moveTo = to
	}
	return d, v, nil
}

// maskedProps are our properties of a note, masked; nil where nothing of them is.
func (p *pass) maskedProps(row ledger.NoteRow, text []byte, mask func(string) string) ([]vault.Property, error) {
	note := vault.Parse(row.Path, text)
	base, err := decodeProps(row.Base)
	if err != nil {
		return nil, err
	}
	var out []vault.Property
	changed := false
	for _, q := range p.properties(factsOf(note)) {
		if v, ok := valueOf(base, q.Key); ok { // what its user wrote instead stays theirs
			q.Value = v
		} else if v, ok := valueOf(note.Props, q.Key); ok {
			q.Value = v
		}
		next := maskedValue(q.Value, mask)
		changed = changed || !reflect.DeepEqual(next, q.Value)
		out = append(out, vault.Property{Key: q.Key, Value: next})
	}
	if !changed {
		return nil, nil
	}
	return out, nil
}

func maskedValue(value any, mask func(string) string) any {
	switch v := value.(type) {
	case string:
		return mask(v)
	case []string:
		out := make([]string, len(v))
		for i := range v {
			out[i] = mask(v[i])
		}
		return out
	}
	return value
}

// afterMasking tells whether a note still shows something the rules mask.
func (p *pass) afterMasking(res vault.Result, row ledger.NoteRow) (bool, error) {
	if p.Mode.DryRun {
		return false, nil
	}
	row.Path = res.Path
	text, err := p.textOf(row)
	if err != nil {
		return false, err
	}
	found, err := p.Masker.Find(string(text))
	return len(found) > 0, err
}

// tellUnmasked tells of a note that shows what is not ours to mask.
func (p *pass) tellUnmasked(row ledger.NoteRow, at string) {
	if row.State != ledger.Away {
		at = p.fromRoot(at)
	}
	p.keep(at, "it shows what your rules mask, in a text that is yours: change it there")
}

// dropUnmaskedBases forgets the texts that merges start from where they hold what
// is masked by now.
func (p *pass) dropUnmaskedBases() error {
	ids, err := p.Ledger.BasesOf()
	if err != nil {
		return err
	}
	for _, id := range ids {
		row, _, err := p.Ledger.Note(id)
		if err != nil {
			return err
		}
		body, nav, err := p.basesOf(id)()
		if err != nil {
			return err
		}
		for _, text := range []*string{body, nav} {
			if text == nil || p.leftUnmasked(row.Project) {
				continue
			}
			if found, err := p.Masker.Find(*text); err != nil || len(found) > 0 {
				if err := errors.Join(err, p.Ledger.DropBases(id)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tellOfRescued names texts that were put aside and show what is masked by now.
func (p *pass) tellOfRescued(ctx context.Context) error {
	rescued, err := p.Vault.Rescued(ctx)
	if err != nil {
		return err
	}
	for _, at := range rescued {
		text, err := p.Vault.RescuedText(at)
		if err != nil {
			continue // it was taken away meanwhile
		}
		if found, err := p.Masker.Find(string(text)); err != nil || len(found) > 0 {
			p.problem(Problem{Path: p.fromRoot(at), Error: "a text that was put aside shows what your rules mask",
				Hint: "take over what you need, then delete it"})
		}
	}
	return nil
}
