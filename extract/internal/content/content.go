// Package content reads the content of a session: files, open items, days, prompts and texts. It changes a
// session only where it limits texts of one line (Bound).
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
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sign"
)

// Days returns the days of work of a session in a time zone, sorted.
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

// FirstPrompt returns a person's first prompt in a session. A greeting, a bare command and, in a fork, a nod give way
// to the next prompt that is more than a nod.
func FirstPrompt(turns []sources.Turn) string {
	own, said, inherited := "", "", ""
	for _, t := range turns {
		switch {
		case strings.TrimSpace(t.User) == "":
		case t.Inherited:
			inherited = cmp.Or(inherited, t.User)
		case IsNod(t) && (own+inherited != "" || len(t.Tools) == 0), strings.HasPrefix(t.User, "/") && !texts.HasWords(t.User, 2):
			own = cmp.Or(own, t.User)
		default:
			said = cmp.Or(said, t.User)
		}
	}
	return cmp.Or(said, inherited, own)
}

// PromptCount counts a person's prompts: a turn may begin before the record.
func PromptCount(turns []sources.Turn) (n int) {
	for _, t := range turns {
		if strings.TrimSpace(t.User) != "" {
			n++
		}
	}
	return n
}

// CheckpointTitle returns the title of a checkpoint, or its number.
func CheckpointTitle(c sources.Checkpoint) string {
	return cmp.Or(texts.OneLine(c.Title), "Checkpoint "+strconv.Itoa(c.Number))
}

// ArtifactTitle returns the title of a stored text: its first heading; for a plan or summary without one, its
// session's; for other markdown its first sentence; else its name.
func ArtifactTitle(a sources.Artifact, session string) string {
	const maxTitle = 120 // limit of the title of a stored text, in bytes
	if a.Kind != sources.Memory && !slices.Contains([]string{"", ".md", ".markdown", ".mdx"}, strings.ToLower(path.Ext(a.Name))) {
		return texts.Cut(texts.OneLine(cmp.Or(a.Name, a.Kind)), maxTitle)
	}
	sentence, text := "", a.Text
	if a.Kind == sources.Memory {
		sentence, text = CutFrontmatter(text)
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

// linkTarget matches the target of a markdown link.
var linkTarget = regexp.MustCompile(`\[([^\[\]]+)\]\([^()\s]*\)`)

// titleOfSession names a plan or summary without a heading by its session, and by its name: "plan-review.md"
// is "Plan review", "summary-2.md" is "Summary 2".
func titleOfSession(a sources.Artifact, session string) string {
	label := strings.ToUpper(a.Kind[:1]) + a.Kind[1:]
	stem := strings.TrimSuffix(path.Base(a.Name), path.Ext(a.Name))
	if rest, ok := strings.CutPrefix(stem, a.Kind+"-"); ok {
		label += " " + strings.ReplaceAll(rest, "-", " ")
	}
	session, _ = strings.CutPrefix(session, "Plan: ")
	return label + ": " + session
}

// Shown returns the part of a stored text that its note shows: without its title, and for a memory without
// the agent's frontmatter.
func Shown(a sources.Artifact, title string) string {
	text := a.Text
	if a.Kind == sources.Memory {
		_, text = CutFrontmatter(text)
	}
	return WithoutTitle(text, title)
}

// CutFrontmatter removes frontmatter from a text and returns its description.
func CutFrontmatter(text string) (description, rest string) {
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

// WithoutTitle removes the first heading of a text if the note shows it as its title.
func WithoutTitle(text, title string) string {
	head, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	if t, ok := strings.CutPrefix(head, "# "); ok && texts.OneLine(t) == title {
		return rest
	}
	return text
}

// maxLine limits the bytes of a text of one line (a title, name, path or label). Words of a conversation have
// no such limit.
const maxLine = 1000

// Bound shortens the fields of one line in a session. Identifiers then end in a digest, so that two stay
// different.
func Bound(s *sources.Session) {
	s.Texts(func(kind string, text *string) {
		switch {
		case len(*text) <= maxLine:
		case kind == sources.Ends:
			*text = bothEnds(*text)
		case kind == sources.Line:
			*text = texts.Cut(*text, maxLine)
		case kind == sources.Name:
			*text = strings.TrimSpace(texts.CutRunes(*text, maxLine-32)) + "…" + texts.Digest(redact.Number(*text)[0], 16)
		}
	})
}

// bothEnds returns the beginning and the end of a text, cut between lines or words.
func bothEnds(text string) string {
	const head, tail = 300, 700 // bytes
	if len(text) <= head+tail {
		return text
	}
	begin, end := text[:head], text[len(text)-tail:]
	begin = begin[:strings.LastIndexAny(begin, "\n ")+1]
	if at := strings.IndexAny(end, "\n "); at >= 0 {
		return strings.TrimSpace(begin) + "\n" + end[at+1:]
	}
	return strings.TrimSpace(begin)
}

// ShortCommands removes the details of calls that only repeat the command in one line, and returns a function
// that restores them: secrets are recognized by the lines around them, so the whole command is masked and
// shortened afterwards.
func ShortCommands(s *sources.Session) (again func()) {
	const maxShortCommand = 200 // size in bytes of a command that replaces its description
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

// IsShortCommand reports whether a description only repeats the beginning of its command.
func IsShortCommand(description, command string) bool {
	begin := strings.TrimSuffix(description, "…")
	return begin == "" || strings.HasPrefix(texts.OneLine(sources.Tilde(command)), begin)
}

// TurnBlocks returns the block ids of the turns of a session, in order. They come from the turns' own ids, as
// numbers shift when another layer adds turns.
func TurnBlocks(turns []sources.Turn) []string {
	out, times := make([]string, len(turns)), map[string]int{}
	for i, t := range turns {
		id := "t-" + turnKey(t)
		if times[id]++; times[id] > 1 {
			id += "-" + strconv.Itoa(times[id])
		}
		out[i] = id
	}
	return out
}

// ShownBlocks returns the ids of the blocks that show the turns: a word of consent is in the block of the
// turn before it, unless it was said on another day.
func ShownBlocks(turns []sources.Turn, zone *time.Location) []string {
	out := TurnBlocks(turns)
	for i := 1; i < len(turns); i++ {
		if before := dayBefore(turns[:i], zone); IsNod(turns[i]) && (turns[i].At.IsZero() || before == "" || dayOf(turns[i].At, zone) == before) {
			out[i] = out[i-1]
		}
	}
	return out
}

// dayBefore returns the day of the last turn that has one.
func dayBefore(turns []sources.Turn, zone *time.Location) string {
	for i := len(turns) - 1; i >= 0; i-- {
		if at := turns[i].At; !at.IsZero() {
			return dayOf(at, zone)
		}
	}
	return ""
}

func dayOf(at time.Time, zone *time.Location) string { return at.In(zone).Format(time.DateOnly) }

var eightHex = regexp.MustCompile(`^[0-9a-f]{8}(-|$)`)

// turnKey returns the short id of a turn, or its time.
func turnKey(t sources.Turn) string {
	switch {
	case eightHex.MatchString(t.ID):
		return t.ID[:8]
	case t.ID != "":
		return texts.Digest(t.ID, 8)
	case !t.At.IsZero():
		return t.At.UTC().Format("20060102t150405")
	}
	return texts.Digest(t.User, 8)
}

// Limits of a prompt that is only a word of consent.
const (
	maxNodWords  = 2
	maxNodLength = 16
)

// IsNod reports whether a prompt only sends the agent on: one or two words, such as "yes" and "ok go". A word
// counts as two signs of Han, or five of a syllabary.
func IsNod(t sources.Turn) bool {
	said := strings.TrimSpace(t.User)
	if said == "" || len(said) > maxNodLength*utf8.UTFMax || utf8.RuneCountInString(said) > maxNodLength ||
		texts.HasWords(said, maxNodWords+1) || len(t.Attachments) > 0 || strings.HasPrefix(said, "/") {
		return false
	}
	tenths := 0 // tenths of a word
	for _, r := range said {
		switch {
		case unicode.Is(unicode.Han, r):
			tenths += 5
		case sign.Width(r) > 1:
			tenths += 2
		}
	}
	return tenths <= 10*maxNodWords
}

// ClosingText returns the last message of a turn, or its part after the last tool call; "" if nothing
// follows.
func ClosingText(t sources.Turn) string {
	from := min(t.Last, len(t.Assistant))
	for _, c := range t.Tools {
		from = max(from, min(c.After, len(t.Assistant)))
	}
	return strings.TrimSpace(t.Assistant[from:])
}

// LastMessage returns the agent's words after its last call in a turn, or before it if there are none.
func LastMessage(t sources.Turn) string {
	if message := ClosingText(t); message != "" {
		return message
	}
	end := len(t.Assistant)
	for i := len(t.Tools) - 1; i >= 0; i-- {
		at := min(max(t.Tools[i].After, 0), end)
		if message := strings.TrimSpace(t.Assistant[at:end]); message != "" {
			return message
		}
		end = at
	}
	return strings.TrimSpace(t.Assistant[:end])
}
