package chat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

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
