package commands

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/pattern"
)

type part struct {
	text   string
	before string // operator in front of it
	behind string // and behind it
	proven bool   // exit code 0 of the whole proves that it succeeded
}

// Beginnings of texts that a shell takes from the lines below, or between quotes.
var (
	hereDoc    = pattern.Lazy(`(?:^|[^<])<<-?[ \t]*\\?(?:'([^'\n]+)'|"([^"\n]+)"|([A-Za-z_]\w*))`)
	hereString = pattern.Lazy(`(?s)@(?:'\n.*?\n'|"\n.*?\n")@`) // of PowerShell
)

// withoutBodies puts "…" for the texts that a command carries along.
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
			if end < 0 && strings.HasSuffix(command, "…") { // it was too long to be kept
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

// chain splits a command outside quotes and groups, and says which parts exit code 0 proves.
func chain(command string) []part {
	var parts []part
	var text []byte
	before := ""
	end := func(operator string) { // a line that ends with an operator goes on in the next
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

// operatorAt is the operator that begins at a place, empty for none.
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

// stopsAtErrors begins a script of which every command must succeed.
var stopsAtErrors = pattern.Lazy(`^set\s+-[a-z]*e`)

// prove marks the parts that succeeded if the whole ended with exit code 0: those of the last
// list, joined by &&. One before | or || may have failed, and one behind || may not have run.
func prove(parts []part) {
	last, sure := true, true // of the list that a part is in
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
