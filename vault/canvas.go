package vault

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// MergeCanvases brings together two versions of a JSON Canvas card by card and
// arrow by arrow; base is nil where they have no common version. Where both
// sides changed one card it is as ours has it, but a text that both wrote stands
// there twice. A file that is no canvas is merged by line.
func MergeCanvases(base, ours, theirs []byte) (text []byte, clean bool) {
	switch {
	case bytes.Equal(ours, theirs), base != nil && bytes.Equal(base, theirs):
		return ours, true
	case base != nil && bytes.Equal(base, ours):
		return theirs, true
	}
	o, known := readCanvas(base)
	a, readable := readCanvas(ours)
	b, also := readCanvas(theirs)
	if !readable || !also || base != nil && !known {
		return MergeVersions(base, ours, theirs)
	}
	if base == nil && a.less(b) {
		a, b = b, a // the same plane on both machines
	}
	merged := canvas{rest: a.rest}
	for key, value := range b.rest {
		if _, there := merged.rest[key]; !there && o.rest[key] == nil {
			merged.rest[key] = value
		}
	}
	merged.nodes = mergeElements(o.nodes, a.nodes, b.nodes)
	stands := map[string]bool{}
	for _, n := range merged.nodes {
		stands[n.id] = true
	}
	merged.edges = slices.DeleteFunc(mergeElements(o.edges, a.edges, b.edges), func(e element) bool {
		var ends struct{ FromNode, ToNode string }
		err := json.Unmarshal(e.text, &ends)
		return err != nil || !stands[ends.FromNode] || !stands[ends.ToNode]
	})
	return merged.write(), true
}

// canvas is a plane of cards and arrows.
type canvas struct {
	nodes, edges []element
	rest         map[string]json.RawMessage // what else a program keeps in it
}

// element is a card or arrow; its text is compact JSON.
type element struct {
	id   string
	text []byte
}

func readCanvas(text []byte) (c canvas, ok bool) {
	if json.Unmarshal(text, &c.rest) != nil || c.rest == nil {
		return c, false
	}
	nodes, fine := readElements(c.rest["nodes"])
	edges, also := readElements(c.rest["edges"])
	delete(c.rest, "nodes")
	delete(c.rest, "edges")
	c.nodes, c.edges = nodes, edges
	return c, fine && also
}

func readElements(text json.RawMessage) (list []element, ok bool) {
	if text == nil {
		return nil, true
	}
	var raw []json.RawMessage
	if json.Unmarshal(text, &raw) != nil {
		return nil, false
	}
	seen := map[string]bool{}
	for _, r := range raw {
		var named struct{ ID string }
		var plain bytes.Buffer
		if json.Unmarshal(r, &named) != nil || named.ID == "" || seen[named.ID] || json.Compact(&plain, r) != nil {
			return nil, false
		}
		seen[named.ID] = true
		list = append(list, element{id: named.ID, text: plain.Bytes()})
	}
	return list, true
}

// less orders two versions without a common one: the one that shows more is the
// greater.
func (c canvas) less(other canvas) bool {
	if len(c.nodes) != len(other.nodes) {
		return len(c.nodes) < len(other.nodes)
	}
	return bytes.Compare(c.write(), other.write()) < 0
}

// mergeElements keeps the order of ours; what is new of theirs comes last.
func mergeElements(base, ours, theirs []element) []element {
	find := func(list []element, id string) []byte {
		if i := slices.IndexFunc(list, func(e element) bool { return e.id == id }); i >= 0 {
			return list[i].text
		}
		return nil
	}
	var out []element
	for _, e := range ours {
		was, other := find(base, e.id), find(theirs, e.id)
		switch {
		case other == nil && was != nil && bytes.Equal(was, e.text): // they deleted it
			continue
		case other != nil && bytes.Equal(was, e.text):
			e.text = other
		case other != nil && !bytes.Equal(was, other) && !bytes.Equal(e.text, other) && isTextCard(other):
			out = append(out, e)
			e = renamed(other, e.id)
		}
		out = append(out, e)
	}
	for _, e := range theirs {
		was := find(base, e.id)
		if find(ours, e.id) == nil && (was == nil || !bytes.Equal(was, e.text)) {
			out = append(out, e)
		}
	}
	return out
}

func isTextCard(text []byte) bool {
	var card struct{ Type string }
	return json.Unmarshal(text, &card) == nil && card.Type == "text"
}

// renamed is a card under another id.
func renamed(text []byte, id string) element {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return element{id: id, text: text}
	}
	id += "-" + textHash(text)[:4]
	members["id"], _ = json.Marshal(id) // a text always can be
	out, _ := json.Marshal(members)
	return element{id: id, text: out}
}

// write gives a canvas the form Obsidian gives it, a card or arrow a line.
func (c canvas) write() []byte {
	var b bytes.Buffer
	b.WriteString("{\n\t\"nodes\":[")
	writeElements(&b, c.nodes)
	b.WriteString("],\n\t\"edges\":[")
	writeElements(&b, c.edges)
	b.WriteByte(']')
	for _, key := range slices.Sorted(maps.Keys(c.rest)) {
		name, _ := json.Marshal(key)
		b.WriteString(",\n\t" + string(name) + ":")
		b.Write(c.rest[key])
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

func writeElements(b *bytes.Buffer, list []element) {
	for i, e := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n\t\t")
		b.Write(e.text)
	}
	if len(list) > 0 {
		b.WriteString("\n\t")
	}
}
