package content

import (
	"cmp"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// ArtifactTitle is the first heading of a text, else its name.
func ArtifactTitle(a sources.Artifact, session string) string {
	head, _, _ := strings.Cut(strings.TrimSpace(a.Text), "\n")
	if isMarkdown(a.Name) && strings.HasPrefix(head, "# ") {
		return texts.Cut(texts.OneLine(head[2:]), 120)
	}
	if (a.Kind == sources.Plan || a.Kind == sources.Summary) && session != "" {
		return titleOfSession(a, session)
	}
	return texts.Cut(texts.OneLine(cmp.Or(a.Name, a.Kind)), 120)
}

// titleOfSession names a plan or summary that has no heading by its session, and
// says which one it is: "plan-review.md" is "Plan review", "summary-2.md" is
// "Summary 2".
func titleOfSession(a sources.Artifact, session string) string {
	label := strings.ToUpper(a.Kind[:1]) + a.Kind[1:]
	stem := strings.TrimSuffix(path.Base(a.Name), path.Ext(a.Name))
	if rest, ok := strings.CutPrefix(stem, a.Kind+"-"); ok {
		label += " " + strings.ReplaceAll(rest, "-", " ")
	}
	session, _ = strings.CutPrefix(session, "Plan: ")
	return label + ": " + session
}

// WithoutTitle leaves out the first heading of a text where the note shows it as
// its own.
func WithoutTitle(text, title string) string {
	head, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	if t, ok := strings.CutPrefix(head, "# "); ok && texts.OneLine(t) == title {
		return rest
	}
	return text
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == "" || ext == ".md" || ext == ".markdown" || ext == ".mdx"
}
