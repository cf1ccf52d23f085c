package codexcli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

func (r *reading) readThread(ctx context.Context) error {
	live, dead, states := r.chain()
	p := newParser(r.Item.Session)
	la := sources.Layer{Name: layerRollout, Rank: sources.RankLog, AppendOnly: true, Session: p.b.Session}
	for _, one := range live {
		r.readRollout(ctx, p, one, &la)
		la.Session.Archived = one.archived // the newest decides
	}
	known := map[string]bool{} // turns that an earlier state shares with the thread
	for _, t := range p.b.Turns() {
		known[t.ID] = states
	}
	for _, one := range dead { // all its own turns were taken back
		was, alone := newParser(p.thread), []*builder.Turn(nil)
		r.readRollout(ctx, was, one, &la)
		for _, t := range was.b.Turns() {
			if !known[t.ID] {
				alone = append(alone, t)
			}
			known[t.ID] = states
		}
		p.b.AddTakenBack(was.b, alone)
		r.count(was)
	}
	r.count(p)
	if b := p.meta.Base; b != nil && (sources.FoldUUID(b.ThreadID) == p.thread || p.meta.ForkedFrom == "") && p.root == "" {
		la.Session.Complete = false
		la.Session.Damage = append(la.Session.Damage, "a file that the thread goes on from is not there")
	}
	s := p.finish()
	if p.root != "" {
		if !la.Failed { // else the stored ones stay
			r.Give(p.root, sources.Layer{Name: layerAgents, Rank: sources.RankSidecar, Provisional: la.Provisional, Session: p.workOf(s)})
		}
		return nil
	}
	if la.Provisional = la.Provisional || !p.lines.Begun; la.Failed {
		la.Session = nil
	}
	r.Add(la)
	r.readNames(ctx, s.Parent)
	return nil
}

func (r *reading) count(p *parser) {
	r.Out.Records += p.lines.Records
	r.Unknown(p.lines.Unknown)
}

// readRollout reads a rollout with a parser. What cannot be read is reported, and fails the layer, except for a damaged
// archive.
func (r *reading) readRollout(ctx context.Context, p *parser, one rollout, la *sources.Layer) {
	p.end = one.end
	err := p.read(ctx, one.path)
	switch {
	case err == nil || ctx.Err() != nil:
		return
	case errors.Is(err, errDamaged):
		la.Session.Damage, la.Provisional = append(la.Session.Damage, "an archive is damaged, what stood behind is lost"), true
	default:
		la.Failed = true
	}
	r.Problem(one.path, err)
}

// chain orders the rollouts of a thread. Of paginated ones, the newest is the head, which names the one that it
// continues, and turns outside the chain were taken back. Of older ones, the longest is the session, and the others are
// its earlier states.
func (r *reading) chain() (live, dead []rollout, states bool) {
	all := r.rollouts()
	if len(all) < 2 {
		return all, nil, false
	}
	at := len(all) - 1
	m := firstOf(all[at].path)
	isLost := func(m payload, one rollout) bool { return m.ID == "" && one.own != r.Item.Session } // a rewind has another name
	if m.History == "" && m.Base == nil && !isLost(m, all[at]) {
		slices.SortStableFunc(all, func(a, b rollout) int { return cmp.Compare(b.size, a.size) })
		return all[:1], all[1:], true
	}
	for end := int64(math.MaxInt64); at >= 0; {
		one := all[at]
		one.end = end
		live, all = append(live, one), slices.Delete(all, at, at+1)
		switch m = firstOf(one.path); {
		case m.Base != nil:
			id := sources.FoldUUID(m.Base.ThreadID)
			at, end = slices.IndexFunc(all, func(o rollout) bool { return o.own == id }), int64(m.Base.End)
		case isLost(m, one):
			if at, end = at-1, math.MaxInt64; at >= 0 {
				r.Problem(one.path, errors.New("what it goes on from cannot be read, the file before it is taken for that"))
			}
		default:
			at = -1
		}
	}
	slices.Reverse(live)
	return live, all, false
}

// Limits of unpacking, in bytes: the memory used, for which Codex's files need 8 MB, and the unpacked
// size, or a multiple of the packed one if that is more: texts pack to a tenth.
const maxWindow, leastUnpacked, maxRatio = 64 << 20, 64 << 20, 200

// errDamaged says that an archive is cut or invalid: what was unpacked before is good.
var errDamaged = errors.New("the archive is damaged")

// withText reads a rollout, packed or not.
func withText(path string, read func(io.Reader) error) error {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return fmt.Errorf("open rollout: %w", err)
	}
	defer f.Close()
	if !strings.HasSuffix(path, ".zst") {
		return read(f)
	}
	unpack, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxWindow))
	if err != nil {
		return fmt.Errorf("unpack rollout %q: %w", path, err)
	}
	defer unpack.Close()
	left := io.LimitedReader{R: unpack, N: min(files.MaxLog, max(leastUnpacked, maxRatio*info.Size()))}
	switch err := read(&left); {
	case err != nil:
		return fmt.Errorf("%w: %w", errDamaged, err)
	case left.N <= 0:
		return fmt.Errorf("%w: it unpacks to too much", errDamaged)
	}
	return nil
}

// leading returns the type of a record without decoding it, in the order in which Codex writes:
// "event_msg/task_started", "item/UserMessage", "turn_context". It is "" for another order.
func leading(head []byte) string {
	envelope, rest, found := bytes.Cut(head, []byte(`,"payload":{`))
	group := jsonl.Word(envelope, `"type":"`)
	switch {
	case !found || !bytes.HasPrefix(head, []byte(begin)):
		return ""
	case group != "event_msg" && group != "response_item":
		return group
	case !bytes.HasPrefix(rest, []byte(`"type":"`)):
		return ""
	}
	kind := jsonl.Word(rest, `"type":"`)
	if kind == "item_completed" {
		group, kind = "item", jsonl.Word(rest, `"item":{"type":"`)
	}
	if kind == "" {
		return ""
	}
	return group + "/" + kind
}

const (
	begin   = `{"timestamp":"` // beginning of a record in its envelope
	maxKind = 64               // bytes of the longest name of a type
)

// open returns the payload of a record and its key, see leading. A record without an envelope is recognized
// by its members; an unrecognized one has the key "".
func (r *record) open() (d *payload, key string) {
	if d, key = &r.Payload.payload, r.Type; !r.Payload.there {
		d = &r.payload
		d.bare = true
		switch {
		case d.RecordType != "":
			key = "state"
		case d.Type != "":
			key = "response_item"
		case d.Role != "": // written by the CLI in TypeScript
			key, d.Type = "response_item", "message"
		case d.ID != "" && d.Began != "":
			key = "session_meta"
		}
	}
	switch {
	case key != "event_msg" && key != "response_item":
	case d.Type == "item_completed":
		key = "item/" + d.Item.Type
	default:
		key += "/" + d.Type
	}
	return d, words.OneLine(key, 2*maxKind)
}

// log returns the log that feeds the parser. A line of an unused type is skipped without being held or decoded.
func (p *parser) log() *jsonl.Log[record] {
	l := &jsonl.Log[record]{Heads: []string{begin}, Take: p.take}
	l.Pass = func(head []byte) (unknown string, pass bool) {
		key := leading(head)
		if key != "" && !p.wants(key, head) {
			return unknownIn(key), true
		}
		l.Decoder.Large = (key == "" || key == "item/CommandExecution" || key == "event_msg/exec_command_end") && hasRefs(head)
		return "", false
	}
	return l
}

// unknownIn returns an unknown type, or "" for a known one.
func unknownIn(key string) string {
	if _, known := handlers[key]; known {
		return ""
	}
	return key
}

func (p *parser) read(ctx context.Context, path string) error {
	p.style = ""
	return withText(path, func(in io.Reader) error {
		if strings.HasSuffix(path, ".json") {
			return p.document(ctx, decode.New(in))
		}
		return p.lines.Read(ctx, in, 0)
	})
}

// document reads a rollout of the CLI in TypeScript: one document, with a session and its items.
func (p *parser) document(ctx context.Context, d *decode.Decoder) error {
	take := func() error {
		r := &record{}
		if err := d.Read(&r.payload); err != nil {
			return err
		}
		p.lines.Add(r)
		return ctx.Err()
	}
	err := d.Members(func(name string) error {
		switch name {
		case "session":
			return take()
		case "items":
			return d.Elements(take)
		}
		return d.SkipValue()
	})
	if err != nil && ctx.Err() == nil { // it is rewritten each time, so it may be torn
		p.lines.Add(nil)
	}
	return ctx.Err()
}

func hasRefs(head []byte) bool {
	command, _, _ := bytes.Cut(head, []byte(`"aggregated_output":`))
	return bytes.Contains(command, []byte("git")) || bytes.Contains(command, []byte("gh "))
}

func (p *parser) wants(key string, head []byte) bool {
	switch key {
	case "response_item/message":
		return false // its event or item has the visible part
	case "event_msg/token_count":
		_, sum, _ := bytes.Cut(head, []byte(`"total_token_usage":{`))
		sum, _, _ = bytes.Cut(sum, []byte{'}'})
		isKnown := bytes.Equal(sum, p.lastSum) // none, or counted before
		p.lastSum = append(p.lastSum[:0], sum...)
		return !isKnown
	case "response_item/function_call_output", "response_item/custom_tool_call_output":
		id := jsonl.Word(head, `"call_id":"`)
		c := p.b.Called(id)
		return id == "" || p.cells[id] != nil || c != nil && !c.Ended()
	}
	return handlers[key] != nil
}

// firstOf returns the payload of the first record of a rollout, empty if that is damaged or cannot be
// read, which Read reports.
func firstOf(path string) (first payload) {
	const most = 3 // lines that are tried
	_ = withText(path, func(in io.Reader) error {
		lines := files.NewLines(in, 0)
		defer lines.Release()
		for n := 0; n < most && first.ID == "" && lines.Next(); n++ {
			var r record
			line, err := lines.Bytes()
			if err == nil && decode.Text(string(line), &r) == nil {
				if d, key := r.open(); key == "session_meta" {
					first = *d
				}
			}
		}
		return nil
	})
	return first
}
