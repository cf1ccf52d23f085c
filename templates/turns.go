package templates

import "github.com/sessionloom/sessionloom/templates/escape"

const (
	turnOverhead = 512 // what the template writes around the texts of a turn
	growth       = 6   // no text grows more than so many times on its way to the page
)

// SplitTurns cuts the turns of a session into the parts of its note, so that
// each part stays below max bytes. There is at least one part; part 1 leaves half
// of its room to what stands before the conversation. Where a turn goes depends
// on those before it only, so appended turns change no earlier part. Prompts and
// answers that would fill more than a part are shortened, and say so.
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

// bound gives, without looking into the texts, what the turns take at most.
func bound(turns []Turn) int {
	n := 0
	for _, t := range turns {
		n += turnOverhead + 2*titleBytes + extras(t)
		n += growth * (len(t.Prompt) + len(t.Answer))
	}
	return n
}

// fit gives the turn with texts short enough for max bytes, and its size on the
// page.
func fit(whole Turn, max int) (Turn, int) {
	t, size := whole, max+1
	if shownBytes(whole) <= growth*max { // else there is no need to measure it, which takes several times its length
		size = turnSize(whole)
	}
	for limit := max / 2; size > max && limit > 0; limit /= 2 {
		t.Prompt = Text(withRest(shorten(string(whole.Prompt), limit)))
		if !t.Digest { // which shortens it by itself and says how much is missing
			t.Answer = Text(withRest(shorten(string(whole.Answer), limit)))
		}
		size = turnSize(t)
	}
	return t, size
}

// shownBytes is how long the texts of a turn are that are shown whole.
func shownBytes(t Turn) int {
	if t.Digest {
		return len(t.Prompt)
	}
	return len(t.Prompt) + len(t.Answer)
}

// turnSize estimates from above what a turn takes on the page, in bytes.
func turnSize(t Turn) int {
	return turnOverhead + 2*titleBytes + len(escape.Quote(2, string(t.Prompt))) + len(escape.Quote(1, string(answer(t)))) + extras(t)
}

// extras gives the size of all but prompt and answer.
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
