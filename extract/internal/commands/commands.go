// Package commands returns the commands that a session ran, those that worked, and the errors that came up
// and were fixed. It is pure.
package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Command is a call that ran a command.
type Command struct {
	Turn        int
	Description string // the agent's own, or ""
	Line        string // the command in one line
	Failed      bool
	Exit        *int // nil: unknown
}

// Success is a part of a command that certainly succeeded.
type Success struct {
	Turn int
	Kind Kind
	Line string
}

// maxText limits the bytes of a line of a command, of a description and of an error.
const maxText = 200

// Of returns the commands of a session in their order.
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

// Worked returns the parts of commands that certainly succeeded, in order. A fork's inherited turns count for
// its parent.
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

// First returns the kind of a command's first part that has one, and what the command counts by: folder, program and
// first arguments.
func First(command string, place sources.Place) (kind Kind, key string) {
	for _, p := range partsOf(command, place) {
		return p.kind, p.key
	}
	return "", command
}

// known is a part of a command of a known kind.
type known struct {
	line    string // in one line, after the folder that it ran in
	key     string // see [First]
	program string // program that it runs, see [programOf]
	kind    Kind
	proven  bool // exit code 0 of the whole proves its success
}

// partsOf returns the parts of a command that test, build, run, lint or deploy.
func partsOf(command string, place sources.Place) []known {
	var out []known
	folder := "" // relative to the project's
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
			line, at := outputs().ReplaceAllString(p.text, ""), ""
			if folder != "" {
				at = "cd " + folder + " && "
			}
			out = append(out, known{line: shown(at + line), key: at + string(kind) + " " + program, program: program, kind: kind, proven: p.proven})
		}
	}
	return out
}

// outputs match redirections at the end of a command, which do not change what it does.
var outputs = pattern.Lazy(`(?:\s+(?:2>&1|[12&]?>{1,2}\s*/dev/null))+\s*$`)

// shown returns a text in one line, with ~ for the home folder.
func shown(text string) string {
	text = texts.OneLine(sources.Tilde(strings.ReplaceAll(text, "\\\n", " ")))
	return escape.Cut(text, maxText-len("…"))
}

// changesFolder matches the start of a command that changes the folder first.
var changesFolder = pattern.Lazy(`^(?:cd|pushd|Set-Location)\s+(?:/d\s+)?("[^"\n]+"|'[^'\n]+'|[^\s;&|"']+)\s*(?:&&|;|\n)\s*`)

// withoutRoot removes the change to the project's folder, which is implied.
func withoutRoot(command string, place sources.Place) string {
	if strings.IndexByte("cpS", (command + " ")[0]) < 0 {
		return command
	}
	if m := changesFolder().FindStringSubmatch(command); m != nil && isRoot(m[1], place) {
		return command[len(m[0]):]
	}
	return command
}

func isRoot(folder string, place sources.Place) bool {
	folder = identity.UnifyPath(strings.Trim(strings.TrimSpace(folder), `"'`))
	root := identity.WorkFolder(place)
	return root != "" && (folder == root || folder == sources.Tilde(root))
}

// CheckIn returns a command in one line if it only tests, builds or lints, or "". A pipe stays in the line,
// as the exit code comes from its last command.
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

type part struct {
	text   string
	before string // operator before it
	behind string // operator after it
	proven bool   // exit code 0 of the whole proves its success
}

// Beginnings of texts that a shell reads from the lines below, or between quotes.
var (
	hereDoc    = pattern.Lazy(`(?:^|[^<])<<-?[ \t]*\\?(?:'([^'\n]+)'|"([^"\n]+)"|([A-Za-z_]\w*))`)
	hereString = pattern.Lazy(`(?s)@(?:'\n.*?\n'|"\n.*?\n")@`) // a text of PowerShell
)

// withoutBodies replaces the texts within a command by "…".
func withoutBodies(command string) string {
	if !strings.Contains(command, "\n") {
		return command
	}
	command = hereString().ReplaceAllString(command, "@'…'@")
	lines := strings.Split(command, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		for _, m := range hereDoc().FindAllStringSubmatch(lines[i], -1) {
			end := slices.IndexFunc(lines[i+1:], func(l string) bool { return strings.TrimLeft(l, "\t") == m[1]+m[2]+m[3] })
			if end < 0 && strings.HasSuffix(command, "…") { // it was too long to be stored
				end = len(lines) - i - 2
			}
			if end >= 0 && i+1 < len(lines) {
				out[len(out)-1] += " …"
				i += end + 1
			}
		}
	}
	return strings.Join(out, "\n")
}

// chain splits a command outside quotes and groups, and marks the parts that exit code 0 proves.
func chain(command string) []part {
	command = strings.ReplaceAll(command, "\\\n", " ") // a line that continues
	var parts []part
	var text []byte
	before := ""
	end := func(operator string) { // a line that ends with an operator continues
		if t := strings.TrimSpace(string(text)); t != "" {
			parts = append(parts, part{text: t, before: before, behind: operator})
			before = operator
		}
		text = text[:0]
	}
	var quote byte
	depth := 0
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch operator := operatorAt(command, i); {
		case c == '\\' && quote != '\'' && i+1 < len(command):
			text = append(text, c)
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth = max(depth-1, 0)
		case c == '#' && (i == 0 || strings.IndexByte(" \t\n;", command[i-1]) >= 0): // a comment
			i += strings.IndexByte(command[i:]+"\n", '\n') - 1
			continue
		case operator != "" && depth == 0:
			end(operator)
			i += len(operator) - 1
			continue
		}
		text = append(text, command[i])
	}
	end("")
	prove(parts)
	return parts
}

func operatorAt(command string, i int) string {
	for _, operator := range []string{"&&", "||", "|&", "|", ";", "\n"} {
		if strings.HasPrefix(command[i:], operator) {
			return operator
		}
	}
	redirects := i > 0 && strings.IndexByte("<>", command[i-1]) >= 0 || strings.HasPrefix(command[i:], "&>")
	if command[i] == '&' && !redirects {
		return "&"
	}
	return ""
}

// stopsAtErrors begins a script in which every command must succeed.
var stopsAtErrors = pattern.Lazy(`^set\s+-[a-z]*e`)

// prove marks the parts that succeeded if the whole ended with exit code 0: all in the last list joined by
// &&. A part before | or || may have failed, and a part after || may not have run.
func prove(parts []part) {
	last, sure := true, true // the list of a part
	for i := len(parts) - 1; i >= 0; i-- {
		p := &parts[i]
		joins := slices.Contains([]string{"&&", "||", "|", "|&"}, p.behind)
		if p.behind == "&" || i < len(parts)-1 && !joins {
			last, sure = false, true
		}
		sure = sure && p.behind != "||"
		alone := !joins && p.behind != "&" && (p.before == "" || p.before == ";" || p.before == "\n")
		piped := p.behind == "|" || p.behind == "|&"
		p.proven = last && sure && !piped && p.before != "||" || alone && stopsAtErrors().MatchString(parts[0].text)
		if strings.HasPrefix(p.text, "! ") {
			p.proven = false
		}
	}
}
