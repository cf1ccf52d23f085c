package texts

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Block is a heading, a list entry, a paragraph or a table row of a markdown text, in one line.
type Block struct {
	Text    string
	Heading int // its level
	Item    bool
	Number  string   // of an entry, with its punctuation: "1."
	Indent  int      // blanks before an entry
	Cells   []string // cells of a row
	Shows   bool     // code follows it
	Leads   bool     // a paragraph before a list
}

// Blocks splits a markdown text, without code, quotes and marks for a program: lines that are a tag, with what
// stands between two if their name is in capitals. The head of a table is repeated with its rows.
func Blocks(text string) []Block {
	var out []Block
	open := false // the last block continues in the next line
	fence := ""
	for line := range strings.Lines(text) {
		s := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(s, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~"):
			if strings.Count(s, s[:3]) == 1 {
				fence = s[:3]
			}
			if n := len(out); n > 0 {
				out[n-1].Shows = true
			}
			open = false
		case tag.MatchString(s):
			open = false
			if end := "</" + s[1:]; strings.ToUpper(s) == s && strings.Contains(text, end) {
				fence = end
			}
		case strings.HasPrefix(s, "|"):
			out = appendRow(out, s)
			open = false
		case s == "" || strings.HasPrefix(s, ">") || strings.Trim(s, "-*_=─━═ ") == "":
			open = false
		case headingLevel(s) > 0:
			out = append(out, Block{Text: strings.TrimSpace(strings.Trim(s, "#")), Heading: headingLevel(s)})
			open = false
		default:
			if item, ok := CutMark(s); ok {
				if n := len(out); open && !out[n-1].Item {
					out[n-1].Leads = true
				}
				out, open = append(out, Block{Text: item, Item: true, Number: numberOf(s), Indent: Indent(line)}), true
				continue
			}
			if open {
				out[len(out)-1].Text += " " + s
				continue
			}
			out, open = append(out, Block{Text: s}), true
		}
	}
	return out
}

// tag matches a line that is only a tag without attributes.
var tag = regexp.MustCompile(`^</?[A-Za-z][\w-]*>$`)

// appendRow adds a row of a table. A line of dashes marks the row above it as the head.
func appendRow(out []Block, line string) []Block {
	if strings.Trim(line, "|-: ") == "" {
		if n := len(out); n > 0 && out[n-1].Cells != nil {
			return out[:n-1]
		}
		return out
	}
	cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "| "), `\|`, "¦"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "¦", "|"))
	}
	return append(out, Block{Text: strings.Join(cells, " "), Cells: cells})
}

func headingLevel(s string) int {
	rest := strings.TrimLeft(s, "#")
	if n := len(s) - len(rest); n > 0 && n < 7 && strings.HasPrefix(rest, " ") {
		return n
	}
	return 0
}

// CutMark removes the mark of an entry: "- ", "1. ", "☐ ".
func CutMark(s string) (item string, ok bool) {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "– ", "・"} {
		if rest, found := strings.CutPrefix(s, mark); found {
			return strings.TrimSpace(rest), true
		}
	}
	if strings.ContainsAny(s[:min(3, len(s))], "☐☑☒✅✔") && strings.IndexAny(s, "☐☑☒✅✔") == 0 {
		return s, true
	}
	if number := numberOf(s); number != "" {
		return strings.TrimSpace(s[len(number):]), true
	}
	return "", false
}

// numberOf returns the number at the start of an entry, "1." or "1)", or "".
func numberOf(s string) string {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < 4 && len(s) > digits+1 && (s[digits] == '.' || s[digits] == ')') && s[digits+1] == ' ' {
		return s[:digits+1]
	}
	return ""
}

// Indent counts the blanks before a line, a tab as four.
func Indent(line string) (n int) {
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// CutBox removes a task box from an entry: "[ ] text", "[x] text", "☐ text", "☑ text". ok is false without a
// box or a text after it.
func CutBox(item string) (rest string, ticked, ok bool) {
	first, size := utf8.DecodeRuneInString(item)
	mark, rest := string(first), item[min(size, len(item)):]
	if first == '[' {
		_, n := utf8.DecodeRuneInString(rest)
		mark = rest[:n]
		if rest, ok = strings.CutPrefix(rest[n:], "] "); !ok {
			return "", false, false
		}
		if letter, _ := utf8.DecodeRuneInString(mark); unicode.IsLetter(letter) && letter != 'x' && letter != 'X' || unicode.IsDigit(letter) {
			return "", false, false // a choice of a menu
		}
	} else if !strings.ContainsRune("☐☑☒✅✔", first) {
		return "", false, false
	}
	rest = strings.TrimSpace(strings.TrimPrefix(rest, "\ufe0f"))
	return rest, !strings.ContainsAny(mark, " ☐"), rest != ""
}
