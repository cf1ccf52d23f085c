package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	damageRuns = flag.Int("damage.runs", 8, "random damages that are repaired")
	damageSeed = flag.Uint64("damage.seed", 1, "where they begin")
)

// TestRepairLosesNoWord harms notes that a human wrote in, at random, and repairs
// them: whatever line of the human's was left by the damage is there afterwards,
// zeros and lost markers are named, and a further pass and repair change nothing.
func TestRepairLosesNoWord(t *testing.T) {
	t.Parallel()
	d := weaveSmall(t)
	words := d.inhabit()
	d.sync()
	sound := walk(t, d.dir)
	for run := range *damageRuns {
		seed := *damageSeed + uint64(run)
		rnd := rand.New(rand.NewPCG(seed, 0))
		p, how := d.harm(rnd, sound)
		what := fmt.Sprintf("-damage.seed %d: %s in %s", seed, how, p)
		left := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !holds(walk(t, d.dir), w) })
		found := checked(t, "", d.dir)
		if named := len(found) > 0; !named && (how == "zeros" || how == "a marker is lost") {
			t.Errorf("%s: nothing is found", what)
		}
		d.repair()
		d.sync() // heals what nobody could call damaged
		now := walk(t, d.dir)
		for _, w := range left {
			if !holds(now, w) {
				t.Fatalf("%s: %q is gone:\n%s", what, w, differences(sound, now, false))
			}
		}
		if d.sync(); differences(now, walk(t, d.dir), true) != "" {
			t.Errorf("%s: a further pass writes:\n%s", what, differences(now, walk(t, d.dir), true))
		}
		d.repair()
		if diff := differences(now, walk(t, d.dir), true); diff != "" {
			t.Errorf("%s: a further repair writes:\n%s", what, diff)
		}
		d.bringBack(sound)
	}
}

// inhabit writes lines of a human into notes, in regions and out of them, and
// gives these lines.
func (d *damaged) inhabit() (words []string) {
	say := func(where string) string {
		words = append(words, fmt.Sprintf("Mine %d: written %s.", len(words), where))
		return words[len(words)-1] + "\n"
	}
	for p := range walk(d, d.dir) {
		p = strings.TrimPrefix(p, "Agents/")
		if !strings.HasSuffix(p, ".md") || len(p)%2 == 0 {
			continue
		}
		d.edit(p, "%% /sessionloom body ", say("at the end of the body")+"%% /sessionloom body ")
		d.edit(p, "%% sessionloom facts", say("below the regions")+"\n%% sessionloom facts")
		d.write(p, d.read(p)+"\n"+say("at the end"))
	}
	d.write("journal/own.md", say("in a note of their own"))
	return words
}

func holds(notes contents, words string) bool {
	for _, f := range notes {
		if strings.Contains(f.text, words) {
			return true
		}
	}
	return false
}

// harm does one thing to one note.
func (d *damaged) harm(rnd *rand.Rand, notes contents) (p, how string) {
	paths := slices.Sorted(maps.Keys(notes))
	paths = slices.DeleteFunc(paths, func(p string) bool { return !strings.HasSuffix(p, ".md") || strings.HasSuffix(p, "own.md") })
	p = strings.TrimPrefix(paths[rnd.IntN(len(paths))], "Agents/")
	text := d.read(p)
	lines := strings.SplitAfter(text, "\n")
	line := rnd.IntN(len(lines))
	at := rnd.IntN(len(text))
	switch rnd.IntN(6) {
	case 0:
		how, text = "it was cut", text[:at]
	case 1:
		how, text = "zeros", text[:at]+strings.Repeat("\x00", min(16, len(text)-at))+text[min(at+16, len(text)):]
	case 2:
		how, text = "a byte flipped", text[:at]+string(text[at]^1)+text[at+1:]
	case 3:
		how, text = "a line is lost", strings.Join(slices.Delete(lines, line, line+1), "")
	case 4:
		how = "a marker is lost"
		text = strings.Replace(text, "%% sessionloom:"+[]string{"end body %%", "begin body", "begin nav", "end nav %%"}[rnd.IntN(4)], "%% sess:x %%", 1)
	default:
		how, text = "its end stands there twice", text+strings.Join(lines[line:], "")
	}
	if how == "a marker is lost" && text == d.read(p) {
		how = "nothing"
	}
	d.write(p, text)
	return p, how
}

// bringBack makes the vault what it was, its human's lines too.
func (d *damaged) bringBack(sound contents) {
	d.Helper()
	for p := range walk(d, d.dir) {
		if _, was := sound[p]; !was {
			_ = os.Remove(filepath.Join(d.dir, filepath.FromSlash(p)))
		}
	}
	for p, was := range sound {
		if err := os.WriteFile(filepath.Join(d.dir, filepath.FromSlash(p)), []byte(was.text), 0o600); err != nil {
			d.Fatal(err)
		}
	}
	d.sync()
}
