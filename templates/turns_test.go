package templates

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// longSession has n turns, one of them too long for a part.
func longSession(n int) Session {
	v := rotationView()
	v.Turns = nil
	for i := range n {
		t := Turn{Number: i + 1, At: at(1+i/50, 8, i%50), Prompt: Text(fmt.Sprintf("prompt %d", i+1)), Answer: Text(strings.Repeat("An answer with $x$ in it.\n", 20+i%30))}
		if i == 7 {
			t.Answer = Text(strings.Repeat("$=<b>\n", 50_000))
		}
		v.Turns = append(v.Turns, t)
	}
	return v
}

func TestPartsStayBelowTheLimitAndHoldAllTurns(t *testing.T) {
	const limit = 64 << 10
	s, v := embeddedSet(t), longSession(300)
	parts := SplitTurns(v, limit)
	n := 0
	for i, turns := range parts {
		v.Part, v.Parts, v.Turns = i+1, len(parts), turns
		page := expect.Value(s.Page(v))(t)
		if len(page) > limit {
			t.Errorf("part %d has %d bytes", i+1, len(page))
		}
		for _, turn := range turns {
			if n++; turn.Number != n {
				t.Fatalf("turn %d where %d should be", turn.Number, n)
			}
		}
	}
	if n != 300 || len(parts) < 3 {
		t.Errorf("%d turns in %d parts", n, len(parts))
	}
}

func TestAppendedTurnsChangeNoEarlierPart(t *testing.T) {
	const limit = 64 << 10
	before := SplitTurns(longSession(1), limit)
	for n := 2; n < 120; n++ {
		after := SplitTurns(longSession(n), limit)
		last := len(before) - 1
		if len(after) < len(before) || !reflect.DeepEqual(before[:last], after[:last]) {
			t.Fatalf("turn %d moved turns of an earlier part", n)
		}
		if kept := before[last]; len(kept) > 0 && !reflect.DeepEqual(kept, after[last][:len(kept)]) {
			t.Fatalf("turn %d changed the part it follows", n)
		}
		before = after
	}
}

func TestSessionWithoutTurnsIsOnePart(t *testing.T) {
	if parts := SplitTurns(Session{}, 1000); len(parts) != 1 || len(parts[0]) != 0 {
		t.Errorf("got %v", parts)
	}
}

// A prompt far too long for a note is cut before anything is made of it, and says
// how much is missing; so does the answer of a digest beside it.
func TestProdigiousPromptIsCutFirst(t *testing.T) {
	const limit = 64 << 10
	v := rotationView()
	v.Turns = []Turn{{Number: 1, At: at(1, 8, 0), Digest: true, Prompt: Text(strings.Repeat("do this **now** ", 1<<20)), Answer: Text(strings.Repeat("said so ", 1<<18))}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	parts := SplitTurns(v, limit)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("a prompt of 16 MB took %d bytes to be cut", took)
	}
	v.Part, v.Parts, v.Turns = 2, len(parts), parts[len(parts)-1]
	page := expect.Value(embeddedSet(t).Page(v))(t)
	if len(page) > limit {
		t.Errorf("the note has %d bytes", len(page))
	}
	shown := 0
	for _, m := range regexp.MustCompile(`\(([\d,]+) characters more\)`).FindAllStringSubmatch(page, -1) {
		n := expect.Value(strconv.Atoi(strings.ReplaceAll(m[1], ",", "")))(t)
		shown += n
	}
	if shown < 18<<20-limit || shown > 18<<20 {
		t.Errorf("the note says that %d characters are missing", shown)
	}
}
