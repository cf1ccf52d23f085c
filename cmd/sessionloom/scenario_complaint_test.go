package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Each of these is a complaint that users of comparable tools make. Its archive in
// testdata/scenarios shows the notes concerned before the pass, as their user left
// them, and after it.

// complaint is a vault whose text before and after a run is printed.
type complaint struct {
	*scenario
	says   string // in the words of a user
	before contents
}

func newComplaint(t *testing.T, says string) *complaint {
	t.Helper()
	t.Parallel()
	return &complaint{scenario: newStage(t), says: says}
}

// asItWas runs a pass that is not told of.
func (c *complaint) asItWas() {
	c.t.Helper()
	c.later(time.Minute)
	c.passes(c.vault)
	c.before = walk(c.t, c.vault)
}

// now is the moment before the pass: what the user did counts to it.
func (c *complaint) now() { c.before = walk(c.t, c.vault) }

// sees runs the pass and holds what came of it against the golden archive. A
// second one must change nothing, with or without the ledger.
func (c *complaint) sees() contents {
	c.t.Helper()
	c.later(time.Minute)
	r := c.passes(c.vault)
	after := walk(c.t, c.vault)
	c.staysTheSame("after it", c.vault, exitDone, after)
	c.survivesItsLedger("after it", exitDone, after)
	golden := txtar.Archive{Comment: []byte(c.says + "\n")}
	var report strings.Builder
	for _, k := range r.Kept {
		fmt.Fprintf(&report, "kept %s: %s\n", k.Note, k.Reason)
	}
	for _, change := range r.Changed {
		fmt.Fprintf(&report, "%s %s\n", change.Outcome, change.Note)
	}
	for _, when := range []struct {
		name       string
		here, that contents
	}{{"before/", c.before, after}, {"after/", after, c.before}} {
		for _, path := range slices.Sorted(maps.Keys(when.here)) {
			if when.that[path].text != when.here[path].text || !hasPath(when.that, path) {
				golden.Files = append(golden.Files, txtar.File{Name: when.name + path, Data: []byte(when.here[path].text)})
			}
		}
	}
	golden.Files = append(golden.Files, txtar.File{Name: "after/report", Data: []byte(report.String())})
	name := "complaint-" + regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(strings.TrimPrefix(c.t.Name(), "TestComplaint"), "$1-$2")
	compareGolden(c.t, "scenarios/"+strings.ToLower(name), golden)
	return after
}

func hasPath(c contents, path string) bool { _, ok := c[path]; return ok }

// keepsLines expects every line that the user has in a note in that note.
func (c *complaint) keepsLines(after contents, at string, lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+after[at].text, "\n"+line+"\n") {
			c.t.Errorf("%s lost the line %q", at, line)
		}
	}
}

func TestComplaintEditsOverwritten(t *testing.T) {
	c := newComplaint(t, "My edits were overwritten.")
	a := c.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.").notes("Tag it", "pending")
	c.asItWas()
	at := c.note(alpha)
	c.userEdits(alpha, "# Write a parser\n", "# Write a parser\n\nI doubt that recursion was wise here.\n")
	c.userEdits(alpha, "%% sessionloom facts", "## Afterwards\n\nSee [[Parsers]].\n\n%% sessionloom facts")
	c.userEdits(alpha, "branch: ", "rating: 4 # of 5\nbranch: ")
	c.userEdits(alpha, "  - \"agents/session\"\n", "  - \"agents/session\"\n  - reread\n")
	c.now()
	a.asks("Now commit it").commits("1a2b3c4", "parse: config").says("Committed.")
	c.keepsLines(c.sees(), at, "I doubt that recursion was wise here.", "## Afterwards", "See [[Parsers]].", "rating: 4 # of 5", "  - reread")
}

func TestComplaintDuplicatesAfterRename(t *testing.T) {
	c := newComplaint(t, "After I renamed a note, or the session got another title, I had it twice.")
	a := c.begins(alpha, widget).asks("Write a parser").says("Written.")
	b := c.begins(beta, widget).asks("Test it").says("Tested.")
	c.asItWas()
	c.userMoves(alpha, "Agents/projects/widget (octo-org)/sessions/The parser.md")
	c.check(os.Rename(filepath.Join(c.vault, "Agents", "projects", "widget (octo-org)"), filepath.Join(c.vault, "Agents", "projects", "My widget")))
	c.now()
	a.asks("Go on").says("Gone on.")
	a.isCalled("Parser of the config", true)
	b.isCalled("Tests of the parser", true)
	after := c.sees()
	bearers := map[string][]string{}
	for at, f := range after {
		if id := noteID(f.text); id != "" {
			bearers[id] = append(bearers[id], at)
		}
	}
	for id, paths := range bearers {
		if len(paths) > 1 {
			t.Errorf("%s stands in %q", id, paths)
		}
	}
	expect.Is(t, c.note(alpha), "Agents/projects/My widget/sessions/The parser.md", "the note that was renamed is at")
	c.shows("home", "[[Agents/projects/My widget/sessions/The parser|Parser of the config]]", "|Tests of the parser]]")
}

func TestComplaintNoisyDiffs(t *testing.T) {
	c := newComplaint(t, "One new answer, and git showed me changes all over the vault.")
	for i := range 4 {
		c.begins(fmt.Sprintf("%08d-0000-4000-8000-000000000000", i), latency).asks(fmt.Sprintf("Question %d", i)).says("Answer.")
		c.later(24 * time.Hour)
	}
	a := c.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.")
	c.asItWas()
	c.userEdits(alpha, "agent: \"copilot-cli\"", "agent: copilot-cli") // as Obsidian writes it
	c.now()
	a.asks("Go on").says("Gone on.")
	after := c.sees()
	changed, lines := 0, 0
	for at, f := range after {
		if c.before[at].text == f.text {
			continue
		}
		changed++
		plus, minus := lines2(t, c.before[at].text, f.text)
		lines += plus + minus
		if strings.Contains(at, "latency") || strings.Contains(at, "2026-03-02") || plus+minus > 40 {
			t.Errorf("%s changes by %d lines", at, plus+minus)
		}
	}
	if changed > 5 || lines > 70 {
		t.Errorf("one answer changes %d lines of %d files", lines, changed)
	}
	c.shows(alpha, "agent: copilot-cli\n")
}

// lines2 counts the lines that a text gains and loses.
func lines2(t *testing.T, old, now string) (plus, minus int) {
	t.Helper()
	for line := range strings.Lines(hunks(t, old, now)) {
		switch line[0] {
		case '+':
			plus++
		case '-':
			minus++
		}
	}
	return plus, minus
}

func TestComplaintFileNameFailures(t *testing.T) {
	c := newComplaint(t, "It broke on a title with a colon, and on another system I could not check the vault out.")
	prompts := []string{
		`Fix: C:\temp\*.go? "now" <soon> | #1 [[link]] ^block`, "../../etc/passwd", ".hidden", "CON", "aux.txt", "nul", "trailing dots...   ",
		strings.Repeat("A very long question. ", 60), "Größe – naïve façade 日本語の質問 🚀", "", "same name", "Same Name", "SAME NAME", "%% /sessionloom body 0123456789abcdef %%", "tab\there\nand a line",
	}
	c.begins(alpha, widget).asks("Write a parser").says("Written.")
	c.asItWas()
	for i, prompt := range prompts {
		c.begins(fmt.Sprintf("cccccccc-%04d-4000-8000-000000000000", i), widget).asks(prompt).edits(fmt.Sprintf("pkg/a:b %d.go", i%2)).says("Done.")
	}
	after := c.sees()
	seen := map[string]string{}
	reserved := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)`)
	sessions := 0
	for at, f := range after {
		if strings.Contains(f.text, "type: \"session\"") {
			sessions++
		}
		expect.Is(t, seen[strings.ToLower(at)], "", at, "are one file where case does not count")
		seen[strings.ToLower(at)] = at
		for name := range strings.SplitSeq(at, "/") {
			ours := name != ".sessionloom"
			if ours && (strings.ContainsAny(name, "\\:*?\"<>|#^[]\x00\n\t") || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ") ||
				reserved.MatchString(name) || len(name) > 200 || !utf8.ValidString(name)) {
				t.Errorf("%q in %q is no name for every system", name, at)
			}
		}
		for _, m := range regexp.MustCompile(`\[\[(Agents/[^\]|\\]+)`).FindAllStringSubmatch(f.text, -1) {
			if target, _, _ := strings.Cut(m[1], "#"); !hasPath(after, target+".md") && !hasPath(after, target) {
				t.Errorf("%s links to %s, which is not there", at, m[1])
			}
		}
	}
	expect.Is(t, sessions, len(prompts)+1, "session notes")
}

func TestComplaintDeletionsSpread(t *testing.T) {
	c := newComplaint(t, "A deletion in one place took notes away elsewhere, and notes I deleted came back.")
	a := c.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.")
	b := c.begins(beta, widget).asks("Test it").edits("parse.go").says("Tested.")
	g := c.begins(gamma, latency).asks("Measure it").says("Measured.")
	c.asItWas()
	other := strings.NewReplacer(gamma, delta, "Measure it", "Measured elsewhere").Replace(c.noteText(gamma))
	c.foreign("Agents/projects/elsewhere/2026-03-02 0905 Measured elsewhere.md", other) // of another machine
	c.later(time.Minute)
	c.asItWas()
	at := c.note(alpha)
	c.userDeletes(alpha)
	c.now()
	b.isDeleted() // the agent's own history goes
	a.asks("Go on").says("Gone on.")
	g.asks("Again").says("Measured again.")
	after := c.sees()
	for path := range c.before {
		if !hasPath(after, path) && !strings.Contains(path, "/files/") {
			t.Errorf("%s went", path)
		}
	}
	if hasPath(after, at) {
		t.Error("the deleted note came back")
	}
	c.shows(beta, "Tested.")
	c.shows(delta, "Measured.")
	c.shows(gamma, "Measured again.")
}

func TestComplaintUpdatesNeverArrive(t *testing.T) {
	c := newComplaint(t, "Once I had changed a single line of a note, nothing new ever arrived in it.")
	a := c.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.").notes("Tag it", "pending")
	c.begins(beta, widget).asks("Test it").edits("parse.go").says("Tested.")
	c.asItWas()
	at := c.note(alpha)
	c.userEdits(alpha, "# Write a parser\n", "# Write a parser\n\nI doubt that recursion was wise here.\n")
	c.userEdits(alpha, `title: "Write a parser"`, `title: "My parser"`)
	c.now()
	a.asks("Now commit it").commits("1a2b3c4", "parse: config").says("Committed.")
	after := c.sees()
	c.keepsLines(after, at, "I doubt that recursion was wise here.", `title: "My parser"`, "turn_count: 2")
	c.shows(alpha, "Now commit it", "Committed.")
}
