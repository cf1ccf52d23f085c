package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
)

// Edited returns the text of a configuration file with a setting changed. Comments, order and all other lines
// stay. texts are one text or the elements of a list; none is an empty list.
func Edited(text, key string, texts []string, home string) (string, error) {
	s, err := settable(key, texts)
	if err != nil {
		return "", err
	}
	path := strings.Split(key, ".")
	sections, leaf := path[:len(path)-1], path[len(path)-1]
	line := indent(len(sections)) + leaf + ": " + s.asYAML(s.absolute(texts, home, ""), home)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	p := find(lines, sections, leaf)
	end := p.at
	if p.has { // in its place, without the lines of its list
		for end++; end < len(lines) && hangsBelow(lines[end], len(sections)); {
			end++
		}
	}
	var fresh []string
	for i, name := range sections[p.depth:] {
		fresh = append(fresh, indent(p.depth+i)+name+":")
	}
	lines = slices.Replace(lines, p.at, end, append(fresh, line)...)
	edited := strings.Join(lines, "\n") + "\n"
	return edited, verify(edited, key, text)
}

// settable returns a setting that accepts the texts.
func settable(key string, texts []string) (setting, error) {
	if err := Known(key); err != nil {
		return setting{}, err
	}
	c := defaults()
	c.now = time.Unix(0, 0) // an age is stored as an age
	all := settings(c)
	s := all[slices.IndexFunc(all, func(s setting) bool { return s.key == key })]
	if _, rules := s.to.(*ownRules); rules {
		return s, exit.Usage("write them into the configuration file: config.example.yaml shows how", "%q is more than a line", key)
	}
	if !s.many() && len(texts) != 1 {
		return s, exit.Usage("put it in quotes", "%q takes one value, %d were given", key, len(texts))
	}
	if err := s.put(texts...); err != nil {
		return s, exit.Usage("", "%q %w", key, err)
	}
	return s, nil
}

// spot is the present or future place of a setting in a file.
type spot struct {
	at    int
	has   bool // it exists, possibly commented out
	depth int  // number of its sections that exist
}

// find finds the line of a setting, or the place to insert one.
func find(lines, sections []string, leaf string) spot {
	best := spot{at: len(lines)}
	var open []string
	commented := -1
	for i, line := range lines {
		m := keyLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		depth, off, name := len(m[1])/2, m[2] != "", m[3]
		if depth > len(open) {
			continue
		}
		inSection := slices.Equal(open[:depth], sections)
		switch {
		case inSection && name == leaf && !off:
			return spot{i, true, depth}
		case inSection && name == leaf && commented < 0:
			commented = i
		case !off:
			open = append(open[:depth:depth], name)
			if k := len(open); k > best.depth && k <= len(sections) && slices.Equal(open, sections[:k]) {
				best = spot{at: i + 1, depth: k}
			}
		}
	}
	if commented >= 0 {
		return spot{commented, true, len(sections)}
	}
	return best
}

// keyLine matches a line that begins with a key, possibly commented out.
var keyLine = regexp.MustCompile(`^( *)(#?)([a-z_]+):(?: |$)`)

// hangsBelow reports whether a line belongs to the value above it, of a key at that depth.
func hangsBelow(line string, depth int) bool {
	bare := strings.TrimLeft(line, " ")
	deep := len(line) - len(bare)
	return bare != "" && (deep > 2*depth || deep == 2*depth && strings.HasPrefix(bare, "- "))
}

// verify rejects an edit that changed more than a key.
func verify(edited, key, before string) error {
	byHand := exit.Failed("edit it by hand", "the configuration file is written in a way that %q cannot be changed in safely", key)
	now, was := map[string]any{}, map[string]any{}
	if yaml.Unmarshal([]byte(edited), &now) != nil || yaml.Unmarshal([]byte(before), &was) != nil {
		return byHand
	}
	put(now, strings.Split(key, "."), nil)
	put(was, strings.Split(key, "."), nil)
	a, _ := yaml.Marshal(now) // they were read from YAML
	b, _ := yaml.Marshal(was)
	if string(a) != string(b) {
		return byHand
	}
	return nil
}

func put(m map[string]any, path []string, value any) {
	for _, name := range path[:len(path)-1] {
		below, ok := m[name].(map[string]any)
		if !ok {
			below = map[string]any{}
			m[name] = below
		}
		m = below
	}
	m[path[len(path)-1]] = value
}

func plainYAML(text string) string {
	b, err := yaml.Marshal(text)
	if one := strings.TrimSuffix(string(b), "\n"); err == nil && !strings.Contains(one, "\n") && !strings.ContainsAny(text, ",[]{}") {
		var plain any
		if yaml.Unmarshal([]byte(text), &plain) == nil {
			switch plain.(type) {
			case int, bool:
				return text
			}
		}
		return one
	}
	return fmt.Sprintf("%q", text)
}

// ReadText reads a configuration file for editing; a missing one is empty.
func ReadText(file string) (string, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}
