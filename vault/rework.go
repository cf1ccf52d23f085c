package vault

import (
	"context"
	"fmt"
	"path"
	"strings"
)

// Rework passes what is ours of a note through change and writes what came of it
// by the steps of [Vault.Put]: a region nobody touched becomes what change makes
// of it; in one that its user edited the lines that are still ours do, as far as it
// is known what it was made from ([Draft.Bases]). Of the properties those change
// that stand as we wrote them. d.Props, d.Body and d.Nav are not looked at.
func (v *Vault) Rework(ctx context.Context, d Draft, change func(text string) string) (Result, error) {
	d.Props, d.Body, d.Nav, d.change = nil, nil, nil, change
	return v.Put(ctx, d)
}

// rework asks of a note to become what change makes of it. What its regions were
// made from is known.
func (d *Draft) rework(doc *document) {
	if d.change != nil {
		d.Body, d.Nav = reworked(doc.body, d.BaseBody, d.change), reworked(doc.nav, d.BaseNav, d.change)
	}
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

// rework passes the properties that stand as we wrote them through change.
func (r *propsRenewal) rework(change func(string) string) {
	for i := range r.doc.front.fields {
		f := &r.doc.front.fields[i]
		switch {
		case f.key == keyID:
		case isSet(f.key):
			r.reworkSet(f, change)
		case r.last.wrote(f.key, f.entries):
			value := reworkedValue(f.value, change)
			if !sameValue(f.key, f.entries, entries(f.key, value)) {
				r.renew(Property{Key: f.key, Value: value})
			}
		}
	}
}

func (r *propsRenewal) reworkSet(f *field, change func(string) string) {
	var ours []string
	changed := false
	for _, e := range f.entries {
		if r.last.wrote(f.key, []string{e}) {
			now := change(e)
			changed = changed || now != e
			ours = append(ours, now)
		}
	}
	if changed {
		r.renewSet(f.key, f, ours)
	}
}

// propsOrder are the properties as the line of their fingerprints names them.
func (doc *document) propsOrder() []Property {
	var order []Property
	for _, field := range strings.Fields(doc.propsLine()) {
		if key, _, ok := strings.Cut(field, "="); ok {
			order = append(order, Property{Key: key})
		}
	}
	return order
}

func reworkedValue(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []string:
		out := make([]string, len(v))
		for i := range v {
			out[i] = change(v[i])
		}
		return out
	}
	return value
}

// Texts are the parts of a note that show something, each as a search for secrets
// is to see it: the regions, the values of properties as we wrote them, and all
// else as it stands there.
func Texts(raw []byte) []string {
	doc := takeApart(raw)
	if doc.broken != "" {
		return []string{string(raw)}
	}
	var out []string
	for _, f := range doc.front.fields {
		if doc.props != nil && doc.props.prints.wrote(f.key, f.entries) || f.key == keyID {
			out = append(out, f.entries...)
		} else {
			out = append(out, string(raw[f.start:f.end]))
		}
	}
	for _, r := range []*region{doc.body, doc.nav} {
		if r != nil {
			out = append(out, r.text)
		}
	}
	for _, free := range doc.outside() {
		out = append(out, string(free))
	}
	return out
}

// TextOutside reads the bytes of a note that its user moved out of the managed
// folder, in real, visible folders. p counts from the vault's root.
func (v *Vault) TextOutside(p string) ([]byte, error) {
	around := newFolders(v.outer)
	defer func() { _ = around.close() }() // nothing was written
	err := checkNotePath(p)
	var f *folder
	if err == nil {
		f, err = around.open(path.Dir(p), false)
	}
	if err != nil {
		return nil, fmt.Errorf("read note %q: %w", p, err)
	}
	defer around.done(f)
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
	return v.rehearse(r, nil)
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
