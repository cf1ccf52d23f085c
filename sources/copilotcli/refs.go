package copilotcli

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// scan says what the result of a command may tell.
type scan int

const (
	scanCommits scan = 1 << iota // lines of git commit
	scanForge                    // addresses printed by gh
)

var (
	commitLine = regexp.MustCompile(`(?m)^\[\S[^\]\n]* ([0-9a-f]{7,40})\] (.+)$`)
	forgeURL   = regexp.MustCompile(`https://([A-Za-z0-9.-]+(?::\d+)?)/([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)/(pull|issues)/(\d{1,9})\b`)
	hexHash    = regexp.MustCompile(`^[0-9a-fA-F]{7,40}$`)
)

// scanOf decides by the command whether its result is worth reading.
func scanOf(c command) scan {
	var s scan
	text := c.Text + strings.Join(c.Words, "\n")
	if strings.Contains(text, "git") {
		s |= scanCommits
	}
	if strings.Contains(text, "gh pr") || strings.Contains(text, "gh issue") {
		s |= scanForge
	}
	return s
}

// scan notes the commits, pull requests and issues a result tells of.
func (p *logParser) scan(result string, what scan, turn int) {
	if what&scanCommits != 0 {
		for _, m := range commitLine.FindAllStringSubmatch(result, -1) {
			p.refer(sources.Ref{Type: sources.Commit, Value: m[1], Text: strings.TrimSpace(m[2]), Turn: turn})
		}
	}
	if what&scanForge != 0 {
		for _, url := range forgeURL.FindAllString(result, -1) {
			if ref, ok := refOfURL(url); ok {
				ref.Turn = turn
				p.refer(ref)
			}
		}
	}
}

// refOfURL reads the address of a pull request or an issue.
func refOfURL(url string) (sources.Ref, bool) {
	m := forgeURL.FindStringSubmatch(url)
	if m == nil {
		return sources.Ref{}, false
	}
	number, err := strconv.ParseInt(m[4], 10, 64)
	if err != nil || number == 0 {
		return sources.Ref{}, false
	}
	ref := forgeRef(sources.Issue, number)
	if m[3] == "pull" {
		ref.Type = sources.PR
	}
	ref.Repo = m[1] + "/" + m[2]
	return ref, true
}

func forgeRef(kind string, number int64) sources.Ref {
	return sources.Ref{Type: kind, Value: itoa(int(number))}
}

// refsOfArguments reads what a tool of the forge was asked about.
func refsOfArguments(args *arguments) []sources.Ref {
	var out []sources.Ref
	for _, ref := range []struct {
		kind   string
		number number
	}{{sources.PR, args.PullNumber}, {sources.PR, args.PullNumberSnake}, {sources.Issue, args.IssueSnake}, {sources.Issue, args.IssueNumber}} {
		if ref.number > 0 && ref.number < 1e9 {
			out = append(out, forgeRef(ref.kind, int64(ref.number)))
		}
	}
	if sha := shortHash(args.SHA); sha != "" {
		out = append(out, sources.Ref{Type: sources.Commit, Value: sha})
	}
	for i := range out {
		if args.Owner != "" && args.Repo != "" {
			out[i].Repo = "github.com/" + args.Owner + "/" + args.Repo
		}
	}
	return out
}

// shortHash returns the first characters of a commit hash, "" for anything else.
func shortHash(s string) string {
	if !hexHash.MatchString(s) {
		return ""
	}
	return strings.ToLower(s[:min(len(s), 12)])
}

// refer notes a ref once; its repository only where it is another than the
// session's.
func (p *logParser) refer(ref sources.Ref) {
	if ref.Value == "" {
		return
	}
	if p.sameRepository(ref.Repo) {
		ref.Repo = ""
	}
	if p.first(onceRef, ref.Type+"\x00"+ref.Value+"\x00"+strings.ToLower(ref.Repo)) {
		p.session.Refs = append(p.session.Refs, ref)
	}
}

// sameRepository reports whether host/owner/name is the session's own.
func (p *logParser) sameRepository(repo string) bool {
	place := p.session.Place
	if repo == "" || place.Repository == "" {
		return repo == ""
	}
	own := strings.TrimSuffix(place.Repository, ".git")
	if strings.Count(own, "/") == 1 {
		own = cmp.Or(place.Host, "github.com") + "/" + own
	}
	return strings.EqualFold(own, repo)
}

func itoa(n int) string { return strconv.Itoa(n) }
