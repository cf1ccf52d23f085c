package content

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// Naming is an issue or pull request that a prompt names.
type Naming struct {
	Type  string // sources.Issue, sources.PR
	Value string // "42", "owner/repo#42", "host/owner/repo#42"; "repo#42" if only a word names it
	Turn  int
	Text  string // the sentence
}

// issueName matches possible names of an issue: "issue #42", "PR owner/repo#43", "owner/repo#42", or an
// address, but no plain number, heading or colour.
var issueName = regexp.MustCompile(`(?i)` +
	`\b(issue|pr|pull request|merge request)s?[ \t]+([a-z0-9][a-z0-9-]*/[a-z0-9_-]+)?(#?)([1-9]\d{0,6})\b` +
	`|\b([a-z0-9][a-z0-9-]*/[a-z0-9_-]+)#([1-9]\d{0,6})\b` +
	`|\bhttps?://([a-z0-9.-]+/[a-z0-9._~/-]+?)/(?:-/)?(issues|pull|merge_requests)/([1-9]\d{0,6})\b`)

const (
	maxNamed  = 200     // limit of names in a session
	maxNaming = 4 << 10 // limit of bytes of a line
)

// Issues returns the issues and pull requests in the prompts of a session, each once a turn.
func Issues(s *sources.Session) (out []Naming) {
	for i, t := range s.Turns {
		if t.Inherited {
			continue
		}
		for line := range strings.Lines(t.User) {
			if line = texts.CutRunes(line, maxNaming); !mayName(line) {
				continue
			}
			for _, n := range issuesIn(line) {
				if len(out) == maxNamed {
					return out
				}
				n.Turn = i
				if !slices.ContainsFunc(out, func(o Naming) bool { return o.Turn == i && o.Type == n.Type && o.Value == n.Value }) {
					out = append(out, n)
				}
			}
		}
	}
	return out
}

// mayName is false for a line without a number after one of the signs.
func mayName(line string) bool {
	if !strings.ContainsAny(line, "123456789") {
		return false
	}
	lower := strings.ToLower(line)
	return strings.ContainsRune(line, '#') || strings.Contains(lower, "issue") || strings.Contains(lower, "pr") || strings.Contains(lower, "request") || strings.Contains(lower, "/pull/")
}

func issuesIn(line string) (out []Naming) {
	for _, at := range issueName.FindAllStringSubmatchIndex(line, -1) {
		part := func(n int) string {
			if at[2*n] < 0 {
				return ""
			}
			return line[at[2*n]:at[2*n+1]]
		}
		n, ok := Naming{Type: sources.Issue, Text: sentenceAround(line, at[0], at[1])}, true
		before, after := line[:at[0]], line[at[1]:]
		switch {
		case part(7) != "":
			n.Value = part(7) + "#" + part(9)
			if !strings.EqualFold(part(8), "issues") {
				n.Type = sources.PR
			}
		case part(5) != "":
			n.Value = part(5) + "#" + part(6)
			ok = !strings.HasSuffix(before, "/") // a path or an address
		default:
			if !strings.EqualFold(part(1), "issue") {
				n.Type = sources.PR
			}
			n.Value, ok = numbered(n.Type, before, part(2), part(3), part(4), after)
		}
		if ok {
			out = append(out, n)
		}
	}
	return out
}

// numbered returns what a word and a number name; ok is false if it may count something else: "issue 2" of a
// list, "issue 50 requests". A word before it may be the name of another repository.
func numbered(typ, before, repo, sign, number, after string) (value string, ok bool) {
	switch {
	case repo != "":
		return repo + "#" + number, sign != ""
	case sign == "" && (len(number) == 1 || typ == sources.Issue && !goesOn.MatchString(after)):
		return "", false
	}
	word := lastWord.FindString(before)
	switch word = strings.TrimLeft(strings.ToLower(strings.TrimSpace(word)), "([{\"'*_"); {
	case word == "" || slices.Contains(leads, word):
		return number, true
	case repoName.MatchString(word):
		return word + "#" + number, true
	}
	return number, true
}

var (
	lastWord = regexp.MustCompile(`\S+[ \t]+$`)
	repoName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
	// goesOn matches what may follow a number if nothing is counted.
	goesOn = regexp.MustCompile(`^(?:\s*$|[!?)\]"'…,;:]|\.(?:\D|$)|\s+(?:is|was|and|or|in|on|of|for|from|to|with|has|says|asks|needs|again|now|first|then|too|still|when|if|before|after|by|as|at|but|fixed|done|closed|open|solved|ready|und|oder|et|ou|y)\b|\s+[(—–-])`)
	// leads are words that precede an issue of the current repository.
	leads = strings.Fields("the this that which what an any each our my your its see cf about in on for of to with from by at per re via into after before since under and or if " +
		"is was are does did do as like not only just now then next first also both another new old same draft github gh i we you " +
		"address addresses add analyse analyze approve assign check close closed closes comment continue cover create created debug describe discuss explain file filed find finish " +
		"fix fixed fixes follow get handle implement investigate keep label link list mark mention mentions merge merged move open opened opens plan push read rebase reference " +
		"references reopen reproduce resolve resolved resolves revert review rework show skip solve solved solves split start summarise summarize tackle take test track tracked " +
		"tracks triage try update use verify view work write " +
		"das dem des der die den zum zur im am la le les un une el los del du au de en")
)

// sentenceAround returns the sentence around a range of a line.
func sentenceAround(line string, from, to int) string {
	start := 0
	for _, s := range texts.Sentences(line) {
		at := strings.Index(line[start:], s)
		if at < 0 {
			break
		}
		if start += at + len(s); start >= to && start-len(s) <= from {
			return s
		}
	}
	return texts.OneLine(line)
}
