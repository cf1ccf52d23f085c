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

// editGroup tells in one line that a file was edited, once for edits in a row.
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

// multiDiff lists files that were changed, with the lines added and removed.
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

// changed notes what was done to a file that was at a place before and is at another after, and tells it as one line
// of a list of that title, or else of the one that was told last. kind is what was done where it is at both.
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

// reference puts a name that stands for a file, a symbol or a page into the text. It has four
// shapes: an address, one with a path of Windows, one with a range, a symbol.
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

// fileName is the name by which text calls a file, empty if there is none.
func fileName(u editor.URI) string {
	if !u.IsSet() {
		return ""
	}
	return oneLine(cmp.Or(u.Base(), u.String()))
}

// maxName is the size in bytes of a name.
const maxName = 300

var (
	// icons are those of VS Code, $(check), $(sync~spin), and code, in which there are none.
	icons = pattern.Lazy("(?s)```.*?(?:```|$)|`[^`]*(?:`|$)|\\$\\([a-z][a-z0-9-]*(?:~[a-z]+)?\\) ?")
	// links of markdown, with one level of brackets in the address.
	links = pattern.Lazy(`!?\[((?:[^\[\]\\\n]|\\.)*)\]\(<?((?:[^()\s<>]|\([^()\s]*\))+)>?(?:\s+"[^"\n]*")?\)`)
	// lineAnchors name lines of a file: #3, #L3-L9, #3-9, #L3,5-L9,1.
	lineAnchors = pattern.Lazy(`^L?(\d{1,9})(?:,\d+)?(?:-L?(\d{1,9})(?:,\d+)?)?$`)
	// marks are what markdown and VS Code's own escaping put into plain words.
	marks = strings.NewReplacer("**", "", "`", "", `\_`, "_", `\*`, "*", `\[`, "[", `\]`, "]", `\#`, "#", `\~`, "~",
		`\<`, "<", `\>`, ">", `\(`, "(", `\)`, ")", "&nbsp;", " ", "&lt;", "<", "&gt;", ">", "&amp;", "&")
)

// markdown is the text of a message, without icons.
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

// said is a message as a block of the answer: links without a label get one.
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

// linkLabel is what VS Code shows for a link without a label: the name of the file and the line.
func linkLabel(href string, in *chatlog.Markdown) string {
	u, _ := editor.ParseURI(href)
	if name := target(href, in).Base(); name != "" {
		return name + anchorLines(u.Fragment)
	}
	return href
}

// target is where a link of a message leads, which the message may tell besides.
func target(href string, in *chatlog.Markdown) editor.URI {
	if u := in.URIs.Get(href); u.IsSet() {
		return u
	}
	u, _ := editor.ParseURI(href)
	return u
}

// anchorLines writes the fragment of an address as ":3" or ":3-9", empty if it names no line.
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

// oneLine makes one line without control sequences of any text, cut where nobody would read on.
func oneLine(s string) string { return words.OneLine(s, 4800) }

// chosen returns what was chosen of the options and written beside them, in words.
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

// codeSpan writes a name as code, whatever is in it.
func codeSpan(name string) string {
	ticks, blank := "`", ""
	if longest := Backticks(name); longest > 0 {
		ticks, blank = strings.Repeat("`", longest+1), " "
	} else if name == "" {
		return ""
	}
	return ticks + blank + name + blank + ticks
}

// Backticks is the length of the longest run of them in a text.
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

// lead puts a lead-in before a text; empty if there is no text.
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
