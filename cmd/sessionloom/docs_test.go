package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/help"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// forAuthors are documents that use the words of the code.
var forAuthors = []string{"architecture.md", "adding-a-source.md"}

// documents are the manuals by path from the root, with LF line ends.
func documents(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%v, %d documents", err, len(files))
	}
	all := map[string]string{}
	for _, below := range []string{"docs/agents", "docs/decisions", ""} {
		more, _ := filepath.Glob(filepath.Join(root, below, "*.md"))
		files = append(files, more...)
	}
	for _, file := range files {
		name, _ := filepath.Rel(root, file)
		all[filepath.ToSlash(name)] = strings.ReplaceAll(string(readFile(t, file)), "\r\n", "\n")
	}
	return all
}

var (
	fencedCode = regexp.MustCompile("(?ms)^ *```([a-z]*)[^\n]*\n(.*?)^ *```")
	inlineCode = regexp.MustCompile("`[^`]+`")
	// privateInManuals are words that a document has besides those of messages.
	privateInManuals = regexp.MustCompile(`(?i)\b(away|says of)\b`)
)

// Documents for users have the terms that everybody knows.
func TestManualsHoldNoPrivateWords(t *testing.T) {
	t.Parallel()
	for name, text := range documents(t) {
		if slices.Contains(forAuthors, path.Base(name)) || name == "CHANGELOG.md" {
			continue
		}
		prose := fencedCode.ReplaceAllStringFunc(text, blankLines)
		prose = inlineCode.ReplaceAllString(prose, "")
		prose = strings.NewReplacer("conflict marker", "", "bury it in log", "").Replace(prose)
		for i, line := range strings.Split(prose, "\n") {
			for _, word := range append(privateInTexts.FindAllString(line, -1), privateInManuals.FindAllString(line, -1)...) {
				t.Errorf("%s:%d holds the private word %q", name, i+1, word)
			}
		}
	}
}

// blankLines are as many lines as a text has.
func blankLines(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }

// Lines of prose fit on a screen.
func TestManualsFit(t *testing.T) {
	t.Parallel()
	const most = 110
	for name, text := range documents(t) {
		if name == "docs/licences.md" || name == "CHANGELOG.md" {
			continue // written by a test, or a list of long lines
		}
		for i, line := range strings.Split(fencedCode.ReplaceAllStringFunc(text, blankLines), "\n") {
			if n := len([]rune(line)); n > most && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "  <img") {
				t.Errorf("%s:%d has %d columns", name, i+1, n)
			}
		}
	}
}

var (
	oneLink    = regexp.MustCompile(`(?:\]\(|\b(?:src|srcset)=")([^()"\s]+)[)"]`)
	oneHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// Every link within the project leads somewhere, to a heading too.
func TestManualsHaveNoDeadLinks(t *testing.T) {
	t.Parallel()
	all := documents(t)
	for name, text := range all {
		prose := fencedCode.ReplaceAllString(text, "")
		for _, m := range oneLink.FindAllStringSubmatch(inlineCode.ReplaceAllString(prose, "`x`"), -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(m[1], "://") {
				continue
			}
			file := name
			if to != "" {
				file = path.Join(path.Dir(name), to)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			} else if anchor != "" && !slices.Contains(anchors(all[file]), anchor) {
				t.Errorf("%s: %s has no such heading", name, m[1])
			}
		}
	}
}

// anchors are the names of the headings of a document, as GitHub makes them.
func anchors(text string) (out []string) {
	for _, m := range oneHeading.FindAllStringSubmatch(fencedCode.ReplaceAllString(text, ""), -1) {
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return out
}

// shellCode are the languages of blocks that hold commands.
var shellCode = []string{"", "sh", "console", "ini", "json"}

// Every command that a document shows exists, with its flags.
func TestManualsShowCommandsThatExist(t *testing.T) {
	t.Parallel()
	shown := 0
	for name, text := range documents(t) {
		if name == "CHANGELOG.md" {
			continue // it names what was given up
		}
		var code []string
		for _, m := range fencedCode.FindAllStringSubmatch(text, -1) {
			if slices.Contains(shellCode, m[1]) {
				code = append(code, strings.Split(m[2], "\n")...)
			}
		}
		for _, m := range inlineCode.FindAllString(fencedCode.ReplaceAllString(text, ""), -1) {
			line := strings.Join(strings.Fields(strings.Trim(m, "`")), " ")
			if withoutProgram.MatchString(line) {
				line = "sessionloom " + line
			}
			code = append(code, line)
		}
		for _, line := range code {
			for _, args := range commandsOf(line) {
				shown++
				if err := understood(t, args); err != nil {
					t.Errorf("%s: %q: %v", name, line, err)
				}
			}
		}
	}
	if shown < 150 {
		t.Errorf("%d commands are shown", shown)
	}
}

var (
	// beforeCommand is what may be before a command of ours in a line.
	beforeCommand = regexp.MustCompile(`(?:^|[;&|("]|\$ |ExecStart=\S*)\s*(?:\S*/|go run \./cmd/)?sessionloom( [^;&|>#")]*|$)`)
	// withoutProgram is a command with a flag, as it is in a sentence.
	withoutProgram = regexp.MustCompile(`^(?:init|sync|diff|apply|status|check|doctor|sources|watch|list|show|open|resume|restore|forget|accept|export|templates|config|schedule)\b.* --?[a-z]`)
	shellWord      = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
)

// commandsOf are the arguments of the commands of ours in a line.
func commandsOf(line string) (all [][]string) {
	for _, m := range beforeCommand.FindAllStringSubmatch(line, -1) {
		args := []string{}
		for _, word := range shellWord.FindAllString(m[1], -1) {
			args = append(args, strings.Trim(word, `'"`))
		}
		all = append(all, args)
	}
	return all
}

// understood reports whether the program takes these arguments.
func understood(t *testing.T, args []string) error {
	t.Helper()
	r := expect.Value(newRoot(&terminal.Printer{}))(t)
	r.InitDefaultHelpCmd()
	r.InitDefaultCompletionCmd()
	cmd, rest, err := r.Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if cmd.Flags().NArg() > 0 && cmd.HasSubCommands() {
		return fmt.Errorf("%s has no command %q", cmd.CommandPath(), cmd.Flags().Arg(0))
	}
	return nil
}

var oneFlag = regexp.MustCompile(`^--[a-z][a-z-]*`)

// Every flag that a document names by itself is one of some command.
func TestManualsNameFlagsThatExist(t *testing.T) {
	t.Parallel()
	r := expect.Value(newRoot(&terminal.Printer{}))(t)
	known := []string{"--help"}
	for _, cmd := range help.EveryCommand(r) {
		each := func(f *pflag.Flag) { known = append(known, "--"+f.Name) }
		cmd.Flags().VisitAll(each)
		cmd.PersistentFlags().VisitAll(each)
	}
	for name, text := range documents(t) {
		if name == "docs/performance.md" || slices.Contains(forAuthors, path.Base(name)) {
			continue // flags of the benchmark
		}
		for _, m := range inlineCode.FindAllString(fencedCode.ReplaceAllString(text, ""), -1) {
			flag := oneFlag.FindString(strings.Trim(m, "`"))
			if flag != "" && !slices.Contains(known, flag) {
				t.Errorf("%s: no command has the flag %s", name, flag)
			}
		}
	}
}

// Every test that a document names exists.
func TestManualsNameTestsThatExist(t *testing.T) {
	t.Parallel()
	var defined []string
	err := filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, "_test.go") {
			for _, m := range testFunc.FindAllSubmatch(readFile(t, file), -1) {
				defined = append(defined, string(m[1]))
			}
		}
		return err
	})
	expect.OK(t, err)
	for name, text := range documents(t) {
		for _, m := range regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`").FindAllStringSubmatch(text, -1) {
			if !slices.Contains(defined, m[1]) {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

// The table of settings has each of them in its order, with its default, and says who keeps it.
func TestManualKnowsTheSettings(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(documents(t)["docs/settings.md"], "\n## All settings\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var have []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") {
			have = append(have, strings.Join(cells[:3], " | "))
		}
	}
	home := t.TempDir()
	all := expect.Value(config.All(pflag.NewFlagSet("", pflag.ContinueOnError), filepath.Join(home, "none.yaml"), false, home, time.Now(), config.Kept{}))(t)
	var want []string
	for i, s := range all {
		keeper := "machine"
		if config.IsKept(s.Key) {
			keeper = "vault"
		}
		value := s.Value
		if d, err := time.ParseDuration(value); err == nil && d > 0 {
			value = config.PlainSpan(d)
		}
		if s.Key == "state" && i < len(have) { // where that is depends on the system
			value = strings.Split(have[i], "`")[3]
			if runtime.GOOS == "linux" && value != "~/.local/state/sessionloom" {
				t.Errorf("the state is below %s", value)
			}
		}
		want = append(want, fmt.Sprintf("| `%s` | `%s` | %s", s.Key, value, keeper))
	}
	expect.List(t, have, want, "docs/settings.md", strings.Join(have, "\n"), strings.Join(want, "\n"))
}
