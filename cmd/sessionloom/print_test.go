package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// A terminal obeys control characters: text of a transcript must not carry any.
func TestNoControlCharacterReachesATerminal(t *testing.T) {
	hostile := "a\x1b]52;c;ZXZpbA==\x07b\rc\u202ed\u009be\u2028f\tg\x00"
	var out, errs bytes.Buffer
	p := &printer{out: &out, err: &errs, outTTY: true, errTTY: true, plain: true, verbose: true}
	p.say(hostile)
	p.diff(noteDiff{note: hostile, id: hostile, outcome: hostile, hunks: "+" + hostile + "\n"})
	p.note("%s", hostile)
	p.detail("%s", hostile)
	p.warn(hostile)
	p.fail(usage(hostile, "%s", hostile))
	for _, got := range []string{out.String(), errs.String()} {
		if strings.ContainsAny(got, "\x1b\x07\r\x00\u202e\u009b\u2028") || !strings.Contains(got, "\tg") {
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
	const hunks = "@@ -1 +1 @@\n-a\x07\n+b\u202e\n"
	p.diff(noteDiff{note: "x", outcome: "updated", hunks: hunks})
	if !strings.HasSuffix(out.String(), hunks) {
		t.Errorf("got %q", out.String())
	}
}
