package inspect

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/vault/note"
)

// repaired is what becomes of a text of a note of which all is known.
func repaired(c note.Content, raw []byte) Repaired {
	body, nav := c.Regions()
	return LastKnown{ID: c.ID, Props: c.Props, Body: body, Nav: nav}.Repair(raw, note.Stamp{})
}

// someContent is what a note says.
func someContent() note.Content {
	str := func(s string) *string { return &s }
	return note.Content{
		ID: "session:1",
		Props: []note.Property{
			{Key: "id", Value: "session:1"}, {Key: "title", Value: "One"}, {Key: "aliases", Value: []string{"One"}}, {Key: "tags", Value: []string{"agents/session"}},
			{Key: "updated", Value: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, {Key: "turn_count", Value: 1}, {Key: "files", Value: []string{"a.go"}}, {Key: "sources", Value: []string{"cli/events"}},
		},
		Body: str("# One\n\n- [ ] a box\n"),
		Nav:  str("← [[Agents/x|before]]"),
	}
}

const myWords = "\nMine: keep this, and 100 % of it.\n"

// TestMend: what is ours comes back, what its human wrote stays where it was.
func TestMend(t *testing.T) {
	c := someContent()
	*c.Body += "\none – two three\n"
	whole := string(note.Render(c))
	dashed := whole + myWords
	edited := strings.Replace(whole, "title: \"One\"", "title: \"Mine\"", 1) + myWords
	begin := "%% sessionloom:begin body"
	line := func(s, start string) string {
		at := strings.Index(s, start)
		return s[at : at+strings.IndexByte(s[at:], '\n')+1]
	}
	body := line(whole, begin)
	region := edited[strings.Index(edited, begin) : strings.Index(edited, "%% sessionloom:end body")+len("%% sessionloom:end body %%\n")]
	rescued := map[string]bool{ // whether what stood there is put aside
		"edited text, its end gone": false, "properties nobody can read": true, "zeros where its human wrote": true, "zeros in text of its human": true,
		"a marker under its human's words": true, "zeros beside its human's dash": true,
	}
	tests := map[string]struct {
		harmed string
		want   string // empty: it is left
	}{
		"an end marker is gone":            {strings.Replace(edited, "%% sessionloom:end body %%\n", "", 1), edited},
		"an end marker is damaged":         {strings.Replace(edited, "sessionloom:end body", "sessionloom:over body", 1), edited},
		"a byte of a marker flipped":       {strings.Replace(edited, "sessionloom:end nav", "sessionlooM:end nav", 1), edited},
		"a begin marker is gone":           {strings.Replace(edited, body, "", 1), edited},
		"a begin marker is damaged":        {strings.Replace(edited, "begin body v=1 sha256=", "begin body v=1 sha=", 1), edited},
		"the line of props is damaged":     {strings.Replace(edited, "sessionloom:props v=1", "sessionloom:props v=x", 1), edited},
		"a region is doubled":              {strings.Replace(edited, region, region+region, 1), edited},
		"the id is gone":                   {strings.Replace(edited, "id: \"session:1\"\n", "", 1), edited},
		"bytes of a line are NUL":          {strings.Replace(edited, "a box", "a\x00\x00ox", 1), edited},
		"cut in the body":                  {edited[:strings.Index(edited, "a box")+3], strings.TrimSuffix(edited, myWords)},
		"cut in the properties":            {whole[:40], whole},
		"nothing is left":                  {"", whole},
		"only zeros are left":              {strings.Repeat("\x00", len(whole)), whole},
		"zeros to the end":                 {whole[:200] + strings.Repeat("\x00", len(whole)-200), whole},
		"edited text, its end gone":        {strings.NewReplacer("a box", "my box", "%% sessionloom:end body %%\n", "").Replace(edited), strings.Replace(edited, "a box", "my box", 1)},
		"properties nobody can read":       {strings.Replace(edited, "title: \"Mine\"", "title: \"Mine", 1), dashed},
		"zeros where its human wrote":      {strings.Replace(edited, "a box", "m\x00box", 1), edited},
		"zeros in text of its human":       {strings.Replace(edited, "keep", "k\x00\x00p", 1), strings.Replace(edited, strings.TrimPrefix(myWords, "\n"), "", 1)},
		"a marker under its human's words": {strings.Replace(edited, "%% sessionloom:end body %%", "%% sessionloom:end body %% 後で確認する", 1), edited},
		"zeros beside its human's dash":    {strings.Replace(dashed, "one – two three", "one — two t\x00ree", 1), dashed},
		"zeros beside a dash of ours":      {strings.Replace(dashed, "one – two three", "one – two t\x00ree", 1), dashed},
		"a conflict":                       {strings.Replace(edited, "# One", "<<<<<<< a\n# One\n=======\n# Two\n>>>>>>> b", 1), ""},
		"edited text, its begin broken":    {strings.NewReplacer("a box", "my box", "begin body v=1 sha256=", "begin body v=1 sha=").Replace(edited), strings.Replace(edited, "a box", "my box", 1)},
		"words where a marker was":         {strings.Replace(edited, "%% sessionloom:end body %%", "Mine: too.", 1), strings.Replace(edited, "%% sessionloom:end body %%", "%% sessionloom:end body %%\nMine: too.", 1)},
		"a byte of the id flipped":         {strings.Replace(edited, "id: \"session:1\"\n", "id: \"session;1\"\n", 1), edited},
		"another id":                       {strings.Replace(edited, "id: \"session:1\"\n", "id: \"session:mine\"\n", 1), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				harmed, want := strings.ReplaceAll(tt.harmed, "\n", eol), strings.ReplaceAll(tt.want, "\n", eol)
				got := repaired(c, []byte(harmed))
				switch {
				case tt.want == "" && (got.Left == "" || string(got.Text) != harmed):
					t.Errorf("it was to be left, and %q was done:\n%s", got.Done, got.Text)
				case tt.want != "" && (toText(got.Text) != toText([]byte(want)) || got.Rescue != rescued[name]):
					t.Errorf("%q %q, put aside: %v\n%q, want\n%q", got.Done, got.Left, got.Rescue, got.Text, want)
				}
			}
		})
	}
}

func toText(b []byte) string { return string(note.ToLF(b)) }

// TestMendLosesNothing damages edited notes at random: whatever comes of it, each
// line of their human that was not hit is still there, and what was mended once
// stays as it is.
func TestMendLosesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	c := someContent()
	words := []string{"Mine: one.", "Mine: two ünd mehr.", "- [ ] Mine: three", "Mine: %% four %%"}
	mended := 0
	rounds := 1200
	if testing.Short() {
		rounds = 120
	}
	for range rounds {
		lines := strings.SplitAfter(string(note.Render(c)), "\n")
		for _, w := range words { // below the frontmatter, in regions and out of them
			at := len(lines) - rnd.IntN(12)
			lines = append(lines[:at:at], append([]string{w + "\n"}, lines[at:]...)...)
		}
		raw := []byte(strings.Join(lines, ""))
		harmed := harm(rnd, raw)
		r := repaired(c, harmed)
		got, done := r.Text, r.Done
		if done == "" && !bytes.Equal(got, harmed) {
			t.Fatalf("left, and changed:\n%q\n%q", harmed, got)
		}
		if done != "" && !r.Rescue {
			mended++
		}
		for _, w := range words {
			if !r.Rescue && strings.Count(string(got), w+"\n") < strings.Count(string(harmed), w+"\n") {
				t.Fatalf("%q is gone (%s):\n%s\nwas\n%s", w, done, got, harmed)
			}
		}
		if again := repaired(c, got); again.Done != "" && note.ParseDocument(got).Broken == "" {
			t.Fatalf("mended twice (%s):\n%s\n%s", again.Done, got, again.Text)
		}
	}
	if mended < rounds/4 {
		t.Errorf("only %d were mended", mended)
	}
}

// harm does to a text what disks, crashes and hands do to lines of ours.
func harm(rnd *rand.Rand, raw []byte) []byte {
	out := bytes.Clone(raw)
	at := rnd.IntN(len(out))
	switch rnd.IntN(5) {
	case 0:
		return out[:at]
	case 1:
		out[at] ^= 1 << rnd.IntN(8)
	case 2:
		for i := at; i < min(len(out), at+rnd.IntN(20)); i++ {
			out[i] = 0
		}
	case 3: // a marker line goes
		all := strings.SplitAfter(string(out), "\n")
		for i, line := range all {
			if note.LooksLikeMarker([]byte(line)) && rnd.IntN(4) == 0 {
				all[i] = ""
				break
			}
		}
		return []byte(strings.Join(all, ""))
	default: // one is spoilt
		return bytes.Replace(out, []byte(note.MarkerWord+[]string{"end", "begin", "props"}[rnd.IntN(3)]), []byte(note.MarkerWord+"x"), 1)
	}
	return out
}
