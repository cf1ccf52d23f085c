package copilotcli

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/moment"
)

// workspace is workspace.yaml: flat keys and one-line values, by older versions
// of the CLI written without quotes even where YAML would want them.
type workspace map[string]string

// readWorkspace reads the file as YAML and each plain value as its whole line,
// so that a path, a colon or a number sign in it stays as it was written. Where
// it is no YAML, all is read line by line. damaged says that it holds something
// that the CLI does not write, which is left out.
func readWorkspace(text string) (w workspace, damaged bool) {
	w, plain := workspaceLines(text)
	if plain {
		return w, false
	}
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil {
		return w, len(w) == 0
	}
	if len(doc.Content) == 0 {
		return w, false
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		return nil, true
	}
	pairs := doc.Content[0].Content
	for i := 0; i+1 < len(pairs); i += 2 {
		key, value := pairs[i], pairs[i+1]
		switch {
		case value.Kind != yaml.ScalarNode: // an alias or a structure
			delete(w, key.Value)
			damaged = true
		case value.Tag == "!!null":
			delete(w, key.Value)
		case value.Style != 0 || !strings.HasPrefix(w[key.Value], value.Value):
			w[key.Value] = value.Value
		}
	}
	return w, damaged
}

// workspaceLines reads the file line by line. plain says that YAML reads all of it so.
func workspaceLines(text string) (w workspace, plain bool) {
	w, plain = workspace{}, true
	for line := range strings.SplitSeq(text, "\n") {
		key, value, ok := keyAndValue(strings.TrimRight(line, " \t\r"))
		_, twice := w[key]
		if plain = plain && (line == "" || ok && !twice && line[len(line)-1] != '\r' && isPlainValue(value)); !ok {
			continue
		}
		value = strings.TrimSpace(value)
		if strings.HasPrefix(value, "'") || strings.HasPrefix(value, `"`) {
			var s string
			if yaml.Unmarshal([]byte(value), &s) == nil {
				value = s
			}
		}
		w[key] = value
	}
	return w, plain
}

// keyAndValue takes apart a line that starts with a key, as all keys of the file do.
func keyAndValue(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	ok = ok && key != "" && !isDigit(key[0]) && strings.IndexFunc(key, notOfKey) < 0 &&
		(value == "" || strings.IndexByte(" \t\f\r", value[0]) >= 0)
	return key, value, ok
}

func notOfKey(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isPlainValue tells a text behind a key, a blank before it, that is the same as a line
// and in YAML: one that begins with a letter, digit or slash, has nothing that YAML takes
// for a comment, another key or null, and is not split over lines.
func isPlainValue(s string) bool {
	s, blank := strings.CutPrefix(s, " ")
	if !blank || s == "" || s[0] != '/' && notOfKey(rune(s[0])) || s[0] == '_' || strings.EqualFold(s, "null") {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0 &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":")
}

// apply fills a session. The branch is that of the start; updated_at is left
// out, for it moves on resume and rename, not with the conversation.
func (w workspace) apply(s *sources.Session, first []string) {
	for _, key := range []string{"name", "summary"} {
		title := w[key]
		trust := trustOf(first, title, sources.TrustNamed)
		if key == "name" && w["user_named"] == "true" {
			trust = sources.TrustUser
		}
		offer(s, title, trust)
	}
	s.Place = sources.Place{
		Cwd: w["cwd"], GitRoot: w["git_root"], Repository: w["repository"],
		HostType: w["host_type"], Branch: w["branch"],
	}
	s.Created = moment.Parse(w["created_at"])
}
