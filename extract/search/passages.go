// Package search finds sessions by their words. It indexes a session when it is stored, and finds the words
// of a question in it.
package search

import (
	"cmp"
	"crypto/sha256"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"github.com/sessionloom/sessionloom/extract/internal/distil"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/agents"
)

// Field is where in a session a text is. All fields but Decision are columns of the index.
type Field string

// The fields. Branch and Agent are only searched by name.
const (
	Title      Field = "title"
	Prompt     Field = "prompt"
	Answer     Field = "answer"
	Outcome    Field = "outcome" // an agent's summary
	Checkpoint Field = "checkpoint"
	Plan       Field = "plan" // also its steps
	Memory     Field = "memory"
	Saved      Field = "saved" // files that the agent saved beside its session
	Decision   Field = "decision"
	Command    Field = "command"
	Errors     Field = "errors" // lines of an output
	Path       Field = "path"
	Ref        Field = "ref" // commits, pull requests, issues
	Branch     Field = "branch"
	Agent      Field = "agent"
)

// weights say how much a hit in a field counts, the best field first. Fields without a weight are only
// searched by name.
var weights = map[Field]float64{
	Title: 8, Prompt: 4, Outcome: 4, Memory: 3, Ref: 3, Command: 3, Errors: 2, Path: 3, Plan: 2, Checkpoint: 2, Answer: 1.5, Saved: 1,
}

type passage struct {
	field Field
	text  string
	turn  int    // index, or -1
	name  string // name of a saved file or memory
}

// plain returns a text for searching: without masks, in composed letters.
func plain(text string) string { return norm.NFC.String(redact.Strip(text)) }

func passages(s *sources.Session) (all []passage) {
	add := func(field Field, turn int, texts ...string) {
		for _, t := range texts {
			if t != "" {
				all = append(all, passage{field: field, text: plain(t), turn: turn})
			}
		}
	}
	add(Title, -1, s.Title)
	add(Outcome, -1, s.Summary)
	for _, d := range distil.Shown(s) {
		for _, line := range d.Lines {
			add(Outcome, line.Turn, line.Text)
		}
	}
	add(Branch, -1, s.Place.Branch)
	add(Agent, -1, s.Agent, agents.Named(s.Agent).Title)
	for i := range s.Turns {
		t := &s.Turns[i]
		add(Prompt, i, t.User)
		add(Answer, i, t.Assistant, t.Error)
		for _, tool := range t.Tools {
			if tool.Kind == sources.ToolRun {
				add(Command, i, cmp.Or(tool.Command, tool.Detail))
			}
			if tool.Command != "" && tool.Detail != tool.Command {
				add(Command, i, tool.Detail)
			}
			add(Errors, i, tool.Errors)
		}
	}
	for _, a := range s.Actions {
		add(Prompt, a.Turn, a.Text)
	}
	for _, d := range s.Delegated {
		add(Answer, -1, d.Name, d.Task, d.Answer)
	}
	for _, c := range s.Checkpoints {
		add(Checkpoint, -1, c.Title, c.Overview, c.History, c.WorkDone, c.Technical, c.Important, c.NextSteps, c.Raw)
	}
	for _, t := range s.Todos {
		add(Plan, -1, t.Title, t.Description)
	}
	return append(all, kept(s)...)
}

// decided returns the passages with decisions. Other passages repeat them, so the index has no field for
// them.
func decided(s *sources.Session) (all []passage) {
	for _, d := range decisions.Of(s) {
		all = append(all, passage{field: Decision, text: plain(d.Text), turn: d.Turn})
	}
	return all
}

// kept returns the passages beside the conversation.
func kept(s *sources.Session) (all []passage) {
	for _, a := range s.Artifacts {
		field := map[string]Field{sources.Plan: Plan, sources.Memory: Memory}[a.Kind]
		one := passage{field: cmp.Or(field, Saved), turn: -1, name: plain(a.Name)}
		one.text = one.name
		all = append(all, one)
		one.text = plain(a.Text)
		all = append(all, one)
	}
	told := map[string]bool{}
	for _, f := range s.Files {
		if path := plain(strings.ReplaceAll(f.Path, `\`, "/")); !told[path] {
			told[path] = true
			all = append(all, passage{field: Path, text: path, turn: f.Turn})
		}
	}
	for _, r := range s.Refs {
		value := r.Value
		if _, err := strconv.Atoi(value); err == nil {
			value = "#" + value
		}
		all = append(all, passage{field: Ref, text: plain(strings.TrimSpace(value + " " + r.Text)), turn: r.Turn})
	}
	return all
}

// Put indexes a stored session, replacing its old entry.
func Put(l *ledger.Ledger, s *sources.Session) {
	l.PutSearchDoc(s.ID, docOf(passages(s)))
}

func docOf(all []passage) ledger.SearchDoc {
	fields := map[Field]*strings.Builder{}
	var names, paths strings.Builder
	told := map[string]bool{}
	name := func(s string) {
		if !told[s] {
			told[s] = true
			names.WriteString(s)
			names.WriteByte('\n')
		}
	}
	for _, p := range all {
		if fields[p.field] == nil {
			fields[p.field] = &strings.Builder{}
		}
		b := fields[p.field]
		b.WriteString(spaced(p.text))
		b.WriteByte('\n')
		switch p.field {
		case Path:
			paths.WriteString(p.text + "\n")
		case Branch, Agent:
		default:
			namesIn(p.text, name)
		}
	}
	d := ledger.SearchDoc{Names: folded(names.String()), Paths: folded(paths.String())}
	hash := sha256.New()
	for _, f := range ledger.SearchFields() {
		text := ""
		if b := fields[Field(f)]; b != nil {
			text = b.String()
		}
		d.Words = append(d.Words, text)
		hash.Write([]byte(text))
		hash.Write([]byte{0})
	}
	d.Print = hash.Sum(nil)[:16]
	return d
}

// A session of which only notes are left is found by these: its source is gone and the state was lost, or
// another machine wrote them.

// PutNotesAlone indexes the changed notes of which nothing else is stored; read returns title and text of a
// note, or false if it cannot be read. A note whose session is stored again, or that is gone, is removed.
func PutNotesAlone(l *ledger.Ledger, read func(ledger.NoteRow) (title, text string, ok bool)) {
	known := l.SearchedNotes()
	for _, row := range l.NotesAlone() {
		was, found := known[row.ID]
		delete(known, row.ID)
		if found && was == row.Hash {
			continue
		}
		title, text, ok := read(row)
		if !ok {
			continue
		}
		d := docOf(textPassages(title, text))
		d.Note, d.Print = true, []byte(row.Hash)
		l.PutSearchDoc(row.ID, d)
	}
	for id := range known {
		l.DropSearchDoc(id)
	}
}

func textPassages(title, text string) []passage {
	return []passage{{field: Title, text: plain(title), turn: -1}, {field: Answer, text: plain(text), turn: -1}}
}
