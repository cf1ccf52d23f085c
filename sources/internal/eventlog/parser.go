package eventlog

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// parser turns the events of a log, one after the other, into a session.
type parser struct {
	session *sources.Session
	dialect *Dialect        // nil: that of Copilot CLI
	text    strings.Builder // the answer of the open turn

	begun  bool      // a record was seen
	whole  bool      // the first one started the session
	hidden bool      // the run of a helper agent, no session of the person
	start  string    // see Reading
	clock  time.Time // time of the last event, for those that carry none
	model  string
	mode   string
	agent  string
	chunk  string // id of the model call whose answer the next chunk goes on with

	calls   map[string]*openCall
	seen    map[string]once // what must count once
	writes  []write
	bad     int            // lines that could not be read
	skipped []int64        // sizes of the records that were not held
	unknown map[string]int // types of events this reader does not know
	records int            // lines

	decoder decode.Decoder
	event   event  // the current one
	short   []byte // of a line, see shortened
	exit    string // what a result ends with that was left out of a line
}

// newParser starts an empty session, of a log of so many bytes.
func newParser(id string, size int64) *parser {
	seen := min(size/4096, 1<<16) // about; to grow a large table costs
	return &parser{
		session: &sources.Session{ID: id}, calls: make(map[string]*openCall, seen/4), seen: make(map[string]once, seen), unknown: map[string]int{},
	}
}

// once says for what a key was met.
type once uint8

// Things that count once.
const (
	onceEvent   once = 1 << iota // id of an event: a crash may write a line twice
	onceTokens                   // call of a model whose output was counted
	onceUsage                    // call of a model whose input was counted
	onceTouch                    // kind, turn and path
	onceChanged                  // path that was written, in whatever turn
	onceRef                      // type and value
	onceModel
)

// first reports whether this is the first time that a key is met for this.
func (p *parser) first(what once, key string) bool {
	met := p.seen[key]
	if met&what != 0 {
		return false
	}
	p.seen[key] = met | what
	return true
}

// turn returns the open turn, nil before the first prompt.
func (p *parser) turn() *sources.Turn {
	if n := len(p.session.Turns); n > 0 {
		return &p.session.Turns[n-1]
	}
	return nil
}

// finish completes what follows from the whole.
func (p *parser) finish() Reading {
	p.flush()
	p.decoder.Unknown(p.unknown)
	s := p.session
	s.Artifacts = p.written()
	if p.hidden {
		*s = sources.Session{ID: s.ID, Created: s.Created}
	}
	s.Complete = p.whole
	if p.bad > 0 {
		of := cmp.Or(p.dialect, &Dialect{}).Of
		s.Damage = append(s.Damage, words.Count(p.bad, "line")+of+" could not be read")
	}
	for _, size := range p.skipped {
		s.Damage = append(s.Damage, fmt.Sprintf("a record of %d MB was skipped", size/1e6))
	}
	files.SetUpdated(s)
	return Reading{Session: s, Start: p.start, Empty: !p.begun, Unknown: p.unknown, Records: p.records}
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// useModel notes a model, without the prefix of its vendor.
func (p *parser) useModel(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if name != "" && p.first(onceModel, name) {
		p.session.Models = append(p.session.Models, name)
	}
	return name
}

// idOf keeps a short name of the agent's own vocabulary; anything longer is text.
func idOf(s string) string {
	if len(s) > 64 {
		return ""
	}
	return s
}

// stateFile is a file in the folder of a session; kind is empty for what is none of
// the person's business.
type stateFile struct{ session, kind, name string }

// write is an event that wrote a file.
type write struct {
	stateFile
	at time.Time
}

// InStateFolder says that a path lies in the folder of a session, on whichever
// machine and with either slash: no file of a project.
func InStateFolder(path string) bool {
	_, own := stateFileOf(path)
	return own
}

// belowState takes a path with slashes apart that lies below the folder of a session.
func belowState(path string) (session, rest string, ok bool) {
	above, below, ok := strings.Cut(path, "session-state/")
	session, rest, _ = strings.Cut(below, "/")
	return session, rest, ok && rest != "" && (above == "" || strings.HasSuffix(above, "/"))
}

// stateFileOf recognises a path within the folder of a session, with either slash.
func stateFileOf(path string) (stateFile, bool) {
	session, rest, ok := belowState(strings.ReplaceAll(path, `\`, "/"))
	if !ok {
		return stateFile{}, false
	}
	return stateFileIn(session, rest), true
}

// stateFileIn sorts a path relative to the folder of a session.
func stateFileIn(session, path string) stateFile {
	f := stateFile{session: session}
	switch dir, rest, _ := strings.Cut(path, "/"); {
	case path == "plan.md":
		f.kind, f.name = sources.Plan, path
	case dir == "files" && rest != "":
		f.kind, f.name = sources.File, rest
	case dir == "research" && rest != "":
		f.kind, f.name = sources.Research, rest
	}
	return f
}

// longText is the size in bytes of a text that is left out of a line of which no text
// is shown.
const longText = 4 << 10

// shortened appends a line to a buffer, every long text of it empty.
func shortened(to, line []byte) []byte {
	for {
		begin := bytes.IndexByte(line, '"') + 1
		if begin == 0 {
			return append(to, line...)
		}
		end := begin + textEnd(line[begin:])
		if end-begin > longText {
			to = append(to, line[:begin]...)
		} else {
			to = append(to, line[:end]...)
		}
		if end == len(line) {
			return to
		}
		to, line = append(to, '"'), line[end+1:]
	}
}

// textEnd is where the quote stands that ends a text, or the length of the line.
func textEnd(line []byte) int {
	for at := 0; ; at++ {
		n := bytes.IndexByte(line[at:], '"')
		if n < 0 {
			return len(line)
		}
		at += n
		escapes := 0
		for escapes < at && line[at-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}
