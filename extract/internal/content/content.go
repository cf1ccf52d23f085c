// Package content reads what a session holds: the files it touched, what it left
// open and did, its days, prompts and texts. It changes a session in one place
// alone, where it bounds the texts of one line (Bound).
package content

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Days are the days on which a session was at work, in a time zone, sorted.
func Days(s *sources.Session, zone *time.Location) []string {
	var out []string
	add := func(t time.Time) {
		if !t.IsZero() {
			out = append(out, t.In(zone).Format(time.DateOnly))
		}
	}
	for _, t := range s.Turns {
		add(t.At)
		add(t.End)
	}
	for _, c := range s.Checkpoints {
		add(c.At)
	}
	if len(out) == 0 {
		add(s.Created)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// FirstPrompt is the first thing a person said in a session: in a fork what is
// its own goes before what it has from its parent.
func FirstPrompt(turns []sources.Turn) (inherited string) {
	for _, t := range turns {
		switch {
		case strings.TrimSpace(t.User) == "":
		case !t.Inherited:
			return t.User
		case inherited == "":
			inherited = t.User
		}
	}
	return inherited
}

// PromptCount counts what the person typed: a turn may begin before the record.
func PromptCount(turns []sources.Turn) (n int) {
	for _, t := range turns {
		if strings.TrimSpace(t.User) != "" {
			n++
		}
	}
	return n
}

// CheckpointTitle is what a checkpoint is called, by its number where it has no title.
func CheckpointTitle(c sources.Checkpoint) string {
	return cmp.Or(texts.OneLine(c.Title), "Checkpoint "+strconv.Itoa(c.Number))
}

// ArtifactTitle is what a kept text is called: its first heading, for a plan or summary without
// one its session, for any other markdown its first sentence, else its name.
func ArtifactTitle(a sources.Artifact, session string) string {
	if a.Kind != sources.Memory && !slices.Contains([]string{"", ".md", ".markdown", ".mdx"}, strings.ToLower(path.Ext(a.Name))) {
		return texts.Cut(texts.OneLine(cmp.Or(a.Name, a.Kind)), maxTitle)
	}
	sentence, text := "", a.Text
	if a.Kind == sources.Memory {
		sentence, text = cutFrontmatter(text)
	}
	for line := range strings.Lines(text) {
		head, isHeading := strings.CutPrefix(strings.TrimSpace(line), "# ")
		switch {
		case isHeading && strings.TrimSpace(head) != "":
			return texts.Cut(texts.OneLine(head), maxTitle)
		case sentence == "" && strings.ContainsFunc(line, unicode.IsLetter):
			sentence = texts.FirstSentence(strings.Trim(strings.TrimSpace(line), "-*_+#> "))
		}
		if sentence != "" && !strings.HasPrefix(strings.TrimSpace(text), "#") {
			break
		}
	}
	switch {
	case (a.Kind == sources.Plan || a.Kind == sources.Summary) && session != "":
		return titleOfSession(a, session)
	case a.Kind == sources.Memory && sentence != "":
		return texts.Cut(texts.OneLine(linkTarget.ReplaceAllString(sentence, "$1")), maxTitle)
	}
	return texts.Cut(texts.OneLine(cmp.Or(a.Name, a.Kind)), maxTitle)
}

// linkTarget is where a link of markdown leads, behind its text.
var linkTarget = regexp.MustCompile(`\[([^\[\]]+)\]\([^()\s]*\)`)

// maxTitle is the most of a title of a kept text, in bytes.
const maxTitle = 120

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

// Shown is what the note of a kept text shows of it: not its title once more, and of a memory
// nothing that the agent keeps of it in frontmatter.
func Shown(a sources.Artifact, title string) string {
	text := a.Text
	if a.Kind == sources.Memory {
		_, text = cutFrontmatter(text)
	}
	return WithoutTitle(text, title)
}

// cutFrontmatter takes frontmatter off a text and gives the description in it.
func cutFrontmatter(text string) (description, rest string) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, "\r\n"), "---\n")
	if !ok {
		return "", text
	}
	head, rest, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return "", text
	}
	for line := range strings.Lines(head) {
		if said, ok := strings.CutPrefix(line, "description:"); ok {
			description = strings.Trim(strings.TrimSpace(said), `"'`)
		}
	}
	return description, rest
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

// maxLine is the most that is kept of a text of one line (a title, name, path or
// label), in bytes. What was said has no such bound.
const maxLine = 1000

// Bound shortens the fields of one line in what was read of a session. Those by
// which something is known end in a digest then, so that two stay two.
func Bound(s *sources.Session) {
	s.Texts(func(kind string, text *string) {
		switch {
		case len(*text) <= maxLine:
		case kind == sources.Line:
			*text = texts.Cut(*text, maxLine)
		case kind == sources.Name:
			*text = strings.TrimSpace(texts.CutRunes(*text, maxLine-32)) + "…" + texts.Digest(redact.Number(*text)[0], 16)
		}
	})
}

// maxShortCommand is the size in bytes of a command as it stands for its description.
const maxShortCommand = 200

// ShortCommands takes away the details of calls that are nothing but the command in one line, and
// gives what makes them anew: a secret is known by the lines around it, so the whole command is
// masked and shortened afterwards.
func ShortCommands(s *sources.Session) (again func()) {
	var short []*sources.Tool
	for i := range s.Turns {
		for k := range s.Turns[i].Tools {
			if t := &s.Turns[i].Tools[k]; t.Command != "" && IsShortCommand(t.Detail, t.Command) {
				t.Detail = ""
				short = append(short, t)
			}
		}
	}
	return func() {
		for _, t := range short {
			t.Detail = texts.CutWords(texts.OneLine(sources.Tilde(t.Command)), maxShortCommand)
		}
	}
}

// IsShortCommand tells a description that only repeats how its command begins.
func IsShortCommand(description, command string) bool {
	begin := strings.TrimSuffix(description, "…")
	return begin == "" || strings.HasPrefix(texts.OneLine(sources.Tilde(command)), begin)
}
