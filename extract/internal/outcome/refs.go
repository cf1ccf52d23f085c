package outcome

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// references names the commits and pull requests in about limit letters; turn is the last one's.
func references(s *sources.Session, limit int) (text string, from From, turn int) {
	var parts, told []string // and their subjects
	commits := 0
	for _, r := range slices.Backward(s.Refs) { // the last ones with a subject
		if r.Type != sources.Commit {
			continue
		}
		if commits++; len(parts) < subjects && (commits == 1 || r.Text != "" && !slices.Contains(told, r.Text)) {
			parts, told = append(parts, r.Line()), append(told, r.Text)
		}
		if from == "" {
			from, turn = Commits, r.Turn
		}
	}
	slices.Reverse(parts)
	for i, part := range parts {
		parts[i] = escape.Cut(part, limit/len(parts))
	}
	if rest := commits - len(parts); rest > 0 {
		parts = append(parts, "+"+texts.Count(rest, "more commit", "more commits"))
	}
	for _, r := range s.Refs {
		if r.Type == sources.PR && !isOnlyRead(s, r) {
			parts = append(parts, strings.TrimSpace(name(r)+" "+r.Text))
			if commits == 0 {
				from, turn = Ref, r.Turn
			}
		}
	}
	return strings.Join(parts, "; "), from, turn
}

func isOnlyRead(s *sources.Session, r sources.Ref) bool {
	read := false
	for i, t := range s.Turns {
		for _, c := range t.Tools {
			if _, what, ok := strings.Cut(c.Command, "gh pr "); ok && i == r.Turn {
				verb, _, _ := strings.Cut(what, " ")
				if !slices.Contains([]string{"view", "diff", "checks", "list", "status", "checkout"}, verb) {
					return false
				}
				read = true
			}
		}
	}
	return read
}

func name(r sources.Ref) string {
	if r.Repo != "" {
		return "PR " + strings.TrimPrefix(r.Repo, "github.com/") + "#" + r.Value
	}
	return "PR " + r.Value
}
