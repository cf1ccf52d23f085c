package inert

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// characters looks at the bytes, as those do who know no markdown: terminals,
// Templater, and whoever reads over what is not shown.
func (p *page) characters() {
	for at := 0; ; at++ {
		i := strings.Index(p.src[at:], "<%")
		if i < 0 {
			break
		}
		at += i
		p.report(kindTemplate, at)
	}
	before := rune(0)
	for i, r := range p.src {
		n := utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(p.src[i:], "\uFFFD"):
			p.report(kindHidden, i)
		case r == 0x200c || r == 0x200d:
			after, _ := utf8.DecodeRuneInString(p.src[i+n:])
			if !joined(before) || !joined(after) {
				p.report(kindHidden, i)
			}
		case unseen(r):
			p.report(kindHidden, i)
		}
		before = r
	}
}

// joined says that a joiner may stand beside r: in a word of a script that joins
// letters, or in an emoji.
func joined(r rune) bool {
	return r >= 0x600 && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsSymbol(r))
}

// unseen says that r shows nothing of itself, or moves what is around it.
func unseen(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.IsControl(r), r == 0x2028, r == 0x2029:
		return true
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0:
		return true // letters by name, blank on the page
	case r >= 0xe0000 && r <= 0xe0fff: // tags and further variants of letters
		return true
	case r >= 0x600 && r <= 0x605, r == 0x6dd, r == 0x70f, r == 0x8e2, r >= 0x110bd && r <= 0x110cd:
		return false // signs that enclose numbers: they are seen
	}
	return unicode.Is(unicode.Cf, r)
}
