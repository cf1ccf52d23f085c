package chat

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// fold holds the messages of a session as its records leave them. What comes again under an id
// replaces what was there: a message with calls is written twice. A rewind takes all from one
// message on away.
type fold struct {
	live []*message
	at   map[string]int // places in live, by id
	dead [][]*message   // what was taken back, by rewind

	context []known // what the model saw after the last change of it
	since   int     // how many messages were live then
	checks  []check

	// What records say of the session. begun says that the first of all did.
	start   time.Time
	summary string
	begun   bool
	About
}

// About is what is known of a session besides.
type About struct {
	IsSubagent bool     // it is the work of one
	Hash       string   // sha256 of the folder that it works in, in hex digits
	Folders    []string // that it names itself: mostly the one that it works in
	Records    int      // how many there were
}

// known is a message that the model saw: in a context ids may be new.
type known struct{ id, prompt string }

// check is a checkpoint, with how many messages were live when it was made.
type check struct {
	sources.Checkpoint
	live int
}

// take takes in a record.
func (f *fold) take(r *record) (unknown string, ok bool) {
	first := f.Records == 0
	f.Records++
	switch {
	case r.RewindTo != nil:
		f.rewind(*r.RewindTo)
	case r.ID != "":
		return f.message(r.message), true
	case r.Set != nil:
		return f.change(r.Set), true
	case r.SessionID != "":
		f.begun = f.begun || first
		f.describe(r)
	default:
		return "record", true
	}
	return "", true
}

// describe takes in what a record says of the session, which comes again on resume.
func (f *fold) describe(r *record) {
	if at := r.StartTime.Time; f.start.IsZero() || !at.IsZero() && at.Before(f.start) {
		f.start = at
	}
	f.Hash, f.summary = cmp.Or(f.Hash, r.ProjectHash), cmp.Or(r.Summary, f.summary)
	f.IsSubagent = f.IsSubagent || r.Kind == "subagent"
	f.Folders = append(f.Folders, r.Directories...)
}

// gap stands for lines that could not be read, among the types of messages.
const gap = "gap"

// types are those of messages.
var types = []string{"user", "gemini", "info", "warning", "error"}

// message takes in a message.
func (f *fold) message(m message) (unknown string) {
	if !slices.Contains(types, m.Type) {
		return words.OneLine("message "+m.Type, 64)
	}
	f.keep(&m)
	if i, met := f.at[m.ID]; met {
		f.live[i] = &m
	} else {
		f.at[m.ID] = len(f.live)
		f.live = append(f.live, &m)
	}
	return ""
}

// keep leaves of a message what is kept. What the program said in the place of a prompt tells
// of the session.
func (f *fold) keep(m *message) {
	text := m.Content.text()
	m.isResult = m.Content.isResult()
	if m.ran = ran(text); m.ran != "" && m.Type == "user" && m.Display.text() == "" {
		m.isOurs, m.text, m.Content = true, "", content{}
		return
	}
	if m.isOurs = m.Type == "user" && m.isInjected(text); m.isOurs {
		if folder := words.OneLine(folderIn(text), 4096); folder != "" && len(f.Folders) == 0 {
			f.Folders = append(f.Folders, folder)
		}
		if c, ok := checkpoint(text); ok {
			f.check(c, m.At.Time)
		}
		text = ""
	}
	if m.text = text; m.Type == "user" && !m.isOurs {
		m.text, m.added = m.typed(text)
	}
	m.Content, m.Display = content{}, content{}
	for i := range m.Calls {
		m.Calls[i].keep()
	}
}

// check adds a checkpoint, which a later context repeats.
func (f *fold) check(c sources.Checkpoint, at time.Time) {
	for _, have := range f.checks[max(0, len(f.checks)-100):] { // hostile files have many
		if have.At = (time.Time{}); have.Checkpoint == c {
			return
		}
	}
	c.At = at
	f.checks = append(f.checks, check{c, len(f.live)})
}

// change takes in a change. A new context is no rewind: the model sees less, and all that was
// said stays.
func (f *fold) change(c *change) (unknown string) {
	f.summary = cmp.Or(c.Summary, f.summary)
	f.Folders = append(f.Folders, c.Directories...)
	if c.Context != nil {
		f.context, f.since = nil, len(f.live)
		for i := range c.Context {
			m := &c.Context[i]
			f.keep(m)
			k := known{id: m.ID}
			if m.Type == "user" && !m.isResult {
				k.prompt = m.text
			}
			f.context = append(f.context, k)
		}
	}
	if len(c.Unknown) > 0 {
		return c.Unknown[0]
	}
	return ""
}

// rewind takes back a message and all behind it. One that nobody knows is taken for the
// first one, as the program does.
func (f *fold) rewind(id string) {
	i, met := f.at[id]
	if !met {
		i = f.inContext(id)
	}
	if i >= len(f.live) {
		return
	}
	f.dead = append(f.dead, slices.Clone(f.live[i:]))
	for _, m := range f.live[i:] {
		delete(f.at, m.ID)
	}
	f.live = f.live[:i]
	f.since = min(f.since, i)
	f.checks = slices.DeleteFunc(f.checks, func(c check) bool { return c.live > i })
}

// inContext finds the message that has this id in the context alone: the prompt of the same
// words, else the first one behind it that is known.
func (f *fold) inContext(id string) int {
	at := slices.IndexFunc(f.context, func(k known) bool { return k.id == id })
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
	for _, k := range f.context[at:] {
		if i, met := f.at[k.id]; met {
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

// pass passes over the lines of which no note shows anything: when the file was written last,
// and what calls gave, which stands in the calls too. Of that the place is kept.
func (f *fold) pass(head []byte) (unknown string, pass bool) {
	if bytes.HasPrefix(head, touchedMark) && bytes.HasSuffix(head, []byte(`"}}`)) && len(head) < 2*len(touchedMark)+16 {
		f.Records++
		return "", true
	}
	rest, ok := bytes.CutPrefix(head, idMark)
	id, rest, ended := bytes.Cut(rest, []byte{'"'})
	rest, ok2 := bytes.CutPrefix(rest, []byte(`,"timestamp":"`))
	stamp, _, result := bytes.Cut(rest, resultMark)
	if !ok || !ok2 || !ended || !result || len(id) > 128 || bytes.ContainsAny(id, `\`) || bytes.ContainsAny(stamp, `"\`) {
		return "", false
	}
	f.Records++
	f.message(message{ID: strings.ToValidUTF8(string(id), "\ufffd"), Type: "user", Content: content{part: part{Gave: &gave{}}}})
	return "", true
}
