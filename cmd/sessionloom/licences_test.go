package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// mayBeLinked are the licences under which a module may be part of the program:
// they ask for nothing but that their text is handed on. The last one gives more.
var mayBeLinked = strings.Fields("MIT MIT-0 BSD-2-Clause BSD-3-Clause ISC Apache-2.0 Unlicense CC0-1.0 0BSD Zlib " +
	"blessing GooglePatentsFile")

// excused are licences of modules that ask for more, with the reason why they are
// fine here.
var excused = map[string]string{
	"github.com/modelcontextprotocol/go-sdk CC-BY-4.0": "of its documentation, which is not linked",
	"modernc.org/sqlite MPL-2.0":                       "its file of others' licences also names a module that is compiled into nothing",
}

// licenceFile matches the files of a module that say under which terms it is given,
// mainFile those of the module as a whole. The others are about parts of it. What
// handedOn matches goes with the program.
var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|patents)`)
	handedOn    = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|patents|notice)`)
	mainFile    = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)(\.md|\.txt)?$`)
)

const licencesHead = `# Licences

The modules linked into the program, on any system, with their licences.
` + "`go test ./cmd/sessionloom -run TestLicences -update`" + ` writes this page, and fails for a licence that is not
allowed.

`

// embeddedRules are the rules for secrets that gitleaks publishes, which are data.
const embeddedRules = "extract/redact/gitleaks"

// Nobody who hands the program on is bound by terms that they were not told of.
func TestLicences(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("asks the go command thrice")
	}
	page := licencesHead
	modules := linkedModules(t)
	modules[embeddedRules] = filepath.Join(root, embeddedRules)
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		found, err := licencesOf(modules[module])
		if err != nil {
			t.Errorf("%s: %v", module, err)
		}
		for _, id := range found {
			if !slices.Contains(mayBeLinked, id) && excused[module+" "+id] == "" {
				t.Errorf("%s is given under %s", module, id)
			}
		}
		page += fmt.Sprintf("- %s: %s\n", module, strings.Join(found, ", "))
	}
	if *packed != "" {
		writeLicences(t, filepath.Join(*packed, "LICENCES.txt"), modules)
	}
	path := filepath.Join(root, "docs", "licences.md")
	if *update {
		expect.OK(t, os.WriteFile(path, []byte(page), 0o600))
	}
	if text, err := os.ReadFile(path); err != nil || strings.ReplaceAll(string(text), "\r\n", "\n") != page {
		t.Errorf("docs/licences.md does not name what is linked (%v); it should read\n%s", err, page)
	}
}

// writeLicences writes what is handed on with the program: the licences and notices of
// all that is linked into it, Go's own included.
func writeLicences(t *testing.T, path string, modules map[string]string) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	expect.OK(t, err)
	folders := maps.Clone(modules)
	folders["Go"] = strings.TrimSpace(string(goroot))
	var all strings.Builder
	for _, module := range slices.Sorted(maps.Keys(folders)) {
		entries := expect.Value(os.ReadDir(folders[module]))(t)
		for _, e := range entries {
			if e.Type().IsRegular() && handedOn.MatchString(e.Name()) {
				text := readFile(t, filepath.Join(folders[module], e.Name()))
				fmt.Fprintf(&all, "==== %s: %s\n\n%s\n\n", module, e.Name(), strings.TrimSpace(string(text)))
			}
		}
	}
	err = os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(all.String()), 0o644)
	}
	expect.OK(t, err)
}

// A licence that asks for more, one that nobody knows and none at all are seen.
func TestLicencesAreRead(t *testing.T) {
	t.Parallel()
	mit := expect.Value(os.ReadFile(filepath.Join(root, "LICENSE")))(t)
	own, err := licencesOf(root)
	if err != nil || !slices.Equal(own, []string{"MIT"}) {
		t.Errorf("our own: %q, %v", own, err)
	}
	for name, text := range map[string]string{
		"GPL-3.0": "Licensed under the GNU General Public License, version 3.\nhttps://www.gnu.org/licenses/gpl-3.0.html\n",
		"unknown": "You may use this on Sundays, if you bring cake.\n",
		"cut":     string(mit[:len(mit)/4]),
		"":        "",
	} {
		dir := t.TempDir()
		if name != "" {
			expect.OK(t, os.WriteFile(filepath.Join(dir, "LICENSE.md"), []byte(text), 0o600))
		}
		found, err := licencesOf(dir)
		if err == nil && !slices.ContainsFunc(found, func(id string) bool { return !slices.Contains(mayBeLinked, id) }) {
			t.Errorf("%q passes as %q", name, found)
		}
	}
}

// linkedModules returns the folders of the modules that the program is linked from
// on any system, by their paths.
func linkedModules(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		list, err := cmd.Output()
		if err != nil {
			t.Skipf("the modules of %s are not at hand: %v", system, err)
		}
		for line := range strings.Lines(string(list)) {
			if module, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				out[module] = dir
			}
		}
	}
	return out
}

// licencesOf reads under which licences a module is given, by their SPDX names. It
// is an error if there is none, or one that nobody knows.
func licencesOf(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var ids []string
	known := false
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		found := licensecheck.Scan(text)
		known = known || found.Percent >= 75
		if found.Percent < 75 && mainFile.MatchString(e.Name()) {
			return nil, fmt.Errorf("%s: only %.0f %% of it is a known licence", e.Name(), found.Percent)
		}
		for _, m := range found.Match {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	if !known || len(ids) == 0 {
		return nil, errors.New("no licence")
	}
	return slices.Compact(ids), nil
}
