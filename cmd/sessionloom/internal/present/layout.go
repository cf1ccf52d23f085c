package present

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/dustin/go-humanize"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
)

// Listed is the number of notes of a kind that a summary names before it counts the rest.
const Listed = 20

func appendList[T any](lines []string, all []T, told bool, words func(T) []string) []string {
	for i, one := range all {
		if i == Listed && !told {
			return append(lines, fmt.Sprintf("  … and %s more (-v names all)", Commas(len(all)-i)))
		}
		lines = append(lines, words(one)...)
	}
	return lines
}

// named is an entry of a list: a name to copy, and its description.
type named struct{ name, why string }

func keptNamed(k extract.KeptNote) named { return named{name: k.Note, why: keptWhy(k)} }

func plainly(name string) named { return named{name: name} }

func worded[T any](all []T, words func(T) named) []named {
	out := make([]named, 0, len(all))
	for _, one := range all {
		out = append(out, words(one))
	}
	return out
}

// listEntry puts a name and its description on one line, or below each other.
func listEntry(name, why string, width int) []string {
	if why == "" {
		return []string{"  " + name}
	}
	if line := "  " + name + ": " + why; lipgloss.Width(line) <= width {
		return []string{line}
	}
	return append([]string{"  " + name}, WrapTo(why, 4, width)...)
}

// Widths of a screen, and of a path beside a text, in columns.
const (
	Screen    = 80
	pathWidth = 38
)

// row puts a path and a text side by side, or below each other.
func row(path, text string) []string {
	if w := lipgloss.Width(path); w <= pathWidth && pathWidth+4+lipgloss.Width(text) <= Screen {
		return []string{"  " + path + strings.Repeat(" ", pathWidth-w+2) + text}
	}
	return append([]string{"  " + path}, Wrap(text, 6)...)
}

// Wrap wraps text to [Screen] columns.
func Wrap(text string, indent int) []string { return WrapTo(text, indent, Screen) }

// WrapTo wraps text to a width. A word that does not fit gets its own line.
func WrapTo(text string, indent, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && indent+lipgloss.Width(line)+1+lipgloss.Width(word) > width {
			lines, line = append(lines, strings.Repeat(" ", indent)+line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, strings.Repeat(" ", indent)+line)
}

// hang wraps a text with a hanging indent.
func hang(text string, width int) []string {
	lines := WrapTo(text, 2, width)
	lines[0] = strings.TrimLeft(lines[0], " ")
	return lines
}

func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// Count returns a number with its noun: "1 note", "2,310 notes".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Commas(n) + " " + noun
}

type amount struct {
	n    int
	what string
}

// Commas returns a number with commas between thousands.
func Commas(n int) string { return humanize.Comma(int64(n)) }

// bytesize rounds to three digits: "12 B", "1.2 MB".
func bytesize(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }

// tally lists counts by name, sorted.
func tally(counts map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, fmt.Sprintf("%s %s", k, Commas(counts[k])))
	}
	return strings.Join(out, ", ")
}

func seconds(ms int64) string { return fmt.Sprintf("%.1f s", float64(ms)/1000) }

// Clean escapes characters that could control a terminal, change the direction or hide text. JSON stays
// equivalent.
func Clean(text string) string {
	if strings.IndexFunc(text, speaks) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case speaks(r) && r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case speaks(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// speaks reports whether a terminal would act on a character instead of showing it.
func speaks(r rune) bool {
	if r < 0x7f {
		return r < ' ' && r != '\t' && r != '\n'
	}
	return unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
}

// ShellPath returns a path to copy into a command.
func ShellPath(path, home string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) || Clean(path) != path {
		return strconv.Quote(path)
	}
	if rest, ok := strings.CutPrefix(homepath.Tilde(path, home), "~/"); ok {
		return "~/" + homepath.ShellWord(rest)
	}
	return homepath.ShellWord(path)
}
