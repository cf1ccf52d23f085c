package pages

import (
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/resume"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// Limits of a block to continue from.
const (
	goOnEnds = 5
	goOnText = 300 // bytes per line
)

// lastPrompt returns the first line of the last prompt. If that is only a word of consent, it is preceded by
// the prompt before it.
func lastPrompt(s *sources.Session) (prompt string) {
	for i := len(s.Turns) - 1; i >= 0; i-- {
		said := texts.FirstLine(s.Turns[i].User)
		switch {
		case said == "":
		case !content.IsNod(s.Turns[i]) && prompt != "":
			return texts.CutWords(said, goOnText-len(prompt)) + " … " + prompt
		case !content.IsNod(s.Turns[i]):
			return texts.CutWords(said, goOnText)
		case prompt == "":
			prompt = texts.CutWords(said, goOnText/2)
		}
	}
	return prompt
}

// goOn returns the lines of a block to continue from: how to resume the session, then a quotation to copy
// into a new prompt.
func goOn(w resume.Way, prompt string, open []templates.Box) []templates.Text {
	if prompt == "" {
		return nil
	}
	out := []templates.Text{templates.Text(w.Line()), "", templates.Text("Quoted from the session \"" + w.Title + "\":"), templates.Text("> Last prompt: " + prompt)}
	for i, box := range open {
		if i == goOnEnds {
			break
		}
		out = append(out, "> Open: "+templates.Text(texts.CutWords(texts.OneLine(string(box.Text)), goOnText)))
	}
	return out
}

// WayFrom returns how to resume the session of a note, and its last prompt.
func WayFrom(f facts.Facts) (w resume.Way, prompt string) {
	w = resume.Way{Agent: f.Agent, ID: f.Session(), Title: f.Title}
	for _, r := range f.Of(facts.RowCwd) {
		w.Folder = r.Text
	}
	for _, r := range f.Of(facts.RowPrompt) {
		prompt = r.Text
	}
	return w, prompt
}
