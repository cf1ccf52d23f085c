package setup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	_ "time/tzdata" // the zones of the program, on any machine

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// person answers questions in turn, and keeps what was asked and told.
type person struct {
	answers []string
	screen  []string
}

var errGone = errors.New("gone")

func (p *person) dialog(home string) Dialog {
	return Dialog{
		Home: home,
		Tell: func(line string) { p.screen = append(p.screen, line) },
		Ask: func(question string) (string, error) {
			if len(p.answers) == 0 {
				return "", errGone
			}
			answer := p.answers[0]
			p.answers, p.screen = p.answers[1:], append(p.screen, question+answer)
			return answer, nil
		},
	}
}

// tree makes folders and files, these by a name with a dot in it.
func tree(t *testing.T, paths ...string) string {
	t.Helper()
	home := t.TempDir()
	for _, p := range paths {
		name, text, file := strings.Cut(p, "=")
		at := filepath.Join(home, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		if file && err == nil {
			err = os.WriteFile(at, []byte(text), 0o600)
		} else if err == nil {
			err = os.MkdirAll(at, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestKindsOfPlaces(t *testing.T) {
	home := tree(t, "empty", "tools/.git/x=", "tools/.gitignore=", "obsidian/.obsidian", "obsidian/a.md=x", "linked=no folder",
		"records/Agents/.sessionloom/lines=x", "others/Agents/a.md=x", "root/a.md=x", "root/.sessionloom/lines=x")
	for name, want := range map[string]Kind{
		"empty": Empty, "tools": Empty, "obsidian": Known, "linked": Unclear, "records": Known, "others": Other, "none": Missing,
	} {
		expect.Is(t, Look(filepath.Join(home, name), "Agents"), want, name)
	}
	if Look(filepath.Join(home, "root"), ".") != Known || Look(filepath.Join(home, "root"), "Agents") != Other {
		t.Error("a folder of ours at the root is told wrongly")
	}
}

func TestRefusals(t *testing.T) {
	home := tree(t, "Vault/.obsidian", "src/a.go=x", "empty")
	for path, want := range map[string]string{
		"Vault": "", "empty": "", "new": "does not exist", "src": "is no Obsidian vault and is not empty",
	} {
		err := Refuse(filepath.Join(home, path), "Agents", home)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// Whatever is typed, the dialog ends with an answer or with the person.
func TestVaultDialog(t *testing.T) {
	home := tree(t, "Notes/.obsidian", "src/a.go=x")
	found := []obsidian.Vault{{Path: filepath.Join(home, "Notes"), Open: true}}
	for _, test := range []struct {
		answers []string
		found   []obsidian.Vault
		want    string // from the home folder; empty: the person went
	}{
		{[]string{""}, found, "Notes"},
		{[]string{"0", "x", "n", "2", "1"}, found, "Notes"},
		{[]string{"~/Nots", "n", "~/Fresh", ""}, found, "Fresh"},
		{[]string{"~/src", "", "1"}, found, "Notes"},
		{[]string{"~/src", "y"}, found, "src"},
		{[]string{"~/Notes/Agents"}, found, "Notes"},
		{[]string{"", ""}, nil, "Vault"},
		{[]string{"1", "maybe", "y"}, nil, ""},
		{[]string{"~/src"}, found, ""},
		{nil, found, ""},
	} {
		p := &person{answers: slices.Clone(test.answers)}
		got, err := p.dialog(home).Vault(test.found, "Agents")
		if test.want == "" {
			if cwd, _ := os.Getwd(); !errors.Is(err, errGone) && got != filepath.Join(cwd, "1") {
				t.Errorf("%q: got %q, %v", test.answers, got, err)
			}
			continue
		}
		if err != nil || got != filepath.Join(home, test.want) || len(p.answers) > 0 {
			t.Errorf("%q: got %q, %v; left %q\n%s", test.answers, got, err, p.answers, strings.Join(p.screen, "\n"))
		}
	}
}

func TestZoneAndTimerDialogs(t *testing.T) {
	p := &person{answers: []string{"Europe/Berln", "Europe/Berlin"}}
	if zone, err := p.dialog("").Zone("UTC"); zone != "Europe/Berlin" || err != nil {
		t.Errorf("got %q, %v", zone, err)
	}
	p = &person{answers: []string{"Local", "Nowhere", ""}}
	if zone, err := p.dialog("").Zone("UTC"); zone != "UTC" || err != nil {
		t.Errorf("got %q, %v", zone, err)
	}
	wrong := func(text string) error {
		if text != "30m" && text != "09:00" {
			return errors.New("wrong")
		}
		return nil
	}
	for typed, want := range map[string]string{"": "", "none": "", "None": "", "30m": "30m", "every 30m": "30m", "daily at 09:00": "09:00", "daily 09:00": "09:00", "at 09:00": "09:00"} {
		p := &person{answers: []string{"often", typed}}
		if got, err := p.dialog("").Timer(wrong); got != want || err != nil {
			t.Errorf("%q: got %q, %v", typed, got, err)
		}
	}
}

func TestTodo(t *testing.T) {
	command := func(name string) string { return "sessionloom " + name }
	if got := (Todo{}).Lines(command); got != nil {
		t.Errorf("nothing is left, got %q", got)
	}
	want := []string{"no timer: sessionloom schedule install", "merge driver not set up in git: sessionloom git install"}
	expect.List(t, (Todo{Timer: true, Driver: true}).Lines(command), want)
}
