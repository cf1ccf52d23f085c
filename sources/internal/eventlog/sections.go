package eventlog

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

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
