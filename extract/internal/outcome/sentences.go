package outcome

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/sign"
)

// Sentences returns the first meaningful sentences of a markdown text, at most most. Code, tables, quotes and
// boxes are skipped, and so are introductions (ending in a colon, or a single sentence before code),
// exclamations, places, single words and questions. If nothing else exists, one of these is used. The first
// sentence gets the heading or introduction above it as a prefix, or the one that the text begins with; a list
// below one is a single sentence.
func Sentences(text string, most int) []string {
	f := search(text, most)
	if len(f.out) == 0 {
		return f.others[:min(1, len(f.others))]
	}
	return f.out
}

// search finds sentences and, separately, those that are used only if there are no better ones.
func search(text string, most int) *finder {
	if rest := boxed().ReplaceAllString(text, ""); strings.ContainsFunc(rest, unicode.IsLetter) {
		text = rest
	}
	f := finder{most: most, rest: texts.Blocks(text)}
	if len(f.rest) > 0 && f.rest[0].Heading > 0 && lettersIn(f.rest[0].Text) >= fewLetters {
		f.title = plainBold(f.rest[0].Text)
	}
	for ; len(f.rest) > 0 && len(f.out) < most; f.rest = f.rest[1:] {
		f.shows = f.shows || f.rest[0].Shows || f.rest[0].Cells != nil
		f.take(f.rest[0])
	}
	if len(f.out)+len(f.others) == 0 {
		f.others, f.shows = firstCode(text), true
	}
	return &f
}

// firstCode returns the first line of a text that is nothing but code or a quote, or none if it is a mark for
// a program.
func firstCode(text string) []string {
	if strings.HasPrefix(strings.TrimSpace(text), "<") {
		return nil
	}
	for line := range strings.Lines(text) {
		if line = strings.Trim(line, "> \t\r\n"); strings.Contains(line, " ") && !strings.HasPrefix(line, "```") {
			return []string{line}
		}
	}
	return nil
}

// boxed matches a box between two drawn lines whose first one names it, such as a lesson that the agent adds.
var boxed = pattern.Lazy("(?ms)^`?[^`\\n]*\\pL[^`\\n]*[─━═]{5}`?[ \\t]*\\n.*?^`?[─━═]{5,}`?[ \\t]*$")

type finder struct {
	most        int
	rest        []texts.Block // not used yet
	out, others []string
	title       string // the heading that the text begins with
	above       string // the heading or introduction right above
	heads       bool   // it is a heading
	shows       bool   // the text has code or a table
}

func (f *finder) take(b texts.Block) {
	text := plainBold(links().ReplaceAllString(b.Text, "$1"))
	inList := b.Item && len(f.rest) > 1 && f.rest[1].Item
	isHeading := b.Heading > 0 || isBoldHeading(b.Text) && !inList || !endsSentence(b.Text) && (b.Leads || f.isTitle(b, text))
	switch {
	case isHeading && (isClause(text) || endsSentence(text) && !isIntroduction(text) && !saysLittle(text)):
		f.standAlone()
		f.add(text)
		return
	case isHeading:
		f.standAlone()
		f.above, f.heads = text, true
		f.others = append(f.others, strings.TrimRight(text, ":： "))
	}
	if f.heads && (b.Shows || b.Cells != nil) { // content below the heading
		defer func() { f.above = "" }()
	}
	if bare := strings.TrimLeft(text, "✅✔\ufe0f "); bare != "" {
		text = bare // a finished task that is a sentence
	}
	if above := strings.TrimRight(f.above, ":： ") + ": "; f.above != "" && b.Item && b.Indent <= 1 && !beginsWithCode(text) {
		f.above = ""
		if listed := f.list(maxText - sign.Letters(above)); lettersIn(listed) >= fewLetters || listed != "" && lettersIn(above) >= leastIntroduction {
			f.add(above + listed)
		}
		return
	}
	_, _, isBox := texts.CutBox(text)
	if isHeading || isBox || isLabel(f.rest) || b.Cells != nil || b.Indent > 1 || isAction(b.Text) {
		return
	}
	above := f.above
	f.above = ""
	all := texts.Sentences(text)
	for i, sentence := range all {
		if len(f.out) == f.most {
			return
		}
		bare := withoutPlaces(sentence)
		switch {
		case !strings.ContainsFunc(sentence, unicode.IsLetter), isEnclosed(sentence, "{", "}"), isEnclosed(sentence, "<", ">"), isEnclosed(sentence, "(", ")"):
			continue
		case isIntroduction(sentence), !b.Item && isIntroduction(bare) && lettersIn(bare) < fewLetters:
			f.above, f.heads = sentence, false
			f.others = append(f.others, strings.TrimRight(sentence, ":： "))
			continue
		case saysLittle(sentence), lettersIn(bare) < leastLetters, isExclamation(sentence) && len(f.others) > 0, b.Shows && len(all) == 1,
			i+1 < len(all) && isEmpty(sentence) && !isEmpty(all[i+1]) && !isIntroduction(all[i+1]):
			f.others = append(f.others, sentence)
			if bare == "" && !b.Item && !f.heads && lettersIn(above) >= leastIntroduction { // it describes this place
				f.add(strings.TrimRight(above, ":： ") + ": " + sentence)
			}
			continue
		}
		if i > 0 && len(f.out) == 0 && (isQuestion(all[i-1]) || namesAlone(all[i-1])) {
			sentence = all[i-1] + " " + sentence
		}
		if i == 0 && len(f.out) == 0 && cmp.Or(f.title, above) != "" && !beginsWithCode(sentence) {
			sentence = strings.TrimRight(cmp.Or(f.title, above), ":： ") + ": " + sentence
		}
		f.add(sentence)
	}
}

// list returns the entries of the list that comes next, as far as they fit into a line: the bold words that each
// begins with, if they are too long as a whole. It goes on after the list.
func (f *finder) list(limit int) string {
	var all, labels []string
	n := 0
	for ; n < len(f.rest) && f.rest[n].Item; n++ {
		b := f.rest[n]
		rest, ticked, isBox := texts.CutBox(b.Text)
		if isBox {
			b.Text = rest
		}
		said := texts.Sentences(plainBold(links().ReplaceAllString(b.Text, "$1")))
		if isBox && !ticked || b.Indent > f.rest[0].Indent+1 || len(said) == 0 {
			continue
		}
		all = append(all, strings.TrimRight(said[0], ".:;。：； "))
		if label, rest, ok := strings.Cut(strings.TrimPrefix(b.Text, "**"), "**"); ok && rest != "" && strings.HasPrefix(b.Text, "**") {
			labels = append(labels, strings.TrimRight(label, ".:：。 "))
		}
	}
	f.rest = f.rest[n-1:]
	if len(labels) == len(all) && len(labels) > 1 && sign.Letters(strings.Join(all, "; ")) > limit && 2*lettersIn(strings.Join(labels, "")) >= fewLetters*len(labels) {
		all = labels
	}
	return joined(all, limit)
}

// joined returns as many entries as fit, at least the first.
func joined(entries []string, limit int) string {
	n := len(entries)
	for n > 1 && sign.Letters(strings.Join(entries[:n], "; ")) > limit {
		n--
	}
	return strings.Join(entries[:n], "; ")
}

// beginsWithCode reports whether a long word with digits comes first: after a colon it would read as a password.
func beginsWithCode(sentence string) bool {
	first, _, _ := strings.Cut(strings.Trim(sentence, "`\"'"), " ")
	return len(first) >= leastCode && strings.ContainsAny(first, "0123456789") && !strings.ContainsAny(first, "/\\")
}

// namesAlone reports whether a sentence is little more than a name.
func namesAlone(sentence string) bool {
	return lettersIn(withoutPlaces(sentence)) < leastLetters && !isEmpty(sentence) && !isIntroduction(sentence)
}

// isLabel reports whether the first block is an entry that only names the entries or the code below it.
func isLabel(blocks []texts.Block) bool {
	b := blocks[0]
	below := b.Shows || len(blocks) > 1 && blocks[1].Item && blocks[1].Indent > b.Indent
	return b.Item && below && !endsSentence(b.Text) && lettersIn(b.Text) <= fewLetters*2
}

// isTitle reports whether a paragraph is a short line without final punctuation, before others.
func (f *finder) isTitle(b texts.Block, text string) bool {
	return !b.Item && b.Cells == nil && !b.Shows && len(f.rest) > 1 && isEmpty(text) && lettersIn(text) >= fewLetters
}

// standAlone adds an introduction if headings follow it: it introduced the sections, so their first headings
// are added to it. Numbered headings need no introduction.
func (f *finder) standAlone() {
	introduced := !f.heads && isIntroduction(f.above) && lettersIn(f.above) >= leastIntroduction
	if introduced || strings.HasPrefix(plainBold(f.rest[0].Text), "1.") {
		var sections []string
		for _, b := range f.rest {
			if b.Heading == f.rest[0].Heading && (b.Heading > 0 || isBoldHeading(b.Text)) {
				sections = append(sections, strings.TrimRight(plainBold(links().ReplaceAllString(b.Text, "$1")), ":： "))
			}
		}
		if len(sections) > 1 { // one heading is a title
			above := strings.TrimRight(f.above, ":： ") + ": "
			f.add(strings.TrimLeft(above+joined(sections, maxText-sign.Letters(above)), ": "))
		}
	}
	f.above = ""
}

func (f *finder) add(sentence string) {
	if len(f.out) < f.most {
		f.out = append(f.out, sentence)
	}
}

// links match markdown links, whose targets mean nothing to a reader.
var links = pattern.Lazy(`\[([^\[\]]*)\]\((?:<[^<>]*>|[^()]*(?:\([^()]*\)[^()]*)*)\)`)

// places match addresses, paths, names of files, and code. They end where a script without blanks begins.
var places = pattern.Lazy("`[^`]*`|" + placeSigns + `(?:[/\\]|\w\.\w)` + placeSigns)

const placeSigns = `[^\s\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}，。：；（）、]*`

func withoutPlaces(sentence string) string {
	if strings.ContainsAny(sentence, "`/\\") || strings.Contains(strings.TrimRight(sentence, "."), ".") {
		sentence = places().ReplaceAllString(sentence, "")
	}
	return strings.TrimSpace(sentence)
}

// isBoldHeading reports whether a paragraph is bold as a whole and no sentence.
func isBoldHeading(p string) bool {
	inner, ok := strings.CutPrefix(p, "**")
	inner, closed := strings.CutSuffix(inner, "**")
	return ok && closed && !strings.Contains(inner, "**") && !endsSentence(inner) && !strings.ContainsAny(inner, "=：:")
}

func isEnclosed(s, begin, end string) bool {
	return strings.HasPrefix(s, begin) && strings.HasSuffix(s, end)
}

// endsSentence reports whether a text ends a sentence; a closing bracket does not.
func endsSentence(p string) bool {
	last, _ := utf8.DecodeLastRuneInString(p)
	return unicode.IsPunct(last) && !unicode.Is(unicode.Pe, last)
}

// isClause reports whether a heading is a sentence by itself: it has parts.
func isClause(heading string) bool {
	heading = bracketed().ReplaceAllString(heading, "")
	at := strings.IndexAny(heading, ",，:：")
	return at > 0 && !saysLittle(heading[at:])
}

var bracketed = pattern.Lazy(`\([^()]*\)|（[^（）]*）`)

// isEmpty reports whether a short sentence names nothing: it has no number, code or quote.
func isEmpty(sentence string) bool {
	const emptyLetters = 24 // most letters of a sentence that may be an empty phrase
	return lettersIn(sentence) <= emptyLetters && !strings.ContainsAny(sentence, "0123456789`\"“”「」《》/")
}

// isExclamation reports whether an exclamation names nothing.
func isExclamation(sentence string) bool {
	bare := strings.TrimRight(sentence, "*_\"' ~")
	return isEmpty(sentence) && (strings.HasSuffix(bare, "!") || strings.HasSuffix(bare, "！"))
}

func isIntroduction(p string) bool {
	p = strings.TrimRight(p, "* ")
	return strings.HasSuffix(p, ":") || strings.HasSuffix(p, "：")
}

// isAction reports whether a paragraph is an editor's addition to an answer: "Edited `x`", the list of
// changed files, names, progress and buttons, which are slanted as a whole.
func isAction(p string) bool {
	for _, word := range []string{"Edited `", "Created `", "Deleted `", "Read `"} {
		if strings.HasPrefix(p, word) && strings.Count(p, "`") == 2 && strings.HasSuffix(p, "`") {
			return true
		}
	}
	if p[0] == '`' && strings.IndexByte(p[1:], '`') == len(p)-2 && !strings.Contains(p, " ") {
		return true // a name, not a command
	}
	slanted := len(p) > 2 && p[0] == '*' && p[1] != '*' && strings.IndexByte(p[1:], '*') == len(p)-2
	return slanted || p == "**Changed files**" || p[0] == '`' && strings.Contains(p, "` (+") && strings.HasSuffix(p, ")")
}

const (
	fewLetters   = 12 // least letters of a meaningful sentence
	leastCode    = 8  // bytes of a word that may be a code
	leastLetters = 8  // least letters outside code and places

	leastIntroduction = 24 // letters of an introduction that is meaningful by itself
)

// saysLittle reports whether a sentence is an exclamation of one or two words, or a question.
func saysLittle(sentence string) bool {
	return lettersIn(sentence) < fewLetters || isQuestion(sentence)
}

func isQuestion(sentence string) bool {
	bare := strings.TrimRight(sentence, "*_\"' ")
	return strings.HasSuffix(bare, "?") || strings.HasSuffix(bare, "？")
}

// lettersIn counts letters and digits; a sign of a script without blanks counts as two.
func lettersIn(sentence string) (n int) {
	for _, r := range sentence {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n += sign.Width(r)
		}
	}
	return n
}

func plainBold(p string) string { return strings.ReplaceAll(p, "**", "") }
