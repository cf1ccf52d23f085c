package vault

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// propsRenewal goes through our properties key by key.
type propsRenewal struct {
	doc   *document
	last  rendered // what we rendered last; known says whether that is known at all
	known bool
	next  rendered // what the props line will remember
	at    int      // where the next new property goes
	edits []edit

	set     map[string][]string // key → value decided upon
	dropped []string
	kept    []string // keys whose new value of ours was refused
	insist  bool     // nothing is refused
}

// newPropsRenewal takes what we rendered last from the note itself; only a note
// whose props line is gone needs the caller's memory.
func newPropsRenewal(doc *document, d Draft) *propsRenewal {
	r := &propsRenewal{doc: doc, at: doc.front.start, set: map[string][]string{}}
	switch {
	case doc.props != nil:
		r.last, r.known = doc.props.prints, true
	case d.Base != nil:
		r.last, r.known = renderedFrom(d.Base), true
	}
	r.next = maps.Clone(r.last)
	if r.next == nil {
		r.next = rendered{}
	}
	return r
}

func (r *propsRenewal) run(props []Property) {
	ours := make(map[string]bool, len(props))
	for _, p := range props {
		ours[p.Key] = p.Value != nil
		if p.Key != keyID && p.Value != nil {
			r.renew(p)
		}
		if f := r.doc.front.field(p.Key); f != nil {
			r.at = f.end
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.last)) {
		if !ours[key] && key != keyID {
			r.drop(key)
		}
	}
}

// renew brings one property of ours into the frontmatter.
func (r *propsRenewal) renew(p Property) {
	value := entries(p.Key, p.Value)
	f := r.doc.front.field(p.Key)
	switch {
	case f == nil:
		r.add(p, value)
	case isSet(p.Key):
		r.renewSet(p.Key, f, value)
	case sameValue(p.Key, f.entries, value):
		r.remember(p.Key, value)
	case r.insist:
		r.put(p.Key, value, edit{start: f.start, end: f.end, text: string(appendProperty(nil, p))})
	case !r.last.wrote(p.Key, f.entries):
		if !slices.Equal(r.last[p.Key], fingerprints(p.Key, value)) {
			r.kept = append(r.kept, p.Key)
		}
	case f.fixed:
		r.kept = append(r.kept, p.Key)
	default:
		text := string(appendProperty(nil, p))
		if f.comment != "" {
			first, rest, _ := strings.Cut(text, "\n")
			text = first + " " + f.comment + "\n" + rest
		}
		r.put(p.Key, value, edit{start: f.start, end: f.end, text: text})
	}
}

// add writes a property that does not stand in the frontmatter: unless the user
// took it out, or that cannot be told.
func (r *propsRenewal) add(p Property, value []string) {
	if _, removed := r.last[p.Key]; removed || !r.known {
		return
	}
	r.put(p.Key, value, edit{start: r.at, end: r.at, text: string(appendProperty(nil, p))})
}

// drop removes a property we no longer have, where it is as we left it. That
// the user took it out or changed it stays remembered, for we may have it again.
func (r *propsRenewal) drop(key string) {
	f := r.doc.front.field(key)
	switch {
	case f == nil:
	case isSet(key):
		r.renewSet(key, f, nil)
		delete(r.next, key)
	case r.last.wrote(key, f.entries):
		delete(r.next, key)
		if !f.fixed && f.comment == "" {
			r.dropped = append(r.dropped, key)
			r.edits = append(r.edits, edit{start: f.start, end: f.end})
		}
	}
}

func (r *propsRenewal) put(key string, value []string, e edit) {
	r.edits = append(r.edits, e)
	r.set[key] = value
	r.remember(key, value)
}

func (r *propsRenewal) remember(key string, value []string) {
	r.next[key] = fingerprints(key, value)
}

// renewSet adds to tags or aliases what is new of ours and takes out what was
// ours and is no longer; entries of the user stay, and ours that the user took
// out do not come back.
func (r *propsRenewal) renewSet(key string, f *field, ours []string) {
	wrote := func(entry string) bool { return r.last.wrote(key, []string{entry}) }
	gone := slices.DeleteFunc(minus(f.entries, ours), func(s string) bool { return !wrote(s) })
	fresh := slices.DeleteFunc(minus(ours, f.entries), wrote)
	if !r.known {
		gone, fresh = nil, nil
	}
	if len(gone)+len(fresh) == 0 {
		r.rememberSet(key, f, ours)
		return
	}
	if (f.fixed || f.spread) && !r.insist {
		r.kept = append(r.kept, key)
		return
	}
	final := append(minus(f.entries, gone), fresh...)
	if len(f.items) > 0 && len(final) > len(fresh) {
		r.editItems(f, gone, fresh)
		r.set[key] = final
		r.rememberSet(key, f, ours)
		return
	}
	text := string(appendProperty(nil, Property{Key: key, Value: final}))
	if f.comment != "" {
		text = strings.Replace(text, "\n", " "+f.comment+"\n", 1)
	}
	r.put(key, final, edit{start: f.start, end: f.end, text: text})
	r.rememberSet(key, f, ours)
}

// rememberSet remembers, beside what is ours now, what the user took out: it
// stays out if we have it again.
func (r *propsRenewal) rememberSet(key string, f *field, ours []string) {
	prints, there := fingerprints(key, ours), fingerprints(key, f.entries)
	for _, p := range r.last[key] {
		if !slices.Contains(there, p) && !slices.Contains(prints, p) {
			prints = append(prints, p)
		}
	}
	r.next[key] = prints
}

// editItems changes single entries of a block list; at least one stays.
func (r *propsRenewal) editItems(f *field, gone, fresh []string) {
	raw := r.doc.raw
	first := raw[f.items[0]:nextLine(raw, f.items[0])]
	lead := string(first[:bytes.IndexByte(first, '-')]) + "- "
	for i, at := range f.items {
		if slices.Contains(gone, f.entries[i]) {
			end := f.end
			if i+1 < len(f.items) {
				end = f.items[i+1]
			}
			r.edits = append(r.edits, edit{start: at, end: end})
		}
	}
	var text []byte
	for _, s := range fresh {
		text = append(appendQuoted(append(text, lead...), s), '\n')
	}
	if len(text) > 0 {
		r.edits = append(r.edits, edit{start: f.end, end: f.end, text: string(text)})
	}
}

// holds carries out the edits for a trial: the block must be readable, hold the
// values decided upon, and all others as before.
func (r *propsRenewal) holds() bool {
	trial := splice(r.doc.raw, r.doc.eol, slices.Clone(r.edits))
	got, broken := parseFront(trial, r.doc.front.open)
	if broken != "" || got.rigid {
		return false
	}
	want := make(map[string][]string, len(r.doc.front.fields))
	for _, f := range r.doc.front.fields {
		want[f.key] = f.entries
	}
	for key, value := range r.set {
		want[key] = value
	}
	for _, key := range r.dropped {
		delete(want, key)
	}
	if len(got.fields) != len(want) {
		return false
	}
	for _, f := range got.fields {
		value, ok := want[f.key]
		if !ok || !slices.Equal(f.entries, value) {
			return false
		}
	}
	return true
}
