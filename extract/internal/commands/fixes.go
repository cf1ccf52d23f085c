package commands

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Fix is a failed command and the edits that made it work.
type Fix struct {
	Turn   int
	Text   string // the failed command, and the first line of its error
	Worked Success
	Files  []string // the last ones edited in between, newest first
	isSame bool     // the same command worked
}

// By returns in one line the edited files, after the command that worked if that is another one.
func (f Fix) By() string {
	by := "edits of `" + strings.Join(f.Files, "`, `") + "`"
	if !f.isSame {
		by = "`" + f.Worked.Line + "` after " + by
	}
	return by
}

const (
	maxFixFiles = 2   // limit of named files
	maxErrors   = 100 // in a session: each looks at all later calls
	maxCommand  = 90  // bytes of a command before the line of its error
)

// Fixes returns the commands of a session that failed, and worked once files were edited after that. Edits
// that fixed several are reported once.
func Fixes(s *sources.Session) (out []Fix) {
	looked := 0
	for i, t := range s.Turns {
		for j, c := range t.Tools {
			parts := partsOf(c.Command, s.Place)
			if t.Inherited || len(parts) == 0 || c.Exit == nil || slices.Contains(notErrors, *c.Exit) || looked == maxErrors {
				continue
			}
			if looked++; namesMissing(s, c.Command) {
				continue
			}
			f, ok := fixOf(s, i, j, parts)
			if !ok || len(f.Files) == 0 || slices.ContainsFunc(out, func(o Fix) bool { return o.Worked == f.Worked }) {
				continue
			}
			f.Text = shown(withoutRoot(withoutBodies(c.Command), s.Place))
			if line := errorOf(c); line != "" {
				f.Text = shown(escape.Cut(f.Text, maxCommand) + ": " + line)
			}
			out = append(out, f)
		}
	}
	return out
}

// errorOf returns the first line that a failed call printed and that names an error as compilers, tests and
// programs do, else its first line.
func errorOf(c sources.Tool) (first string) {
	for line := range strings.Lines(c.Errors) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, " ") && slices.ContainsFunc([]string{"rror", "FAIL", "atal: ", "anic: "}, func(word string) bool { return strings.Contains(line, word) }) {
			return line
		}
		if !strings.HasPrefix(line, "Exit code ") {
			first = cmp.Or(first, line)
		}
	}
	return first
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

// fixOf finds the first later part of a call that ran one of the failed programs for the same purpose and
// worked, and the files edited before it.
func fixOf(s *sources.Session, turn, call int, failed []known) (f Fix, ok bool) {
	for i, t := range s.Turns[turn:] {
		for j, c := range t.Tools {
			if i == 0 && j <= call {
				continue
			}
			edits := (c.Kind == sources.ToolEdit || c.Kind == sources.ToolCreate) && (c.OK == nil || *c.OK)
			if edits && c.Detail != "" && !slices.Contains(f.Files, c.Detail) {
				f.Files = append([]string{c.Detail}, f.Files[:min(len(f.Files), maxFixFiles-1)]...)
			}
			if c.Exit == nil || *c.Exit != 0 {
				continue
			}
			for _, p := range partsOf(c.Command, s.Place) {
				at := slices.IndexFunc(failed, func(f known) bool { return f.program == p.program && f.kind == p.kind })
				if p.proven && at >= 0 {
					f.Turn, f.Worked = turn, Success{Turn: turn + i, Kind: p.kind, Line: p.line}
					f.isSame = slices.ContainsFunc(failed, func(f known) bool { return f.line == p.line })
					return f, true
				}
			}
		}
	}
	return f, false
}
