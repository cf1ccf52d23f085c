package copilotcli

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// agentName is the agent of all sessions of this package.
const agentName = "copilot-cli"

// logState is what reading on needs to know beside the session: numbers, ids and
// hashes, never text of the transcript, because it is kept in the clear.
type logState struct {
	Begun  bool      // a record was seen
	Whole  bool      // the first one started the session
	Hidden bool      // the run of a helper agent, no session of the person
	Clock  time.Time // time of the last event, for those that carry none
	Model  string
	Mode   string
	Agent  string
	Chunk  string  // id of the model call whose answer the next chunk goes on with
	Number int     // of the last checkpoint
	Bad    int     // lines that could not be read
	Long   []int64 // sizes of the records that were skipped
	Calls  map[string]*openCall
	Seen   []byte // hashes of what must count once, 8 bytes each, sorted

	Artifacts []uint64 // hashes of Session.Artifacts, in order
	Lengths   [5]int   // of the session's lists, to know it again
}

// logParser turns events into a session.
type logParser struct {
	id      string
	session *sources.Session // nil until the kept one is needed
	load    func() (*sources.Session, error)
	source  io.ReaderAt
	limit   int // bytes of the longest record

	st      logState
	text    strings.Builder // the answer of the open turn
	seen    map[uint64]struct{}
	foreign []foreignFile // writes into the folders of other sessions
	changed []uint64      // hashes of the paths that were written
	unknown map[string]int
	problem []sources.Problem
	start   string // see startOf
}

// newLogParser starts an empty session.
func newLogParser(id string, source io.ReaderAt) *logParser {
	return &logParser{
		id:      id,
		session: &sources.Session{ID: id, Agent: agentName},
		source:  source,
		st:      logState{Calls: map[string]*openCall{}},
		seen:    map[uint64]struct{}{},
		unknown: map[string]int{},
	}
}

// resumeLogParser goes on with a session that load brings when it is needed.
func resumeLogParser(id string, source io.ReaderAt, st logState, load func() (*sources.Session, error)) *logParser {
	p := newLogParser(id, source)
	p.session, p.load, p.st = nil, load, st
	if p.st.Calls == nil {
		p.st.Calls = map[string]*openCall{}
	}
	for b := st.Seen; len(b) >= 8; b = b[8:] {
		p.seen[binary.BigEndian.Uint64(b)] = struct{}{}
	}
	return p
}

// ready brings the kept session. errReadWhole says that it is gone or is not the
// one the state belongs to.
func (p *logParser) ready() error {
	if p.session != nil {
		return nil
	}
	s, err := p.load()
	if err != nil || s == nil || lengthsOf(s) != p.st.Lengths {
		return errReadWhole
	}
	s.ID = p.id
	p.session = s
	if t := p.turn(); t != nil {
		p.text.WriteString(t.Assistant)
	}
	return nil
}

func lengthsOf(s *sources.Session) [5]int {
	return [5]int{len(s.Turns), len(s.Checkpoints), len(s.Artifacts), len(s.Files), len(s.Refs)}
}

// first reports whether this is the first time key is met within its class.
func (p *logParser) first(class byte, key string) bool {
	h := hashOf(class, key)
	if _, ok := p.seen[h]; ok {
		return false
	}
	p.seen[h] = struct{}{}
	return true
}

func (p *logParser) met(class byte, key string) bool {
	_, ok := p.seen[hashOf(class, key)]
	return ok
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
	onceFile    byte = 'a' // artifact: kind/name
)

func hashOf(class byte, key string) uint64 {
	sum := sha256.Sum256(append([]byte{class}, key...))
	return binary.BigEndian.Uint64(sum[:8])
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

// finish completes what follows from the whole and returns the state to keep.
func (p *logParser) finish() logState {
	p.flush()
	s := p.session
	if p.st.Hidden {
		*s = sources.Session{ID: s.ID, Agent: s.Agent, Created: s.Created}
	}
	s.Whole = p.st.Whole
	s.Damage = p.damage()
	s.Updated = time.Time{}
	for i := range s.Turns {
		s.Updated = latest(s.Updated, s.Turns[i].At, s.Turns[i].End)
	}
	for i := range s.Checkpoints {
		s.Updated = latest(s.Updated, s.Checkpoints[i].At)
	}
	p.st.Lengths = lengthsOf(s)
	hashes := make([]uint64, 0, len(p.seen))
	for h := range p.seen {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	p.st.Seen = make([]byte, 0, 8*len(hashes))
	for _, h := range hashes {
		p.st.Seen = binary.BigEndian.AppendUint64(p.st.Seen, h)
	}
	return p.st
}

// damage says in words what could not be read.
func (p *logParser) damage() []string {
	var out []string
	switch p.st.Bad {
	case 0:
	case 1:
		out = append(out, "1 line could not be read")
	default:
		out = append(out, fmt.Sprintf("%d lines could not be read", p.st.Bad))
	}
	for _, size := range p.st.Long {
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
