package vault

import (
	"bytes"
	"slices"
	"strings"
)

// plan is what a draft makes of an existing note.
type plan struct {
	text []byte // the whole text as it should stand; equal to the old where nothing is to do
	// reasons say what of the draft was refused because the user's version
	// stays. held: nothing but nav could be renewed at all, or the body was
	// refused.
	reasons []string
	held    bool
}

func (p *plan) refuse(held bool, reason string) {
	p.held = p.held || held
	p.reasons = append(p.reasons, reason)
}

// reconcile decides part by part between what stands in the note and the
// draft. It never fails: what cannot be decided stays as it is.
func reconcile(doc *document, d Draft) plan {
	p := plan{text: doc.raw}
	if reason := doc.handsOff(d.ID); reason != "" {
		p.refuse(true, reason)
		return p
	}
	var edits []edit
	if reason := doc.poorer(d); reason != "" {
		p.refuse(true, reason)
	} else {
		edits = append(edits, p.renewBody(doc, d.Body)...)
		edits = append(edits, p.renewProps(doc, d)...)
	}
	edits = append(edits, p.renewNav(doc, d.Nav)...)
	if len(edits) > 0 {
		p.text = splice(doc.raw, doc.eol, edits)
	}
	return p
}

// handsOff tells why nothing of the note may be written, empty if it may.
func (doc *document) handsOff(id string) string {
	switch {
	case len(doc.raw) == 0:
		return "the note is empty: it is being saved"
	case doc.broken != "":
		return doc.broken
	case doc.id != id:
		return "it is no longer the note it was: its id is missing or another"
	}
	return ""
}

// newer says that a newer version wrote the note: it may hold more than this one
// can make of the same.
func (doc *document) newer() bool {
	return doc.body.begin.version > layoutVersion || doc.props != nil && doc.props.version > layoutVersion
}

// poorer tells why a draft must not replace body and properties: the note was
// made from more than the draft, or by a newer version.
func (doc *document) poorer(d Draft) string {
	if doc.newer() {
		return "it was written by a newer version"
	}
	if d.Props == nil {
		return ""
	}
	have := doc.front.field(keySources)
	if have == nil {
		return ""
	}
	ours := slices.Clone(d.AtHand)
	for _, p := range d.Props {
		if p.Key == keySources {
			ours = append(ours, entries(p.Key, p.Value)...)
		}
	}
	if missing := minus(have.entries, ours); len(missing) > 0 {
		return "it was made from more than is here now (" + strings.Join(missing, ", ") + ")"
	}
	return ""
}

func (p *plan) renewBody(doc *document, body *string) []edit {
	if body == nil {
		return nil
	}
	return p.renewRegion(doc.body, regionBody, frame(*body), "body edited", true)
}

// renewNav also adds the region to a note without one, and takes it away when
// there is nothing to navigate to.
func (p *plan) renewNav(doc *document, nav *string) []edit {
	switch {
	case nav == nil || *nav == "" && doc.nav == nil:
		return nil
	case doc.nav == nil:
		return []edit{addNav(doc, frame(*nav))}
	case doc.nav.begin.version > layoutVersion:
		return nil
	case *nav != "":
		return p.renewRegion(doc.nav, regionNav, frame(*nav), "links edited", false)
	case !doc.nav.untouched():
		p.refuse(false, "links edited")
		return nil
	}
	start := doc.nav.begin.start
	if before := doc.raw[:start]; bytes.HasSuffix(before, []byte("\n"+doc.eol)) {
		start -= len(doc.eol)
	}
	return []edit{{start: start, end: doc.nav.end.end}}
}

// addNav puts the first nav region behind the body.
func addNav(doc *document, framed string) edit {
	at := doc.body.end.end
	text := "\n" + string(appendRegion(nil, regionNav, framed))
	if doc.raw[at-1] != '\n' {
		text = "\n" + text
	}
	return edit{start: at, end: at, text: text}
}

func (p *plan) renewRegion(r *region, name, framed, reason string, held bool) []edit {
	text, edited := settle(r.begin.sum, r.text, framed)
	if edited {
		p.refuse(held, reason)
		return nil
	}
	if text == r.text && textHash([]byte(text)) == r.begin.sum {
		return nil
	}
	return []edit{{start: r.begin.start, end: r.end.start, text: string(appendOpened(nil, name, text))}}
}

// renewProps splices our properties into the frontmatter and makes sure, by
// reading it again, that nothing but them changed.
func (p *plan) renewProps(doc *document, d Draft) []edit {
	if d.Props == nil {
		return nil
	}
	r := newPropsRenewal(doc, d)
	r.run(d.Props)
	if len(r.edits) > 0 && (doc.front.rigid || !r.holds()) {
		p.refuse(false, "frontmatter is written in a way that cannot be changed safely")
		return nil
	}
	if len(r.kept) > 0 {
		p.refuse(false, "kept your "+strings.Join(r.kept, ", "))
	}
	edits := r.edits
	if doc.props != nil {
		line := string(appendPropsLine(nil, r.next, d.Props))
		old := toLF(doc.raw[doc.props.start:doc.props.end])
		if string(bytes.TrimSuffix(old, []byte("\n"))) != strings.TrimSuffix(line, "\n") {
			if !bytes.HasSuffix(old, []byte("\n")) {
				line = strings.TrimSuffix(line, "\n")
			}
			edits = append(edits, edit{start: doc.props.start, end: doc.props.end, text: line})
		}
	}
	return edits
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
