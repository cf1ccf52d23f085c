package words

import "strings"

// Section takes the trimmed text between <tag> and </tag> out of a text; without both of them there
// is none. Tags stand at the beginning of a line or behind another tag, and texts quote them: the
// first opening one counts, and the last closing one before another section opens, else the last of all.
func Section(text, tag string, others []string) (section, rest string) {
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
