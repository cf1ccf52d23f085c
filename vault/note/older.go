package note

import (
	"bytes"
	"strings"
)

// modern rewrites the marker lines of a note of an older layout as they are written today: the
// hash of a region stood in its opening line, and the fingerprints of the properties in a
// line of their own. Anything else stays as it is, so that what a human did to the note is
// known as before.
func modern(raw []byte) []byte {
	if !bytes.Contains(raw, []byte(MarkerWord+":begin ")) || bytes.Contains(raw, []byte("%% /"+MarkerWord)) {
		return raw
	}
	var b []byte
	comment := Comment{Version: 1, Prints: Rendered{}}
	sums := map[string]string{}
	eol, last := LineEnd(raw), 0
	for line := range bytes.Lines(raw) {
		f := strings.Fields(string(line))
		if len(f) < 4 || f[0] != "%%" || f[len(f)-1] != "%%" {
			b = append(b, line...)
			continue
		}
		switch name := f[2]; f[1] {
		case MarkerWord + ":begin":
			_, sums[name], _ = strings.Cut(f[len(f)-2], "sha256=")
			b = append(b, "%% "+MarkerWord+" "+name+" %%"+eol...)
		case MarkerWord + ":end":
			b = append(b, "%% /"+MarkerWord+" "+name+" "+sums[name]+" %%"+eol...)
			last = len(b)
		case MarkerWord + ":props":
			comment.takeOlder(f[2 : len(f)-1])
		default:
			b = append(b, line...)
		}
	}
	if last == 0 {
		return raw // broken, whatever it was
	}
	comment.takeOlderProperties(ParseFrontmatter(raw))
	text := strings.ReplaceAll("\n"+comment.Text(), "\n", eol)
	return append(append(bytes.Clone(b[:last]), text...), b[last:]...)
}

// olderFacts are the properties of the older layout that are facts today.
var olderFacts = map[string]string{
	"also": "alias", "archived": "archived", "checkpoint_count": "checkpoints", "files_more": "files_more", "folder_keys": "folder",
	"models": "model", "parent_id": "parent", "pinned": "pinned", "project_key": "project", "repository": "repository",
	"session_count": "sessions", "sources": KeyLayer,
}

// takeOlderProperties reads the properties that are facts today.
func (c *Comment) takeOlderProperties(front Frontmatter) {
	for _, f := range front.Fields {
		key, known := olderFacts[f.Key]
		lead := ""
		switch f.Key { // rows that begin with a time nobody knows
		case "days":
			key, known, lead = "day", true, "- - "
		case "files":
			key, known, lead = "file", true, "- - - "
		}
		for _, value := range f.Entries {
			value = lead + value
			if fact := (Fact{key, value}); known && fact.isWhole() {
				c.Facts = append(c.Facts, fact)
			}
		}
	}
}

// takeOlder reads the fields of the line of the fingerprints.
func (c *Comment) takeOlder(fields []string) {
	for _, field := range fields {
		key, value, _ := strings.Cut(field, "=")
		switch {
		case key == "v":
		case field == "nav=none":
			c.NoNav = true
		case IsPropertyKey(key):
			c.Prints[key] = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		}
	}
}
