package note

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"
)

// readYAML reads the block as YAML, with offsets where they can be trusted.
func (f *Frontmatter) readYAML(raw []byte) (broken string) {
	root, err := decodeBlock(raw[f.open:f.After], raw[f.Start:f.end])
	if err != nil {
		return "the frontmatter is no valid YAML"
	}
	if root == nil {
		f.commented = bytes.IndexByte(raw[f.Start:f.end], '#') >= 0
		return ""
	}
	if root.Kind != yaml.MappingNode {
		return "the frontmatter is no list of properties"
	}
	lines := lineOffsets(raw, f.Start, f.end)
	f.Rigid = root.Style&yaml.FlowStyle != 0 || unsureLines.Match(raw[f.Start:f.end])
	f.commented = commented(root)
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			f.Rigid = true
			continue
		}
		if hasField(f.Fields, key.Value) {
			return "a property stands twice in the frontmatter"
		}
		to := f.end
		if i+2 < len(root.Content) && root.Content[i+2].Line <= len(lines) {
			to = lines[root.Content[i+2].Line-1]
		}
		fld, ok := newField(raw, lines, key, value, to)
		f.Rigid = f.Rigid || !ok
		f.Fields = append(f.Fields, fld)
	}
	return ""
}

// decodeBlock parses a block with its fences. The library may find another closing fence than we
// did, which is checked.
func decodeBlock(fenced, block []byte) (*yaml.Node, error) {
	var seen []byte
	unmarshal := func(data []byte, v any) error {
		seen = data
		return yaml.Unmarshal(data, v)
	}
	var doc yaml.Node
	format := frontmatter.NewFormat("---", "---", unmarshal)
	_, err := frontmatter.MustParse(bytes.NewReader(fenced), &doc, format)
	if !bytes.Equal(seen, block) {
		doc = yaml.Node{}
		err = yaml.Unmarshal(block, &doc)
	}
	if err != nil || len(doc.Content) == 0 {
		return nil, err
	}
	return doc.Content[0], nil
}

// newField makes a field that ends before offset to; not ok: do not trust its lines.
func newField(raw []byte, lines []int, key, value *yaml.Node, to int) (Field, bool) {
	fld := Field{Key: key.Value, Value: nodeValue(value), Comment: cmp.Or(key.LineComment, value.LineComment)}
	// Scalars count by their text, whatever YAML takes them for: re-quoting changes nothing.
	if list, ok := fld.Value.([]string); ok {
		fld.Entries = Entries(fld.Key, list)
	} else {
		fld.Entries = Entries(fld.Key, nodeText(value))
	}
	if key.Line < 1 || key.Line > len(lines) || key.Column != 1 {
		return fld, false
	}
	fld.Start = lines[key.Line-1]
	if to <= fld.Start || !startsWithKey(raw[fld.Start:to], key.Value) {
		return fld, false
	}
	block := value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	fld.End = trimTail(raw, fld.Start, to, block)
	fld.Fixed = value.Anchor != "" || value.Kind == yaml.MappingNode || value.HeadComment != "" || value.FootComment != "" || slices.ContainsFunc(value.Content, commented) ||
		!block && commentLine.Match(raw[NextLine(raw, fld.Start):max(fld.End, NextLine(raw, fld.Start))])
	// In a line of aliases nobody can tell a comma between two from one within.
	fld.Fixed = fld.Fixed || fld.Key == "aliases" && value.Kind == yaml.ScalarNode && strings.Contains(value.Value, ",")
	if value.Kind == yaml.SequenceNode && value.Style&yaml.FlowStyle == 0 {
		fld.Items = itemLines(raw, lines, value)
		fld.Fixed = fld.Fixed || fld.Items == nil && len(value.Content) > 0
	}
	fld.Fixed = fld.Fixed || slices.ContainsFunc(value.Content, func(item *yaml.Node) bool { return item.Kind != yaml.ScalarNode })
	return fld, true
}

// itemLines returns where entries begin, nil if one has no line of its own.
func itemLines(raw []byte, lines []int, seq *yaml.Node) []int {
	items := make([]int, 0, len(seq.Content))
	for i, item := range seq.Content {
		if item.Line < 1 || item.Line > len(lines) {
			return nil
		}
		at := lines[item.Line-1]
		if i > 0 && at <= items[i-1] || !bytes.HasPrefix(bytes.TrimLeft(raw[at:], " "), []byte("- ")) {
			return nil
		}
		items = append(items, at)
	}
	return items
}

// trimTail excludes blank and comment lines after an entry.
func trimTail(raw []byte, start, end int, block bool) int {
	for end > NextLine(raw, start) {
		at := bytes.LastIndexByte(raw[:end-1], '\n') + 1
		line := bytes.TrimRight(raw[at:end], " \t\r\n")
		if !block {
			line = bytes.TrimLeft(line, " \t")
		}
		if len(line) > 0 && line[0] != '#' {
			break
		}
		end = at
	}
	return end
}

func startsWithKey(line []byte, key string) bool {
	if len(line) > 0 && (line[0] == '"' || line[0] == '\'') {
		line = line[1:]
	}
	return bytes.HasPrefix(line, []byte(key))
}

var commentLine = regexp.MustCompile(`(?m)^[ \t]*#`)

func commented(n *yaml.Node) bool {
	return n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" || slices.ContainsFunc(n.Content, commented)
}

// unsureLines finds where YAML counts other lines than we do, or ends earlier.
var unsureLines = regexp.MustCompile(`(?m)^(?:---|\.\.\.)|[\x{85}\x{2028}\x{2029}]|\r(?:[^\n]|\z)`)

func lineOffsets(raw []byte, start, end int) []int {
	offsets := make([]int, 0, bytes.Count(raw[start:end], []byte("\n"))+1)
	for at := start; at < end; at = NextLine(raw, at) {
		offsets = append(offsets, at)
	}
	return offsets
}

func nodeValue(n *yaml.Node) any {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return scalarValue(n)
	case yaml.SequenceNode:
		list := make([]string, len(n.Content))
		for i, item := range n.Content {
			list[i] = nodeText(item)
		}
		return list
	}
	return nodeText(n)
}

func scalarValue(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		if b, err := strconv.ParseBool(n.Value); err == nil {
			return b
		}
	case "!!int":
		if i, err := strconv.Atoi(n.Value); err == nil {
			return i
		}
	case "!!timestamp":
		if t, ok := parseTime(n.Value); ok {
			return t
		}
	case "!!str":
		// A time without a zone, as we and Obsidian write it, is text to the library.
		if t, err := time.Parse(timeLayout, n.Value); err == nil && n.Style == 0 {
			return t
		}
	}
	return n.Value
}

func parseTime(s string) (time.Time, bool) {
	for _, layout := range []string{timeLayout, "2006-01-02T15:04", "2006-01-02 15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

func nodeText(n *yaml.Node) string {
	switch n.Kind {
	case yaml.AliasNode:
		return nodeText(n.Alias)
	case yaml.ScalarNode:
		switch v := scalarValue(n).(type) {
		case nil:
			return ""
		case time.Time:
			return scalarText(v)
		}
		return n.Value
	}
	text, err := yaml.Marshal(n)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
