package distil

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Read returns the lines of an answer whose quotations stand in a prompt or an answer of the session, as far
// as the question holds it, and counts the others.
func Read(answer, question string, s *sources.Session) (lines []sources.Distilled, dropped int, err error) {
	const most = 256 << 10 // bytes, more than any answer has that keeps to the question
	raw, err := linesIn(answer[:min(len(answer), most)])
	if err != nil {
		return nil, 0, err
	}
	sent, said := letters(question), saidIn(s)
	for _, one := range raw {
		var a struct {
			sources.Distilled
			Turn json.RawMessage `json:"turn"` // agents write texts as well
		}
		if len(lines) < mostLines && json.Unmarshal(one, &a) == nil {
			number, _ := strconv.Atoi(strings.Trim(string(a.Turn), `"`))
			a.Distilled.Turn = number - 1
			if line, ok := held(a.Distilled, said); ok && strings.Contains(sent, letters(line.Quote)) {
				lines = append(lines, line)
			}
		}
	}
	return lines, len(raw) - len(lines), nil
}

// linesIn finds the lines of the first object that has some.
func linesIn(answer string) (lines []json.RawMessage, err error) {
	const mostTries = 400 // objects that a text may seem to hold
	for range mostTries {
		at := strings.IndexByte(answer, '{')
		if at < 0 {
			break
		}
		var o struct{ Lines json.RawMessage }
		if json.NewDecoder(strings.NewReader(answer[at:])).Decode(&o) == nil && o.Lines != nil && json.Unmarshal(o.Lines, &lines) == nil {
			return lines, nil
		}
		answer = answer[at+1:]
	}
	return nil, errors.New("no JSON object with lines is in its answer")
}

var shownMask = regexp.MustCompile(`\[redacted(:[a-z0-9-]+#[0-9]+)?\]`)

// plain is a text of an agent in one line. What stands for a mask in a question has a number that
// means nothing elsewhere.
func plain(text string) string {
	text = texts.OneLine(shownMask.ReplaceAllString(text, "[redacted]"))
	if utf8.RuneCountInString(text) > maxText {
		text = strings.TrimSpace(string([]rune(text)[:maxText]))
	}
	return text
}

// letters are those of a text by which it is compared: without white space and masks.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, shownMask.ReplaceAllString(redact.Strip(text), ""))
}

// saidIn returns the [letters] of the prompts and answers of a session, in turn.
func saidIn(s *sources.Session) (said []string) {
	for _, t := range s.Turns {
		said = append(said, letters(t.User), letters(t.Assistant))
	}
	return said
}

// held puts a line right by what was said, and tells whether its quotation stands there.
func held(line sources.Distilled, said []string) (sources.Distilled, bool) {
	line.Text, line.Quote = plain(line.Text), plain(line.Quote)
	quote := letters(line.Quote)
	if line.Text == "" || !slices.Contains(sources.DistilledKinds(), line.Kind) || !longEnough(quote) {
		return line, false
	}
	turn := -1
	for i, text := range said {
		if (turn < 0 || i/2 == line.Turn) && strings.Contains(text, quote) {
			turn = i / 2
		}
	}
	line.Turn = turn
	return line, turn >= 0
}

// longEnough wants twenty letters, or eight of scripts that have no spaces between words.
func longEnough(quote string) bool {
	const least, each, dense = 40, 2, 5
	n := 0
	for _, r := range quote {
		n += each
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			n += dense - each
		}
	}
	return n >= least
}

// Shown returns the newest answer of each agent that was asked, the newest first, as far as its quotations
// stand in the session now: a file with an answer may be of anybody. Of two about one state of a session the
// earlier counts.
func Shown(s *sources.Session) (out []sources.Distillate) {
	if len(s.Distilled) == 0 {
		return nil
	}
	kinds, said := sources.DistilledKinds(), saidIn(s)
	for _, d := range s.Distilled {
		all := d.Lines[:min(len(d.Lines), mostLines)]
		d.Lines = nil
		for _, line := range all {
			if line, ok := held(line, said); ok {
				d.Lines = append(d.Lines, line)
			}
		}
		slices.SortStableFunc(d.Lines, func(a, b sources.Distilled) int { return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind) })
		i := slices.IndexFunc(out, func(o sources.Distillate) bool { return o.By == d.By })
		if len(d.Lines) == 0 || i >= 0 && out[i].Of == d.Of {
			continue
		}
		if i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
		out = slices.Insert(out, 0, d)
	}
	return out
}
