// Package commands tells which commands a session ran, which of them worked, and which errors
// came up and were fixed. It is pure: the same session gives the same rows.
package commands

import (
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Command is one call that ran a command.
type Command struct {
	Turn        int
	Description string // the agent's own, empty where it gave none
	Line        string // the command in one line
	Failed      bool
	Exit        *int // nil: unknown
}

// Success is a part of a command that is known to have succeeded.
type Success struct {
	Turn int
	Kind Kind
	Line string
}

// maxText is the size in bytes of a line of a command, of a description and of an error.
const maxText = 200

// Of tells the commands of a session in their order.
func Of(s *sources.Session) []Command {
	var out []Command
	for i, t := range s.Turns {
		for _, c := range t.Tools {
			if c.Command == "" {
				continue
			}
			row := Command{Turn: i, Line: shown(withoutRoot(withoutBodies(c.Command), s.Place)), Exit: c.Exit}
			row.Failed = c.Exit != nil && *c.Exit != 0 || c.OK != nil && !*c.OK
			if !content.IsShortCommand(c.Detail, c.Command) {
				row.Description = shown(c.Detail)
			}
			out = append(out, row)
		}
	}
	return out
}

// Worked tells the parts of commands that are known to have succeeded, in their order. What a
// fork has from its parent is told there.
func Worked(s *sources.Session) []Success {
	var out []Success
	for i, t := range s.Turns {
		if t.Inherited {
			continue
		}
		for _, c := range t.Tools {
			for _, p := range partsOf(c.Command, s.Place) {
				if c.Exit != nil && *c.Exit == 0 && p.proven {
					out = append(out, Success{Turn: i, Kind: p.kind, Line: p.line})
				}
			}
		}
	}
	return out
}

// known is a part of a command of which the kind is known.
type known struct {
	line    string // in one line, behind the folder that it ran in
	program string // what it ran, see [programOf]
	kind    Kind
	proven  bool // exit code 0 of the whole proves that it succeeded
}

// partsOf are the parts of a command that test, build, run, lint or deploy.
func partsOf(command string, place sources.Place) []known {
	var out []known
	folder := "" // from the project's
	for _, p := range chain(withoutRoot(withoutBodies(command), place)) {
		if dir, ok := strings.CutPrefix(p.text, "cd "); ok {
			if dir = strings.TrimSpace(dir); !strings.ContainsAny(dir[:1], "/~$\"'-") && !strings.Contains(dir, ":") {
				dir = path.Join(folder, dir)
			}
			if folder = dir; dir == "." || dir == "-" || isRoot(dir, place) {
				folder = ""
			}
			continue
		}
		if kind, program := kindOf(p.text); kind != "" {
			line := outputs().ReplaceAllString(p.text, "")
			if folder != "" {
				line = "cd " + folder + " && " + line
			}
			out = append(out, known{line: shown(line), program: program, kind: kind, proven: p.proven})
		}
	}
	return out
}

// outputs at the end of a command say where its words went, not what it did.
var outputs = pattern.Lazy(`(?:\s+(?:2>&1|[12&]?>{1,2}\s*/dev/null))+\s*$`)

// shown is a text in one line, with ~ for the home folder.
func shown(text string) string {
	text = texts.OneLine(sources.Tilde(strings.ReplaceAll(text, "\\\n", " ")))
	return escape.Cut(text, maxText-len("…"))
}

// changesFolder begins a command that first goes to a folder.
var changesFolder = pattern.Lazy(`^(?:cd|pushd|Set-Location)\s+(?:/d\s+)?("[^"\n]+"|'[^'\n]+'|[^\s;&|"']+)\s*(?:&&|;|\n)\s*`)

// withoutRoot takes off the way to the project's folder: everybody is there already.
func withoutRoot(command string, place sources.Place) string {
	if strings.IndexByte("cpS", (command + " ")[0]) < 0 {
		return command
	}
	if m := changesFolder().FindStringSubmatch(command); m != nil && isRoot(m[1], place) {
		return command[len(m[0]):]
	}
	return command
}

// isRoot says that a folder is the one that the project lies in.
func isRoot(folder string, place sources.Place) bool {
	folder = identity.UnifyPath(strings.Trim(strings.TrimSpace(folder), `"'`))
	root := identity.WorkFolder(place)
	return root != "" && (folder == root || folder == sources.Tilde(root))
}

// CheckIn is a command in one line where it does nothing but test, build or lint, empty for any
// other. What its output is piped to stays in the line, for the exit code is that of the last.
func CheckIn(command string, place sources.Place) string {
	parts := chain(withoutRoot(withoutBodies(command), place))
	if len(parts) > 1 && strings.HasPrefix(parts[0].text, "cd ") && parts[0].behind == "&&" {
		parts = parts[1:]
	}
	line := ""
	for i, p := range parts {
		switch {
		case i > 0 && p.before != "|" && p.before != "|&":
			return ""
		case i > 0:
			line += " " + p.before + " " + p.text
		default:
			line = p.text
		}
	}
	if line == "" {
		return ""
	}
	if kind, _ := kindOf(parts[0].text); kind != Test && kind != Build && kind != Lint {
		return ""
	}
	return shown(line)
}
