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
	"unicode/utf8"

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
	const maxTitle = 120 // the most of a title of a kept text, in bytes
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

// cutFrontmatter takes frontmatter off a text and returns the description in it.
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
		case kind == sources.Ends:
			*text = bothEnds(*text)
		case kind == sources.Line:
			*text = texts.Cut(*text, maxLine)
		case kind == sources.Name:
			*text = strings.TrimSpace(texts.CutRunes(*text, maxLine-32)) + "…" + texts.Digest(redact.Number(*text)[0], 16)
		}
	})
}

// bothEnds keeps the beginning and the end of a text, cut between lines or words.
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

// ShortCommands removes the details of calls that are nothing but the command in one line, and
// gives what makes them again: a secret is known by the lines around it, so the whole command is
// masked and shortened afterwards.
func ShortCommands(s *sources.Session) (again func()) {
	const maxShortCommand = 200 // the size in bytes of a command as it stands for its description
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

// IsShortCommand recognizes a description that only repeats how its command begins.
func IsShortCommand(description, command string) bool {
	begin := strings.TrimSuffix(description, "…")
	return begin == "" || strings.HasPrefix(texts.OneLine(sources.Tilde(command)), begin)
}

// TurnBlocks are the ids of the blocks of the turns of a session, in their order: made of the
// turn's own id, since its number shifts where another account of the session comes in.
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

// ShownBlocks are the ids of the blocks in which the turns are shown: a word of consent is in
// the block of the turn before it, unless it was said on another day.
func ShownBlocks(turns []sources.Turn, zone *time.Location) []string {
	out := TurnBlocks(turns)
	for i := 1; i < len(turns); i++ {
		if before := dayBefore(turns[:i], zone); IsNod(turns[i]) && (turns[i].At.IsZero() || before == "" || dayOf(turns[i].At, zone) == before) {
			out[i] = out[i-1]
		}
	}
	return out
}

// dayBefore is the day of the last turn that has one.
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

// turnKey is the id of a turn, short; without one its time.
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

// Bounds of a prompt that is only a word of consent.
const (
	maxNodWords  = 2
	maxNodLength = 16
)

// IsNod reports whether a prompt only sends the agent on: one or two words, such as "yes" and "ok go".
// A word of Han is two signs long, one of a syllabary five.
func IsNod(t sources.Turn) bool {
	said := strings.TrimSpace(t.User)
	if said == "" || len(said) > maxNodLength*utf8.UTFMax || utf8.RuneCountInString(said) > maxNodLength ||
		texts.HasWords(said, maxNodWords+1) || len(t.Attachments) > 0 || strings.HasPrefix(said, "/") {
		return false
	}
	tenths := 0 // of a word
	for _, r := range said {
		switch {
		case unicode.Is(unicode.Han, r):
			tenths += 5
		case texts.Width(r) > 1:
			tenths += 2
		}
	}
	return tenths <= 10*maxNodWords
}

// ClosingText is the last message of a turn, as far as it is behind the last call of a tool;
// empty if that is nothing.
func ClosingText(t sources.Turn) string {
	from := min(t.Last, len(t.Assistant))
	for _, c := range t.Tools {
		from = max(from, min(c.After, len(t.Assistant)))
	}
	return strings.TrimSpace(t.Assistant[from:])
}

// LastMessage is what the agent said after its last call of a tool in a turn, or before it
// where that is nothing.
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
