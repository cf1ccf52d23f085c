package parts

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// questions puts what the person was asked, and the answers, on the page.
func (r *reader) questions(p *tree.Node) {
	var b strings.Builder
	for _, q := range p.Get("questions").Items() {
		title, ask := plain(q.Get("title")), plain(q.Get("message"))
		line := cmp.Or(bold(title), ask, bold(q.Get("id").Text()))
		switch {
		case line == "":
			continue
		case title != "" && ask != "" && ask != title:
			line = lead(strings.TrimSuffix(title, ":")+":", ask)
		}
		b.WriteString("- " + line + "\n")
		given := p.Get("data").Get(q.Get("id").Text())
		if !given.Has() {
			given = p.Get("data").Get(q.Get("title").Text())
		}
		b.WriteString("  - " + cmp.Or(strings.Join(answers(given, q.Get("options")), ", "), "*no answer*") + "\n")
	}
	if b.Len() == 0 {
		return
	}
	if intro := said(p.Get("message")); intro != "" {
		r.block(intro)
	}
	r.block(b.String())
}

// answers reads what was chosen of the options and written beside them: a text,
// {selectedValue, freeformValue} or {selectedValues, freeformValue}.
func answers(given, options *tree.Node) []string {
	var out []string
	add := func(n *tree.Node) {
		s := answerText(n)
		for _, o := range options.Items() {
			if v := cmp.Or(o.Get("value").Text(), o.Get("id").Text()); v != "" && v == n.Text() {
				s = cmp.Or(oneLine(o.Get("label").Text()), s)
				break
			}
		}
		if s != "" {
			out = append(out, s)
		}
	}
	switch given.Kind() {
	case tree.Object:
		add(given.Get("selectedValue"))
		for _, n := range given.Get("selectedValues").Items() {
			add(n)
		}
		add(given.Get("freeformValue"))
	case tree.Array:
		for _, n := range given.Items() {
			add(n)
		}
	default:
		add(given)
	}
	return out
}

// answerText is a simple value in words, on one line but in full.
func answerText(n *tree.Node) string {
	switch n.Kind() {
	case tree.String:
		return strings.Join(strings.Fields(escapes.ReplaceAllString(n.Text(), "")), " ")
	case tree.True:
		return "yes"
	case tree.False:
		return "no"
	case tree.Number:
		return n.Literal()
	case tree.Array:
		var all []string
		for _, item := range n.Items() {
			if s := answerText(item); s != "" {
				all = append(all, s)
			}
		}
		return strings.Join(all, ", ")
	}
	return ""
}
