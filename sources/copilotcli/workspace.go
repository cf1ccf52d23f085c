package copilotcli

import (
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// workspace is workspace.yaml: flat keys and one-line values, by older versions
// of the CLI written without quotes even where YAML would want them.
type workspace map[string]string

// readWorkspace reads the file as YAML and each plain value as its whole line,
// so that a path, a colon or a number sign in it stays as it was written. Where
// it is no YAML, all is read line by line. damaged says that it holds something
// that the CLI does not write, which is left out.
func readWorkspace(text string) (w workspace, damaged bool) {
	w = workspaceLines(text)
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

// plainLine is a key at the start of a line, as all keys of the file are.
var plainLine = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*):(?:\s+(.*))?$`)

func workspaceLines(text string) workspace {
	w := workspace{}
	for line := range strings.SplitSeq(text, "\n") {
		m := plainLine.FindStringSubmatch(strings.TrimRight(line, " \t\r"))
		if m == nil {
			continue
		}
		value := strings.TrimSpace(m[2])
		if strings.HasPrefix(value, "'") || strings.HasPrefix(value, `"`) {
			var s string
			if yaml.Unmarshal([]byte(value), &s) == nil {
				value = s
			}
		}
		w[m[1]] = value
	}
	return w
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
	s.Created = words.Time(w["created_at"])
}
