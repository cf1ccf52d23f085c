// Package search finds sessions by what was said in them. It records what is kept of a session when
// that is stored, and tells where in it the words of a question stand.
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

// Field is where in a session a text stands. The fields but Decision are the columns of the
// index.
type Field string

// The fields. Branch and Agent are asked for by name alone.
const (
	Title      Field = "title"
	Prompt     Field = "prompt"
	Answer     Field = "answer"
	Outcome    Field = "outcome" // a summary of the agent's
	Checkpoint Field = "checkpoint"
	Plan       Field = "plan" // steps of one too
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

// weights say how much a hit in a field counts; that of the best field is told first. Fields
// without one are not asked unless they are named.
var weights = map[Field]float64{
	Title: 8, Prompt: 4, Outcome: 4, Memory: 3, Ref: 3, Command: 3, Errors: 2, Path: 3, Plan: 2, Checkpoint: 2, Answer: 1.5, Saved: 1,
}

type passage struct {
	field Field
	text  string
	turn  int    // index, -1 for none
	name  string // of a saved file or memory
}

// plain is a text as it is searched: without masks, its letters in one piece each.
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

// decided are the passages in which something was decided. They stand in others too, so the
// index has no field for them.
func decided(s *sources.Session) (all []passage) {
	for _, d := range decisions.Of(s) {
		all = append(all, passage{field: Decision, text: plain(d.Text), turn: d.Turn})
	}
	return all
}

// kept are the passages of what lies beside the conversation.
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

// Put records what is kept of a session, in place of what was known of it.
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

// A session of which nothing is kept but its notes is found by these: its source is gone and the
// state was lost, or another machine wrote them.

// PutNotesAlone records the notes of which nothing else is kept, as far as they changed; read gives
// title and text of one, and false if it cannot be read. What stands for a session again, or is no note
// any more, is not found by its note.
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
