package vault

import (
	"context"
	"fmt"
	"path"
)

// Rework passes what is ours of a note through change and writes what came of it
// by the steps of [Vault.Put]: a region nobody touched becomes what change makes
// of it; in one that its user edited the lines that are still ours do, as far as it
// is known what it was made from ([Draft.Bases]). d.Props are taken as they are,
// d.Body and d.Nav are not looked at.
func (v *Vault) Rework(ctx context.Context, d Draft, change func(text string) string) (Result, error) {
	f, err := v.below(d.Outside).open(path.Dir(d.At), false)
	if err != nil {
		return Result{}, fmt.Errorf("open folder of note %q: %w", d.At, err)
	}
	was, err := f.readFile(path.Base(d.At))
	v.below(d.Outside).done(f)
	if err != nil {
		return Result{}, fmt.Errorf("read note %q: %w", d.At, err)
	}
	doc := takeApart(was.text)
	if err := d.findBases(doc); err != nil {
		return Result{}, err
	}
	d.Body, d.Nav = reworked(doc.body, d.BaseBody, change), reworked(doc.nav, d.BaseNav, change)
	return v.Put(ctx, d)
}

// reworked is what change makes of what a region was made from, nil where there
// is nothing to change or nobody knows it.
func reworked(r *region, base *string, change func(string) string) *string {
	if r == nil || base == nil || textHash([]byte(*base)) != r.begin.sum {
		return nil
	}
	if next := change(*base); next != *base {
		return &next
	}
	return nil
}

// TextOutside reads the bytes of a note that its user moved out of the managed
// folder. p counts from the vault's root.
func (v *Vault) TextOutside(p string) ([]byte, error) {
	if err := v.CheckOutside(p); err != nil {
		return nil, fmt.Errorf("read note: %w", err)
	}
	f, err := v.around.open(path.Dir(p), false)
	if err != nil {
		return nil, fmt.Errorf("read note %q: %w", p, err)
	}
	defer v.around.done(f)
	c, err := f.readFile(path.Base(p))
	if err != nil {
		return nil, fmt.Errorf("read note %q: %w", p, err)
	}
	return c.text, nil
}

// RescuedText reads a text that was put aside, by its path as [Vault.Rescued]
// gives it.
func (v *Vault) RescuedText(p string) ([]byte, error) {
	f, err := v.folders.open(rescuedPath, false)
	if err != nil {
		return nil, fmt.Errorf("read rescued text %q: %w", p, err)
	}
	defer v.folders.done(f)
	c, err := f.readFile(path.Base(p))
	if err != nil {
		return nil, fmt.Errorf("read rescued text %q: %w", p, err)
	}
	return c.text, nil
}

// Rename gives a note another id and changes no other byte of it. at is where it
// lies. It returns an error where the note is no longer what it was.
func (v *Vault) Rename(ctx context.Context, at, id, to string) (Result, error) {
	if err := canceled(ctx); err != nil {
		return Result{}, err
	}
	r, err := v.rename(at, id, to)
	if err != nil {
		return r, fmt.Errorf("give the note %q another id: %w", at, err)
	}
	return v.rehearse(false, r, nil)
}

func (v *Vault) rename(at, id, to string) (Result, error) {
	if err := checkNotePath(at); err != nil {
		return Result{}, err
	}
	f, err := v.folders.open(path.Dir(at), false)
	if err != nil {
		return Result{}, err
	}
	defer v.folders.done(f)
	was, err := f.readFile(path.Base(at))
	if err != nil {
		return Result{}, err
	}
	doc := takeApart(was.text)
	field := doc.front.field(keyID)
	if reason := doc.handsOff(id); reason != "" || field == nil || doc.front.rigid {
		return Result{}, fmt.Errorf("it cannot be changed safely: %s", reason)
	}
	line := string(appendProperty(nil, Property{Key: keyID, Value: to}))
	text := splice(doc.raw, doc.eol, []edit{{start: field.start, end: field.end, text: line}})
	r := v.result(Updated, Parse(at, text), was.text, text)
	if v.opt.DryRun {
		return r, nil
	}
	r.Note.Stamp, err = v.replace(f, path.Base(at), was, text)
	return r, err
}
