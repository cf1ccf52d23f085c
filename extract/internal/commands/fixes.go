package commands

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/sources"
)

// Fix is a failed command and what made it work.
type Fix struct {
	Turn   int
	Text   string // the failed command
	Worked Success
	Commit *sources.Ref // the commit in between, or nil
	Files  []string     // files edited in between, without a commit
}

// By returns in one line the commit that fixed it, else the edited files, after the command that worked if
// that is another one.
func (f Fix) By() string {
	if f.Commit != nil {
		return f.Commit.Line()
	}
	by := "edits of `" + strings.Join(f.Files[:min(len(f.Files), maxFixFiles)], "`, `") + "`"
	if outputs().ReplaceAllString(f.Text, "") != f.Worked.Line {
		by = "`" + f.Worked.Line + "` after " + by
	}
	return by
}

const (
	maxFixFiles = 2 // limit of named files
	maxErrors   = 100
)

// Fixes returns the commands of a session that failed, and worked after edits or a commit. A fix of several
// is reported once.
func Fixes(s *sources.Session) (out []Fix) {
	looked := 0 // errors examined, as each looks at all calls
	for i, t := range s.Turns {
		for j, c := range t.Tools {
			parts := partsOf(c.Command, s.Place)
			if t.Inherited || len(parts) == 0 || c.Exit == nil || slices.Contains(notErrors, *c.Exit) || looked == maxErrors {
				continue
			}
			if looked++; namesMissing(s, c.Command) {
				continue
			}
			worked := nextSuccess(s, i, j, parts)
			if worked == nil || slices.ContainsFunc(out, func(o Fix) bool { return o.Worked == *worked }) {
				continue
			}
			f := Fix{Turn: i, Text: shown(withoutRoot(withoutBodies(c.Command), s.Place)), Worked: *worked, Commit: nextCommit(s, i, j, worked.Turn)}
			if f.Commit == nil {
				f.Files = editedIn(s, i, worked.Turn)
			}
			if f.Commit != nil || len(f.Files) > 0 {
				out = append(out, f)
			}
		}
	}
	return out
}

// editedIn returns the project's files that some turns edited.
func editedIn(s *sources.Session, from, to int) (out []string) {
	for _, u := range content.Files(s) {
		if slices.ContainsFunc(u.Prompts, func(number int) bool { return number > from && number <= to+1 }) {
			out = append(out, u.Path)
		}
	}
	return out
}

// notErrors are exit codes of unknown or stopped commands.
var notErrors = []int{0, 126, 127, 130, 137, 143}

// namesMissing reports whether a command names a path that nothing else in the session does: the path then
// counts as missing, as the output of commands is not stored.
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

// names reports whether a text contains a path, whole or as the folder of another.
func names(text, name string) bool {
	_, behind, ok := strings.Cut(text, name)
	return ok && (behind == "" || strings.ContainsAny(behind[:1], "/\"' \n;&|)")) || ok && names(behind, name)
}

// nextCommit returns the first commit after a call, up to a turn.
func nextCommit(s *sources.Session, turn, call, last int) *sources.Ref {
	before := 0 // commits of the turn
	for _, c := range s.Turns[turn].Tools[:call] {
		if strings.Contains(c.Command, "git commit") && (c.Exit == nil || *c.Exit == 0) {
			before++
		}
	}
	var found *sources.Ref
	for i := range s.Refs {
		r := &s.Refs[i]
		if r.Type != sources.Commit || r.Turn < turn || r.Turn > last {
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

// nextSuccess returns the first later part of a call that ran one of its programs for the same purpose and worked.
func nextSuccess(s *sources.Session, turn, call int, failed []known) *Success {
	for i, t := range s.Turns[turn:] {
		for j, c := range t.Tools {
			if i == 0 && j <= call || c.Exit == nil || *c.Exit != 0 {
				continue
			}
			for _, p := range partsOf(c.Command, s.Place) {
				if p.proven && slices.ContainsFunc(failed, func(f known) bool { return f.program == p.program && f.kind == p.kind }) {
					return &Success{Turn: turn + i, Kind: p.kind, Line: p.line}
				}
			}
		}
	}
	return nil
}
