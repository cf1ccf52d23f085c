package copilotcli

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// injectedTags are the wrappers around text that the CLI adds to a prompt.
func injectedTags() []string {
	return []string{"current_datetime", "system_reminder", "system-reminder", "reminder", "system_notification"}
}

// stripInjected takes off the blocks the CLI put before and behind what a
// person typed. What stands between, tags of the same name included, is theirs.
func stripInjected(text string) string {
	for {
		was := len(text)
		for _, tag := range injectedTags() {
			text = stripBlock(text, "<"+tag+">", "</"+tag+">")
		}
		if len(text) == was {
			return text
		}
	}
}

// stripBlock takes off one block at either end, with the white space around it.
func stripBlock(text, begin, end string) string {
	if t := strings.TrimLeft(text, " \t\r\n"); strings.HasPrefix(t, begin) {
		if i := strings.Index(t, end); i >= 0 {
			text = strings.TrimLeft(t[i+len(end):], "\r\n")
		}
	}
	if t := strings.TrimRight(text, " \t\r\n"); strings.HasSuffix(t, end) {
		if i := strings.LastIndex(t, begin); i >= 0 {
			text = strings.TrimRight(t[:i], " \t\r\n")
		}
	}
	return text
}

// attach notes what was added to a prompt: files and selections are viewed,
// commits, pull requests and issues are refs.
func (p *logParser) attach(t *sources.Turn, a *attachment) {
	kind, path := a.Type, cmp.Or(a.Path, a.FilePath)
	switch kind {
	case "file", "selection":
		if _, own := stateFileOf(path); path != "" && !own {
			p.touched(touch{path: path, kind: sources.Viewed}, "", t.Index, t.At)
		}
	case "blob":
		if kind = sources.File; strings.HasPrefix(a.MimeType, "image/") {
			kind = "image"
		}
	case "github_reference":
		kind = cmp.Or(a.ReferenceType, "reference")
		p.attachRef(kind, int64(a.Number), a.URL, a.Title, t.Index)
	case "github_commit":
		kind = sources.Commit
		p.refer(sources.Ref{Type: sources.Commit, Value: shortHash(cmp.Or(a.SHA, a.OID)),
			Text: words.OneLine(a.Title, 200), Turn: t.Index})
	}
	kind = strings.ReplaceAll(strings.TrimPrefix(kind, "github_"), "_", " ")
	name := cmp.Or(p.shorten(path), a.DisplayName, a.Title, a.Name, a.URL)
	if kind == "" && name == "" {
		return
	}
	t.Attachments = append(t.Attachments, sources.Attachment{Kind: words.OneLine(kind, 64), Name: words.OneLine(name, 200)})
}

// attachRef notes an attached pull request or issue.
func (p *logParser) attachRef(kind string, number int64, url, title string, turn int) {
	ref, ok := refOfURL(url)
	if !ok {
		switch {
		case number <= 0:
			return
		case kind == "pr", kind == "pull_request":
			ref = forgeRef(sources.PR, number)
		case kind == "issue":
			ref = forgeRef(sources.Issue, number)
		default:
			return
		}
	}
	ref.Text, ref.Turn = words.OneLine(title, 200), turn
	p.refer(ref)
}
