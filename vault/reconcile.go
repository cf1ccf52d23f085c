package vault

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// plan is what a draft makes of an existing note.
type plan struct {
	text []byte // the whole text as it should stand; equal to the old where nothing is to do
	// reasons say what of the draft was refused because the user's version
	// stays. held: nothing but nav could be renewed at all, or some of the body
	// was refused.
	reasons []string
	held    bool
	merged  bool    // something of ours got in beside edits of the user
	refused refused // of the draft
	bare    bool    // the note is to have no nav region, because we write none

	baseBody, baseNav *string // as in Result

	// insist takes ours wherever something was refused: what we would write.
	insist bool
}

func (p *plan) refuse(held bool, reason string) {
	p.held = p.held || held
	p.reasons = append(p.reasons, reason)
}

// reconcile decides part by part between what stands in the note and the
// draft. It never fails: what cannot be decided stays as it is.
func reconcile(doc *document, d Draft) plan {
	p := plan{text: doc.raw}
	p.run(doc, d)
	return p
}

// insisted is the text as it would stand had nothing been refused, nil where
// that is no other.
func insisted(doc *document, d Draft, got plan) []byte {
	p := plan{text: doc.raw, insist: true}
	if p.run(doc, d); bytes.Equal(p.text, got.text) {
		return nil
	}
	return p.text
}

func (p *plan) run(doc *document, d Draft) {
	p.bare = doc.props != nil && doc.props.bare
	if reason := doc.handsOff(d.ID); reason != "" {
		p.refuse(true, reason)
		return
	}
	var edits []edit
	next := rendered(nil)
	if reason := doc.poorer(d); reason != "" {
		p.refuse(true, reason)
		if doc.body.untouched() {
			p.baseBody = &doc.body.text
		}
	} else {
		edits = append(edits, p.renewBody(doc, d)...)
		var props []edit
		props, next = p.renewProps(doc, d)
		edits = append(edits, props...)
	}
	edits = append(edits, p.renewNav(doc, d)...)
	order := d.Props
	if d.change != nil {
		order = doc.propsOrder()
	}
	edits = append(edits, p.renewPropsLine(doc, next, order)...)
	if len(edits) > 0 {
		p.text = splice(doc.raw, doc.eol, edits)
	}
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

func (p *plan) renewBody(doc *document, d Draft) []edit {
	if d.Body == nil {
		return nil
	}
	edits, base := p.renewRegion(doc, doc.body, regionBody, d.BaseBody, frame(*d.Body))
	p.baseBody = base
	return edits
}

// renewNav also adds the region to a note that never had one, and takes it away
// when there is nothing to navigate to. One that the user took away stays away.
func (p *plan) renewNav(doc *document, d Draft) []edit {
	newer := doc.props != nil && doc.props.version > layoutVersion
	switch {
	case d.Nav == nil || newer:
		return nil
	case doc.nav == nil && (!p.bare || *d.Nav == ""):
		return nil
	case doc.nav == nil:
		p.bare = false
		framed := frame(*d.Nav)
		p.baseNav = &framed
		return []edit{addNav(doc, framed)}
	case doc.nav.begin.version > layoutVersion:
		return nil
	case *d.Nav == "" && doc.nav.untouched():
		p.bare = true
		return []edit{takeNav(doc)}
	}
	edits, base := p.renewRegion(doc, doc.nav, regionNav, d.BaseNav, frame(*d.Nav))
	p.baseNav = base
	return edits
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

// takeNav takes the nav region away, with the blank line before it.
func takeNav(doc *document) edit {
	start := doc.nav.begin.start
	if before := doc.raw[:start]; bytes.HasSuffix(before, []byte("\n"+doc.eol)) {
		start -= len(doc.eol)
	}
	return edit{start: start, end: doc.nav.end.end}
}

// regionWords name the regions in reasons.
func regionWords(name string) string {
	if name == regionNav {
		return "links"
	}
	return "body"
}

func (p *plan) renewRegion(doc *document, r *region, name string, base *string, framed string) (edits []edit, next *string) {
	s := r.settle(base, framed)
	switch {
	case p.insist && len(s.refused) > 0:
		s.text, s.base = s.wanted, &framed
	case s.unbased:
		p.refuse(name == regionBody, regionWords(name)+" edited, and what it was made from is not known here")
	case len(s.refused) == 1:
		p.refuse(name == regionBody, regionWords(name)+" edited in a place that changed")
	case len(s.refused) > 1:
		p.refuse(name == regionBody, fmt.Sprintf("%s edited in %d places that changed", regionWords(name), len(s.refused)))
	}
	p.refused.addClashes(name, s.refused)
	p.merged = p.merged || s.merged
	return r.renewal(doc.raw, name, s.text, s.base), s.base
}

// renewProps splices our properties into the frontmatter and makes sure, by
// reading it again, that nothing but them changed. next is what the props line
// is to remember, nil: as before.
func (p *plan) renewProps(doc *document, d Draft) (edits []edit, next rendered) {
	if d.Props == nil && d.change == nil {
		return nil, nil
	}
	r := newPropsRenewal(doc, d)
	r.insist = p.insist
	if d.change != nil {
		r.rework(d.change)
	} else {
		r.run(d.Props)
	}
	if len(r.edits) > 0 && (doc.front.rigid || !r.holds()) {
		reason := "frontmatter is written in a way that cannot be changed safely"
		p.refuse(false, reason)
		p.refused.add("properties", reason)
		return nil, nil
	}
	if len(r.kept) > 0 {
		p.refuse(false, "kept your "+strings.Join(r.kept, ", "))
		p.refused.addProps(r.kept, d.Props)
	}
	return r.edits, r.next
}

// renewPropsLine writes the line anew where it has to say something else.
func (p *plan) renewPropsLine(doc *document, next rendered, order []Property) []edit {
	if doc.props == nil || next == nil && p.bare == doc.props.bare {
		return nil
	}
	old := strings.TrimSuffix(string(toLF(doc.raw[doc.props.start:doc.props.end])), "\n")
	line := ""
	switch {
	case next != nil:
		line = strings.TrimSuffix(string(appendPropsLine(nil, next, order, p.bare)), "\n")
	case p.bare:
		version := " v=" + strconv.Itoa(doc.props.version)
		line = strings.Replace(old, version, version+" "+noNav, 1)
	default:
		line = strings.Replace(old, " "+noNav, "", 1)
	}
	if line == old {
		return nil
	}
	return []edit{{start: doc.props.start, end: doc.props.start + len(strings.TrimRight(string(doc.raw[doc.props.start:doc.props.end]), "\r\n")), text: line}}
}
