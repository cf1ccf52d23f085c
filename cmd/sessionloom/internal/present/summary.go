// Package present formats what commands found as lines of text and JSON objects. It is pure: it reads no file
// or clock and prints nothing. Its texts may come from transcripts; package terminal makes them harmless.
package present

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
)

// Summary returns a report in a few lines; told adds the details of -v.
func Summary(r *extract.Report, told bool, home string) []string {
	lines := askedLines(r)
	if did := Headline(r); len(lines) == 0 || !strings.HasPrefix(did, nothingNew) {
		lines = append(lines, did)
	}
	lines = appendList(lines, r.Kept, told, func(k extract.KeptNote) []string { return []string{"kept " + KeptWords(k)} })
	lines = appendList(lines, r.Partial, told, func(s extract.PartialSession) []string {
		return []string{"partly read " + s.Session + ": " + strings.Join(s.Damage, ", ")}
	})
	lines = append(lines, tombstoned(r)...)
	if masked := tally(r.Redactions); masked != "" {
		lines = append(lines, "masked secrets: "+masked)
	}
	if told {
		lines = append(lines, particulars(r, home)...)
	}
	return lines
}

// KeptWords explains why a note is kept as its user edited it, and how to see the refused text.
func KeptWords(k extract.KeptNote) string { return k.Note + ": " + keptWhy(k) }

func keptWhy(k extract.KeptNote) string {
	if !strings.Contains(k.Reason, "touch the same lines") {
		return k.Reason
	}
	return k.Reason + " (sessionloom diff " + homepath.ShellWord(strings.TrimSuffix(path.Base(k.Note), ".md")) + ")"
}

// Going lists the notes that a run removes.
func Going(r *extract.Report, told bool) []string {
	var gone []extract.Change
	for _, c := range r.Changed {
		if c.Outcome == "removed" {
			gone = append(gone, c)
		}
	}
	lines := []string{Count(len(gone), "note") + " would go:"}
	lines = appendList(lines, gone, told, func(c extract.Change) []string { return []string{"  " + c.Note} })
	return appendList(lines, r.Kept, told, func(k extract.KeptNote) []string { return []string{"  stays: " + KeptWords(k)} })
}

const nothingNew = "Nothing new:"

// Headline returns one line that says what a run did.
func Headline(r *extract.Report) string {
	var parts []string
	if read := r.Sessions.New + r.Sessions.Changed; read > 0 {
		parts = append(parts, fmt.Sprintf("%s read (%s new)", Count(read, "session"), Commas(r.Sessions.New)))
		if noted := r.Sessions.Noted; noted > 0 && noted < r.Sessions.New {
			parts = append(parts, Commas(noted)+" with content")
		}
	}
	noun := func(n int) string { return Count(n, "note") }
	for _, f := range []amount{
		{r.Notes.Created, "created"}, {r.Notes.Updated, "updated"}, {r.Notes.Merged, "merged"},
		{r.Notes.Moved, "moved"}, {r.Notes.Removed, "removed"}, {r.Notes.Kept, "kept"}, {r.Notes.Failed + r.Files.Failed, "failed"},
	} {
		if f.n > 0 {
			parts = append(parts, noun(f.n)+" "+f.what)
			noun = Commas // only the first count has its noun
		}
	}
	if n := r.Files.Written(); n > 0 {
		parts = append(parts, Count(n, "other file"))
	}
	if len(parts) == 0 {
		n := cmp.Or(r.Sessions.Noted, r.Sessions.Listed-r.Sessions.Failed)
		return fmt.Sprintf(nothingNew+" %s up to date.", Count(n, "session"))
	}
	line := strings.Join(parts, ", ")
	if r.DryRun {
		line += " (dry run: nothing was written)"
	}
	return line
}

// done says what a finished run did, within a sentence.
func done(sessions extract.SessionCounts, notes extract.NoteCounts) string {
	line := Headline(&extract.Report{Sessions: sessions, Notes: notes})
	return strings.ToLower(line[:1]) + strings.TrimSuffix(line[1:], ".")
}

func tombstoned(r *extract.Report) []string {
	if r.Notes.Tombstoned == 0 {
		return nil
	}
	return []string{Count(r.Notes.Tombstoned, "note") + " you deleted will not come back, unless by sessionloom restore"}
}

func changed(r *extract.Report, but string) (lines []string) {
	for _, c := range r.Changed {
		if c.Outcome != but {
			lines = append(lines, c.Outcome+" "+c.Note)
		}
	}
	return lines
}

// particulars returns the lines of -v.
func particulars(r *extract.Report, home string) []string {
	lines := changed(r, "kept")
	if n := r.Sessions.Vanished; n > 0 {
		lines = append(lines, Count(n, "session")+" no longer on this machine; the notes stay")
	}
	for _, s := range r.Sources {
		if s.Items == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s, %d read (%s)", s.Name, homepath.Tilde(s.Root, home), Count(s.Items, "item"), s.Read, bytesize(s.BytesRead)))
		if unknown := tally(s.Unknown); unknown != "" {
			lines = append(lines, "  unknown kinds: "+unknown)
		}
	}
	return append(lines, "took "+seconds(r.ElapsedMS))
}

// IgnoreFile excludes the sessions of a folder that contains it.
const IgnoreFile = ".sessionloomignore"

// Applied says what was done with a plan, which changed these settings of the vault.
func Applied(r *extract.Report, settings []extract.PlannedSetting, told bool) []string {
	var lines []string
	if len(r.Changed) > 0 || r.Notes.Failed > 0 {
		lines = append(lines, Headline(r))
	}
	lines = append(lines, tombstoned(r)...)
	for _, s := range settings {
		lines = append(lines, "the vault's "+s.Key+" is "+s.Value+" now")
	}
	if len(lines) == 0 && !r.Part() {
		return []string{"Nothing to do: all of the plan is in the vault already."}
	}
	if told {
		lines = append(lines, changed(r, "")...)
	}
	return lines
}

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
		if k.Note == a.Name { // reported with the name
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
	if len(r.Asked) == 1 { // unneeded pages are removed too
		n = r.Notes.Removed
	}
	if n > 0 {
		gone = Count(n, "note") + " " + would(r, "removed", "would go")
	}
	return fmt.Sprintf("%s %s: %s; sessionloom restore %s brings it back", would(r, "forgot", "would forget"), a.Name, gone, homepath.ShellWord(a.Back))
}

func would(r *extract.Report, did, does string) string {
	if r.DryRun {
		return does
	}
	return did
}
