package vault

import "fmt"

// Render writes a whole new note. A nil Body is an empty one; without Nav there
// is no such region. See [Draft] for what a draft must hold.
func Render(d Draft) []byte {
	size := 512
	if d.Body != nil {
		size += len(*d.Body)
	}
	b := make([]byte, 0, size+64*len(d.Props))
	b = append(b, "---\n"...)
	if !hasProperty(d.Props, keyID) {
		b = appendProperty(b, Property{Key: keyID, Value: d.ID})
	}
	for _, p := range d.Props {
		if p.Value != nil {
			b = appendProperty(b, p)
		}
	}
	b = append(b, "---\n\n"...)
	bare := d.Nav == nil || *d.Nav == ""
	b = appendPropsLine(b, renderedFrom(d.Props), d.Props, bare)
	body := ""
	if d.Body != nil {
		body = *d.Body
	}
	b = appendRegion(b, regionBody, frame(body))
	if !bare {
		b = appendRegion(append(b, '\n'), regionNav, frame(*d.Nav))
	}
	return b
}

// bases are the texts of the regions of a new note.
func (d Draft) bases() (body, nav *string) {
	text := ""
	if d.Body != nil {
		text = *d.Body
	}
	text = frame(text)
	if d.Nav != nil && *d.Nav != "" {
		framed := frame(*d.Nav)
		nav = &framed
	}
	return &text, nav
}

// note is what a new note says, without reading it back.
func (d Draft) note(text []byte) Note {
	n := Note{Path: d.Path, Hash: textHash(text), ID: d.ID, Props: d.Props}
	for _, part := range []*string{d.Body, d.Nav} {
		if part != nil {
			n.Boxes = append(n.Boxes, Boxes(*part)...)
		}
	}
	return n
}

// verify refuses a draft that would not read back as what it is.
func (d Draft) verify() error {
	if d.ID == "" {
		return fmt.Errorf("note without an id")
	}
	for i, p := range d.Props {
		if !isPropertyKey(p.Key) || hasProperty(d.Props[:i], p.Key) {
			return fmt.Errorf("note %q: property %q has no usable name or stands twice", d.ID, p.Key)
		}
	}
	for _, text := range []*string{d.Body, d.Nav} {
		if text != nil && holdsMarker(*text) {
			return fmt.Errorf("note %q: the rendered text holds a region marker", d.ID)
		}
	}
	return nil
}

func hasProperty(props []Property, key string) bool {
	for _, p := range props {
		if p.Key == key {
			return true
		}
	}
	return false
}
