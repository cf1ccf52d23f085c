package outcome

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// contentSentences are the first sentences of a markdown text that say something, at most most:
// no code, no task boxes, nothing that only introduces what follows, no openers such as "Done."
// and "Let me look".
func contentSentences(text string, most int) []string {
	var out []string
	for p := range paragraphs(text) {
		if isChatter(p) {
			continue
		}
		for _, sentence := range texts.Sentences(unbold(p)) {
			if !isOpener(sentence) && hasWords(sentence) {
				if out = append(out, sentence); len(out) == most {
					return out
				}
			}
		}
	}
	return out
}

var boldLead = regexp.MustCompile(`^\*\*([^*]+?):?\*\*:?\s*`)

// paragraphs are the paragraphs, headings and entries of lists of a text, each in one line.
func paragraphs(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var lines []string
		goesOn, fence := true, ""
		flush := func() {
			if p := texts.OneLine(strings.Join(lines, " ")); goesOn && p != "" && !strings.HasSuffix(p, ":") && !strings.HasSuffix(p, "：") {
				goesOn = yield(p)
			}
			lines = nil
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), ">"))
			item, isItem := texts.CutMark(line)
			switch {
			case !goesOn:
				return
			case fence != "":
				if strings.HasPrefix(line, fence) {
					fence = ""
				}
			case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
				flush()
				fence = line[:3]
			case line == "" || strings.HasPrefix(line, "|") || isTask(line) || isItem && isTask(item) || strings.Trim(line, "-*_= ") == "":
				flush()
			case strings.HasPrefix(line, "#"):
				flush()
				lines = append(lines, strings.TrimSpace(strings.Trim(line, "#")))
				flush()
			case isItem:
				flush()
				lines = append(lines, item)
			default:
				lines = append(lines, line)
			}
		}
		flush()
	}
}

// isChatter knows what an editor shows beside an answer: "Edited `x`", the list of changed files,
// names, progress and buttons, which are slanted as a whole.
func isChatter(p string) bool {
	for _, word := range []string{"Edited `", "Created `", "Deleted `", "Read `"} {
		if strings.HasPrefix(p, word) && strings.Count(p, "`") == 2 && strings.HasSuffix(p, "`") {
			return true
		}
	}
	if p[0] == '`' && strings.IndexByte(p[1:], '`') == len(p)-2 && !strings.Contains(p, " ") {
		return true // a name and no command
	}
	slanted := len(p) > 2 && p[0] == '*' && p[1] != '*' && strings.IndexByte(p[1:], '*') == len(p)-2
	return slanted || p == "**Changed files**" || p[0] == '`' && strings.Contains(p, "` (+") && strings.HasSuffix(p, ")")
}

// isTask knows "[x] text" and "☑ text".
func isTask(s string) bool {
	first, size := utf8.DecodeRuneInString(s)
	if first == '[' {
		_, mark := utf8.DecodeRuneInString(s[size:])
		return strings.HasPrefix(s[size+mark:], "] ")
	}
	return strings.ContainsRune("☐☑☒✅❌", first)
}

// unbold takes the stars off a bold lead-in, and off a paragraph that is bold as a whole.
func unbold(p string) string {
	if !strings.Contains(p, "**") {
		return p
	}
	if m := boldLead.FindStringSubmatch(p); m != nil {
		rest := p[len(m[0]):]
		switch {
		case rest == "":
			return m[1]
		case strings.HasSuffix(strings.TrimSpace(m[0]), ":") || strings.Contains(m[0], ":**"):
			return m[1] + ": " + rest
		}
		return m[1] + " " + rest
	}
	return strings.ReplaceAll(p, "**", "")
}

// whole sentences that say nothing, beginnings of those that only announce or need their question,
// and of prompts that go on with the one before.
var (
	wholeOpeners = strings.Split("done|all done|all in|all set|sure|ok|okay|great|perfect|good|yes|no problem|finished|completed|understood|got it|of course|"+
		"fertig|erledigt|klar|alles klar|gerne|ja|verstanden|gut|passt|listo|hecho|claro|por supuesto|sí|de acuerdo|entendido|perfecto|"+
		"fait|c'est fait|terminé|bien sûr|d'accord|oui|compris|parfait|完了|完了しました|了解|了解です|了解しました|はい|承知しました|わかりました|できました|好的|完成|完成了|好|已完成|明白", "|")
	announcing = strings.Split("let me |let's |i'll |i will |i am going to |i'm going to |sure, |okay, |now i |now let me |here is |here's |here are |first, i |next, i |"+
		"ich werde |ich schaue |ich sehe mir |lass mich |lassen sie mich |hier ist |hier sind |voy a |déjame |permíteme |aquí está |aquí tienes |"+
		"je vais |voici |laisse-moi |laissez-moi |まず|これから|では、|我将|我来|让我|下面|首先", "|")
	leaning    = strings.Split("then|and|add|in|yes|no|also|because|dann|und|auch|weil|ja|nein|entonces|y|también|porque|sí|alors|et|aussi|parce que|oui|non", "|")
	goingOn    = strings.Split("yes|ok|okay|do it|now|same|again|go on|continue|ja|mach das|weiter|nochmal|sí|hazlo|sigue|oui|vas-y", "|")
	leaningHan = strings.Split("はい|いいえ|そして|そのため|是|不|因为|然后", "|")
)

func folded(sentence string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(sentence)), "’", "'")
}

// isOpener says that a sentence only opens or announces.
func isOpener(sentence string) bool {
	s := folded(sentence)
	bare := strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.Contains(wholeOpeners, bare) || slices.ContainsFunc(announcing, func(p string) bool { return strings.HasPrefix(s, p) })
}

// leans says that a sentence needs its question to be understood.
func leans(sentence string) bool {
	s := folded(sentence)
	return slices.ContainsFunc(leaningHan, func(p string) bool { return strings.HasPrefix(s, p) }) || begins(s, leaning)
}

// begins says that a folded sentence begins with one of some words.
func begins(s string, words []string) bool {
	return slices.ContainsFunc(words, func(p string) bool {
		rest, ok := strings.CutPrefix(s, p)
		next, _ := utf8.DecodeRuneInString(rest)
		return ok && !unicode.IsLetter(next)
	})
}

// hasWords says that a sentence is more than signs.
func hasWords(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
