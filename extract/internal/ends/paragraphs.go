package ends

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

func (f *finder) paragraph(b texts.Block) {
	rest, led := cutLead(b.Text)
	switch {
	case f.scope != ofHeading && introduces(b.Text) && isChoice(b.Text) && says(b.Text):
		f.scope = noScope
		f.passing(b.Text)
	case led && rest == "", introduces(b.Text) && hintsAt(b.Text), isBoldLine(b.Text) && (hintsAt(b.Text) || says(b.Text)) && !isSentence(b.Text):
		f.scope, f.items = ofLine, false
	case led:
		f.scope = noScope
		f.addLed(rest)
	case f.scope == ofLine && !f.items && isDefinition(b.Text):
		f.addEntry(b.Text)
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
	f.sentences(all[1:])
}

// addEntry adds a paragraph by its first sentence, and what further ones say in passing.
func (f *finder) addEntry(text string) {
	all := texts.Sentences(text)
	if len(all) == 0 {
		return
	}
	f.add(Found{Text: all[0], How: Led})
	f.sentences(all[1:])
}

// minOwn is how many content words a sentence has that can be understood by itself.
const minOwn = 3

// passing adds the sentences that say in passing that something is open: one that says little
// by itself ("That is still missing.") with the one before it, or as part of that.
func (f *finder) passing(text string) { f.sentences(texts.Sentences(text)) }

func (f *finder) sentences(all []string) {
	if len(all) > 0 {
		if n := countedLead(all[0]); n > 0 {
			f.addCounted(all[1:], n)
			return
		}
	}
	last := -1 // sentence that was added last
	for i, s := range all {
		if rest, led := cutLead(s); led && rest != "" && i > 0 {
			f.addLed(rest)
			last = i
			continue
		}
		if !says(s) {
			f.goesOn(s, i > 0 && i == len(all)-1 && last == i-1)
			continue
		}
		if i == len(all)-1 && introduces(s) && !isChoice(s) { // what it tells of stands below
			f.scope, f.items, f.intro = ofLine, false, s
			return
		}
		switch words := len(WordsOf(s)); {
		case i == 0 || words >= minOwn && !lacksSubject(s):
		case last < i-1:
			s = all[i-1] + " " + s
		case words < minShared && len(f.out) > 0:
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

// addCounted adds as many sentences as the one before them announced.
func (f *finder) addCounted(all []string, n int) {
	if len(all) == 0 {
		f.scope, f.items = ofLine, false
		return
	}
	n = min(n, len(all))
	for _, s := range all[:n] {
		f.add(Found{Text: s, How: Led})
	}
	f.sentences(all[n:])
}

// maxConnective is how many words a sentence has that only leads on: "In detail:", "En concreto:".
const maxConnective = 3

// goesOn takes the list below for what a sentence said before, which the last one leads on from.
func (f *finder) goesOn(last string, said bool) {
	if said && introduces(last) && len(strings.Fields(last)) <= maxConnective {
		f.scope, f.items = ofLine, false
	}
}

// lacksSubject says that a sentence leaves out what it speaks of, which the one before it tells.
func lacksSubject(s string) bool {
	s = fold(s[:min(len(s), maxTerm)])
	return slices.ContainsFunc(bareVerbs, func(verb string) bool { return hasPrefixWord(s, verb) })
}

// bareVerbs begin such sentences.
var bareVerbs = phrases(`worth|has to|have to|needs to|needs a|should be|would be|will need|still needs|muss|müsste|sollte man|sollte noch|kommt auf|fehlt noch|ist noch`)

// endIntro adds the sentence that seemed to introduce a list where none stands below it.
func (f *finder) endIntro(below texts.Block) {
	if f.intro != "" && !below.Item && below.Cells == nil {
		f.add(Found{Text: f.intro, How: Passed})
		f.scope = noScope
	}
	f.intro = ""
}
