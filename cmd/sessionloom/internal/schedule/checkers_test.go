package schedule

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"howett.net/plist"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What systemd itself says of the units, among them those of a user whose folders
// have odd names.
func TestUnitsPassTheirChecker(t *testing.T) {
	checker, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze")
	}
	for _, odd := range []string{"plain", `od d'"%n $HOME ${X}\n ünï`} {
		for _, confined := range []bool{true, false} {
			dir := t.TempDir()
			p := exampleSpec()
			p.Program = filepath.Join(dir, strings.NewReplacer(`\`, "", `"`, "", "'", "").Replace(odd), "sessionloom")
			must(t, os.MkdirAll(filepath.Dir(p.Program), 0o700))
			must(t, os.Symlink("/bin/true", p.Program))
			p.Args, p.Env = append(p.Args, "--vault="+odd), append(p.Env, "SESSIONLOOM_VAULT="+odd)
			p.Writes = nil
			if confined {
				p.Writes = []string{filepath.Join(dir, strings.ReplaceAll(odd, "'", ""))}
			}
			m := exampleMachine(dir)
			recipe := expect.Value(kindNamed(m, "systemd").InstallPlan(p))(t)
			if _, err := put(recipe.Files); err != nil {
				t.Fatal(err)
			}
			args := []string{"verify", "--user", "--man=no", "--recursive-errors=no"}
			for _, f := range recipe.Files {
				args = append(args, f.Path)
			}
			cmd := exec.Command(checker, args...)
			cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "LC_ALL=C")
			if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
				t.Errorf("%s of\n%s\nsays: %s (%v)", strings.Join(cmd.Args, " "), recipe.Files[0].Text, said, err)
			}
		}
	}
}

// The agent is a property list by Apple's own document type, and a library reads
// from it what was meant.
func TestAgentsAreReadAsMeant(t *testing.T) {
	for _, when := range []When{{Every: 60e9}, {Every: 1800e9}, {Every: 6 * 3600e9}, {Daily: true, Hour: 9, Minute: 5}} {
		p := exampleSpec()
		p.When = when
		p.Args = append(p.Args, `<&>"'é😀`, "--a=--b")
		recipe := expect.Value(kindNamed(exampleMachine("/home/dev"), "launchd").InstallPlan(p))(t)
		text := recipe.Files[0].Text
		if err := isPropertyList(text); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
		var got struct {
			Label                 string
			ProgramArguments      []string
			EnvironmentVariables  map[string]string
			StartCalendarInterval []map[string]int
			RunAtLoad             bool
			ProcessType           string
			LowPriorityIO         bool
		}
		if _, err := plist.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.ProgramArguments, append([]string{p.Program}, p.Args...)) || got.EnvironmentVariables["COPILOT_HOME"] != "/home/dev/co pilot" ||
			!got.RunAtLoad || !got.LowPriorityIO || got.ProcessType != "Background" {
			t.Errorf("read as %+v", got)
		}
		// The times are those of the spec, all of a day.
		for minute := range 24 * 60 {
			hit := slices.ContainsFunc(got.StartCalendarInterval, func(at map[string]int) bool {
				hour, hourly := at["Hour"]
				return at["Minute"] == minute%60 && (!hourly || hour == minute/60)
			})
			if hit != when.holds(minute/60, minute%60) {
				t.Fatalf("%s at minute %d: %v", when, minute, hit)
			}
		}
	}
}

// isPropertyList checks the content models of PropertyList-1.0.dtd: a plist holds one
// value, an array values, a dict pairs of a key and a value, all others text alone.
func isPropertyList(text string) error {
	if !strings.Contains(text, `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">`) {
		return errors.New("no document type")
	}
	values := strings.Fields("array data date dict real integer string true false")
	return eachElement(text, func(name string, children []string, text string) error {
		blank := strings.TrimSpace(text) == ""
		ok := false
		switch name {
		case "plist":
			ok = blank && len(children) == 1 && slices.Contains(values, children[0])
		case "array":
			ok = blank && !slices.ContainsFunc(children, func(c string) bool { return !slices.Contains(values, c) })
		case "dict":
			ok = blank && len(children)%2 == 0
			for i, c := range children {
				ok = ok && (i%2 == 0) == (c == "key") && (c == "key" || slices.Contains(values, c))
			}
		case "true", "false":
			ok = text == "" && len(children) == 0
		case "key", "string", "integer", "real", "date", "data":
			ok = len(children) == 0
		}
		if !ok {
			return errors.New("<" + name + "> may not hold " + strings.Join(children, ", ") + " " + text)
		}
		return nil
	})
}

// The task by Microsoft's schema of the Task Scheduler (version 1.2): what each
// element may hold, and in which order where that is fixed.
func TestTasksFitTheirSchema(t *testing.T) {
	ordered := map[string]string{ // sequences
		"TimeTrigger":     "Enabled StartBoundary EndBoundary Repetition ExecutionTimeLimit RandomDelay",
		"CalendarTrigger": "Enabled StartBoundary EndBoundary Repetition ExecutionTimeLimit RandomDelay ScheduleByDay",
		"Principals":      "Principal",
		"Triggers":        "TimeTrigger CalendarTrigger",
		"Actions":         "Exec",
	}
	free := map[string]string{ // each at most once
		"Task":             "RegistrationInfo Triggers Settings Data Principals Actions",
		"RegistrationInfo": "URI SecurityDescriptor Source Date Author Version Description Documentation",
		"Repetition":       "Interval Duration StopAtDurationEnd",
		"ScheduleByDay":    "DaysInterval",
		"Principal":        "UserId LogonType GroupId DisplayName RunLevel",
		"Exec":             "Command Arguments WorkingDirectory",
		"Settings": "AllowStartOnDemand RestartOnFailure MultipleInstancesPolicy DisallowStartIfOnBatteries StopIfGoingOnBatteries AllowHardTerminate " +
			"StartWhenAvailable NetworkProfileName RunOnlyIfNetworkAvailable WakeToRun Enabled Hidden DeleteExpiredTaskAfter IdleSettings NetworkSettings " +
			"ExecutionTimeLimit Priority RunOnlyIfIdle",
	}
	for _, when := range []When{{Every: 1800e9}, {Daily: true, Hour: 9}} {
		p := exampleSpec()
		p.When, p.Args = when, []string{`<&>"' é😀`, `C:\Notes and more\`, ""}
		m := exampleMachine(t.TempDir())
		m.User = "S-1-5-21-1"
		recipe := expect.Value(kindNamed(m, "windows").InstallPlan(p))(t)
		must(t, recipe.Files[0].write())
		stored, err := os.ReadFile(recipe.Files[0].Path)
		if err != nil || !strings.HasPrefix(string(stored), "\xff\xfe<\x00?\x00") {
			t.Fatalf("not stored as UTF-16: %q (%v)", stored[:min(8, len(stored))], err)
		}
		arguments := ""
		err = eachElement(recipe.Files[0].Text, func(name string, children []string, text string) error {
			order, fixed := ordered[name]
			may := strings.Fields(order + free[name])
			last := -1
			for i, c := range children {
				at := slices.Index(may, c)
				if at < 0 || fixed && at < last || slices.Contains(children[:i], c) {
					return errors.New("<" + name + "> may not hold " + strings.Join(children, ", "))
				}
				last = at
			}
			if len(may) == 0 && text == "" {
				return errors.New("<" + name + "> is empty")
			}
			if name == "Arguments" {
				arguments = text
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if got := takeApart(arguments); !slices.Equal(got, append([]string{"--headless", p.Program}, p.Args...)) {
			t.Errorf("the arguments are read as %q", got)
		}
	}
}

// eachElement visits the elements of a document, with the names of their children and
// their own text.
func eachElement(document string, visit func(name string, children []string, text string) error) error {
	d := xml.NewDecoder(strings.NewReader(document))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it was narrowed
	type element struct {
		name     string
		children []string
		text     string
	}
	open := []element{{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		top := &open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			top.children = append(top.children, token.Name.Local)
			open = append(open, element{name: token.Name.Local})
		case xml.CharData:
			top.text += string(token)
		case xml.EndElement:
			if err := visit(top.name, top.children, top.text); err != nil {
				return err
			}
			open = open[:len(open)-1]
		}
	}
}
