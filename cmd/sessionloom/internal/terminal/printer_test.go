package terminal

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A terminal obeys control characters: text of a transcript must not carry any.
func TestNoControlCharacterReachesATerminal(t *testing.T) {
	hostile := "a\x1b]52;c;ZXZpbA==\x07b\rc\u202ed\u009be\u2028f\tg\x00h\x9bi"
	var out, errs bytes.Buffer
	p := &Printer{Out: &out, Err: &errs, OutTTY: true, ErrTTY: true, plain: true, Verbose: true}
	p.Say(hostile)
	p.Diff(present.Diff{Note: hostile, ID: hostile, Outcome: hostile, Reason: hostile, Hunks: "+" + hostile + "\n", Unmerged: "-" + hostile + "\n"})
	p.Note("%s", hostile)
	p.Detail("%s", hostile)
	p.Warn(hostile)
	p.Fail(exit.Usage(hostile, "%s", hostile))
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
		p := &Printer{Err: &errs, ErrTTY: test.tty, plain: test.plain}
		p.Fail(errors.New("x"))
		expect.Is(t, strings.Contains(errs.String(), "\x1b["), test.want, test.name, "coloured", errs.String())
	}
}

func TestMarksAreColourOnATerminalAndNothingInAPipe(t *testing.T) {
	for _, tty := range []bool{false, true} {
		var out bytes.Buffer
		p := &Printer{Out: &out, OutTTY: tty}
		p.Say("a " + present.MarkStart + "key" + present.MarkEnd + " b" + present.MarkEnd)
		if got := out.String(); strings.Contains(got, "\x1b[") != tty || !tty && got != "a key b\n" || strings.ContainsAny(got, present.MarkStart+present.MarkEnd) {
			t.Errorf("on a terminal %v: %q", tty, got)
		}
	}
}

// A diff in a pipe has to be the very bytes, else patch refuses it.
func TestDiffIntoAPipeIsExact(t *testing.T) {
	var out bytes.Buffer
	p := &Printer{Out: &out}
	p.Diff(present.Diff{Note: "x y", Outcome: "updated", Hunks: "@@ -1 +1 @@\n-a\x07\n+b\u202e\n"})
	const want = "updated x y\ndiff --git a/x y b/x y\n--- a/x y\t\n+++ b/x y\t\n@@ -1 +1 @@\n-a\x07\n+b\u202e\n"
	expect.Is(t, out.String(), want)
}
