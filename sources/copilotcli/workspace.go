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

var (
	// keyLine is a key at the start of a line, as all keys of the file are.
	keyLine = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*):(?:\s+(.*))?$`)
	// structure is a list, a map, the beginning of a text of several lines, or a name for one.
	structure = regexp.MustCompile(`^((&\S+ )?[\[{].*[\]}]|[|>][-+]?|\*\S+)$`)
)

// readWorkspace reads the file line by line, so that a path, a colon or a number sign
// in a value stays as it was written. damaged says that it holds something that the CLI
// does not write, which is left out.
func readWorkspace(text string) (w workspace, damaged bool) {
	w = workspace{}
	for line := range strings.Lines(text) {
		m := keyLine.FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
		if m == nil {
			continue
		}
		value := strings.TrimSpace(m[2])
		switch {
		case structure.MatchString(value):
			damaged = true
			continue
		case strings.HasPrefix(value, "'") || strings.HasPrefix(value, `"`):
			var quoted string
			if yaml.Unmarshal([]byte(value), &quoted) == nil {
				value = quoted
			}
		case value == "null" || value == "~":
			value = ""
		}
		w[m[1]] = value
	}
	return w, damaged || len(w) == 0 && strings.TrimSpace(text) != ""
}

// apply fills a session. The branch is that of the start; updated_at is left
// out, for it moves on resume and rename, not with the conversation.
func (w workspace) apply(s *sources.Session, prompt string) {
	trust := sources.TrustNamed
	if w["user_named"] == "true" {
		trust = sources.TrustUser
	}
	offer(s, prompt, w["name"], trust)
	offer(s, prompt, w["summary"], sources.TrustNamed)
	s.Place = sources.Place{
		Cwd: w["cwd"], GitRoot: w["git_root"], Repository: w["repository"],
		HostType: w["host_type"], Branch: w["branch"],
	}
	s.Created = words.Time(w["created_at"])
}
