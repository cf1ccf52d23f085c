package commands

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// Fix is an error and what fixed it: one of Commit and Worked.
type Fix struct {
	Turn   int
	Text   string // the line of the error, or the command that failed
	Commit *sources.Ref
	Worked *Success
}

// By is the commit or the command that fixed it, in one line.
func (f Fix) By() string {
	if f.Commit != nil {
		return f.Commit.Line()
	}
	return "`" + f.Worked.Line + "`"
}

const (
	maxTurns  = 2       // how many turns later a commit may come to be told as a fix
	maxPrompt = 8 << 10 // bytes of a prompt in which an error is looked for
)

// Fixes tells the errors of a session that were fixed. What fixed several is told once.
func Fixes(s *sources.Session) []Fix {
	var out []Fix
	add := func(f Fix) {
		again := slices.ContainsFunc(out, func(o Fix) bool {
			return f.Commit != nil && o.Commit == f.Commit || f.Worked != nil && o.Worked != nil && *o.Worked == *f.Worked
		})
		if !again && (f.Commit != nil || f.Worked != nil) {
			out = append(out, f)
		}
	}
	looked := 0
	for i, t := range s.Turns {
		if t.Inherited {
			continue
		}
		if text := errorIn(t.User); text != "" && looked < maxErrors {
			looked++
			add(Fix{Turn: i, Text: shown(text), Commit: nextCommit(s, i, 0)})
		}
		for j, c := range t.Tools {
			parts := partsOf(c.Command, s.Place)
			if len(parts) == 0 || c.Exit == nil || slices.Contains(notErrors, *c.Exit) || looked == maxErrors {
				continue
			}
			if looked++; namesMissing(s, c.Command) {
				continue
			}
			f := Fix{Turn: i, Text: shown(withoutRoot(withoutBodies(c.Command), s.Place)), Commit: nextCommit(s, i, j)}
			if f.Commit == nil {
				f.Worked = nextSuccess(s, i, j, parts)
			}
			add(f)
		}
	}
	return out
}

// maxErrors is how many errors are looked at in a session: for each of them all calls are.
const maxErrors = 100

// notErrors are exit codes of a command that is unknown or was stopped.
var notErrors = []int{0, 126, 127, 130, 137, 143}

// namesMissing says that a command names a path that nothing else in the session does: it is
// taken for one that is not there, since what a command prints is not kept.
func namesMissing(s *sources.Session, command string) bool {
	for _, p := range chain(withoutBodies(withoutRoot(command, s.Place))) {
		for _, w := range strings.Fields(p.text) {
			name := strings.Trim(w, `./"'`)
			if kind, _ := kindOf(p.text); kind == "" || !strings.Contains(strings.TrimLeft(w, "./"), "/") || strings.ContainsAny(w, ":*$=@") || w[0] == '-' || strings.Contains(w, "...") {
				continue
			}
			named := slices.ContainsFunc(s.Files, func(f sources.FileTouch) bool { return names(strings.ReplaceAll(f.Path, `\`, "/"), name) })
			for _, t := range s.Turns {
				named = named || slices.ContainsFunc(t.Tools, func(c sources.Tool) bool { return c.Command != command && names(c.Command, name) })
			}
			if !named {
				return true
			}
		}
	}
	return false
}

// names says that a text holds a path, whole or as the folder of another.
func names(text, name string) bool {
	_, behind, ok := strings.Cut(text, name)
	return ok && (behind == "" || strings.ContainsAny(behind[:1], "/\"' \n;&|)")) || ok && names(behind, name)
}

// nextCommit is the first commit behind a call: in its turn or the next ones.
func nextCommit(s *sources.Session, turn, call int) *sources.Ref {
	before := 0 // commits of the turn
	for _, c := range s.Turns[turn].Tools[:call] {
		if strings.Contains(c.Command, "git commit") && (c.Exit == nil || *c.Exit == 0) {
			before++
		}
	}
	var found *sources.Ref
	for i := range s.Refs {
		r := &s.Refs[i]
		if r.Type != sources.Commit || r.Turn < turn || r.Turn > turn+maxTurns {
			continue
		}
		if r.Turn == turn && before > 0 {
			before--
		} else if found == nil || r.Turn < found.Turn {
			found = r
		}
	}
	return found
}

// nextSuccess is the first part behind a call that runs one of its programs and worked.
func nextSuccess(s *sources.Session, turn, call int, failed []known) *Success {
	for i, t := range s.Turns[turn:] {
		for j, c := range t.Tools {
			if i == 0 && j <= call || c.Exit == nil || *c.Exit != 0 {
				continue
			}
			for _, p := range partsOf(c.Command, s.Place) {
				if p.proven && slices.ContainsFunc(failed, func(f known) bool { return f.program == p.program }) {
					return &Success{Turn: turn + i, Kind: p.kind, Line: p.line}
				}
			}
		}
	}
	return nil
}
