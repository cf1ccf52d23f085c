package templates

import (
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/templates/escape"
)

const (
	turnOverhead = 768 // bytes that the template adds to a turn's texts
	growth       = 6   // most that a text grows on its way to the page
)

// SplitTurns splits turns into the parts of a note below max bytes; part 1 leaves half of its room to the
// text before. Appended turns change no earlier part. Texts longer than a part are shortened with a note.
func SplitTurns(v Session, max int) [][]Turn {
	parts := [][]Turn{nil}
	room := max / 2
	if bound(v.Turns) < room {
		parts[0] = v.Turns
		return parts
	}
	for _, t := range v.Turns {
		t, size := fit(t, max*3/4)
		last := len(parts) - 1
		if size > room && (len(parts[last]) > 0 || last == 0) {
			parts = append(parts, nil)
			last++
			room = max * 15 / 16
		}
		parts[last] = append(parts[last], t)
		room -= size
	}
	return parts
}

// bound returns an upper bound for the size of the turns, without reading the texts.
func bound(turns []Turn) int {
	n := 0
	for _, t := range turns {
		n += turnOverhead + 2*titleBytes + extras(t) + bound(t.Joined)
		n += growth * (len(t.Prompt) + len(t.Answer))
	}
	return n
}

// fit shortens the texts of a turn to max bytes, and returns its size.
func fit(whole Turn, max int) (Turn, int) {
	if len(whole.Joined) > 0 {
		return fitJoined(whole, max)
	}
	t, size := whole, max+1
	shown := len(whole.Prompt) // always whole; so is the answer, except in a digest
	if !whole.Digest {
		shown += len(whole.Answer)
	}
	if shown <= growth*max { // measuring takes several times as long
		size = turnSize(whole)
	}
	for limit := max / 2; size > max && limit > 0; limit /= 2 {
		t.Prompt = Text(shorten(string(whole.Prompt), limit))
		if !t.Digest { // the digest shortens it and says how much is missing
			t.Answer = Text(shorten(string(whole.Answer), limit))
		}
		size = turnSize(t)
	}
	return t, size
}

// fitJoined is fit for a turn with others in its block, which share its room.
func fitJoined(whole Turn, max int) (Turn, int) {
	joined := whole.Joined
	whole.Joined = nil
	t, size := fit(whole, max/(len(joined)+1))
	for _, j := range joined {
		j, n := fit(j, max/(len(joined)+1))
		t.Joined, size = append(t.Joined, j), size+n
	}
	return t, size
}

func turnSize(t Turn) int {
	return turnOverhead + 2*titleBytes + len(escape.Quote(2, string(t.Prompt))) + len(escape.Quote(1, string(answer(t)))) + extras(t)
}

func extras(t Turn) int {
	n := 2 * len(t.Error)
	for _, s := range t.Attachments {
		n += 2*len(s) + 8
	}
	for _, s := range t.Citations {
		n += 2*len(s) + 8
	}
	for _, line := range t.Tools {
		n += 2*len(line.Name) + 64
		for _, d := range line.Details {
			n += 2*min(len(d.Text), maxDetail) + 16
		}
	}
	return n
}

const (
	digestBytes = 1200 // bytes of an answer in a digest
	digestSlack = 300  // excess up to which an answer is shown whole
	titleBytes  = 160  // bytes of a prompt in the title of its callout
	remarkBytes = 160  // bytes of an overview or a summary in a list
)

// shorten cuts markdown near limit at a good place, and says how much is missing.
func shorten(s string, limit int) string {
	s = strings.TrimSpace(s)
	if len(s) <= limit+limit/4 {
		return s
	}
	end := limit
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	for _, boundary := range [...]string{"\n\n", "\n", ". ", "。", " "} {
		if i := strings.LastIndex(s[:end], boundary); i >= limit/2 {
			end = i + len(strings.TrimRight(boundary, " \n"))
			break
		}
	}
	end = escape.BeforeMask(s, end)
	text, more := strings.TrimSpace(s[:end]), utf8.RuneCountInString(strings.TrimSpace(s[end:]))
	if more == 0 {
		return text
	}
	return escape.CloseFence(text) + "\n\n… (" + count(more, "character", "characters") + " more)"
}

func answer(t Turn) Text {
	if !t.Digest {
		return t.Answer
	}
	return shortAnswer(t.Answer)
}

// shortAnswer shortens an answer that is not the session's own.
func shortAnswer(answer Text) Text {
	if len(answer) <= digestBytes+digestSlack {
		return answer
	}
	return Text(shorten(string(answer), digestBytes))
}

func promptTitle(prompt string) string {
	title, _ := splitPrompt(prompt)
	if title == "" && strings.TrimSpace(prompt) == "" {
		return "(the prompt is not on record)"
	}
	return title
}

func promptRest(prompt string) string {
	_, rest := splitPrompt(prompt)
	return rest
}

// splitPrompt splits a prompt after its first line, if that is short and plain.
func splitPrompt(prompt string) (title, rest string) {
	prompt = strings.TrimSpace(escape.Clean(prompt))
	title, rest, _ = strings.Cut(prompt, "\n")
	title = strings.TrimSpace(title)
	rest = strings.TrimLeft(rest, "\n")
	if escape.OpensBlock(title) {
		return firstPlain(rest, title), prompt
	}
	if short := escape.Cut(title, titleBytes); short != title {
		return short, prompt
	}
	return title, rest
}

func firstPlain(s, otherwise string) string {
	for text := range strings.SplitSeq(s, "\n") {
		if text = strings.TrimSpace(text); strings.IndexFunc(text, isLetter) >= 0 {
			return escape.Cut(text, titleBytes)
		}
	}
	return otherwise
}

func isLetter(r rune) bool { return r >= 0x80 || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func remark(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(escape.Clean(s)), "\n\n")
	s = escape.OneLine(s)
	for i := 0; i+1 < len(s); i++ {
		if (s[i] == '.' || s[i] == '?' || s[i] == '!') && s[i+1] == ' ' && i > 20 {
			s = s[:i+1]
			break
		}
	}
	return escape.Cut(s, remarkBytes)
}
