package note

import "fmt"

// Content is what a note of ours says.
type Content struct {
	ID string
	// Props are our properties in their order.
	Props []Property
	// Body and Nav are the texts of the regions. They hold no line that looks
	// like a region marker. An empty Nav is no region.
	Body, Nav *string
}

// Render writes a whole new note. A nil Body is an empty one; without Nav there
// is no such region.
func Render(c Content) []byte {
	size := 1024 // marker lines and links among properties
	for _, text := range []*string{c.Body, c.Nav} {
		if text != nil {
			size += len(*text)
		}
	}
	b := make([]byte, 0, size+96*len(c.Props))
	b = append(b, "---\n"...)
	if !HasProperty(c.Props, KeyID) {
		b = AppendProperty(b, Property{Key: KeyID, Value: c.ID})
	}
	for _, p := range c.Props {
		if p.Value != nil {
			b = AppendProperty(b, p)
		}
	}
	b = append(b, "---\n\n"...)
	body, nav := c.Regions()
	b = AppendPropsLine(b, RenderedFrom(c.Props), c.Props, nav == nil)
	b = AppendRegion(b, RegionBody, *body)
	if nav != nil {
		b = AppendRegion(append(b, '\n'), RegionNav, *nav)
	}
	return b
}

// Regions are the texts between the marker lines of a new note, nil for a nav
// region that it has not.
func (c Content) Regions() (body, nav *string) {
	text := ""
	if c.Body != nil {
		text = *c.Body
	}
	text = PadRegion(text)
	if c.Nav != nil && *c.Nav != "" {
		padded := PadRegion(*c.Nav)
		nav = &padded
	}
	return &text, nav
}

// Note is what a new note with a rendered text says, without reading it back.
func (c Content) Note(path string, text []byte) Note {
	n := Note{Path: path, Hash: Hash(text), ID: c.ID, Props: c.Props}
	for _, part := range []*string{c.Body, c.Nav} {
		if part != nil {
			n.Boxes = append(n.Boxes, Boxes(*part)...)
		}
	}
	return n
}

// Verify refuses content that would not read back as what it is.
func (c Content) Verify() error {
	if c.ID == "" {
		return fmt.Errorf("note without an id")
	}
	for i, p := range c.Props {
		if !IsPropertyKey(p.Key) || HasProperty(c.Props[:i], p.Key) {
			return fmt.Errorf("note %q: property %q has no usable name or stands twice", c.ID, p.Key)
		}
	}
	for _, text := range []*string{c.Body, c.Nav} {
		if text != nil && HoldsMarker(*text) {
			return fmt.Errorf("note %q: the rendered text holds a region marker", c.ID)
		}
	}
	return nil
}

// HasProperty says that a property with a key is among some.
func HasProperty(props []Property, key string) bool {
	for _, p := range props {
		if p.Key == key {
			return true
		}
	}
	return false
}
