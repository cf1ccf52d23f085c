package copilotcli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// agentName is the agent of all sessions of this package.
const agentName = "copilot-cli"

// logParser turns the events of a log, one after the other, into a session.
type logParser struct {
	id      string
	session *sources.Session
	text    strings.Builder // the answer of the open turn

	begun  bool      // a record was seen
	whole  bool      // the first one started the session
	hidden bool      // the run of a helper agent, no session of the person
	clock  time.Time // time of the last event, for those that carry none
	model  string
	mode   string
	agent  string
	chunk  string // id of the model call whose answer the next chunk goes on with
	number int    // of the last checkpoint
	start  string // see startOf

	calls    map[string]*openCall
	seen     map[once]struct{} // what must count once
	written  map[string]int    // index in Session.Artifacts, by kind/name
	foreign  []foreignFile     // writes into the folders of other sessions
	changed  []once            // the paths that were written
	bad      int               // lines that could not be read
	long     []int64           // sizes of the records that were skipped
	unknown  map[string]int    // types of events this reader does not know
	problems []sources.Problem

	decoder *decode.Decoder
	data    eventData // of the current event
	short   []byte    // of a line, see shortened
}

// newLogParser starts an empty session.
func newLogParser(id string) *logParser {
	return &logParser{
		id:      id,
		session: &sources.Session{ID: id, Agent: agentName},
		calls:   map[string]*openCall{},
		seen:    map[once]struct{}{},
		written: map[string]int{},
		unknown: map[string]int{},
		decoder: decode.New(nil),
	}
}

// once is something that counts once within its class.
type once struct {
	class byte
	key   string
}

// Classes of things that count once.
const (
	onceEvent   byte = 'e' // event id: a crash may write a line twice
	onceCall    byte = 't' // tool call id
	onceTokens  byte = 'u' // model call whose output was counted
	onceUsage   byte = 'i' // model call whose input was counted
	onceTouch   byte = 'f' // path, kind and turn
	onceChanged byte = 'm' // path that was written, in whatever turn
	onceRef     byte = 'r' // type and value
	onceModel   byte = 'M'
)

// first reports whether this is the first time key is met within its class.
func (p *logParser) first(class byte, key string) bool {
	if p.met(class, key) {
		return false
	}
	p.seen[once{class, key}] = struct{}{}
	return true
}

func (p *logParser) met(class byte, key string) bool {
	_, ok := p.seen[once{class, key}]
	return ok
}

// turn returns the open turn, nil before the first prompt.
func (p *logParser) turn() *sources.Turn {
	if n := len(p.session.Turns); n > 0 {
		return &p.session.Turns[n-1]
	}
	return nil
}

// turnIndex returns the index of the open turn, -1 before the first prompt.
func (p *logParser) turnIndex() int { return len(p.session.Turns) - 1 }

// finish completes what follows from the whole.
func (p *logParser) finish() {
	p.flush()
	p.decoder.Unknown(p.unknown)
	s := p.session
	if p.hidden {
		*s = sources.Session{ID: s.ID, Agent: s.Agent, Created: s.Created}
	}
	s.Whole = p.whole
	s.Damage = p.damage()
	s.Updated = time.Time{}
	for i := range s.Turns {
		s.Updated = latest(s.Updated, s.Turns[i].At, s.Turns[i].End)
	}
	for i := range s.Checkpoints {
		s.Updated = latest(s.Updated, s.Checkpoints[i].At)
	}
}

// damage says in words what could not be read.
func (p *logParser) damage() []string {
	var out []string
	switch p.bad {
	case 0:
	case 1:
		out = append(out, "1 line could not be read")
	default:
		out = append(out, fmt.Sprintf("%d lines could not be read", p.bad))
	}
	for _, size := range p.long {
		out = append(out, fmt.Sprintf("a record of %s was skipped", inWords(size)))
	}
	return out
}

// inWords writes a number of bytes for people.
func inWords(n int64) string {
	for _, unit := range []string{"bytes", "KB", "MB"} {
		if n < 10_000 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n /= 1000
	}
	return fmt.Sprintf("%d GB", n)
}

func latest(times ...time.Time) time.Time {
	return slices.MaxFunc(times, time.Time.Compare)
}

// useModel notes a model, without the prefix of its vendor.
func (p *logParser) useModel(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	if name != "" && p.first(onceModel, name) {
		p.session.Models = append(p.session.Models, name)
	}
	return name
}
