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

// ErrNoAnswer says that an agent answered something else than it was asked for.
var ErrNoAnswer = errors.New("no JSON object with lines is in its answer")

// Read finds the lines in an answer whose quotations stand in what was sent, and counts the others.
func Read(answer string, q Question) (lines []sources.Distilled, dropped int, err error) {
	const most = 256 << 10 // bytes, more than any answer has that keeps to the question
	raw, found := linesIn(answer[:min(len(answer), most)])
	if !found {
		return nil, 0, ErrNoAnswer
	}
	in := make([]Part, len(q.Sent))
	for i, p := range q.Sent {
		in[i] = Part{p.Turn, letters(p.Text)}
	}
	for _, one := range raw {
		var a struct {
			sources.Distilled
			Turn json.RawMessage `json:"turn"` // agents write texts as well
		}
		line, ok := sources.Distilled{}, len(lines) < mostLines && json.Unmarshal(one, &a) == nil
		if ok {
			number, _ := strconv.Atoi(strings.Trim(string(a.Turn), `"`))
			a.Distilled.Turn = number - 1
			line, ok = held(a.Distilled, in)
		}
		if !ok {
			dropped++
			continue
		}
		lines = append(lines, line)
	}
	return lines, dropped, nil
}

// linesIn finds the lines of the first object that has some.
func linesIn(answer string) (lines []json.RawMessage, found bool) {
	const mostTries = 400 // objects that a text may seem to hold
	for range mostTries {
		at := strings.IndexByte(answer, '{')
		if at < 0 {
			break
		}
		var o struct{ Lines json.RawMessage }
		if json.NewDecoder(strings.NewReader(answer[at:])).Decode(&o) == nil && o.Lines != nil && json.Unmarshal(o.Lines, &lines) == nil {
			return lines, true
		}
		answer = answer[at+1:]
	}
	return nil, false
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

// held puts a line right by the parts of a session, whose texts are [letters], and tells whether its
// quotation stands in one of them.
func held(line sources.Distilled, in []Part) (sources.Distilled, bool) {
	line.Text, line.Quote = plain(line.Text), plain(line.Quote)
	quote := letters(line.Quote)
	if line.Text == "" || !slices.Contains(sources.DistilledKinds(), line.Kind) || !longEnough(quote) {
		return line, false
	}
	turn := -1
	for _, p := range in {
		if (turn < 0 || p.Turn == line.Turn) && strings.Contains(p.Text, quote) {
			turn = p.Turn
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

// Held is what an agent said of a session, as far as its quotations stand in it now, in order of the
// kinds. A file with words may be of anybody.
func Held(s *sources.Session, d sources.Distillate) (lines []sources.Distilled) {
	if len(d.Lines) == 0 {
		return nil
	}
	var in []Part
	for i, t := range s.Turns {
		in = append(in, Part{i, letters(t.User)}, Part{i, letters(t.Assistant)})
	}
	for _, line := range d.Lines[:min(len(d.Lines), mostLines)] {
		if line, ok := held(line, in); ok {
			lines = append(lines, line)
		}
	}
	kinds := sources.DistilledKinds()
	slices.SortStableFunc(lines, func(a, b sources.Distilled) int {
		return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
	})
	return lines
}

// Shown is what a page tells of the answers about a session: of each who was asked the newest that
// says something.
func Shown(s *sources.Session) (out []sources.Distillate) {
	for _, d := range slices.Backward(s.Distilled) {
		if slices.ContainsFunc(out, func(o sources.Distillate) bool { return o.By == d.By }) {
			continue
		}
		if d.Lines = Held(s, d); len(d.Lines) > 0 {
			out = append(out, d)
		}
	}
	return out
}
