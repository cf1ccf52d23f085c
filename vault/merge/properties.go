package merge

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

type propsRenewal struct {
	doc   *note.Document
	last  note.Rendered // what we rendered last; known says that the note tells it
	known bool
	next  note.Rendered // what the comment for the program will remember
	at    int           // where the next new property goes
	edits []note.Edit

	want      map[string][]string // key → value that is to stand there then
	kept      []string            // keys whose new value of ours was refused
	forceOurs bool                // nothing is refused
}

func newPropsRenewal(doc *note.Document) *propsRenewal {
	r := &propsRenewal{doc: doc, at: doc.Front.Start, next: note.Rendered{}, want: make(map[string][]string, len(doc.Front.Fields))}
	for _, f := range doc.Front.Fields {
		r.want[f.Key] = f.Entries
	}
	if doc.Comment != nil {
		r.last, r.known = doc.Comment.Prints, true
	}
	maps.Copy(r.next, r.last)
	return r
}

func (r *propsRenewal) run(props []note.Property) {
	ours := make(map[string]bool, len(props))
	for _, p := range props {
		ours[p.Key] = p.Value != nil
		if p.Key != note.KeyID && p.Value != nil {
			r.renew(p)
		}
		if f := r.doc.Front.Field(p.Key); f != nil {
			r.at = f.End
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.last)) {
		if !ours[key] && key != note.KeyID {
			r.drop(key)
		}
	}
}

// renew writes one of our properties into the frontmatter.
func (r *propsRenewal) renew(p note.Property) {
	value := note.Entries(p.Key, p.Value)
	f := r.doc.Front.Field(p.Key)
	_, wrote := r.last[p.Key]
	switch {
	case !r.known: // whose it is cannot be told: what stands there counts as its user's
		r.remember(p.Key, value)
	case f == nil && wrote: // its user took it out
	case f == nil:
		r.put(p.Key, value, note.Edit{Start: r.at, End: r.at, Text: string(note.AppendProperty(nil, p))})
	case note.IsSet(p.Key):
		r.renewSet(p.Key, f, value)
	case sameValue(p.Key, f.Entries, value):
		r.remember(p.Key, value)
	case r.forceOurs:
		r.put(p.Key, value, note.Edit{Start: f.Start, End: f.End, Text: string(note.AppendProperty(nil, p))})
	case !r.last.Wrote(p.Key, f.Entries):
		if !slices.Equal(r.last[p.Key], note.Fingerprints(p.Key, value)) {
			r.kept = append(r.kept, p.Key)
		}
	case f.Fixed:
		r.kept = append(r.kept, p.Key)
	default:
		r.put(p.Key, value, note.Edit{Start: f.Start, End: f.End, Text: inPlaceOf(f, p)})
	}
}

// inPlaceOf formats a property that replaces a field, and keeps the field's comment.
func inPlaceOf(f *note.Field, p note.Property) string {
	text := string(note.AppendProperty(nil, p))
	if f.Comment == "" {
		return text
	}
	first, rest, _ := strings.Cut(text, "\n")
	return first + " " + f.Comment + "\n" + rest
}

// drop removes a property where it is as we left it. What the user did stays remembered.
func (r *propsRenewal) drop(key string) {
	f := r.doc.Front.Field(key)
	switch {
	case f == nil:
	case note.IsSet(key):
		r.renewSet(key, f, nil)
		delete(r.next, key)
	case r.last.Wrote(key, f.Entries):
		delete(r.next, key)
		if !f.Fixed && f.Comment == "" {
			delete(r.want, key)
			r.edits = append(r.edits, note.Edit{Start: f.Start, End: f.End})
		}
	}
}

func (r *propsRenewal) rename(id string) {
	f := r.doc.Front.Field(note.KeyID)
	r.edits = append(r.edits, note.Edit{Start: f.Start, End: f.End, Text: string(note.AppendProperty(nil, note.Property{Key: note.KeyID, Value: id}))})
	r.want[note.KeyID] = []string{id}
}

func (r *propsRenewal) put(key string, value []string, e note.Edit) {
	r.edits = append(r.edits, e)
	r.want[key] = value
	r.remember(key, value)
}

func (r *propsRenewal) remember(key string, value []string) {
	r.next[key] = note.Fingerprints(key, value)
}

// renewSet changes tags or aliases: entries of the user stay, and ours that they took out do not
// come back.
func (r *propsRenewal) renewSet(key string, f *note.Field, ours []string) {
	wrote := func(entry string) bool { return r.last.Wrote(key, []string{entry}) }
	gone := slices.DeleteFunc(minus(f.Entries, ours), func(s string) bool { return !wrote(s) })
	fresh := slices.DeleteFunc(minus(ours, f.Entries), wrote)
	if !r.known {
		gone, fresh = nil, nil
	}
	if len(gone)+len(fresh) == 0 {
		r.rememberSet(key, f, ours)
		return
	}
	if f.Fixed && !r.forceOurs {
		r.kept = append(r.kept, key)
		return
	}
	final := append(minus(f.Entries, gone), fresh...)
	if len(f.Items) > 0 && len(final) > len(fresh) {
		r.editItems(f, gone, fresh)
	} else {
		r.edits = append(r.edits, note.Edit{Start: f.Start, End: f.End, Text: inPlaceOf(f, note.Property{Key: key, Value: final})})
	}
	r.want[key] = final
	r.rememberSet(key, f, ours)
}

// rememberSet also remembers what the user removed: it stays out.
func (r *propsRenewal) rememberSet(key string, f *note.Field, ours []string) {
	prints, there := note.Fingerprints(key, ours), note.Fingerprints(key, f.Entries)
	for _, p := range r.last[key] {
		if !slices.Contains(there, p) && !slices.Contains(prints, p) {
			prints = append(prints, p)
		}
	}
	r.next[key] = prints
}

// editItems changes single entries of a block list; at least one stays.
func (r *propsRenewal) editItems(f *note.Field, gone, fresh []string) {
	raw := r.doc.Raw
	first := raw[f.Items[0]:note.NextLine(raw, f.Items[0])]
	lead := string(first[:bytes.IndexByte(first, '-')]) + "- "
	for i, at := range f.Items {
		if slices.Contains(gone, f.Entries[i]) {
			end := f.End
			if i+1 < len(f.Items) {
				end = f.Items[i+1]
			}
			r.edits = append(r.edits, note.Edit{Start: at, End: end})
		}
	}
	var text []byte
	for _, s := range fresh {
		text = append(note.AppendQuoted(append(text, lead...), s), '\n')
	}
	if len(text) > 0 {
		r.edits = append(r.edits, note.Edit{Start: f.End, End: f.End, Text: string(text)})
	}
}

// holds tries the edits: the block must be readable and hold what was decided.
func (r *propsRenewal) holds() bool {
	trial := note.Splice(r.doc.Raw, r.doc.EOL, slices.Clone(r.edits))
	got := note.ParseFrontmatter(trial)
	if got.Broken != "" || got.Rigid {
		return false
	}
	stands := make(map[string][]string, len(got.Fields))
	for _, f := range got.Fields {
		stands[f.Key] = f.Entries
	}
	return maps.EqualFunc(stands, r.want, slices.Equal)
}

func sameValue(key string, a, b []string) bool {
	if !note.IsSet(key) {
		return slices.Equal(a, b)
	}
	return len(minus(a, b)) == 0 && len(minus(b, a)) == 0
}

func minus(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}
