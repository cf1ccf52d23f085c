package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// damaged is a small vault, to be harmed and repaired.
type damaged struct {
	*testing.T
	dir  string // the vault
	home string // what it is woven from
}

// weaveSmall makes a vault of three sessions of the sample, on three days.
func weaveSmall(t *testing.T) *damaged {
	t.Helper()
	d := &damaged{t, filepath.Join(t.TempDir(), "vault"), filepath.Join(t.TempDir(), "copilot")}
	sample := expect.Value(testdata.CopilotHome())(t)
	for _, id := range []string{"8612c3a0", "f7cdb2e6", "7a241af3"} {
		found, err := fs.Glob(sample, "session-state/"+id+"*")
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		part, err := fs.Sub(sample, found[0])
		if err == nil {
			err = os.CopyFS(filepath.Join(d.home, filepath.FromSlash(found[0])), part)
		}
		expect.OK(t, err)
	}
	createFixedVault(t, d.dir)
	d.sync()
	return d
}

func (d *damaged) flags(args ...string) []string {
	return append(args, "--vault", d.dir, "--state", d.dir+".state", "--no-defaults", "--copilot-home", d.home)
}

func (d *damaged) sync() {
	d.Helper()
	succeeds(d, "", d.flags("sync")...)
}

const (
	hurtDay     = "journal/2026-11-05.md"
	hurtSession = "projects/widget (octo-org)/sessions/2026-11-05 1002 Rate limit per client.md"
	hurtCanvas  = "projects/widget (octo-org)/widget (octo-org).canvas"
)

func (d *damaged) at(p string) string { return filepath.Join(d.dir, "Agents", filepath.FromSlash(p)) }

func (d *damaged) read(p string) string {
	d.Helper()
	text, err := os.ReadFile(d.at(p))
	if err != nil {
		d.Fatal(err)
	}
	return string(text)
}

func (d *damaged) write(p, text string) {
	d.Helper()
	if err := os.WriteFile(d.at(p), []byte(text), 0o600); err != nil {
		d.Fatal(err)
	}
}

func (d *damaged) edit(p, old, now string) {
	d.Helper()
	text := d.read(p)
	if !strings.Contains(text, old) {
		d.Fatalf("%s does not hold %q", p, old)
	}
	d.write(p, strings.Replace(text, old, now, 1))
}

// forge changes the text of a region and returns it the hash that says it is ours.
func (d *damaged) forge(p, region, old, now string) {
	d.Helper()
	parts := regexp.MustCompile(`(?s)(%% sessionloom ` + region + ` %%\n)(.*?)(%% /sessionloom ` + region + ` )(\w+)( %%)`)
	s := d.read(p)
	m := parts.FindStringSubmatch(s)
	if m == nil || !strings.Contains(m[2], old) {
		d.Fatalf("%s has no such region, or %q is not in it", p, old)
	}
	text := strings.Replace(m[2], old, now, 1)
	sum := sha256.Sum256([]byte(text))
	d.write(p, strings.Replace(s, m[0], m[1]+text+m[3]+hex.EncodeToString(sum[:8])+m[5], 1))
}

// repair runs check --repair and returns its report.
func (d *damaged) repair(flags ...string) (r extract.RepairReport, code int) {
	d.Helper()
	stdout, stderr, code := runProgram(d, "", d.flags(append([]string{"check", "--repair", "--json"}, flags...)...)...)
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		d.Fatalf("repair printed no report (%v), exit code %d: %s%s", err, code, stdout, stderr)
	}
	if want := len(r.Left) > 0; want != (code == exitFound) || code != exitDone && code != exitFound {
		d.Errorf("%d left, exit code %d: %s", len(r.Left), code, stderr)
	}
	return r, code
}

// knownToken is a secret that every set of rules knows; no scanner of a git host finds
// it in here.
func knownToken() string { return "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36] }

// damages are the classes of damage: what check must call each.
var damages = map[string]struct {
	harm func(d *damaged)
	want []string // kind and note
	also string   // a kind that others have for it
	left bool     // a human must see to it; else a repair brings back what was there
}{
	"an end marker is gone":      {harm: func(d *damaged) { d.edit(hurtDay, "%% /sessionloom body", "") }, want: []string{"markers " + hurtDay}},
	"a byte of a marker flipped": {harm: func(d *damaged) { d.edit(hurtDay, "%% sessionloom body", "%% sessionloom bOdy") }, want: []string{"markers " + hurtDay}},
	"a marker was forged": {harm: func(d *damaged) {
		d.edit(hurtDay, "- 10:02", "%% /sessionloom body 0123456789abcdef %%\n- 10:02")
	}, want: []string{"markers " + hurtDay}},
	"two regions changed their names": {harm: func(d *damaged) { d.edit(hurtDay, "/sessionloom body", "/sessionloom nav") }, want: []string{"markers " + hurtDay}},
	"the id is gone":                  {harm: func(d *damaged) { d.edit(hurtDay, "id: \"day:2026-11-05\"\n", "") }, want: []string{"id " + hurtDay}},
	"a byte of the id flipped":        {harm: func(d *damaged) { d.edit(hurtSession, "id: \"session:f7cdb2e6", "id: \"session:f7cdb2e7") }, want: []string{"id " + hurtSession}},
	"cut in the id":                   {harm: func(d *damaged) { d.write(hurtDay, "---\nid: \"day:20") }, want: []string{"damaged " + hurtDay}},
	"a note was copied": {harm: func(d *damaged) { d.write("journal/copy.md", d.read(hurtDay)) },
		want: []string{"duplicate-id " + hurtDay, "duplicate-id journal/copy.md"}, left: true},
	"unreadable properties":   {harm: func(d *damaged) { d.edit(hurtDay, "type: \"day\"", "type: \"day") }, want: []string{"frontmatter " + hurtDay}},
	"a note was cut":          {harm: func(d *damaged) { d.write(hurtSession, d.read(hurtSession)[:900]) }, want: []string{"markers " + hurtSession}},
	"a note is empty":         {harm: func(d *damaged) { d.write(hurtDay, "") }, want: []string{"damaged " + hurtDay}},
	"the tail is zeros":       {harm: func(d *damaged) { s := d.read(hurtDay); d.write(hurtDay, s[:800]+strings.Repeat("\x00", len(s)-800)) }, want: []string{"damaged " + hurtDay, "markers " + hurtDay}},
	"bytes in a line are bad": {harm: func(d *damaged) { d.edit(hurtDay, "10:02", "10:\xff02\x00") }, want: []string{"damaged " + hurtDay}},
	"a command of Templater":  {harm: func(d *damaged) { d.forge(hurtDay, "body", "10:02", "<% tp.x %>") }, want: []string{"live-content " + hurtDay}},
	"a remote picture":        {harm: func(d *damaged) { d.forge(hurtDay, "body", "10:02", "![x](https://e.example/x.png)") }, want: []string{"live-content " + hurtDay}},
	"a query":                 {harm: func(d *damaged) { d.forge(hurtDay, "body", "10:02", "\n```dataviewjs\nx\n```\n") }, want: []string{"live-content " + hurtDay}},
	"HTML":                    {harm: func(d *damaged) { d.forge(hurtDay, "body", "10:02", "<iframe src=x></iframe>") }, want: []string{"live-content " + hurtDay}},
	"a hidden character":      {harm: func(d *damaged) { d.forge(hurtDay, "nav", "Up:", "Up\u202e:") }, want: []string{"live-content " + hurtDay}},
	"a secret":                {harm: func(d *damaged) { d.forge(hurtDay, "body", "10:02", knownToken()) }, want: []string{"secret " + hurtDay}},
	"a secret in an edit":     {harm: func(d *damaged) { d.edit(hurtDay, "10:02", knownToken()) }, want: []string{"secret " + hurtDay}, left: true},
	"a link leads nowhere":    {harm: func(d *damaged) { d.forge(hurtDay, "nav", "2026-W45|", "2026-W99|") }, want: []string{"broken-link " + hurtDay}},
	"a link back is missing": {harm: func(d *damaged) {
		d.forge(hurtDay, "nav", "← [[Agents/journal/2026-11-04|Wed 4 Nov 2026]] · ", "")
	}, want: []string{"missing-backlink " + hurtDay}},
	"a name no link can hold": {harm: func(d *damaged) { d.move(hurtDay, "journal/a #1.md") }, want: []string{"name journal/a #1.md"}, also: "broken-link", left: true},
	"names that are one on other systems": {harm: func(d *damaged) { d.move(hurtDay, "journal/2026-w45.md") },
		want: []string{"name journal/2026-W45.md", "name journal/2026-w45.md"}, also: "broken-link", left: true},
	"a run was killed": {harm: func(d *damaged) { d.write("journal/.tmp-01234567-0123456789abcdef-0123456789abcdef", "") },
		want: []string{"leftover journal/.tmp-01234567-0123456789abcdef-0123456789abcdef"}},
	"a stranger among our records": {harm: func(d *damaged) { d.write(".sessionloom/vault (copy).yaml", "x") }, want: []string{"unexpected .sessionloom/vault (copy).yaml"}, left: true},
	"settings nobody understands": {harm: func(d *damaged) {
		d.write(".sessionloom/vault.yaml", strings.Replace(d.read(".sessionloom/vault.yaml"), "settings: {}", "settings:\n  transcript: x", 1))
	}, want: []string{"settings .sessionloom/vault.yaml"}, left: true},
	"a base is no base": {harm: func(d *damaged) { d.edit("Sessions.base", "views:", "views: [") }, want: []string{"file Sessions.base"}},
	"a canvas is cut":   {harm: func(d *damaged) { d.write(hurtCanvas, d.read(hurtCanvas)[:300]) }, want: []string{"file " + hurtCanvas}},
}

func (d *damaged) move(from, to string) {
	d.Helper()
	if err := os.Rename(d.at(from), d.at(to)); err != nil {
		d.Fatal(err)
	}
}

// kindsOf are kinds and notes of findings, each once.
func kindsOf(found []extract.Finding) []string {
	var out []string
	for _, f := range found {
		if s := f.Kind + " " + strings.TrimPrefix(f.Note, "Agents/"); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// TestCheckNamesEachDamage: each class of damage has its name; check and a dry
// repair write nothing; a repair brings back what was there, byte for byte, or
// leaves all as it is.
func TestCheckNamesEachDamage(t *testing.T) {
	t.Parallel()
	groups := map[string][]string{}
	for name := range damages {
		group := name[len(name)-1:] // three or four vaults are woven, not thirty
		groups[string('a'+(group[0]-'a')%4)] = append(groups[string('a'+(group[0]-'a')%4)], name)
	}
	for group, names := range groups {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			d := weaveSmall(t)
			slices.Sort(names)
			for i, name := range names {
				t.Run(name, func(t *testing.T) { (&damaged{t, d.dir, d.home}).goesThrough(name, i%2) })
			}
		})
	}
}

// goesThrough looks at a damage with --full or without, and repairs it dryly before or not: by turns,
// unless all is asked for.
func (d *damaged) goesThrough(name string, turn int) {
	c := damages[name]
	sound := walk(d, d.dir)
	c.harm(d)
	hurt := walk(d, d.dir)
	slices.Sort(c.want)
	for i, flags := range [][]string{nil, {"--full"}} {
		if i != turn && !*everything {
			continue
		}
		found := slices.DeleteFunc(checked(d, "", d.dir, flags...), func(f extract.Finding) bool { return f.Kind == c.also })
		if got := kindsOf(found); !slices.Equal(got, c.want) {
			d.Errorf("%s found %q, want %q: %+v", flags, got, c.want, found)
		}
		for _, f := range found {
			if strings.Contains(f.Words, knownToken()[4:]) {
				d.Errorf("the secret is told: %q", f.Words)
			}
		}
	}
	if name == "settings nobody understands" { // no run gets further than that
		d.write(".sessionloom/vault.yaml", sound["Agents/.sessionloom/vault.yaml"].text)
		return
	}
	if turn == 0 || *everything {
		d.repair("--dry-run")
	}
	if diff := differences(hurt, walk(d, d.dir), true); diff != "" {
		d.Fatalf("what only looks has written:\n%s", diff)
	}
	r, _ := d.repair()
	now := walk(d, d.dir)
	for p := range now { // what was put aside is for its user to look at
		if strings.HasPrefix(p, "Agents/.sessionloom/rescued/") && hurt[p].text == "" {
			delete(now, p)
		}
	}
	if c.left {
		if len(r.Left) == 0 {
			d.Errorf("nothing is left: %+v", r.Repaired)
		}
		for p, was := range hurt {
			if c.also == "" && strings.Contains(c.want[0], strings.TrimPrefix(p, "Agents/")) && was.text != now[p].text {
				d.Errorf("%s was to be left", p)
			}
		}
	} else if diff := differences(sound, now, false); diff != "" {
		d.Errorf("repaired (%+v) to another vault:\n%s", r.Repaired, diff)
	}
	if c.left || d.Failed() {
		d.restore(sound)
	} else if err := os.RemoveAll(d.at(".sessionloom/rescued")); err != nil {
		d.Fatal(err)
	}
}

// restore brings the vault back to what it was, and the ledger with it.
func (d *damaged) restore(sound contents) {
	d.Helper()
	for p := range walk(d, d.dir) {
		if _, was := sound[p]; !was {
			_ = os.Remove(filepath.Join(d.dir, filepath.FromSlash(p)))
		}
	}
	for p, was := range sound {
		if strings.HasPrefix(was.text, "sha256 ") {
			continue
		}
		if err := os.WriteFile(filepath.Join(d.dir, filepath.FromSlash(p)), []byte(was.text), 0o600); err != nil {
			d.Fatal(err)
		}
	}
	d.sync()
	if found := checked(d, "", d.dir); len(found) > 0 {
		d.Fatalf("not sound again: %+v", found)
	}
}
