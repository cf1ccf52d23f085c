package present

import (
	"fmt"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
)

func askedLines(r *extract.Report) []string {
	words := map[string]func(*extract.Report, extract.Asked) string{"accept": acceptWords, "restore": restoreWords, "forget": forgetWords}
	var lines []string
	for _, a := range r.Asked {
		if line := words[a.Verb](r, a); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func acceptWords(r *extract.Report, a extract.Asked) string {
	for _, k := range r.Kept {
		if k.Note == a.Name { // which is told of it
			return ""
		}
	}
	switch {
	case r.Notes.Failed > 0:
		return ""
	case len(a.Notes) == 0:
		return a.Name + " has no edits: nothing to accept"
	case a.Notes[0].Saved == "":
		return a.Name + " has no edits: it is only brought up to date"
	}
	return fmt.Sprintf("%s %s sessionloom's text, a copy of yours in %s", a.Name, would(r, "has", "would get"), a.Notes[0].Saved)
}

func restoreWords(r *extract.Report, a extract.Asked) string {
	switch n := len(a.Notes); {
	case n == 0 && r.Notes.Failed > 0:
		return ""
	case n == 0:
		return a.Name + ": nothing came back, for its history is not on this machine"
	case n == 1:
		return would(r, "brought back", "would bring back") + " " + a.Notes[0].Note
	default:
		return fmt.Sprintf("%s %s: %s", would(r, "brought back", "would bring back"), a.Name, Count(n, "note"))
	}
}

func forgetWords(r *extract.Report, a extract.Asked) string {
	n, gone := len(a.Notes), "it had no note"
	if len(r.Asked) == 1 { // pages go too that nothing needs any more
		n = r.Notes.Removed
	}
	if n > 0 {
		gone = Count(n, "note") + " " + would(r, "removed", "would go")
	}
	return fmt.Sprintf("%s %s: %s; sessionloom restore %s takes it in again", would(r, "forgot", "would forget"), a.Name, gone, homepath.ShellWord(a.Name))
}

func would(r *extract.Report, did, does string) string {
	if r.DryRun {
		return does
	}
	return did
}
