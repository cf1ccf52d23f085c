package session

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// mergeTitle takes the title that is trusted most. A title that is no more than
// the first prompt, or a cut of it, gives way to that prompt's own first line.
func (m *merger) mergeTitle() {
	prompt := content.FirstPrompt(m.out.Turns)
	best, trust := -1, sources.TrustNone
	var named []int // layers with a title that is more than the prompt
	for i := range m.layers {
		s := m.session(i)
		if strings.TrimSpace(s.Title) == "" {
			continue
		}
		t := max(s.TitleFrom, sources.TrustPrompt)
		if t < sources.TrustCustom && isCutOf(s.Title, prompt) {
			t = sources.TrustPrompt
		}
		if t > sources.TrustPrompt {
			named = append(named, i)
		}
		if t > trust {
			best, trust = i, t
		}
	}
	switch {
	case trust > sources.TrustPrompt:
		m.out.Title, m.out.TitleFrom = texts.OneLine(m.session(best).Title), trust
		m.use(best)
		for _, i := range named {
			if m.layers[i].Rank != m.layers[best].Rank && texts.OneLine(m.session(i).Title) != m.out.Title {
				m.conflicts++
			}
		}
	case texts.FirstLine(prompt) != "":
		m.out.Title, m.out.TitleFrom = texts.CutWords(texts.FirstLine(prompt), titleLimit), sources.TrustPrompt
	case best >= 0:
		m.out.Title, m.out.TitleFrom = texts.CutWords(texts.FirstLine(m.session(best).Title), titleLimit), sources.TrustPrompt
		m.use(best)
	}
}

// titleLimit is the length of a title made of a prompt, in bytes.
const titleLimit = 120

// mergeSummary follows formats/copilot-cli.md, section 7: a summary somebody or
// the agent gave of the whole session, else the overview of the newest
// checkpoint, else a derived one that says more than title and prompt.
func (m *merger) mergeSummary() {
	prompt := content.FirstPrompt(m.out.Turns)
	best, trust := -1, sources.TrustNone
	for i := range m.layers {
		s := m.session(i)
		text := strings.TrimSpace(s.Summary)
		if text == "" || texts.OneLine(text) == m.out.Title || isCutOf(text, prompt) {
			continue
		}
		if t := max(s.SummaryFrom, sources.TrustPrompt); t > trust {
			best, trust = i, t
		}
	}
	if overview := newestOverview(m.out.Checkpoints); overview != "" && trust < sources.TrustNamed {
		m.out.Summary, m.out.SummaryFrom = overview, sources.TrustDerived
		return
	}
	if best >= 0 {
		m.out.Summary, m.out.SummaryFrom = strings.TrimSpace(m.session(best).Summary), trust
		m.use(best)
	}
}

// newestOverview is that of the newest checkpoint with one; a checkpoint
// without sections stands for itself by its first paragraph.
func newestOverview(checkpoints []sources.Checkpoint) string {
	for i := len(checkpoints) - 1; i >= 0; i-- {
		c := checkpoints[i]
		if c.Inherited {
			continue
		}
		if text := strings.TrimSpace(c.Overview); text != "" {
			return text
		}
		if text, _, _ := strings.Cut(strings.TrimSpace(c.Raw), "\n\n"); text != "" {
			return text
		}
	}
	return ""
}

// isCutOf tells whether s is text or a cut of its beginning. Cuts end in an
// ellipsis, or are so long that they can be nothing else.
func isCutOf(s, text string) bool { return isCutLine(texts.OneLine(s), texts.OneLine(text)) }

// isCutLine is isCutOf for lines with single blanks.
func isCutLine(s, text string) bool {
	const surelyCut = 80 // bytes; the stores cut at 100 characters
	if s == text {
		return true
	}
	stem := strings.TrimRight(strings.TrimSuffix(s, "…"), ".")
	stem = strings.TrimSpace(stem)
	return stem != "" && strings.HasPrefix(text, stem) && (len(stem) < len(s) || len(s) >= surelyCut)
}
