package schedule

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// odd are texts that mean something to one of the systems.
var odd = []string{
	"", " ", "a b", `a"b`, "a'b", `a\`, `a\"b`, `\\"`, "%", "%%", "%n", "100%", "$HOME", "${HOME}", "$$", "`id`", "$(id)", "a;b", "a|b", "a&b", "<x>", "*", "?", "~", "#x", "!x",
	"-x", "--vault=/a b/c", "é", "😀", "a=b", "(", "a\\ b", "\\%", "'", `'"'`, "]]>", "--", "&amp;",
}

// Every word reaches the program as it was, through whatever the systems do to it.
func FuzzWords(f *testing.F) {
	for _, w := range odd {
		f.Add(w, "x")
		f.Add("x", w)
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		p := exampleSpec()
		p.Args = []string{one, two}
		p.Env = []string{"A=" + two}
		want := append([]string{p.Program}, p.Args...)
		m := exampleMachine("/home/dev")
		if r, err := kindNamed(m, "systemd").InstallPlan(p); err == nil {
			same(t, "systemd", unitWords(t, lineOf(t, r.Files[0].Text, "ExecStart="), true), want)
			same(t, "systemd", unitWords(t, lineOf(t, r.Files[0].Text, "Environment="), false), p.Env)
		}
		if r, err := kindNamed(m, "launchd").InstallPlan(p); err == nil {
			var got []string
			err := eachElement(r.Files[0].Text, func(name string, _ []string, text string) error {
				if name == "string" {
					got = append(got, text)
				}
				return nil
			})
			if err != nil || len(got) < 5 {
				t.Fatalf("launchd: %v, %q", err, got)
			}
			same(t, "launchd", got[1:4], want)
			same(t, "launchd", []string{"A=" + got[4]}, p.Env)
		}
		if r, err := kindNamed(m, "windows").InstallPlan(p); err == nil {
			err := eachElement(r.Files[0].Text, func(name string, _ []string, text string) error {
				if name == "Arguments" {
					same(t, "windows", takeApart(text), append([]string{"--headless"}, want...))
				}
				return nil
			})
			if err != nil {
				t.Fatalf("windows: %v", err)
			}
		}
		if r, err := (cron{m}).InstallPlan(p); err == nil {
			if strings.Count(r.Files[0].Text, "\n") != 3 {
				t.Fatalf("cron: more than one line:\n%s", r.Files[0].Text)
			}
		}
	})
}

// What cron hands to the shell is taken apart by a real one.
func TestCronLinesReachTheProgram(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	for _, w := range odd {
		p := exampleSpec()
		p.Program, p.Args, p.Env = "/bin/echo", []string{w, "x"}, []string{"A=" + w}
		line, err := cronLine(p)
		if err != nil {
			if !strings.Contains(w, `\`) {
				t.Errorf("%q: %v", w, err)
			}
			continue
		}
		command := afterCron(strings.SplitN(line, " ", 6)[5])
		command = strings.Replace(command, " /bin/echo ", ` sh -c 'printf "%s\0" "$A" "$@"' sh `, 1)
		got, err := exec.Command(shell, "-c", command).Output()
		if err != nil || string(got) != w+"\x00"+w+"\x00x\x00" {
			t.Errorf("%q arrives as %q (%v) by %s", w, got, err, command)
		}
	}
}

// afterCron does what cron does to a command: the first bare percent sign ends it,
// and a backslash before one goes.
func afterCron(command string) string {
	var b strings.Builder
	for i := 0; i < len(command); i++ {
		switch {
		case strings.HasPrefix(command[i:], `\%`):
		case command[i] == '%' && (i == 0 || command[i-1] != '\\'):
			return b.String()
		default:
			b.WriteByte(command[i])
		}
	}
	return b.String()
}

func same(t *testing.T, who string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s reads %q, want %q", who, got, want)
	}
}

func lineOf(t *testing.T, unit, key string) string {
	t.Helper()
	for line := range strings.Lines(unit) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			return strings.TrimSuffix(rest, "\n")
		}
	}
	t.Fatalf("no %s in\n%s", key, unit)
	return ""
}

// unitWords reads a line as systemd.service(5) tells it: words in double quotes with
// escapes, then specifiers, then, in arguments of a command, variables.
func unitWords(t *testing.T, line string, command bool) (words []string) {
	t.Helper()
	for rest := line; rest != ""; {
		var b strings.Builder
		if rest[0] != '"' {
			t.Fatalf("no quote at %q in %s", rest, line)
		}
		rest = rest[1:]
		for rest == "" || rest[0] != '"' {
			if rest == "" || rest[0] == '\\' && (len(rest) < 2 || !strings.ContainsRune(`"\`, rune(rest[1]))) {
				t.Fatalf("no end, or an unknown escape, at %q in %s", rest, line)
			}
			if rest[0] == '\\' {
				rest = rest[1:]
			}
			b.WriteByte(rest[0])
			rest = rest[1:]
		}
		rest = strings.TrimPrefix(rest[1:], " ")
		words = append(words, halved(t, b.String(), "%", true))
		if command && len(words) > 1 { // the program itself has no variables
			words[len(words)-1] = halved(t, words[len(words)-1], "$", true)
		}
	}
	return words
}

// halved takes a sign that must be in pairs for one.
func halved(t *testing.T, text, sign string, paired bool) string {
	t.Helper()
	if rest := strings.ReplaceAll(text, sign+sign, ""); paired && strings.Contains(rest, sign) {
		t.Fatalf("a single %s in %q", sign, text)
	}
	return strings.ReplaceAll(text, sign+sign, sign)
}

// takeApart reads a command line as programs of Windows do: 2n backslashes before a
// quote are n and the quote is one of the syntax, 2n+1 are n and it is a character.
func takeApart(line string) (words []string) {
	var b strings.Builder
	quoted, begun, slashes := false, false, 0
	flush := func(n int) { b.WriteString(strings.Repeat(`\`, n)); slashes = 0 }
	for _, r := range line {
		switch {
		case r == '\\':
			slashes, begun = slashes+1, true
		case r == '"':
			odd := slashes%2 == 1
			flush(slashes / 2)
			begun = true
			if odd {
				b.WriteByte('"')
			} else {
				quoted = !quoted
			}
		case (r == ' ' || r == '\t') && !quoted:
			flush(slashes)
			if begun {
				words = append(words, b.String())
			}
			b.Reset()
			begun = false
		default:
			flush(slashes)
			b.WriteRune(r)
			begun = true
		}
	}
	flush(slashes)
	if begun {
		words = append(words, b.String())
	}
	return words
}
