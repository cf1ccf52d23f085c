package eventlog

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// scanOf decides by the command whether its result is worth reading.
func scanOf(tool string, c words.Command) refs.Scan {
	s := refs.ScanOf(commandText(c))
	if strings.HasPrefix(tool, "read_") { // of a command sent to the background
		s |= refs.Commits
	}
	return s
}

func commandText(c words.Command) string { return c.Text + strings.Join(c.Words, "\n") }

// scan notes the commits, pull requests and issues a result tells of.
func (p *parser) scan(result string, open *openCall) {
	for _, ref := range refs.Find(result, open.scan, open.titles) {
		ref.Turn = open.turn
		p.refer(ref)
	}
}

// refsOfArguments reads what a tool of the forge was asked about.
func refsOfArguments(args *words.Arguments) (out []sources.Ref) {
	repo := ""
	if args.Owner != "" && args.Repo != "" {
		repo = "github.com/" + args.Owner + "/" + args.Repo
	}
	add := func(kind string, n decode.Whole) {
		if n > 0 && n < 1e9 {
			out = append(out, sources.Ref{Type: kind, Value: strconv.Itoa(int(n)), Repo: repo})
		}
	}
	add(sources.PR, cmp.Or(args.PullNumber, args.PullNumberSnake))
	add(sources.Issue, cmp.Or(args.IssueNumber, args.IssueSnake))
	if sha := refs.ShortHash(args.SHA); sha != "" {
		out = append(out, sources.Ref{Type: sources.Commit, Value: sha, Repo: repo})
	}
	return out
}

// attachRef notes an attached pull request or issue.
func (p *parser) attachRef(kind string, a *attachment, turn int) {
	var ref sources.Ref
	if named, ok := refs.FromURL(a.URL); ok {
		ref, ref.Turn = named, turn
	} else if a.Number > 0 && (kind == "pr" || kind == "pull_request" || kind == "issue") {
		ref = sources.Ref{Type: sources.PR, Value: strconv.Itoa(int(a.Number)), Turn: turn}
		if kind == "issue" {
			ref.Type = sources.Issue
		}
	}
	ref.Text = words.OneLine(a.Title, 200)
	p.refer(ref)
}

// refer notes a ref once; its repository only where it is another than the
// session's.
func (p *parser) refer(ref sources.Ref) {
	if ref.Value == "" {
		return
	}
	if p.sameRepository(ref.Repo) {
		ref.Repo = ""
	}
	if ref.Turn >= 0 {
		ref.At = p.session.Turns[ref.Turn].At
	}
	if p.first(onceRef, ref.Type+"\x00"+ref.Value+"\x00"+strings.ToLower(ref.Repo)) {
		p.session.Refs = append(p.session.Refs, ref)
	}
}

// sameRepository reports whether host/owner/name is the session's own.
func (p *parser) sameRepository(repo string) bool {
	place := p.session.Place
	own := strings.TrimSuffix(place.Repository, ".git")
	if strings.Count(own, "/") == 1 {
		own = cmp.Or(place.Host, "github.com") + "/" + own
	}
	return repo != "" && strings.EqualFold(own, repo)
}

// ParseSections reads a checkpoint: sections between tags that stand at the
// beginning of a line. Text without any section is Raw;
// text beside the sections goes to the technical details, so that none is lost.
func ParseSections(text string) sources.Checkpoint {
	var cp sources.Checkpoint
	text = strings.ReplaceAll(text, "\r\n", "\n")
	title, text := cutSection(text, "checkpoint_title", nil)
	cp.Title = words.OneLine(title, 500)
	tags := []string{"overview", "history", "work_done", "technical_details", "important_files", "next_steps"}
	into := []*string{&cp.Overview, &cp.History, &cp.WorkDone, &cp.Technical, &cp.Important, &cp.NextSteps}
	rest := text
	for i, tag := range tags {
		*into[i], rest = cutSection(rest, tag, tags[i+1:])
	}
	if rest == text {
		cp.Raw = strings.TrimSpace(text)
		return cp
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		cp.Technical = strings.TrimSpace(cp.Technical + "\n\n" + rest)
	}
	return cp
}

// cutSection returns the trimmed text between <tag> and </tag>, and the text
// without them; without both of them there is no section. Texts quote the tags:
// the first opening one counts, and the last closing one before another section
// opens, else the last of all.
func cutSection(text, tag string, others []string) (section, rest string) {
	begin, end := "<"+tag+">", "</"+tag+">"
	open := atLineStart(text, begin)
	if open < 0 {
		return "", text
	}
	from, limit := open+len(begin), len(text)
	for _, other := range others {
		if i := atLineStart(text[from:], "<"+other+">"); i >= 0 {
			limit = min(limit, from+i)
		}
	}
	n := strings.LastIndex(text[from:limit], end)
	if n < 0 {
		n = strings.LastIndex(text[from:], end)
	}
	if n < 0 {
		return "", text
	}
	return strings.TrimSpace(text[from : from+n]), text[:open] + text[from+n+len(end):]
}

// atLineStart finds the first mark that begins a line or follows another tag.
func atLineStart(text, mark string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], mark)
		if i < 0 {
			return -1
		}
		i += from
		line := strings.LastIndexByte(text[:i], '\n') + 1
		if before := strings.TrimSpace(text[line:i]); before == "" || strings.HasSuffix(before, ">") {
			return i
		}
		from = i + len(mark)
	}
}
