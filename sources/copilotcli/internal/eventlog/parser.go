package eventlog

import (
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// parser turns the events of a log, one after the other, into a session.
type parser struct {
	session *sources.Session
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

	decoder decode.Decoder
	event   event  // the current one
	short   []byte // of a line, see shortened
}

// newParser starts an empty session, of a log of so many bytes.
func newParser(id string, size int64) *parser {
	seen := min(size/4096, 1<<16) // about; to grow a large table costs
	return &parser{
		session: &sources.Session{ID: id}, calls: map[string]*openCall{}, seen: make(map[string]once, seen), unknown: map[string]int{},
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
func (p *parser) finish(size int64) Reading {
	p.flush()
	p.decoder.Unknown(p.unknown)
	s := p.session
	s.Artifacts = p.written()
	if p.hidden {
		*s = sources.Session{ID: s.ID, Created: s.Created}
	}
	s.Whole = p.whole
	if p.bad == 1 {
		s.Damage = append(s.Damage, "1 line could not be read")
	} else if p.bad > 1 {
		s.Damage = append(s.Damage, fmt.Sprintf("%d lines could not be read", p.bad))
	}
	for _, size := range p.skipped {
		s.Damage = append(s.Damage, fmt.Sprintf("a record of %d MB was skipped", size/1e6))
	}
	words.SetUpdated(s)
	return Reading{Session: s, Start: p.start, Empty: !p.begun, Unknown: p.unknown, BytesRead: size}
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
