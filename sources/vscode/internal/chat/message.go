package chat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

const (
	detailSize = 300 // bytes of the one line that tells what a call did
	nameSize   = 200 // bytes of the name of a tool or of an unknown kind
	maxName    = 300 // bytes of the name of an attachment
)

var (
	// escapes are what a terminal takes for colours, cursor moves and titles.
	escapes = pattern.Lazy("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\x1b[ -/]*[0-~]?")
	// icons are those of VS Code, $(check), $(sync~spin), and code, in which there are none.
	icons = pattern.Lazy("(?s)```.*?(?:```|$)|`[^`]*(?:`|$)|\\$\\([a-z][a-z0-9-]*(?:~[a-z]+)?\\) ?")
	// links of markdown, with one level of brackets in the address.
	links = pattern.Lazy(`!?\[((?:[^\[\]\\\n]|\\.)*)\]\(<?((?:[^()\s<>]|\([^()\s]*\))+)>?(?:\s+"[^"\n]*")?\)`)
	// emptyLinks are those whose label is left to the reader to make of the address.
	emptyLinks = pattern.Lazy(`\[\]\(<?((?:[^()\s<>]|\([^()\s]*\))+)>?\)`)
	// lineAnchors name lines of a file: #3, #L3-L9, #3-9, #L3,5-L9,1.
	lineAnchors = pattern.Lazy(`^L?(\d{1,9})(?:,\d+)?(?:-L?(\d{1,9})(?:,\d+)?)?$`)
	// marks are what markdown and VS Code's own escaping put into plain words.
	marks = strings.NewReplacer("**", "", "`", "", `\_`, "_", `\*`, "*", `\[`, "[", `\]`, "]", `\#`, "#", `\~`, "~",
		`\<`, "<", `\>`, ">", `\(`, "(", `\)`, ")", "&nbsp;", " ", "&lt;", "<", "&gt;", ">", "&amp;", "&")
)

// markdown is the text of a message, without icons.
func markdown(m *chatlog.Markdown) string {
	switch {
	case m == nil:
		return ""
	case m.Icons:
		return icons().ReplaceAllStringFunc(m.Value, func(found string) string {
			if found[0] == '`' {
				return found
			}
			return ""
		})
	}
	return m.Value
}

// said is a message as a block of the answer: links without a label get one.
func said(n *chatlog.Markdown) string {
	s := escapes().ReplaceAllString(markdown(n), "")
	s = emptyLinks().ReplaceAllStringFunc(s, func(link string) string {
		return codeSpan(linkLabel(emptyLinks().FindStringSubmatch(link)[1], n))
	})
	return strings.TrimSpace(s)
}

// plain is a message in plain words on one line.
func plain(n *chatlog.Markdown) string {
	s := links().ReplaceAllStringFunc(markdown(n), func(link string) string {
		m := links().FindStringSubmatch(link)
		if strings.TrimSpace(m[1]) != "" {
			return m[1]
		}
		return linkLabel(m[2], n)
	})
	return oneLine(marks.Replace(s))
}

// linkLabel is what VS Code shows for a link without a label: the name of the
// file and the line. in tells where the links lead, where that is kept.
func linkLabel(href string, in *chatlog.Markdown) string {
	u, ok := editor.ParseURI(href)
	anchor := u.Fragment
	if target := in.URIs.Get(href); target.IsSet() {
		u, ok = target, true
	}
	if !ok || u.Base() == "" {
		return href
	}
	return u.Base() + anchorLines(anchor)
}

// anchorLines writes the fragment of an address as ":3" or ":3-9", empty where it
// names no line.
func anchorLines(fragment string) string {
	m := lineAnchors().FindStringSubmatch(fragment)
	if m == nil {
		return ""
	}
	start, _ := decode.Number(m[1])
	end, _ := decode.Number(m[2])
	return lines(chatlog.Range{Start: start, End: end})
}

// lines writes a range, which counts from 1, as ":12" or ":12-20".
func lines(r chatlog.Range) string {
	switch {
	case r.Start <= 0:
		return ""
	case r.End <= r.Start:
		return fmt.Sprintf(":%d", r.Start)
	}
	return fmt.Sprintf(":%d-%d", r.Start, r.End)
}

// oneLine makes one line without control sequences of any text, cut where nobody
// would read on.
func oneLine(s string) string { return words.OneLine(s, 16*detailSize) }

// valueText is a simple value in words, on one line but in full.
func valueText(s decode.Scalar) string {
	switch s.Kind {
	case 't':
		return "yes"
	case 'f':
		return "no"
	}
	return words.OneLine(s.Text, len(s.Text))
}

// codeSpan writes a name as code, whatever is in it.
func codeSpan(name string) string {
	longest := Backticks(name)
	switch {
	case name == "":
		return ""
	case longest == 0:
		return "`" + name + "`"
	}
	ticks := strings.Repeat("`", longest+1)
	return ticks + " " + name + " " + ticks
}

// Backticks is the length of the longest run of them in a text.
func Backticks(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// questions puts what the person was asked, and the answers, on the page.
func (r *reader) questions(p *chatlog.Part) {
	var b strings.Builder
	for _, q := range p.Questions {
		title, ask := plain(q.Title), plain(q.Message)
		line := cmp.Or(bold(title), ask, bold(q.ID))
		switch {
		case line == "":
			continue
		case title != "" && ask != "" && ask != title:
			line = lead(strings.TrimSuffix(title, ":")+":", ask)
		}
		b.WriteString("- " + line + "\n")
		given, told := p.Data.Find(q.ID)
		if !told && q.Title != nil {
			given = p.Data.Get(q.Title.Value)
		}
		b.WriteString("  - " + cmp.Or(strings.Join(answers(given, q.Options), ", "), "*no answer*") + "\n")
	}
	if b.Len() == 0 {
		return
	}
	if intro := said(p.Message); intro != "" {
		r.block(intro)
	}
	r.block(b.String())
}

// answers reads what was chosen of the options and written beside them: a text,
// {selectedValue, freeformValue} or {selectedValues, freeformValue}.
func answers(given chatlog.Answer, options []chatlog.Option) []string {
	var out []string
	add := func(n chatlog.Answer) {
		s := answerText(n)
		for _, o := range options {
			if v := cmp.Or(o.Value, o.ID); v != "" && v == n.Value.String() {
				s = cmp.Or(oneLine(o.Label), s)
				break
			}
		}
		if s != "" {
			out = append(out, s)
		}
	}
	add(chatlog.Answer{Value: given.Value})
	for _, n := range slices.Concat(given.List, given.Selected()) {
		add(n)
	}
	return out
}

// answerText is a simple value, or several, in words, on one line but in full.
func answerText(n chatlog.Answer) string {
	var all []string
	for _, item := range n.List {
		if s := answerText(item); s != "" {
			all = append(all, s)
		}
	}
	return cmp.Or(valueText(n.Value), strings.Join(all, ", "))
}
