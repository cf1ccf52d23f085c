package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
)

// A terminal obeys control characters: text of a transcript must not carry any.
func TestNoControlCharacterReachesATerminal(t *testing.T) {
	hostile := "a\x1b]52;c;ZXZpbA==\x07b\rc\u202ed\u009be\u2028f\tg\x00h\x9bi"
	var out, errs bytes.Buffer
	p := &printer{out: &out, err: &errs, outTTY: true, errTTY: true, plain: true, verbose: true}
	p.say(hostile)
	p.diff(noteDiff{note: hostile, id: hostile, outcome: hostile, reason: hostile, hunks: "+" + hostile + "\n", wanted: "-" + hostile + "\n"})
	p.note("%s", hostile)
	p.detail("%s", hostile)
	p.warn(hostile)
	p.fail(usage(hostile, "%s", hostile))
	for _, got := range []string{out.String(), errs.String()} {
		if strings.ContainsAny(got, "\x1b\x07\r\x00\u202e\u009b\u2028") || strings.Contains(got, "h\x9bi") || !strings.Contains(got, "\tg") {
			t.Errorf("control characters got through, or harmless ones did not: %q", got)
		}
	}
}

func TestColourIsForTerminalsThatWantIt(t *testing.T) {
	for _, test := range []struct {
		name       string
		tty, plain bool
		want       bool
	}{
		{"pipe", false, false, false}, {"terminal", true, false, true}, {"NO_COLOR", true, true, false},
	} {
		var errs bytes.Buffer
		p := &printer{err: &errs, errTTY: test.tty, plain: test.plain}
		p.fail(errors.New("x"))
		if got := strings.Contains(errs.String(), "\x1b["); got != test.want {
			t.Errorf("%s: coloured %v, want %v: %q", test.name, got, test.want, errs.String())
		}
	}
}

// A diff in a pipe has to be the very bytes, else patch refuses it.
func TestDiffIntoAPipeIsExact(t *testing.T) {
	var out bytes.Buffer
	p := &printer{out: &out}
	p.diff(noteDiff{note: "x y", outcome: "updated", hunks: "@@ -1 +1 @@\n-a\x07\n+b\u202e\n"})
	const want = "updated x y\ndiff --git a/x y b/x y\n--- a/x y\t\n+++ b/x y\t\n@@ -1 +1 @@\n-a\x07\n+b\u202e\n"
	if out.String() != want {
		t.Errorf("got %q", out.String())
	}
}

// On a terminal what one only passes by takes a line and no more.
func TestDiffOnATerminalCutsWhatIsPassedBy(t *testing.T) {
	var out bytes.Buffer
	p := &printer{out: &out, outTTY: true, plain: true, width: 20}
	long := strings.Repeat("word ", 10)
	p.diff(noteDiff{note: "n.md", outcome: "updated", hunks: "@@ -1,2 +1,3 @@\n " + long + "\n-%% sessionloom:props v=1 " + long + "%%\n+new " + long + "\n"})
	const want = "updated n.md\n@@ -1,2 +1,3 @@\n word word word wor…\n-%% sessionloom:pro…\n+new word word word word word word word word word word \n"
	if out.String() != want {
		t.Errorf("got %q", out.String())
	}
}

func TestStatIsAsWideAsTheScreen(t *testing.T) {
	all := []noteDiff{
		{note: "Agents/projects/widget (octo-org)/sessions/2026-03-02 plan-the-release (aaaaaaaa).md", outcome: "updated", plus: 300, minus: 100},
		{note: "Agents/Home.md", from: "Agents/H.md", outcome: "moved", minus: 1},
	}
	lines := stat(all, 60, true)
	for _, line := range lines {
		if lipgloss.Width(line) > 60 {
			t.Errorf("%q is wider than the screen", line)
		}
	}
	if lines[2] != "2 notes: +300 -101" {
		t.Errorf("got %q", lines[2])
	}
	if !strings.Contains(lines[1], "H.md => Agents/Home.md") || !strings.HasSuffix(lines[1], "-") {
		t.Errorf("got %q", lines[1])
	}
	if whole := stat(all, 60, false)[0]; !strings.Contains(whole, all[0].note) {
		t.Errorf("in a pipe a name is cut: %q", whole)
	}
}
