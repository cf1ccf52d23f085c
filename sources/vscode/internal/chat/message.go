package chat

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// editGroup shows in one line that a file was edited, once for edits in a row.
func (r *reader) editGroup(p *chatlog.Part) {
	path, verb := p.URI.File(), "Edited"
	if r.made[path] {
		verb = "Created"
	}
	r.turn.Touch(path, sources.Edited, "")
	r.flush()
	name, edited := fileName(p.URI), r.edited
	if key := cmp.Or(path, name); name != "" && !edited[key] {
		r.say(verb + " " + codeSpan(name))
		if r.edited = edited; edited == nil {
			r.edited = map[string]bool{}
		}
		r.edited[key] = true
	}
}

// multiDiff lists changed files, with the lines added and removed.
func (r *reader) multiDiff(p *chatlog.Part) {
	data := cmp.Or(p.MultiDiffData, &chatlog.MultiDiff{})
	title := plain(data.Title)
	for _, f := range data.Resources {
		before, after := f.OriginalURI, f.ModifiedURI
		if after.File() == "" && after.IsSet() && f.GoToFileURI.IsSet() {
			after = f.GoToFileURI
		}
		if r.changed(title, sources.Edited, before, after, f.Lines) {
			title = ""
		}
	}
}

// changed records what was done to a file with the addresses before and after, and shows it as a line of the
// list with that title, or of the last list. kind is the change if both exist.
func (r *reader) changed(title, kind string, before, after editor.URI, lines chatlog.Lines) bool {
	at := after
	switch {
	case !after.IsSet():
		kind, at = sources.Deleted, before
	case !before.IsSet():
		kind = sources.Created
	case kind == sources.Renamed:
		r.turn.Touch(before.File(), sources.Deleted, "")
	}
	r.turn.Touch(at.File(), kind, "")
	s, old := codeSpan(fileName(at)), codeSpan(fileName(before))
	switch {
	case s == "":
		return false
	case kind == sources.Renamed:
		s = "renamed " + old + " to " + s
	case kind != sources.Edited:
		s = kind + " " + s
	}
	if a, r := lines.Added, lines.Removed; a != nil && r != nil && *a+*r > 0 {
		s += fmt.Sprintf(" (+%d −%d)", *a, *r)
	}
	if r.flush(); title == "" && r.listed {
		r.turn.Flow("\n- " + s)
	} else {
		r.block(bold(cmp.Or(title, "Changed files")) + "\n\n- " + s)
	}
	r.edited, r.listed = nil, true
	return true
}

// reference adds a name for a file, a symbol or a page to the text. It has four shapes: an address, one with
// a path of Windows, one with a range, a symbol.
func (r *reader) reference(p *chatlog.Part) {
	to := cmp.Or(p.InlineReference, &chatlog.Place{})
	u := to.URI()
	if !to.At.IsSet() && to.Text != "" {
		u, _ = editor.ParseURI(to.Text)
	}
	switch {
	case to.Location != nil && to.Path == "", !u.IsSet():
		r.page.code(cmp.Or(p.Name, to.Name))
	case u.IsWeb():
		r.page.text(u.Link())
	default:
		r.page.code(cmp.Or(p.Name, u.Base(), u.String()) + cmp.Or(lines(to.Range), anchorLines(u.Fragment)))
	}
}

// fileName returns the name for a file in a text, or "".
func fileName(u editor.URI) string {
	if !u.IsSet() {
		return ""
	}
	return oneLine(cmp.Or(u.Base(), u.String()))
}

// maxName limits the bytes of a name.
const maxName = 300

var (
	// icons match VS Code's icons, $(check), $(sync~spin), and code, which has none.
	icons = pattern.Lazy("(?s)```.*?(?:```|$)|`[^`]*(?:`|$)|\\$\\([a-z][a-z0-9-]*(?:~[a-z]+)?\\) ?")
	// links match links of markdown, with one level of brackets in the address.
	links = pattern.Lazy(`!?\[((?:[^\[\]\\\n]|\\.)*)\]\(<?((?:[^()\s<>]|\([^()\s]*\))+)>?(?:\s+"[^"\n]*")?\)`)
	// lineAnchors match lines of a file: #3, #L3-L9, #3-9, #L3,5-L9,1.
	lineAnchors = pattern.Lazy(`^L?(\d{1,9})(?:,\d+)?(?:-L?(\d{1,9})(?:,\d+)?)?$`)
	// marks removes markdown and VS Code's own escaping from plain words.
	marks = strings.NewReplacer("**", "", "`", "", `\_`, "_", `\*`, "*", `\[`, "[", `\]`, "]", `\#`, "#", `\~`, "~",
		`\<`, "<", `\>`, ">", `\(`, "(", `\)`, ")", "&nbsp;", " ", "&lt;", "<", "&gt;", ">", "&amp;", "&")
)

// markdown returns the text of a message without icons.
func markdown(m *chatlog.Markdown) string {
	if m == nil || !m.Icons {
		return cmp.Or(m, &chatlog.Markdown{}).Value
	}
	return icons().ReplaceAllStringFunc(m.Value, func(found string) string {
		if found[0] == '`' {
			return found
		}
		return ""
	})
}

// said returns a message as a block of the answer: links without a label get one.
func said(m *chatlog.Markdown) string {
	return strings.TrimSpace(relink(m, func(link, label, address string) string {
		if label != "" {
			return link
		}
		return codeSpan(linkLabel(address, m))
	}))
}

func plain(m *chatlog.Markdown) string {
	return oneLine(marks.Replace(relink(m, func(_, label, address string) string {
		if label != "" {
			return label
		}
		return linkLabel(address, m)
	})))
}

func relink(m *chatlog.Markdown, write func(link, label, address string) string) string {
	return links().ReplaceAllStringFunc(words.Visible(markdown(m)), func(link string) string {
		found := links().FindStringSubmatch(link)
		return write(link, strings.TrimSpace(found[1]), found[2])
	})
}

// linkLabel returns VS Code's label for a link without one: the name of the file and the line.
func linkLabel(href string, in *chatlog.Markdown) string {
	u, _ := editor.ParseURI(href)
	if name := target(href, in).Base(); name != "" {
		return name + anchorLines(u.Fragment)
	}
	return href
}

// target returns where a link leads, which the message may store separately.
func target(href string, in *chatlog.Markdown) editor.URI {
	if u := in.URIs.Get(href); u.IsSet() {
		return u
	}
	u, _ := editor.ParseURI(href)
	return u
}

// anchorLines writes the fragment of an address as ":3" or ":3-9", or returns "" if it names no line.
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

// oneLine makes one line without control sequences of any text, cut at a readable length.
func oneLine(s string) string { return words.OneLine(s, 4800) }

// chosen returns in words which of the options were chosen, and what was written with them.
func chosen(given chatlog.Answer, options []chatlog.Option) string {
	var all []string
	for _, value := range given {
		text := cmp.Or(map[jsontext.Kind]string{'t': "yes", 'f': "no"}[value.Kind], words.OneLine(value.Text, len(value.Text)))
		for _, o := range options {
			if v := cmp.Or(o.Value, o.ID); v != "" && v == value.String() {
				text = cmp.Or(oneLine(o.Label), text)
				break
			}
		}
		if text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

// codeSpan writes a name as code, whatever its characters.
func codeSpan(name string) string {
	ticks, blank := "`", ""
	if longest := Backticks(name); longest > 0 {
		ticks, blank = strings.Repeat("`", longest+1), " "
	} else if name == "" {
		return ""
	}
	return ticks + blank + name + blank + ticks
}

// Backticks returns the length of the longest run of back-ticks in a text.
func Backticks(text string) (longest int) {
	for run := range strings.FieldsFuncSeq(text, func(c rune) bool { return c != '`' }) {
		longest = max(longest, len(run))
	}
	return longest
}

func bold(s string) string {
	if s = oneLine(strings.ReplaceAll(s, "*", "")); s == "" {
		return ""
	}
	return "**" + s + "**"
}

func inPassing(s string) string {
	if s == "" || strings.ContainsAny(s, "*_`\n") {
		return s
	}
	return "*" + s + "*"
}

// lead puts a label before a text; "" if the text is empty.
func lead(label, text string) string {
	switch text = strings.TrimSpace(text); {
	case text == "":
		return ""
	case strings.Contains(text, "\n"):
		return bold(label) + "\n\n" + text
	}
	return bold(label) + " " + text
}

// titled puts a title, itself a message, before a text.
func titled(title *chatlog.Markdown, text string) string {
	label := plain(title)
	if label == "" || text == "" || label == text {
		return cmp.Or(bold(label), text)
	}
	return lead(label, text)
}
