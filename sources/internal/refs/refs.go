// Package refs finds the commits, pull requests and issues that the output of a command
// tells of.
package refs

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// Scan says what the output of a command may tell.
type Scan int

// What there is to look for.
const (
	Commits Scan = 1 << iota // lines of git commit
	Forge                    // addresses printed by gh
)

var (
	commitLine = pattern.Lazy(`(?m)^\[\S[^\]\n]* ([0-9a-f]{7,40})\] (.+)$`)
	forgeURL   = pattern.Lazy(`https://([A-Za-z0-9.-]+(?::\d+)?)/([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)/(pull|issues)/([1-9]\d{0,8})\b`)
	forgeTitle = pattern.Lazy(`\bgh[ \t]+(pr|issue)[ \t]+create\b(?:[^\n;&|'"]|'[^']*'|"[^"]*")*?[ \t](?:--title|-t)[ \t=]+('[^'\n]*'|"[^"$\n\\` + "`" + `]*")`)
	hexHash    = pattern.Lazy(`^[0-9a-fA-F]{7,40}$`)
)

// ScanOf decides by a command whether its output is worth reading.
func ScanOf(command string) (s Scan) {
	if strings.Contains(command, "git") {
		s |= Commits
	}
	if strings.Contains(command, "gh pr") || strings.Contains(command, "gh issue") {
		s |= Forge
	}
	return s
}

// TitlesOf are the titles that a command gives to what it opens, by kind.
func TitlesOf(command string) map[string][]string {
	if !strings.Contains(command, "create") {
		return nil
	}
	out := map[string][]string{}
	for _, m := range forgeTitle().FindAllStringSubmatch(command, -1) {
		out[m[1]] = append(out[m[1]], words.OneLine(m[2][1:len(m[2])-1], 200))
	}
	return out
}

// Find gives the refs that an output tells of, of no turn. Those that a command opened have
// the titles it gave, where each has one.
func Find(output string, what Scan, titles map[string][]string) (out []sources.Ref) {
	if what&Commits != 0 {
		for _, m := range commitLine().FindAllStringSubmatch(output, -1) {
			out = append(out, sources.Ref{Type: sources.Commit, Value: m[1], Text: strings.TrimSpace(m[2]), Turn: -1})
		}
	}
	if what&Forge == 0 {
		return out
	}
	var opened []sources.Ref
	places := map[string][]int{}
	for i, m := range forgeURL().FindAllStringSubmatch(output, -1) {
		opened = append(opened, ofURL(m))
		places[opened[i].Type] = append(places[opened[i].Type], i)
	}
	for kind, list := range places {
		if told := titles[kind]; len(told) == len(list) {
			for n, i := range list {
				opened[i].Text = told[n]
			}
		}
	}
	return append(out, opened...)
}

// FromURL is the pull request or the issue that an address names, of no turn.
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

// ShortHash gives the first characters of a commit hash, "" for anything else.
func ShortHash(s string) string {
	if !hexHash().MatchString(s) {
		return ""
	}
	return strings.ToLower(s[:min(len(s), 12)])
}

var quietLine = pattern.Lazy(`(?m)^([0-9a-f]{7,12}) (.+)$`)

// Quiet gives the commits of a command that has git commit print nothing and lists the log
// afterwards: a line of the log whose subject the command gave.
func Quiet(command, output string) (out []sources.Ref) {
	if !strings.Contains(command, "git commit") || !strings.Contains(command, "git log") {
		return nil
	}
	for _, m := range quietLine().FindAllStringSubmatch(output, -1) {
		if subject := strings.TrimSpace(m[2]); len(subject) > 3 && strings.Contains(command, subject) {
			out = append(out, sources.Ref{Type: sources.Commit, Value: m[1], Text: subject, Turn: -1})
		}
	}
	return out
}
