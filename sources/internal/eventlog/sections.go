package eventlog

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// ParseSections reads a checkpoint: sections between tags that stand at the
// beginning of a line. Text without any section is Raw;
// text beside the sections goes to the technical details, so that none is lost.
func ParseSections(text string) sources.Checkpoint {
	var cp sources.Checkpoint
	text = strings.ReplaceAll(text, "\r\n", "\n")
	title, text := words.Section(text, "checkpoint_title", nil)
	cp.Title = words.OneLine(title, 500)
	tags := []string{"overview", "history", "work_done", "technical_details", "important_files", "next_steps"}
	into := []*string{&cp.Overview, &cp.History, &cp.WorkDone, &cp.Technical, &cp.Important, &cp.NextSteps}
	rest := text
	for i, tag := range tags {
		*into[i], rest = words.Section(rest, tag, tags[i+1:])
	}
	if rest == text {
		cp.Raw = strings.TrimSpace(text)
		return cp
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		cp.Technical = strings.TrimSpace(cp.Technical + "\n\n" + rest)
	}
	return cp
}
