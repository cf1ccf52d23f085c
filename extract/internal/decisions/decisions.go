// Package decisions finds what a session decided and learned: by the words that checkpoints,
// plans, memories, answers and prompts begin with. It is pure.
package decisions

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Decision is something that was decided or learned.
type Decision struct {
	Text string // one line
	// Kind is by what it begins with: decision, dead end, why, rule (never, always, must), gotcha,
	// order, cause, fix, trade-off or lesson; else on purpose, memory (of the agent, for this
	// session) or asked (by a prompt: agreed, no, use, take).
	Kind       string
	Turn       int // index of the turn that says it, -1 for none
	Checkpoint int // number of the checkpoint that does, 0 for none
	At         time.Time
}

const (
	maxText  = 300 // bytes of a text
	minWords = 3   // of what is said behind a label; in Japanese and Chinese twice as many characters
	shortOne = 40  // bytes of a sentence that says little without the next one
)

// Of tells what a session decided and learned, in order of time. What is said again is told
// once. What a fork has from its parent is told there.
func Of(s *sources.Session) []Decision {
	var out []Decision
	told := map[string]bool{}
	add := func(at Decision, rows []Decision) {
		for _, r := range rows {
			r.Turn, r.Checkpoint, r.At = at.Turn, at.Checkpoint, at.At
			r.Text = strings.Clone(escape.Cut(strings.Replace(texts.OneLine(r.Text), "?: ", "? ", 1), maxText-len("…")))
			if key := strings.ToLower(r.Text); !told[key] {
				told[key] = true
				out = append(out, r)
			}
		}
	}
	for _, c := range s.Checkpoints {
		if !c.Inherited {
			text := strings.Join([]string{c.Overview, c.WorkDone, c.Technical, c.Raw}, "\n\n")
			add(Decision{Turn: -1, Checkpoint: c.Number, At: c.At}, said(text, ""))
		}
	}
	for _, a := range s.Artifacts {
		at := Decision{Turn: -1, At: a.At}
		switch {
		case a.Kind == sources.Plan:
			add(at, said(a.Text, ""))
		case a.Kind == sources.Memory && !s.IsMemory:
			for _, b := range blocksOf(a.Text) { // all of it counts
				if b.level == 0 && !strings.HasSuffix(b.text, ":") {
					add(at, []Decision{{Text: b.text, Kind: "memory"}})
				}
			}
		}
	}
	for i, t := range s.Turns {
		if t.Inherited {
			continue
		}
		at := Decision{Turn: i, At: t.At}
		add(at, asked(t.User))
		if t.Status == sources.Complete || t.Status == "" {
			add(at, said(content.LastMessage(t), t.User))
		}
	}
	slices.SortStableFunc(out, func(a, b Decision) int { return a.At.Compare(b.At) })
	return out
}

// said finds the decisions in a text that answers a prompt.
func said(text, prompt string) (out []Decision) {
	var under block // heading of decisions, with no text outside of one
	var kind string // of what stands under it
	asks := question(prompt)
	for _, b := range blocksOf(text) {
		own, labelled := kindOf(b.text)
		opens := b.level > 0 || strings.HasSuffix(b.text, ":") || strings.HasSuffix(b.text, "：")
		switch {
		case opens && (b.level > 0 || !b.item):
			if under = (block{}); own != "" && labelled {
				under, kind = b, own
			}
		case opens:
		case under.text != "" && (b.item || under.level > 0) && own == "":
			if kind == why {
				b.text = strings.TrimRight(under.text, ":： ") + ": " + b.text
			}
			out = append(out, Decision{Text: b.text, Kind: kind})
		default:
			out = append(out, inBlock(b, asks)...)
		}
		if !opens && !b.item && under.level == 0 {
			under = block{}
		}
	}
	return out
}

// closed is a sentence that another one may follow: prompts often end without a sign.
func closed(sentence string) string {
	if last, _ := utf8.DecodeLastRuneInString(sentence); texts.IsWordRune(last) {
		return sentence + ":"
	}
	return sentence
}

// inBlock finds the decisions in a paragraph or an entry of a list: all of it from a label on,
// or of an entry, else the sentences that begin like one or say that something is meant. A
// reason takes what stands before it, at first the question.
func inBlock(b block, before string) (out []Decision) {
	text := b.text
	for _, sentence := range texts.Sentences(text) {
		kind, labelled := kindOf(sentence)
		if kind == "" && isMeant(sentence) {
			kind = "on purpose"
		}
		if kind == "" {
			before = sentence
			continue
		}
		full := sentence
		if i := strings.Index(text, sentence); labelled && i >= 0 || b.item && i == 0 {
			full = text[i:]
		}
		if because().MatchString(full) && before != "" {
			full = closed(before) + " " + full
		}
		if !empty().MatchString(full) && !strings.HasSuffix(full, "?") && says(full, labelled) {
			out = append(out, Decision{Text: full, Kind: kind})
			if full != sentence {
				break
			}
		}
		before = sentence
	}
	return out
}

// says is false for a label behind which there is next to nothing, such as a button.
func says(text string, labelled bool) bool {
	if i := strings.IndexAny(text, ":："); labelled && i >= 0 {
		text = text[i+1:]
	}
	return texts.HasWords(text, minWords) || !texts.IsASCII(text) && utf8.RuneCountInString(text) > 2*minWords
}

// question is what a prompt asks: why something is so, else its first question or sentence.
func question(prompt string) string {
	asks := func(s string) bool { return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") }
	all := texts.Sentences(texts.FirstLine(prompt))
	at := slices.IndexFunc(all, func(s string) bool { kind, _ := kindOf(s); return kind == why && asks(s) })
	if at < 0 {
		at = max(slices.IndexFunc(all, asks), 0)
	}
	return escape.Cut(strings.Join(all[min(at, len(all)):min(at+1, len(all))], ""), maxText/2)
}

// asked is what a prompt decides by its first sentence, with the next one where it is short.
func asked(prompt string) []Decision {
	all := texts.Sentences(texts.FirstLine(prompt))
	if len(all) == 0 || !consent().MatchString(all[0]) && !endsWithUse(all[0]) || empty().MatchString(all[0]) || !says(prompt, false) {
		return nil
	}
	text := all[0]
	if len(text) < shortOne && len(all) > 1 {
		text += " " + all[1]
	}
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, ":") {
		return nil
	}
	return []Decision{{Text: text, Kind: "asked"}}
}

// block is a heading, an entry of a list or a paragraph, in one line.
type block struct {
	text  string
	level int // of a heading
	item  bool
}

var boldLead = pattern.Lazy(`^\*\*([^*]+?)([:：]?)\*\*([:：]?)\s*`)

// blocksOf takes a markdown text apart. Code, quotes, tables and boxes are left out.
func blocksOf(text string) []block {
	var out []block
	for _, b := range texts.Blocks(text) {
		if b.Cells == nil && !isBox(b.Text) {
			out = append(out, block{text: unbold(b.Text), level: b.Heading, item: b.Item})
		}
	}
	return out
}

// isBox knows "[x] text" and "☑ text".
func isBox(s string) bool {
	return len(s) > 3 && s[0] == '[' && strings.HasPrefix(strings.TrimLeft(s[1:], " xX-/~!"), "] ") || strings.IndexAny(s, "☐☑☒✅✔❌") == 0
}

// unbold takes the stars off a bold beginning, which then is a label.
func unbold(s string) string {
	if !strings.HasPrefix(s, "**") {
		return s
	}
	m := boldLead().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	rest := s[len(m[0]):]
	if kind, labelled := kindOf(m[1]); m[2]+m[3] != "" || labelled && rest != "" && kind != "rule" {
		return strings.TrimSpace(m[1] + ": " + rest)
	}
	return strings.TrimSpace(m[1] + " " + rest)
}
