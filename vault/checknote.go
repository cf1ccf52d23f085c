package vault

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"path"
	"strings"
)

// inspect takes a note apart and keeps what is wrong with it alone, what links can
// name in it and where the links we wrote lead. It returns the hash of the text.
func (c *check) inspect(n *noted, raw []byte) (hash string) {
	at := c.fromRoot(n.path)
	n.parts = partsSum(anchors(string(raw)), nil, false)
	doc := takeApart(raw)
	marked := bytes.Contains(raw, []byte(markerWord)) && holdsMarker(string(raw))
	if doc.id != "" && (marked || c.ours(doc.id, n.path)) {
		n.id = doc.id
	}
	if n.id == "" && !marked {
		if blank := len(bytes.Trim(raw, "\x00 \r\n")) == 0; (blank || doc.broken != "") && c.ours("", n.path) {
			n.found = append(n.found, Finding{Kind: FindingDamaged, Path: at, Words: "a note of ours stood here, and nothing of it can be read"})
		}
		return "" // a person's own
	}
	hash = textHash(toLF(bytes.TrimPrefix(raw, byteOrderMark)))
	if kind, words := doc.damage(); kind != "" {
		n.found = append(n.found, Finding{Kind: kind, Path: at, Words: words})
	} else if n.id == "" {
		n.found = append(n.found, Finding{Kind: FindingNoID, Path: at, Words: "it has our text and no id: it is not kept up to date"})
	}
	if words := awkward(at); words != "" && n.id != "" {
		n.found = append(n.found, Finding{Kind: FindingName, Path: at, Words: words})
	}
	c.judgeTexts(n, at, doc)
	if doc.broken == "" {
		doc.eachOwnLink(at, func(l link) { n.links = append(n.links, l) })
		n.sealed = doc.sealed()
	}
	n.parts = partsSum(anchors(string(raw)), n.links, n.sealed)
	return hash
}

// sealed says that both regions stand there as we rendered them, or that we
// rendered no links.
func (doc *document) sealed() bool {
	if doc.body == nil || !doc.body.untouched() {
		return false
	}
	if doc.nav == nil {
		return doc.props != nil && doc.props.bare
	}
	return doc.nav.untouched()
}

// partsSum is the same for the same names and links.
func partsSum(names []string, links []link, sealed bool) uint64 {
	sum := fnv.New64a()
	for _, name := range names {
		_, _ = fmt.Fprintf(sum, "%q", name) // a hash takes everything
	}
	for _, l := range links {
		_, _ = fmt.Fprintf(sum, "[%q%q%q]", l.to, l.near, l.part)
	}
	_, _ = fmt.Fprint(sum, sealed)
	return sum.Sum64()
}

// damage says what makes a note unusable, nothing where it is whole.
func (doc *document) damage() (kind, words string) {
	if doc.broken == "" {
		return "", ""
	}
	start := 0
	if bytes.HasPrefix(doc.raw, byteOrderMark) {
		start = len(byteOrderMark)
	}
	_, unreadable := parseFront(doc.raw, start)
	switch {
	case doc.holdsConflict():
		return FindingConflict, "it holds the conflict markers of a version control system"
	case unreadable != "":
		return FindingFront, unreadable
	}
	return FindingMarkers, doc.broken
}

// eachOwnLink visits the links that we wrote: those of properties and regions
// that nobody changed. In an edited region it cannot be told whose a link is.
func (doc *document) eachOwnLink(at string, visit func(link)) {
	if doc.props != nil {
		for _, f := range doc.front.fields {
			if !doc.props.prints.wrote(f.key, f.entries) {
				continue
			}
			for _, e := range f.entries {
				if l, ok := propertyLink(e); ok {
					l.line = lineOf(doc.raw, f.start)
					visit(l)
				}
			}
		}
	}
	for _, r := range []*region{doc.body, doc.nav} {
		if r != nil && r.untouched() {
			eachLink(r.text, at, lineOf(doc.raw, r.begin.end), visit)
		}
	}
}

// propertyLink reads the value of a property, which is a link only as a whole.
func propertyLink(value string) (link, bool) {
	inner, ok := strings.CutPrefix(value, "[[")
	if ok {
		inner, ok = strings.CutSuffix(inner, "]]")
	}
	if !ok || strings.Contains(inner, "]]") || strings.Contains(inner, "[[") {
		return link{}, false
	}
	return wikiTarget(inner)
}

// lineOf is the number of the line that holds an offset, from 1.
func lineOf(raw []byte, at int) int { return 1 + bytes.Count(raw[:at], []byte("\n")) }

// longestName leaves room below the 255 bytes of every file system for what sync
// programs add to a name.
const longestName = 220

// awkward tells why a path cannot stand in a link or on every system.
func awkward(at string) string {
	if strings.ContainsAny(at, "[]#^|") || strings.Contains(at, "%%") {
		return "no link can hold this name"
	}
	for name := range strings.SplitSeq(at, "/") {
		base, _, _ := strings.Cut(name, ".")
		if len(name) > longestName {
			return "its name is so long that sync programs cannot add to it"
		}
		if strings.ContainsAny(name, `<>:"\?*`) || strings.TrimRight(name, ". ") != name || isDevice(strings.ToUpper(strings.TrimRight(base, " "))) ||
			strings.HasSuffix(strings.TrimSuffix(name, path.Ext(name)), " ") {
			return "Windows cannot hold this name"
		}
	}
	return ""
}
