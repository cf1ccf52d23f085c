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
