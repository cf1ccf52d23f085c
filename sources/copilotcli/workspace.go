package copilotcli

import (
	"regexp"
	"strings"
	"unicode/utf16"

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

// storeCut is where the CLI cuts the first prompt for the store's summary, in
// UTF-16 units, before it adds "..." (formats/copilot-cli.md, section 1).
const storeCut = 100

// isPrompt says that a name is only the first prompt: it whole, its first line, or cut.
func isPrompt(prompt, title string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	prompt, title = oneLine(prompt), oneLine(title)
	cut := strings.TrimSuffix(strings.TrimSuffix(title, "…"), "...")
	if cut == title {
		return title == prompt || title == oneLine(line)
	}
	// A cut of full length is one of a prompt, even of one that was taken back.
	return strings.HasPrefix(prompt, strings.TrimSpace(cut)) || len(utf16.Encode([]rune(cut))) >= storeCut-1
}

// oneLine folds white space into single blanks, in as much of a text as a title may have.
func oneLine(s string) string { return strings.Join(strings.Fields(s[:min(len(s), 64<<10)]), " ") }

// offer sets the title where it is trusted more than the one that stands. A name that
// is only the first prompt is trusted as little, but where the user gave it.
func offer(s *sources.Session, prompt, title string, trust sources.Trust) {
	if title = strings.TrimSpace(title); title == "" {
		return
	}
	if trust < sources.TrustCustom && isPrompt(prompt, title) {
		trust = sources.TrustPrompt
	}
	if trust > s.TitleFrom {
		s.Title, s.TitleFrom = title, trust
	}
}
