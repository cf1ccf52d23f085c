// Package ends finds what sessions left open, folds what is the same in other words into one
// thread, and finds what may have closed it. It is pure: the same sessions give the same threads.
package ends

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// Found is something that a text leaves open, or shows as done.
type Found struct {
	Text string // markdown of one line
	How  How
	Done bool // a ticked box
}

// How tells in which form a text says it.
type How int

// The forms, the surest first.
const (
	Boxed  How = iota // a task box
	Led               // a paragraph or item behind a lead-in such as "Left open:"
	Passed            // a sentence that says so in passing
)

// tells says that a character can be what is open: a box may hold a number alone.
func (h How) tells(r rune) bool { return unicode.IsLetter(r) || h == Boxed && unicode.IsDigit(r) }

// Find lists what a markdown text leaves open and what it shows as done, in its order. Code
// and quotes are no part of it.
func Find(text string) []Found {
	f := finder{}
	for _, b := range texts.Blocks(text) {
		f.take(b)
	}
	return f.out
}

// finder goes through the blocks of a text.
type finder struct {
	out   []Found
	scope scope
	level int  // of the heading that opened the scope
	items bool // the scope had entries of a list
	group bool // the entry above introduces those below it
}

// scope is what stands below a lead-in.
type scope int

const (
	noScope   scope = iota
	ofHeading       // all up to the next heading
	ofLine          // the list or paragraph that follows a line such as "Left open:"
)

func (f *finder) take(b texts.Block) {
	switch {
	case b.Heading > 0:
		f.heading(b)
	case b.Cells != nil:
		f.row(b)
	case b.Item:
		f.item(b)
	default:
		f.paragraph(b)
	}
}

func (f *finder) heading(b texts.Block) {
	switch {
	case isLead(b.Text) || hintsAt(b.Text) || says(b.Text) && !isDoneLead(b.Text):
		f.scope, f.level, f.items = ofHeading, b.Heading, false
	case f.scope == ofHeading && b.Heading > f.level && !isDoneLead(b.Text): // a part of it
	default:
		f.scope = noScope
	}
}

func (f *finder) item(b texts.Block) {
	if done, rest, ok := cutBox(b.Text); ok {
		f.add(Found{Text: rest, How: Boxed, Done: done})
		f.items = f.scope == ofLine || f.items
		return
	}
	nested := b.Indent > 1 && !f.group
	if b.Indent <= 1 {
		f.group = strings.HasSuffix(b.Text, ":")
	}
	rest, led := cutLead(b.Text)
	switch {
	case led && rest == "": // "**Open**" as an entry, what it means stands below
		f.group = true
		f.scope, f.items = ofLine, false
	case led:
		f.addLed(rest)
	case f.scope != noScope && !nested:
		if f.items = true; !f.group || b.Indent > 1 {
			f.add(Found{Text: b.Text, How: Led})
		}
	case f.scope == noScope:
		f.passing(b.Text)
	}
}

// row adds a row of a table below a lead-in, or one of whose cells says that it is open.
func (f *finder) row(b texts.Block) {
	if f.scope == ofLine {
		f.items = true
	}
	found := Found{How: Led}
	switch {
	case len(b.Cells) < 2:
		return
	case f.scope != noScope || slices.IndexFunc(b.Cells, isOpenState) > 0:
	case slices.ContainsFunc(b.Cells[1:], says):
		found.How = Passed
	default:
		return
	}
	cells := slices.DeleteFunc(slices.Clone(b.Cells), func(cell string) bool { return !strings.ContainsFunc(cell, unicode.IsLetter) })
	if len(cells) > 0 {
		found.Text = strings.TrimSuffix(cells[0]+": "+strings.Join(cells[1:], ", "), ": ")
		f.add(found)
	}
}

func (f *finder) paragraph(b texts.Block) {
	rest, led := cutLead(b.Text)
	switch {
	case led && rest == "", introduces(b.Text) && hintsAt(b.Text), isBoldLine(b.Text) && (hintsAt(b.Text) || says(b.Text)):
		f.scope, f.items = ofLine, false
	case led:
		f.scope = noScope
		f.addLed(rest)
	case f.scope == ofLine && f.items, f.scope == noScope:
		if f.scope == ofLine {
			f.scope = noScope
		}
		f.passing(b.Text)
	case introduces(b.Text): // goes on below
	default:
		f.addEntry(b.Text)
		if f.scope == ofLine {
			f.scope = noScope
		}
	}
}

// addLed adds what stands behind a lead-in: more than one thing where marks part its first
// sentence, and what further ones say in passing.
func (f *finder) addLed(rest string) {
	all := texts.Sentences(rest)
	if len(all) == 0 {
		return
	}
	for _, part := range parts(all[0]) {
		f.add(Found{Text: part, How: Led})
	}
	f.passing(strings.Join(all[1:], " "))
}

// addEntry adds a paragraph by its first sentence, and what further ones say in passing.
func (f *finder) addEntry(text string) {
	all := texts.Sentences(text)
	if len(all) == 0 {
		return
	}
	f.add(Found{Text: all[0], How: Led})
	f.passing(strings.Join(all[1:], " "))
}

// minOwn is how many content words a sentence has that can be understood by itself.
const minOwn = 3

// passing adds the sentences that say in passing that something is open: one that says little
// by itself ("That is still missing.") with the one before it, or as part of that.
func (f *finder) passing(text string) {
	all := texts.Sentences(text)
	last := -1 // sentence that was added last
	for i, s := range all {
		if rest, led := cutLead(s); led && rest != "" && i > 0 {
			f.addLed(rest)
			last = i
			continue
		}
		if !says(s) {
			continue
		}
		if i == len(all)-1 && introduces(s) { // what it tells of stands below
			f.scope, f.items = ofLine, false
			return
		}
		switch words := len(WordsOf(s)); {
		case i == 0 || words >= minOwn:
		case last < i-1:
			s = all[i-1] + " " + s
		case words < minShared:
			if tail := &f.out[len(f.out)-1]; len(tail.Text) < maxText {
				tail.Text += " " + s
			}
			last = i
			continue
		}
		n := len(f.out)
		if f.add(Found{Text: s, How: Passed}); len(f.out) > n {
			last = i
		}
	}
}

// isBoldLine says that a text is a heading by its stars.
func isBoldLine(text string) bool {
	return len(text) > 4 && strings.HasPrefix(text, "**") && strings.Index(text[2:], "**") == len(text)-4
}

// introduces says that a text leads to the list below it.
func introduces(text string) bool {
	text = strings.TrimRight(text, "*_ ")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") || strings.Contains(text, "以下")
}

// maxFound bounds what is taken of one text: a list of thousands is data, and nobody's ends.
const maxFound = 300

func (f *finder) add(found Found) {
	if len(f.out) == maxFound {
		return
	}
	found.Text = strings.TrimSpace(found.Text)
	if found.How == Led && !strings.HasSuffix(found.Text, "..") {
		found.Text = strings.TrimSuffix(found.Text, ".")
	}
	if found.Text != "" && !isNothing(found.Text) && !isOffer(found.Text, found.How) && strings.ContainsFunc(found.Text, found.How.tells) {
		f.out = append(f.out, found)
	}
}

var boxMark = regexp.MustCompile(`^(?:\[([^\]\n])\]\s+|([☐☑☒✅✔]\x{fe0f}?)\s*)(.*)$`)

// cutBox reads "[ ] text", "[x] text", "☐ text" and "☑ text".
func cutBox(item string) (done bool, rest string, ok bool) {
	if item == "" || item[0] != '[' && item[0] < 0x80 {
		return false, "", false
	}
	m := boxMark.FindStringSubmatch(item)
	if m == nil || strings.TrimSpace(m[3]) == "" {
		return false, "", false
	}
	if m[2] != "" {
		return !strings.HasPrefix(m[2], "☐"), m[3], true
	}
	return strings.ContainsAny(m[1], "xX-"), m[3], true
}

var (
	enumeration = regexp.MustCompile(`\s*(?:;|\((?:\d|[a-h])\)|(?:^|\s)[1-9]\))\s+|；`)
)

// parts cuts what stands behind a lead-in where marks part several things.
func parts(text string) []string {
	var out []string
	for _, p := range enumeration.Split(text, -1) {
		if p = strings.Trim(strings.TrimSpace(p), ",;"); p != "" {
			out = append(out, cutList(p)...)
		}
	}
	return out
}

// maxListed is how many words a thing of such a list has at most.
const maxListed = 10

var lastOfList = regexp.MustCompile(`^(?:(.+) )?(?:and|und|y|e|et|sowie) (.+)$`)

// cutList cuts a list of short things: "the docs, the changelog and the tag".
func cutList(text string) []string {
	if strings.Count(text, "、") > 1 {
		return splitIdeographs(text)
	}
	parts := strings.Split(strings.TrimSuffix(text, "."), ", ")
	if last := len(parts) - 1; last > 0 {
		if m := lastOfList.FindStringSubmatch(parts[last]); m != nil {
			parts = slices.DeleteFunc(append(parts[:last], m[1], m[2]), func(p string) bool { return p == "" })
		}
	}
	if len(parts) < 3 || slices.ContainsFunc(parts, func(p string) bool { return len(strings.Fields(p)) > maxListed }) {
		return []string{text}
	}
	return parts
}

// counter closes a list in Japanese: "… の 3 つです。"
var counter = regexp.MustCompile(`の\s*[0-9０-９]+\s*(?:つ|件|点)(?:です|になります|だけです)?。?$`)

// splitIdeographs does it for a script without blanks.
func splitIdeographs(text string) []string {
	const maxRunes = 30 // of a thing
	parts := strings.Split(counter.ReplaceAllString(text, ""), "、")
	if slices.ContainsFunc(parts, func(p string) bool { return len([]rune(p)) > maxRunes }) {
		return []string{text}
	}
	return parts
}

// marks are those of markdown, and the apostrophe.
var marks = strings.NewReplacer("*", "", "_", "", "`", "", "’", "'")

// fold puts a text into the form in which phrases are looked for.
func fold(text string) string {
	text = strings.ToLower(text)
	if strings.ContainsAny(text, "*_`") || strings.Contains(text, "’") {
		text = marks.Replace(text)
	}
	return texts.OneLine(text)
}

func hasPrefixWord(s, phrase string) bool {
	rest, ok := strings.CutPrefix(s, phrase)
	return ok && (rest == "" || !unicode.IsLetter(firstRune(rest)))
}

func hasSuffixWord(s, phrase string) bool {
	rest, ok := strings.CutSuffix(s, phrase)
	return ok && (rest == "" || strings.HasSuffix(rest, " "))
}

// maxNothing is how long a text may be to say that nothing is open, in bytes.
const maxNothing = 96

// isNothing tells the ways of saying that nothing is open.
func isNothing(text string) bool {
	if len(text) > maxNothing {
		return false
	}
	s := strings.TrimFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) })
	if nothing.whole[s] {
		return true
	}
	first, _, _ := strings.Cut(s, " ")
	return slices.ContainsFunc(nothing.begins[first], func(phrase string) bool { return hasPrefixWord(s, phrase) }) ||
		!texts.IsASCII(s) && slices.ContainsFunc(nothing.bare, func(phrase string) bool {
			return strings.HasPrefix(s, phrase) && len([]rune(s)) < len([]rune(phrase))+4
		})
}

// nothing are the ways of saying that nothing is open: all of them, those of several words by
// the first one, and those of scripts without blanks.
var nothing = func() (n struct {
	whole  map[string]bool
	begins map[string][]string
	bare   []string
},
) {
	n.whole, n.begins = map[string]bool{}, map[string][]string{}
	for _, lang := range languages {
		for _, phrase := range lang.nothing {
			n.whole[phrase] = true
			if first, _, several := strings.Cut(phrase, " "); several {
				n.begins[first] = append(n.begins[first], phrase)
			}
			if hasNoBlanks(firstRune(phrase)) && len([]rune(phrase)) > 1 {
				n.bare = append(n.bare, phrase)
			}
		}
	}
	return n
}()

// isOffer tells a question of the agent: what it could do is not left open by it.
func isOffer(text string, how How) bool {
	if how == Boxed {
		return false
	}
	s := fold(text)
	for _, lang := range languages {
		for _, phrase := range lang.offers {
			if strings.HasPrefix(s, phrase) || hasNoBlanks(firstRune(phrase)) && strings.Contains(s, phrase) {
				return true
			}
		}
	}
	return how == Passed && strings.HasSuffix(s, "?")
}
