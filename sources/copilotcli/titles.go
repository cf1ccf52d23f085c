package copilotcli

import (
	"strings"
	"unicode/utf16"

	"github.com/sessionloom/sessionloom/sources"
)

// storeCut is where the CLI cuts the first prompt for the store's summary, in
// UTF-16 units, before it adds "..." (formats/copilot-cli.md, section 1).
const storeCut = 100

// isPrompt says that a name is only the first prompt: it whole, its first line, or cut.
func isPrompt(prompt, title string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	prompt, title = oneLine(prompt), oneLine(title)
	cut := strings.TrimSuffix(strings.TrimSuffix(title, "…"), "...")
	if cut == title {
		return title == prompt || title == oneLine(line)
	}
	// A cut of full length is one of a prompt, even of one that was taken back.
	return strings.HasPrefix(prompt, strings.TrimSpace(cut)) || len(utf16.Encode([]rune(cut))) >= storeCut-1
}

// oneLine folds white space into single blanks, in as much of a text as a title may have.
func oneLine(s string) string { return strings.Join(strings.Fields(s[:min(len(s), 64<<10)]), " ") }

// offer sets the title where it is trusted more than the one that stands. A name that
// is only the first prompt is trusted as little, but where the user gave it.
func offer(s *sources.Session, prompt, title string, trust sources.Trust) {
	if title = strings.TrimSpace(title); title == "" {
		return
	}
	if trust < sources.TrustCustom && isPrompt(prompt, title) {
		trust = sources.TrustPrompt
	}
	if trust > s.TitleFrom {
		s.Title, s.TitleFrom = title, trust
	}
}
