package config

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// load reads a configuration of the text with these flags, as a command would.
func load(t *testing.T, text string, args ...string) (Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	cmd := &cobra.Command{Use: "test"}
	NewFlags().Add(cmd, AllBut())
	must(t, cmd.ParseFlags(args))
	return Load(cmd.Flags(), file, true, "/home/dev", noon)
}

func asksNothing(t *testing.T) Config {
	t.Helper()
	c := expect.Value(load(t, ""))(t)
	return c
}

func TestDefaultsShownInTheExampleAreTheDefaults(t *testing.T) {
	bare := regexp.MustCompile(`(?m)^( *)#([a-z_]+:)`).ReplaceAllString(Example(nil), "$1$2")
	got := expect.Value(load(t, bare))(t)
	want := asksNothing(t)
	// Shown as examples, for they have no default or one of the machine's.
	want.Vault, want.State, want.Since, want.seeding = got.Vault, got.State, got.Since, got.seeding
	expect.Deep(t, got, want, "the example", "the defaults")
	want.Rendering.Timezone = extract.DefaultSettings().Timezone // the system's, unless a test asks nobody
	expect.Deep(t, want.Rendering, extract.DefaultSettings(), "rendering")
}

// Flags are stronger than the environment, that than the file, that than
// defaults; each key alone.
func TestStrongerSourcesOfSettingsWin(t *testing.T) {
	const file = "folder: FromFile\ntranscript: none\njobs: 3\nsources:\n  copilot_cli:\n    homes: [/a, ~/b]\n"
	t.Setenv("SESSIONLOOM_TRANSCRIPT", "full")
	t.Setenv("SESSIONLOOM_JOBS", "4")
	t.Setenv("SESSIONLOOM_SOURCES_COPILOT_CLI_ENABLED", "false")
	c := expect.Value(load(t, file, "--jobs=5", "--project=a", "--project=b,c"))(t)
	abs := func(p string) string { a, _ := filepath.Abs(p); return a }
	if c.Folder != "FromFile" || c.Rendering.Transcript != "full" || c.Jobs != 5 || c.CopilotCLI.Enabled || c.given != nil {
		t.Errorf("got %+v", c)
	}
	expect.Deep(t, c.CopilotCLI.Homes, []string{abs("/a"), filepath.Join("/home/dev", "b")}, "homes")
	expect.Deep(t, c.Project, []string{"a", "b,c"}, "projects")
}

func TestListsInTheEnvironment(t *testing.T) {
	t.Setenv("SESSIONLOOM_SOURCES_COPILOT_CLI_HOMES", strings.Join([]string{"~/a", "~/b"}, string(os.PathListSeparator)))
	t.Setenv("SESSIONLOOM_EXCLUDE_PROJECT", "x,y")
	c := expect.Value(load(t, ""))(t)
	if len(c.CopilotCLI.Homes) != 2 || c.CopilotCLI.Homes[1] != filepath.Join("/home/dev", "b") {
		t.Errorf("homes %q", c.CopilotCLI.Homes)
	}
	expect.Deep(t, c.ExcludeProject, []string{"x", "y"}, "excluded")
}

func TestVSCodeSettings(t *testing.T) {
	t.Setenv("SESSIONLOOM_SOURCES_VSCODE_IMAGES", "true")
	t.Setenv("SESSIONLOOM_SOURCES_VSCODE_EXPORTS", "~/chat.json")
	c := expect.Value(load(t, "sources: {vscode: {user_dirs: [~/User], store_only: write}}", "--vscode-user=/a", "--vscode-user=/b"))(t)
	abs := func(p string) string { a, _ := filepath.Abs(p); return a }
	expect.Deep(t, c.VSCode.UserDirs, []string{abs("/a"), abs("/b")}, "user folders", "those of the flag")
	expect.Deep(t, c.VSCode.Exports, []string{filepath.Join("/home/dev", "chat.json")}, "exports", "those of the environment")
	if !c.VSCode.Images || !c.VSCode.Enabled || c.VSCode.StoreOnly != "write" || c.CopilotCLI.StoreOnly != "list" {
		t.Errorf("got %+v", c.VSCode)
	}
}

// A relative path in the file must not depend on where the program is started.
func TestPathsOfTheFileAreRelativeToIt(t *testing.T) {
	c, err := load(t, "vault: notes\n")
	must(t, err)
	if wd, _ := os.Getwd(); strings.HasPrefix(c.Vault, wd) || !filepath.IsAbs(c.Vault) {
		t.Errorf("vault %q", c.Vault)
	}
	c, err = load(t, "vault: notes\n", "--vault=here")
	if want, _ := filepath.Abs("here"); err != nil || c.Vault != want {
		t.Errorf("a flag is relative to the working folder: %q, %v", c.Vault, err)
	}
}

// noon is when the tests read a configuration.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("here", 3600))

func TestDatesAreReadInEveryForm(t *testing.T) {
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"since: 2026-01-31":                  day,
		`since: "2026-01-31"`:                day,
		`since: "2026-01-31T02:00:00+02:00"`: day,
		`since: ""`:                          {},
		"since: 7d":                          noon.AddDate(0, 0, -7),
		"since: 2w":                          noon.AddDate(0, 0, -14),
		"since: yesterday":                   time.Date(2026, 2, 28, 0, 0, 0, 0, noon.Location()),
		"since: today":                       time.Date(2026, 3, 1, 0, 0, 0, 0, noon.Location()),
		"":                                   {},
	} {
		if c, err := load(t, text); err != nil || !c.Since.Equal(want) {
			t.Errorf("%q gives %v, %v", text, c.Since, err)
		}
	}
}

// What is wrong in a configuration is the user's to mend: exit code 2, and the
// message names the key and the file.
func TestWrongConfigurationNamesKeyAndFile(t *testing.T) {
	for text, want := range map[string]string{
		"valut: /x":                     `unknown key "valut"|did you mean "vault"?`,
		"homes: [/x]":                   `unknown key "homes"|did you mean "sources.copilot_cli.homes"?`,
		"sources:\n  cursor:\n    a: 1": `unknown key "sources.cursor.a"|config.example.yaml`,
		"user_dirs: [/x]":               `unknown key "user_dirs"|did you mean "sources.vscode.user_dirs"?`,
		"sources: true":                 `unknown key "sources"|`,
		"hot_files: 3":                  `unknown key "hot_files"|`,
		"vault: 12":                     `"vault"|wants text`,
		"vault: [a]":                    `"vault"|wants text`,
		"jobs: many":                    `"jobs"|whole number`,
		"jobs: 1.5":                     `"jobs"|whole number`,
		"jobs: -1":                      `"jobs"|at least 0`,
		"hot_files:\n  min_sessions: 0": `"hot_files.min_sessions"|at least 1`,
		"transcript: all":               `"transcript"|full, digest, none`,
		"timezone: Local":               `"timezone"|IANA`,
		"timezone: Mars/Base":           `"timezone"|IANA`,
		"since: soon":                   `"since"|2026-01-31`,
		"since: 7y":                     `"since"|7d`,
		"since: d":                      `"since"|7d`,
		"since: -1d":                    `"since"|7d`,
		"since: 99999999999999d":        `"since"|7d`,
		"folder: ../x":                  `"folder"|inside the vault`,
		"folder: .obsidian":             `"folder"|inside the vault`,
		"project: [a, 3]":               `"project"|texts`,
		"project: '['":                  `"project"|patterns`,
		"sources: {copilot_cli: {enabled: maybe}}":                        `"sources.copilot_cli.enabled"|true or false`,
		"sources: {vscode: {store_only: all}}":                            `"sources.vscode.store_only"|list, write`,
		"sources: {vscode: {exports: {a: b}}}":                            `sources.vscode.exports`,
		"redact: {rules: {a: b}}":                                         `unknown key "redact.rules.a"|did you mean "redact.rules"`,
		"redact: {rules: [zebra]}":                                        `"redact.rules"|name, pattern and keywords`,
		"redact: {rules: [{name: Acme, pattern: x}]}":                     `"redact.rules" in|rule 1|small letters`,
		"redact: {rules: [{name: a, pattern: '('}]}":                      `"redact.rules" in|rule 1|RE2`,
		"redact: {rules: [{name: a, pattern: x, group: 1}]}":              `"redact.rules" in|rule 1|name, pattern and keywords|group`,
		"redact: {rules: [{name: a, pattern: x}, {name: a, pattern: y}]}": `"redact.rules" in|rule 2|of another`,
		"redact: {allow: ['[']}":                                          `"redact.allow" in|RE2`,
		"redact: {off: [x]}":                                              `unknown key "redact.off"|`,
		"a: b: c":                                                         `read config|YAML`,
		"\tvault: x":                                                      `read config|YAML`,
	} {
		_, err := load(t, text)
		var f *exit.Error
		if !errors.As(err, &f) || f.Code != exit.CodeUsage {
			t.Errorf("%q: %v is no usage failure", text, err)
			continue
		}
		said := err.Error() + f.Hint
		for _, part := range append(strings.Split(want, "|"), "config.yaml") {
			expect.Has(t, said, part, text, "lacks")
		}
	}
}

// A section whose keys are all commented out is no mistake: so the example looks.
func TestEmptySectionsAreFine(t *testing.T) {
	if _, err := load(t, "sources:\n  copilot_cli:\nhot_files:\n"); err != nil {
		t.Error(err)
	}
}

func TestWrongFlagIsNamed(t *testing.T) {
	if _, err := load(t, "transcript: full", "--transcript=all"); err == nil || !strings.HasPrefix(err.Error(), "--transcript wants full, digest, none") {
		t.Errorf("got %v", err)
	}
}

func TestWrongEnvironmentIsNamed(t *testing.T) {
	t.Setenv("SESSIONLOOM_JOBS", "x")
	if _, err := load(t, ""); err == nil || !strings.Contains(err.Error(), "SESSIONLOOM_JOBS wants a whole number") {
		t.Errorf("got %v", err)
	}
}

func TestInitConfigMeansWhatTheFlagsSaid(t *testing.T) {
	args := []string{"--vault=/home/dev/My Vault", `--project=a"b`, "--copilot-home=/c", "--vscode-user=/u", "--vscode-export=~/chat.json", "--vscode-export=/e", "--jobs=2", "--transcript=none", "--since=2026-01-02"}
	cmd := &cobra.Command{Use: "test"}
	NewFlags().Add(cmd, AllBut())
	must(t, cmd.ParseFlags(args))
	got := expect.Value(load(t, Example(Given(cmd.Flags(), "/home/dev"))))(t)
	want := expect.Value(load(t, "", args...))(t)
	want.given, want.seeding = nil, []string{"transcript"}
	expect.Deep(t, got, want)
}

// Times are told as a person writes them.
func TestPlainSpan(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"5m": 5 * time.Minute, "1h": time.Hour, "1m30s": 90 * time.Second, "30s": 30 * time.Second, "1h30m": 90 * time.Minute, "10m": 10 * time.Minute,
		"10h": 10 * time.Hour, "1h0m10s": time.Hour + 10*time.Second, "1.5s": 1500 * time.Millisecond,
	} {
		expect.Is(t, PlainSpan(d), want, d, "told as")
	}
}

// Every key is in the example.
func TestExampleHasEveryKey(t *testing.T) {
	text := Example(nil)
	for _, s := range settings(defaults()) {
		leaf := s.key[strings.LastIndex(s.key, ".")+1:]
		expect.Has(t, text, "#"+leaf+": ", "no line for", s.key)
	}
}
