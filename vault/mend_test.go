package vault

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rememberedOf is what the ledger remembers of a draft that was written.
func rememberedOf(d Draft) Known {
	body, nav := d.bases()
	return Known{ID: d.ID, Props: d.Props, Body: body, Nav: nav}
}

const myWords = "\nMine: keep this, and 100 % of it.\n"

// TestMend: what is ours comes back, what its human wrote stays where it was.
func TestMend(t *testing.T) {
	d := firstDraft()
	d.Body = text(*d.Body + "\none – two three\n")
	whole := string(Render(d))
	dashed := whole + myWords
	edited := strings.Replace(whole, "title: \"One\"", "title: \"Mine\"", 1) + myWords
	begin := "%% sessionloom:begin body"
	line := func(s, start string) string {
		at := strings.Index(s, start)
		return s[at : at+strings.IndexByte(s[at:], '\n')+1]
	}
	body := line(whole, begin)
	region := edited[strings.Index(edited, begin) : strings.Index(edited, "%% sessionloom:end body")+len("%% sessionloom:end body %%\n")]
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
		"cut in the body":                  {edited[:strings.Index(edited, "a box")+3], whole},
		"cut in the properties":            {whole[:40], whole},
		"nothing is left":                  {"", whole},
		"only zeros are left":              {strings.Repeat("\x00", len(whole)), whole},
		"zeros to the end":                 {whole[:200] + strings.Repeat("\x00", len(whole)-200), whole},
		"edited text, its end gone":        {strings.NewReplacer("a box", "my box", "%% sessionloom:end body %%\n", "").Replace(edited), ""},
		"properties nobody can read":       {strings.Replace(edited, "title: \"Mine\"", "title: \"Mine", 1), ""},
		"zeros where its human wrote":      {strings.Replace(edited, "a box", "m\x00box", 1), ""},
		"zeros in text of its human":       {strings.Replace(edited, "keep", "k\x00\x00p", 1), ""},
		"a marker under its human's words": {strings.Replace(edited, "%% sessionloom:end body %%", "%% sessionloom:end body %% 後で確認する", 1), ""},
		"zeros beside its human's dash":    {strings.Replace(dashed, "one – two three", "one — two t\x00ree", 1), ""},
		"zeros beside a dash of ours":      {strings.Replace(dashed, "one – two three", "one – two t\x00ree", 1), dashed},
		"a conflict":                       {strings.Replace(edited, "# One", "<<<<<<< a\n# One\n=======\n# Two\n>>>>>>> b", 1), ""},
		"edited text, its begin broken":    {strings.NewReplacer("a box", "my box", "begin body v=1 sha256=", "begin body v=1 sha=").Replace(edited), strings.Replace(edited, "a box", "my box", 1)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "cut in the body") {
				tt.want = strings.Replace(whole, "title: \"One\"", "title: \"Mine\"", 1)
			}
			for _, eol := range []string{"\n", "\r\n"} {
				harmed, want := strings.ReplaceAll(tt.harmed, "\n", eol), strings.ReplaceAll(tt.want, "\n", eol)
				got, m := rememberedOf(d).mend([]byte(harmed))
				switch {
				case tt.want == "" && (m.Left == "" || string(got) != harmed):
					t.Errorf("it was to be left, and %q was done:\n%s", m.Done, got)
				case tt.want != "" && toText(got) != toText([]byte(want)):
					t.Errorf("%+v\n%q, want\n%q", m, got, want)
				}
			}
		})
	}
}

// TestMendDoesNotGuess: a line that may be what is left of one line of ours or of
// another is not put back.
func TestMendDoesNotGuess(t *testing.T) {
	d := firstDraft()
	d.Body = text("# One\n\n- [ ] a box\n- [ ] b box\n")
	whole := string(Render(d)) + myWords
	for harmed, sure := range map[string]bool{"- [ ] \x00 box": false, "- [ ] \x00\x00\x00\x00\x00": false, "- [ ] a \x00ox": true} {
		raw := strings.Replace(whole, "- [ ] a box", harmed, 1)
		got, m := rememberedOf(d).mend([]byte(raw))
		if want := map[bool]string{true: whole, false: raw}[sure]; string(got) != want || (m.Left == "") != sure {
			t.Errorf("%q: %+v\n%q, want\n%q", harmed, m, got, want)
		}
	}
}

func toText(b []byte) string { return string(toLF(b)) }

// TestMendLosesNothing damages edited notes at random: whatever comes of it, each
// line of their human that was not hit is still there, and what was mended once
// stays as it is.
func TestMendLosesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	d := firstDraft()
	words := []string{"Mine: one.", "Mine: two ünd mehr.", "- [ ] Mine: three", "Mine: %% four %%"}
	mended := 0
	rounds := 1200
	if testing.Short() {
		rounds = 100
	}
	for range rounds {
		lines := strings.SplitAfter(string(Render(d)), "\n")
		for _, w := range words { // below the frontmatter, in regions and out of them
			at := len(lines) - rnd.IntN(12)
			lines = append(lines[:at:at], append([]string{w + "\n"}, lines[at:]...)...)
		}
		raw := []byte(strings.Join(lines, ""))
		harmed := harm(rnd, raw)
		got, m := rememberedOf(d).mend(harmed)
		if m.Done == "" && !bytes.Equal(got, harmed) {
			t.Fatalf("left, and changed:\n%q\n%q", harmed, got)
		}
		if m.Done != "" {
			mended++
		}
		for _, w := range words {
			if strings.Count(string(got), w+"\n") < strings.Count(string(harmed), w+"\n") {
				t.Fatalf("%q is gone (%s):\n%s\nwas\n%s", w, m.Done, got, harmed)
			}
		}
		if again, m := rememberedOf(d).mend(got); m.Done != "" && takeApart(got).broken == "" {
			t.Fatalf("mended twice (%s):\n%s\n%s", m.Done, got, again)
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
			if looksLikeMarker([]byte(line)) && rnd.IntN(4) == 0 {
				all[i] = ""
				break
			}
		}
		return []byte(strings.Join(all, ""))
	default: // one is spoilt
		return bytes.Replace(out, []byte(markerWord+[]string{"end", "begin", "props"}[rnd.IntN(3)]), []byte(markerWord+"x"), 1)
	}
	return out
}

// TestMendTakesNoSaveForDamage: only what stands in a file that nobody saved since
// it was last seen is damage. The rest may be anybody's.
func TestMendTakesNoSaveForDamage(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	seen := mustPut(t, v, d).Note
	at := filepath.Join(dir, filepath.FromSlash(d.Path))
	mine := strings.Replace(readFile(t, at), "a box", "my x", 1)
	writeFile(t, at, mine)
	k := rememberedOf(d)
	k.Hash, k.Stamp = seen.Hash, seen.Stamp
	if m, err := v.Mend(t.Context(), d.Path, k); err != nil || m.Done != "" || readFile(t, at) != mine {
		t.Errorf("%+v, %v:\n%s", m, err, readFile(t, at))
	}
	info, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	k.Stamp = stampOf(info) // as if the disk had changed it
	if m, err := v.Mend(t.Context(), d.Path, k); err != nil || m.Done == "" || readFile(t, at) != string(Render(d)) {
		t.Errorf("%+v, %v:\n%s", m, err, readFile(t, at))
	}
}

func TestMendGivesWayToAHuman(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	mustPut(t, v, d)
	at := filepath.Join(dir, filepath.FromSlash(d.Path))
	harmed := strings.Replace(readFile(t, at), "%% sessionloom:end body %%\n", "", 1)
	writeFile(t, at, harmed)
	saves := 0
	v.testOnlyStep = func(s step) {
		if s == stepSwap {
			saves++
			writeFile(t, at, harmed+strings.Repeat("mine\n", saves))
		}
	}
	m, err := v.Mend(t.Context(), d.Path, rememberedOf(d))
	if err != nil || m.Done != "" || !strings.HasSuffix(readFile(t, at), strings.Repeat("mine\n", saves)) {
		t.Errorf("%+v, %v, after %d saves:\n%s", m, err, saves, readFile(t, at))
	}
}
