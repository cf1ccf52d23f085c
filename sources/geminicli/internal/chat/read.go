package chat

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Chat is the content of files about one session.
type Chat struct {
	ID string // empty: no file names it
	fold
	Torn    bool // a document is cut
	Unknown map[string]int
	damage  []string
	file    string  // for a sub-agent with the id of its session: each file is one's work
	workers []*Chat // sub-agents of the session
}

// reader reads files, which may hold several sessions.
type reader struct {
	all []*Chat
	at  *Chat // chat of the current records
}

// Read reads files in order. A file that names no session belongs to the last named one.
func Read(ctx context.Context, paths []string) (all []*Chat, err error) {
	var r reader
	for _, path := range paths {
		r.enter("", "")
		read := r.log
		if strings.HasSuffix(path, ".json") {
			read = r.document
		}
		if err := read(ctx, path); err != nil {
			return nil, err
		}
	}
	for _, c := range r.all {
		i := slices.IndexFunc(r.all, func(main *Chat) bool { return main.ID == c.ID && main.file == "" && main.Records > 0 })
		if c.file == "" || i < 0 {
			all = append(all, c)
			continue
		}
		main := r.all[i]
		main.workers, main.Records, main.damage = append(main.workers, c), main.Records+c.Records, append(main.damage, c.damage...)
		for what, n := range c.Unknown {
			main.Unknown[what] += n
		}
	}
	return all, nil
}

// enter continues the session with an id, or the work for it in a file; without an id, the current session.
func (r *reader) enter(id, file string) {
	if id = sources.FoldUUID(id); id == "" && r.at != nil {
		id = r.at.ID
	}
	i := slices.IndexFunc(r.all, func(c *Chat) bool { return c.ID == id && c.file == file })
	switch {
	case i >= 0:
		r.at = r.all[i]
	case r.at != nil && r.at.ID == "" && (file == "" || r.at.Records == 0):
		r.at.ID, r.at.file = id, file
	default:
		r.at = &Chat{ID: id, file: file, Unknown: map[string]int{}}
		r.all = append(r.all, r.at)
	}
}

// subagent is the kind of a chat of one.
const subagent = "subagent"

// workIn returns the file if a record says that a sub-agent wrote it, which may have the id of its session.
func workIn(file, kind string) string {
	if kind != subagent {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

func (r *reader) log(ctx context.Context, path string) error {
	bad := 0
	log := jsonl.Log[record]{Heads: []string{`{"id":"`, `{"$set":`, `{"$rewindTo":`}}
	log.Pass = func(head []byte) (unknown string, pass bool) { return "", r.at.pass(head) }
	log.Take = func(m *record) (unknown string, ok bool) {
		if m.SessionID != "" {
			r.enter(m.SessionID, workIn(path, m.Kind))
		}
		if log.Bad > bad {
			bad = log.Bad
			r.at.add(&message{Type: gap})
		}
		return r.at.take(m), true
	}
	err := log.ReadFile(ctx, path)
	r.at.damage = append(r.at.damage, log.Damage()...)
	for what, n := range log.Unknown {
		r.at.Unknown[what] += n
	}
	return err
}

// document reads a session of versions to 0.38: one document, rewritten each time, so that it may be torn.
// Its kind, named at the end or not at all, is searched for first.
func (r *reader) document(ctx context.Context, path string) error {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return fmt.Errorf("open chat: %w", err)
	}
	defer f.Close()
	d, first := decode.New(f), []message(nil)
	var head record
	_ = d.Members(func(name string) error { // a torn end is found again
		if name != "messages" {
			return d.Member(&head, name)
		}
		return d.Elements(func() error {
			if first != nil {
				return d.SkipValue()
			}
			first = make([]message, 1)
			return d.Read(&first[0])
		})
	})
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read chat: %w", err)
	}
	if first != nil && begins(first[0].Content.text(), tasks) {
		head.Kind = subagent
	}
	file := workIn(path, head.Kind)
	d = decode.New(f)
	err = d.Members(func(name string) error {
		if name != "messages" {
			return d.Member(&head, name)
		}
		r.enter(head.SessionID, file)
		return d.Elements(func() error {
			var m message
			if err := d.Read(&m); err != nil {
				return err
			}
			r.at.Records++
			if what := r.at.message(m); what != "" {
				r.at.Unknown[what]++
			}
			return ctx.Err()
		})
	})
	if head.SessionID != "" {
		r.enter(head.SessionID, file)
		r.at.Records, r.at.begun = r.at.Records+1, true
		r.at.describe(&head)
	}
	d.Unknown(r.at.Unknown)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && info.Size() > 0 {
		r.at.Torn = true
		r.at.damage = append(r.at.damage, "a chat is torn or damaged, what stood behind is lost")
	}
	return nil
}

// fold holds the messages of a session after all its records. A message under a known id replaces the old
// one: a message with calls is written twice. A rewind takes back all from one message on.
type fold struct {
	all       []*message     // in order, with rewound ones
	live      []*message     // not taken back
	at        map[string]int // indexes in live, by id
	rewinds   int
	summaries map[sources.Checkpoint]bool // summaries in live messages, as a later context repeats them

	context []seen // seen by the model after its last change
	since   int    // number of live messages then

	start   time.Time
	title   string
	begun   bool // the first record, with the session's data, was read
	Records int
	// Data of records about the session.
	IsSubagent bool     // it is a sub-agent's
	Hash       string   // sha256 of its folder, in hex digits
	Folders    []string // named by the session: mostly its own
}

// seen is a message that the model saw: in a context ids may be new.
type seen struct{ id, prompt string }

func (f *fold) take(r *record) (unknown string) {
	first := f.Records == 0
	f.Records++
	switch {
	case r.RewindTo != nil:
		f.rewind(*r.RewindTo)
	case r.ID != "":
		return f.message(r.message)
	case r.Set != nil:
		f.change(r.Set)
		if r.Set.Other != "" {
			return words.OneLine("$set "+r.Set.Other, 64)
		}
	case r.SessionID != "":
		f.begun = f.begun || first
		f.describe(r)
	default:
		return "record"
	}
	return ""
}

// describe records a record's data about the session, which is repeated on resume.
func (f *fold) describe(r *record) {
	if at := r.StartTime.Time; f.start.IsZero() || !at.IsZero() && at.Before(f.start) {
		f.start = at
	}
	f.Hash, f.title = cmp.Or(f.Hash, r.ProjectHash), cmp.Or(r.Summary, f.title)
	f.IsSubagent = f.IsSubagent || r.Kind == subagent
	f.Folders = append(f.Folders, r.Directories...)
}

// Pseudo types of messages: unreadable lines, and a summary of the conversation so far.
const gap, summary = "gap", "summary"

// types are the types of messages.
var types = []string{"user", "gemini", "info", "warning", "error"}

func (f *fold) message(m message) (unknown string) {
	if !slices.Contains(types, m.Type) {
		return words.OneLine("message "+m.Type, 64)
	}
	f.keep(&m)
	if i, met := f.at[m.ID]; met {
		*f.live[i] = m
		return ""
	}
	if f.at == nil {
		f.at = map[string]int{}
	}
	f.at[m.ID] = len(f.live)
	f.add(&m)
	return ""
}

func (f *fold) add(m *message) { f.all, f.live = append(f.all, m), append(f.live, m) }

// keep reduces a message to what is kept. The program's words in the place of a prompt describe the session.
func (f *fold) keep(m *message) {
	if m.Type == "user" {
		m.user()
	} else {
		m.text = m.Content.text()
	}
	if m.isOurs && m.text != "" {
		if folder := words.OneLine(words.Between(m.text, folderMarks...), 4096); folder != "" && len(f.Folders) == 0 {
			f.Folders = append(f.Folders, folder)
		}
		if c, ok := checkpoint(m.text); ok && !f.summaries[c] {
			if f.summaries == nil {
				f.summaries = map[sources.Checkpoint]bool{}
			}
			f.summaries[c] = true
			f.add(&message{Type: summary, At: m.At, kept: kept{summary: c}})
		}
		m.text = ""
	}
	m.Content, m.Display = nil, nil
	for i := range m.Calls {
		m.Calls[i].keep()
	}
}

// change records a change. A new context is not a rewind: the model sees less, but all words stay.
func (f *fold) change(c *change) {
	f.title = cmp.Or(c.Summary, f.title)
	f.Folders = append(f.Folders, c.Directories...)
	if c.Context == nil {
		return
	}
	f.context = nil
	for i := range c.Context {
		m := &c.Context[i]
		f.keep(m)
		one := seen{id: m.ID}
		if m.Type == "user" && !m.isResult {
			one.prompt = m.text
		}
		f.context = append(f.context, one)
	}
	f.since = len(f.live)
}

// rewind takes back a message and all later ones. Like the program, it takes an unknown message for the first.
func (f *fold) rewind(id string) {
	i, met := f.at[id]
	if !met {
		i = f.inContext(id)
	}
	if i >= len(f.live) {
		return
	}
	f.rewinds++
	for _, m := range f.live[i:] {
		m.rewind = f.rewinds
		delete(f.at, m.ID)
		delete(f.summaries, m.summary)
	}
	f.live = f.live[:i]
	f.since = min(f.since, i)
}

// inContext finds a message whose id only the context has: the prompt with the same words, or the message after it.
func (f *fold) inContext(id string) int {
	at := slices.IndexFunc(f.context, func(s seen) bool { return s.id == id })
	if at < 0 {
		return 0
	}
	if prompt := f.context[at].prompt; prompt != "" {
		for i, m := range slices.Backward(f.live[:f.since]) {
			if m.Type == "user" && m.text == prompt {
				return i
			}
		}
	}
	for _, s := range f.context[at:] {
		if i, met := f.at[s.id]; met {
			return i
		}
	}
	return f.since
}

var (
	touchedMark = []byte(`{"$set":{"lastUpdated":"`)
	idMark      = []byte(`{"id":"`)
	resultMark  = []byte(`","type":"user","content":[{"functionResponse":`)
)

// pass skips the lines that no note shows: the time of the last write, and outputs of calls, which the calls
// repeat. Only their place is kept.
func (f *fold) pass(head []byte) bool {
	if bytes.HasPrefix(head, touchedMark) && bytes.HasSuffix(head, []byte(`"}}`)) && len(head) < 2*len(touchedMark)+16 {
		f.Records++
		return true
	}
	stamp, _, isResult := bytes.Cut(head, resultMark)
	id := jsonl.Word(stamp, `{"id":"`)
	if !isResult || id == "" || len(id) > 128 || !bytes.HasPrefix(head, idMark) || bytes.Count(stamp, []byte{'"'}) != 7 {
		return false
	}
	f.Records++
	at := words.Instant{Time: words.Time(jsonl.Word(head, `"timestamp":"`))}
	f.message(message{ID: id, At: at, Type: "user", Content: content{{Gave: &gave{}}}})
	return true
}
