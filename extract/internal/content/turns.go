package content

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// TurnBlocks are the ids of the blocks of the turns of a session, in their order: made of the
// turn's own id, since its number shifts where another account of the session comes in.
func TurnBlocks(turns []sources.Turn) []string {
	out, times := make([]string, len(turns)), map[string]int{}
	for i, t := range turns {
		id := "t-" + turnKey(t)
		if times[id]++; times[id] > 1 {
			id += "-" + strconv.Itoa(times[id])
		}
		out[i] = id
	}
	return out
}

// ShownBlocks are the ids of the blocks in which the turns are shown: a word of consent stands in
// the block of the turn before it, unless it was said on another day.
func ShownBlocks(turns []sources.Turn, zone *time.Location) []string {
	out := TurnBlocks(turns)
	for i := 1; i < len(turns); i++ {
		if before := dayBefore(turns[:i], zone); IsNod(turns[i]) && (turns[i].At.IsZero() || before == "" || dayOf(turns[i].At, zone) == before) {
			out[i] = out[i-1]
		}
	}
	return out
}

// dayBefore is the day of the last turn that has one.
func dayBefore(turns []sources.Turn, zone *time.Location) string {
	for i := len(turns) - 1; i >= 0; i-- {
		if at := turns[i].At; !at.IsZero() {
			return dayOf(at, zone)
		}
	}
	return ""
}

func dayOf(at time.Time, zone *time.Location) string { return at.In(zone).Format(time.DateOnly) }

var eightHex = regexp.MustCompile(`^[0-9a-f]{8}(-|$)`)

// turnKey is the id of a turn, short; without one its time.
func turnKey(t sources.Turn) string {
	switch {
	case eightHex.MatchString(t.ID):
		return t.ID[:8]
	case t.ID != "":
		return texts.Digest(t.ID, 8)
	case !t.At.IsZero():
		return t.At.UTC().Format("20060102t150405")
	}
	return texts.Digest(t.User, 8)
}

// Bounds of a prompt that is only a word of consent.
const (
	maxNodWords  = 2
	maxNodLength = 16
)

// IsNod says that a prompt only sends the agent on: one or two words, such as "yes" and "ok go".
func IsNod(t sources.Turn) bool {
	said := strings.TrimSpace(t.User)
	return said != "" && len(said) <= maxNodLength*utf8.UTFMax && utf8.RuneCountInString(said) <= maxNodLength &&
		!texts.HasWords(said, maxNodWords+1) && len(t.Attachments) == 0 && !strings.HasPrefix(said, "/")
}

// ClosingText is the last message of a turn, as far as it stands behind the last call of a tool;
// empty where that is nothing.
func ClosingText(t sources.Turn) string {
	from := min(t.Last, len(t.Assistant))
	for _, c := range t.Tools {
		from = max(from, min(c.After, len(t.Assistant)))
	}
	return strings.TrimSpace(t.Assistant[from:])
}

// LastMessage is what the agent said after its last call of a tool in a turn, or before it
// where that is nothing.
func LastMessage(t sources.Turn) string {
	if message := ClosingText(t); message != "" {
		return message
	}
	end := len(t.Assistant)
	for i := len(t.Tools) - 1; i >= 0; i-- {
		at := min(max(t.Tools[i].After, 0), end)
		if message := strings.TrimSpace(t.Assistant[at:end]); message != "" {
			return message
		}
		end = at
	}
	return strings.TrimSpace(t.Assistant[:end])
}
