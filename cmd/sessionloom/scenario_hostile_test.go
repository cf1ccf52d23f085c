package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
	judge "github.com/sessionloom/sessionloom/vault/inert"
)

// A session of each agent in which every field is hostile: what comes of it does
// nothing, can be read, and is what check and an independent parser expect.
func TestHostile(t *testing.T) {
	const file = "a|`b`\\[[c]] <% d %> (e::f) #g $h$ \x1b[31m\u202ecod.exe"
	s := newScenario(t)
	line := testdata.HostileLine()
	a := s.begins(alpha, "/home/ada/lab/evil [[x]] <% y %> `= z` (k::v)")
	a.log("session.model_change", fields{"newModel": line})
	a.log("session.context_changed", fields{"cwd": a.cwd, "gitRoot": a.cwd, "repository": "octo-org/<%x%>[[y]]", "hostType": "github", "branch": line})
	a.asks(testdata.Hostile).edits(file).says(testdata.Hostile)
	a.call("mcp-"+line, fields{"x": line}, fields{"result": fields{"content": testdata.Hostile}})
	a.commits("abc1234", "fix (a::b) [[c]] <% d").notes(line, "pending", "[[x]] <% "+line, "blocked", "] (k::v) "+line, "done")
	a.plans(testdata.Hostile).saves("x [[y]].cpp", "std::vector<int> v;\n"+testdata.Hostile).saves("z.md", testdata.Hostile)
	a.compacts(strings.ReplaceAll(line, "/", " ")[:200], testdata.Hostile, line)
	a.asks(line).says("```cpp\nstd::cout << std::move(x);\n```").leaves()

	w := s.edition("Code").opens("/home/ada/lab/evil [[z]] <b> `y` (k::v)")
	w.chat(beta).asks(testdata.Hostile).edits(file).runs(testdata.Hostile, 1).says(testdata.Hostile).isCalled(line).remembers("x [[y]].md", testdata.Hostile)
	w.remembers("k (a::b).md", testdata.Hostile)
	w.indexes()
	s.sync("two sessions in which everything is hostile")
	if n := s.judged(t); n < 8 {
		t.Errorf("%d notes only", n)
	}
	s.silent(t)
}

// regionText finds the text of the regions of a note.
var regionText = regexp.MustCompile(`(?ms)^%% sessionloom (?:body|nav) %%\n(.*?)^%% /sessionloom [a-z]+ [0-9a-f]{16} %%$`)

// judged reads every note as others do and counts them.
func (s *scenario) judged(t *testing.T) (notes int) {
	t.Helper()
	for name, text := range wholeTexts(t, s.vault) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		notes++
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || strings.ContainsRune(`[]#^|:<>"\`, r) }) || strings.Contains(name, "%%") {
			t.Errorf("a note is called %q", name)
		}
		regions := regionText.FindAllStringSubmatch(text, -1)
		if len(regions) == 0 || strings.Count(text, "%% sessionloom ") < len(regions) {
			t.Errorf("%q: %d regions", name, len(regions))
		}
		_, facts, told := strings.Cut(text, "\n%% sessionloom facts\n")
		facts, _, _ = strings.Cut(facts, "\n%%\n")
		if !told {
			t.Errorf("%q has no comment for the program", name)
		}
		for _, m := range append(regions, []string{"", facts}) {
			for _, found := range judge.Find(m[1]) {
				t.Errorf("%q: line %d: %s: %q", name, found.Line, found.Kind, found.Text)
			}
		}
		s.sameProperties(t, name, text)
	}
	return notes
}

// sameProperties expects that the frontmatter means the same to the library and
// to YAML, and holds nothing that runs.
func (s *scenario) sameProperties(t *testing.T, name, text string) {
	t.Helper()
	var byLibrary, byYAML map[string]any
	rest, err := frontmatter.MustParse(strings.NewReader(text), &byLibrary, frontmatter.NewFormat("---", "---", yaml.Unmarshal))
	if err != nil {
		t.Errorf("%q: frontmatter: %v", name, err)
	}
	block, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if err := yaml.Unmarshal([]byte(block), &byYAML); !ok || err != nil {
		t.Errorf("%q: YAML: %v", name, err)
	}
	if encode(t, byLibrary) != encode(t, byYAML) || !bytes.Equal(bytes.TrimSpace(rest), bytes.TrimSpace([]byte(body))) {
		t.Errorf("%q: the library reads other properties than YAML", name)
	}
	for _, sign := range []string{"<%", "::", "\x1b", "\u202e", "\u200b"} {
		expect.Lacks(t, block, sign, name, "in its properties")
	}
}

// silent expects that no command writes what moves a terminal.
func (s *scenario) silent(t *testing.T) {
	t.Helper()
	for _, command := range []string{"status", "sources", "diff", "check --full", "check --json", "sync -v", "sync --dry-run -v", "sync --full -v", "export", "forget --dry-run " + alpha} {
		words := strings.Fields(command)
		args := slices.Concat(words[:1], s.flags(s.vault))
		stdout, stderr, _ := runProgram(t, s.config, append(args, words[1:]...)...)
		for _, out := range []string{stdout, stderr} {
			if i := strings.IndexFunc(out, moves); i >= 0 {
				t.Errorf("%s writes %q", command, out[max(0, i-40):min(len(out), i+20)])
			}
		}
		expect.Lacks(t, stderr, "unknown flag", command)
	}
}

// moves reports whether a terminal does something at r other than show it.
func moves(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == 0x2028 || r == 0x2029
}
