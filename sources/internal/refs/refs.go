// Package refs finds the commits, pull requests and issues in a command and its output.
package refs

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

var (
	commitLine = pattern.Lazy(`^\[\S[^\]\n]* ([0-9a-f]{7,40})\] (.+)$`)
	logLine    = pattern.Lazy(`^(?:\* )?([0-9a-f]{7,40}) (?:\([^)\n]*\) )?(.+)$`)
	modeLine   = pattern.Lazy(`^ (?:create|delete) mode \d{6} .|^ (?:rename|rewrite) .+ \(\d{1,3}%\)$`)
	statLine   = pattern.Lazy(`^ \d+ files? changed(?:, \d+ (?:insertions?|deletions?)\([+-]\)){0,2}$`)
	forgeURL   = pattern.Lazy(`https://([A-Za-z0-9.-]+(?::\d+)?)/([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)/(pull|issues)/([1-9]\d{0,8})\b`)
	forgeTitle = pattern.Lazy(`\bgh[ \t]+(pr|issue)[ \t]+create\b(?:[^\n;&|'"]|'[^']*'|"[^"]*")*?[ \t](?:--title|-t)[ \t=]+('[^'\n]*'|"[^"$\n\\` + "`" + `]*")`)
	hexHash    = pattern.Lazy(`^[0-9a-fA-F]{7,40}$`)
)

// Of returns the commits, pull requests and issues that a command made or named, according to its
// output, without turns. passed says that it ended with exit code 0.
func Of(command, output string, passed bool) (out []sources.Ref) {
	if strings.Contains(command, "git") {
		out = commitsOf(command, output, passed)
	}
	if strings.Contains(command, "gh pr") || strings.Contains(command, "gh issue") {
		out = append(out, opened(command, output)...)
	}
	return out
}

// Told returns the commits that an output shows in the lines of git commit.
func Told(output string) (out []sources.Ref) {
	for _, m := range lines(output, "[", commitLine()) {
		out = append(out, commit(m[1], strings.TrimSpace(m[2])))
	}
	return out
}

// lines returns the matching lines of an output; only lines that begin with a byte of first are matched, as outputs may
// be large.
func lines(output, first string, fits *regexp.Regexp) (all [][]string) {
	for line := range strings.Lines(output) {
		if strings.IndexByte(first, line[0]) < 0 {
			continue
		}
		if m := fits.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			all = append(all, m)
		}
	}
	return all
}

// near limits how many commits of an output are compared with its command's.
const near = 1000

func commit(hash, subject string) sources.Ref {
	subject, _, _ = strings.Cut(subject, " Co-authored-by: ") // git takes it as the subject if no empty line separates them
	return sources.Ref{Type: sources.Commit, Value: hash, Text: words.OneLine(subject, 500), Turn: -1}
}

// commitsOf returns the commits that git printed, and quiet ones: identified by hash if a log shows it,
// else by subject if they were certainly made.
func commitsOf(command, output string, passed bool) []sources.Ref {
	out := Told(output)
	if !strings.Contains(command, "commit") {
		return out
	}
	var quiet []Commit
	told := len(out)
	for _, c := range CommitsIn(command) {
		i := slices.IndexFunc(out[:min(len(out), near)], func(r sources.Ref) bool { return c.Subject != "" && sameSubject(r.Text, c.Subject) })
		switch {
		case i >= 0:
			told--
		case c.Subject != "":
			quiet = append(quiet, c)
		}
	}
	if len(quiet) <= told { // none is left: lines with other words belong to them
		return out
	}
	stats := len(lines(output, " ", statLine()))
	if stats == 0 && len(out) == 0 && len(lines(output, " ", modeLine())) > 0 { // only the end of git's output is left
		stats = 1
	}
	if strings.Contains(output, "Fast-forward\n") { // a pull or merge prints the same
		stats = 0
	}
	logged := lines(output, "*0123456789abcdef", logLine())
	logged = logged[:min(len(logged), near)]
	for i, c := range quiet {
		if told > i { // its line differs: a hook or an editor changed the subject
			continue
		}
		hash := ""
		for _, m := range logged {
			if sameSubject(strings.TrimSpace(m[2]), c.Subject) {
				hash = m[1]
				break
			}
		}
		if hash != "" || passed && c.Passed || stats > len(out) && len(quiet) == 1 {
			out = append(out, commit(hash, c.Subject))
		}
	}
	return out
}

// sameSubject compares a subject printed by git with the given one.
func sameSubject(printed, given string) bool {
	return printed == given || strings.HasSuffix(given, "…") && strings.HasPrefix(printed, strings.TrimSuffix(given, "…"))
}

// Commit is a commit that a script requests.
type Commit struct {
	Subject string // empty: not in the script
	Passed  bool   // see [Command]
}

// CommitsIn returns the commits that a script requests.
func CommitsIn(script string) (all []Commit) {
	if !strings.Contains(script, "commit") {
		return nil
	}
	for _, c := range Commands(script) {
		if made, ok := CommitIn(c); ok {
			all = append(all, made)
		}
	}
	return all
}

// CommitIn returns the commit that a command makes; ok is false if it makes none.
func CommitIn(c Command) (made Commit, ok bool) {
	args := Git(c.Words)
	if len(args) == 0 || args[0] != "commit" || slices.Contains(args, "--dry-run") {
		return made, false
	}
	return Commit{subjectOf(args[1:], c.Input), c.Passed}, true
}

// Git returns the words of a git command from its sub-command on, or nil for another command.
func Git(all []string) []string {
	for len(all) > 0 && (all[0] == "sudo" || all[0] == "command" || all[0] == "env" || strings.Contains(all[0], "=")) {
		all = all[1:]
	}
	if len(all) == 0 || all[0] != "git" && !strings.HasSuffix(all[0], "/git") {
		return nil
	}
	for all = all[1:]; len(all) > 0 && strings.HasPrefix(all[0], "-"); all = all[1:] {
		if (all[0] == "-C" || all[0] == "-c" || all[0] == "--git-dir" || all[0] == "--work-tree") && len(all) > 1 {
			all = all[1:]
		}
	}
	return all
}

// subjectOf returns the first paragraph of the message given to git commit, as one line.
func subjectOf(args []string, input string) string {
	message, from := "", false
	for i := 0; i < len(args) && message == "" && args[i] != "--"; i++ {
		a, next := args[i], ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch name, value, valued := strings.Cut(a, "="); {
		case name == "--message" && valued:
			message = value
		case a == "--message":
			message = next
		case name == "--file" && valued:
			from = value == "-" || value == "/dev/stdin"
		case a == "--file":
			from = next == "-" || next == "/dev/stdin"
		case !strings.HasPrefix(a, "--") && strings.HasPrefix(a, "-"):
			message, from = short(a, next, message, from)
		}
	}
	if message == "" && from {
		message = input
	}
	message = strings.TrimSpace(strings.ReplaceAll(message, "\r\n", "\n"))
	if strings.HasPrefix(message, "$") { // only the shell knows it
		return ""
	}
	paragraph, _, _ := strings.Cut(message, "\n\n")
	return words.OneLine(paragraph, 500)
}

// short reads a group of one-letter options: -m, -am, -qF-.
func short(group, next, message string, from bool) (string, bool) {
	for i, c := range group {
		rest := group[i+1:]
		switch {
		case i == 0:
		case c == 'm' && rest != "":
			return rest, from
		case c == 'm':
			return next, from
		case c == 'F':
			return message, rest == "-" || rest == "" && (next == "-" || next == "/dev/stdin")
		case strings.ContainsRune("CctuS", c): // the rest is their value
			return message, from
		}
	}
	return message, from
}

// opened returns the pull requests and issues in an output, with the titles that a command gave them.
func opened(command, output string) (out []sources.Ref) {
	titles, places := map[string][]string{}, map[string][]int{}
	if strings.Contains(command, "create") {
		for _, m := range forgeTitle().FindAllStringSubmatch(command, -1) {
			titles[m[1]] = append(titles[m[1]], words.OneLine(m[2][1:len(m[2])-1], 200))
		}
	}
	for i, m := range forgeURL().FindAllStringSubmatch(output, -1) {
		out = append(out, ofURL(m))
		places[out[i].Type] = append(places[out[i].Type], i)
	}
	for kind, list := range places {
		for n, i := range list {
			if told := titles[kind]; len(told) == len(list) {
				out[i].Text = told[n]
			}
		}
	}
	return out
}

// FromURL returns the pull request or issue at an address, without a turn.
func FromURL(address string) (ref sources.Ref, ok bool) {
	m := forgeURL().FindStringSubmatch(address)
	if m == nil {
		return ref, false
	}
	return ofURL(m), true
}

func ofURL(m []string) sources.Ref {
	kind := sources.Issue
	if m[3] == "pull" {
		kind = sources.PR
	}
	return sources.Ref{Type: kind, Value: m[4], Repo: m[1] + "/" + m[2], Turn: -1}
}

// ShortHash returns the first characters of a commit hash, or "" for anything else.
func ShortHash(s string) string {
	if !hexHash().MatchString(s) {
		return ""
	}
	return strings.ToLower(s[:min(len(s), 12)])
}
