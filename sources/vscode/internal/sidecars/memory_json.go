package sidecars

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// readable makes markdown of a memory: entries as the memory tool writes them
// become paragraphs, other JSON a block of code, the rest is markdown already.
func readable(text, ext string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text
	}
	if entries, ok := entriesOf(trimmed); ok {
		var out []string
		for _, e := range entries {
			out = append(out, entry(e))
		}
		return strings.Join(out, "\n\n") + "\n"
	}
	switch strings.ToLower(ext) {
	case ".json", ".jsonl":
		return fenced(trimmed)
	}
	return text
}

// entriesOf reads {subject, fact, citations, reason, category}, one or several,
// in an array or one after the other. ok is false for anything else.
func entriesOf(text string) (entries []memoryEntry, ok bool) {
	d := decode.New(strings.NewReader(text))
	for {
		var list memoryList
		err := d.Read(&list)
		if errors.Is(err, io.EOF) {
			return entries, len(entries) > 0
		}
		if err != nil {
			return nil, false
		}
		for _, e := range list {
			if !e.isOne() {
				return nil, false
			}
		}
		entries = append(entries, list...)
	}
}

// memoryList is one entry, or several in an array.
type memoryList []memoryEntry

// ReadJSON implements decode.Reader.
func (l *memoryList) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if d.PeekKind() == '[' {
		return true, d.Read((*[]memoryEntry)(l))
	}
	*l = make([]memoryEntry, 1)
	return true, d.Read(&(*l)[0])
}

// memoryEntry is an entry, of which any member is shown.
type memoryEntry struct {
	decode.Table[memoryValue]
}

// isOne tells whether all of it can be shown as an entry.
func (e *memoryEntry) isOne() bool {
	for _, value := range e.All() {
		if value.other {
			return false
		}
	}
	return e.Get("fact").Text != ""
}

// memoryValue is a simple value, or a list of such; other for any other.
type memoryValue struct {
	decode.Scalar
	list          []memoryValue
	isList, other bool
}

// ReadJSON implements decode.Reader.
func (v *memoryValue) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	switch d.PeekKind() {
	case '[':
		v.isList = true
		err = d.Read(&v.list)
		for _, item := range v.list {
			v.other = v.other || item.other || item.isList
		}
	case '{':
		v.other, err = true, d.SkipValue()
	default:
		err = d.Read(&v.Scalar)
		_, ok := decode.Number(v.Text)
		v.other = v.Kind == '0' && !ok
	}
	return true, err
}

// entry writes one entry: its subject, the fact, and what else is told of it.
func entry(n memoryEntry) string {
	var b strings.Builder
	if subject := n.Get("subject").words(); subject != "" {
		b.WriteString("**" + subject + "**\n\n")
	}
	b.WriteString(strings.TrimSpace(n.Get("fact").Text))
	lead := "\n\n"
	for name, value := range n.All() {
		text := value.words()
		if text == "" || name == "subject" || name == "fact" {
			continue
		}
		b.WriteString(lead + "- " + strings.Join(strings.Fields(name), " ") + ": " + text)
		lead = "\n"
	}
	return b.String()
}

// words writes it in one line.
func (v memoryValue) words() string {
	switch v.Kind {
	case '0':
		n, _ := decode.Number(v.Text)
		return strconv.FormatInt(n, 10)
	case 't', 'f':
		return strconv.FormatBool(v.Kind == 't')
	}
	all := []string{strings.Join(strings.Fields(v.Text), " ")}
	if v.isList {
		all = nil
	}
	for _, item := range v.list {
		all = append(all, item.words())
	}
	return strings.Join(all, ", ")
}

// fenced wraps text into a block of code that nothing in it can end.
func fenced(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	return fence + "json\n" + text + "\n" + fence + "\n"
}
