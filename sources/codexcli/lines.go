package codexcli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// maxWindow bounds the memory that unpacking takes, in bytes: what Codex packs needs 8 MB.
const maxWindow = 64 << 20

// errDamaged says that an archive ends in the middle or is none: what was unpacked before
// is good.
var errDamaged = errors.New("the archive is damaged")

// An archive that unpacks to more than so many bytes, and so many times its size, is none of
// Codex: texts pack to a tenth.
const leastUnpacked, maxRatio = 64 << 20, 200

// rolloutFile is an open rollout.
type rolloutFile struct {
	*files.Lines
	file   *os.File
	size   int64
	unpack *zstd.Decoder // nil: it is not packed
	left   io.LimitedReader
}

// openRollout opens a rollout, packed or not.
func openRollout(path string) (*rolloutFile, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return nil, fmt.Errorf("open rollout: %w", err)
	}
	r := &rolloutFile{file: f, size: info.Size()}
	if !strings.HasSuffix(path, ".zst") {
		r.Lines = files.NewLines(f, 0)
		return r, nil
	}
	r.unpack, err = zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxWindow))
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("unpack rollout %q: %w", path, err)
	}
	r.left = io.LimitedReader{R: r.unpack, N: min(files.MaxLog, max(leastUnpacked, maxRatio*r.size))}
	r.Lines = files.NewStream(&r.left, 0)
	return r, nil
}

func (r *rolloutFile) close() {
	r.Release()
	if r.unpack != nil {
		r.unpack.Close()
	}
	r.file.Close()
}

// failure returns what ended the reading: a damaged archive is damage, not a failure.
func (r *rolloutFile) failure(err error) error {
	switch {
	case r.unpack != nil && err != nil:
		return fmt.Errorf("%w: %w", errDamaged, err)
	case r.unpack != nil && r.left.N <= 0:
		return fmt.Errorf("%w: it unpacks to too much", errDamaged)
	}
	return err
}

// leading returns what a record is without decoding it, in the order in which Codex writes:
// "event_msg/task_started", "item/UserMessage", "turn_context". It is empty where that
// stands otherwise.
func leading(head []byte) string {
	if !bytes.HasPrefix(head, []byte(`{"timestamp":"`)) {
		return ""
	}
	kind, rest, ok := word(head, `"type":"`)
	if !ok || !bytes.HasPrefix(rest, []byte(`,"payload":{`)) {
		return ""
	}
	if kind != "event_msg" && kind != "response_item" {
		return kind
	}
	sub, _, ok := word(rest[:min(len(rest), 40)], `,"payload":{"type":"`)
	switch {
	case !ok:
		return ""
	case sub != "item_completed":
		return kind + "/" + sub
	}
	if sub, _, ok = word(head, `"item":{"type":"`); ok {
		return "item/" + sub
	}
	return ""
}

// word returns what stands behind a mark up to the next quote, where it is a plain name.
func word(text []byte, mark string) (name string, rest []byte, ok bool) {
	_, rest, ok = bytes.Cut(text, []byte(mark))
	end := bytes.IndexByte(rest, '"')
	if !ok || end <= 0 || end > maxKind || bytes.IndexByte(rest[:end], '\\') >= 0 || !utf8.Valid(rest[:end]) {
		return "", nil, false
	}
	return string(rest[:end]), rest[end+1:], true
}

// maxKind is the longest name of a type, in bytes.
const maxKind = 64

// key returns what a decoded record is, see leading. A record without an envelope is a response
// item.
func (r *record) key() string {
	p := &r.Payload
	switch {
	case r.Type != "event_msg" && r.Type != "response_item":
		return words.OneLine(r.Type, maxKind)
	case p.Type == "item_completed":
		return "item/" + words.OneLine(p.Item.Type, maxKind)
	}
	return r.Type + "/" + words.OneLine(p.Type, maxKind)
}

// log returns the reading of rollouts by the parser. A line whose type is of no use is passed
// over without being held or decoded.
func (p *parser) log() *jsonl.Log[record] {
	l := &jsonl.Log[record]{Heads: []string{`{"timestamp":"`}, Parse: parse}
	l.Pass = func(head []byte) (unknown string, pass bool) {
		key := leading(head)
		if key != "" && !p.wants(key, head) {
			return unknownIn(key), true
		}
		l.Decoder.Large = (key == "" || key == "item/CommandExecution" || key == "event_msg/exec_command_end") && hasRefs(head)
		return "", false
	}
	l.Take = func(r *record) (unknown string, ok bool) {
		key := r.key()
		if handlers[key] != nil {
			p.record(r, key)
		}
		return unknownIn(key), true
	}
	return l
}

// unknownIn returns the name of a type that nobody knows, empty for one that is known.
func unknownIn(key string) string {
	if handlers[key] != nil || passed[key] {
		return ""
	}
	return key
}

// read reads one rollout.
func (p *parser) read(ctx context.Context, path string) error {
	if strings.HasSuffix(path, ".json") {
		return p.readDocument(ctx, path)
	}
	f, err := openRollout(path)
	if err != nil {
		return err
	}
	defer f.close()
	p.style = ""
	return f.failure(p.lines.ReadLines(ctx, f.Lines))
}

// readDocument reads a rollout of the CLI in TypeScript: one document, with a session and its
// items.
func (p *parser) readDocument(ctx context.Context, path string) error {
	f, _, err := files.OpenLog(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := decode.New(f)
	take := func() error {
		var r record
		if err := d.Read(&r.Payload); err != nil {
			return err
		}
		if r.envelop() {
			p.lines.Add(&r)
		} else {
			p.lines.Add(nil)
		}
		return ctx.Err()
	}
	err = d.Members(func(name string) error {
		switch name {
		case "session":
			return take()
		case "items":
			return d.Elements(take)
		}
		return d.SkipValue()
	})
	if err != nil && ctx.Err() == nil { // it is written anew each time, so it may be torn
		p.lines.Add(nil)
		return nil
	}
	return err
}

// hasRefs tells whether what a command gave is worth reading.
func hasRefs(head []byte) bool {
	command, _, _ := bytes.Cut(head, []byte(`"aggregated_output":`))
	return bytes.Contains(command, []byte("git")) || bytes.Contains(command, []byte("gh "))
}

// wants tells whether a record is worth decoding.
func (p *parser) wants(key string, head []byte) bool {
	switch key {
	case "response_item/message":
		return false // its event or item has what was seen of it
	case "event_msg/token_count":
		if t := p.b.Turn(); t != nil && p.recorded == t { // each answer counts its own
			p.passedCount = true
			return false
		}
		_, sum, _ := bytes.Cut(head, []byte(`"total_token_usage":{`))
		sum, _, _ = bytes.Cut(sum, []byte{'}'})
		known := bytes.Equal(sum, p.lastSum) // none, or counted before
		p.lastSum = append(p.lastSum[:0], sum...)
		return !known
	case "response_item/function_call_output", "response_item/custom_tool_call_output":
		id, _, ok := word(head, `"call_id":"`)
		return !ok || p.cells[id] != nil || p.isWaiting(id)
	}
	return handlers[key] != nil
}

// isWaiting tells whether a call has no result yet.
func (p *parser) isWaiting(id string) bool {
	c := p.b.Called(id)
	return c != nil && !c.Ended()
}

// parse reads a record: in its envelope, else a bare one.
func parse(d *decode.Decoder, line []byte, into *record) (size int64, err error) {
	if err := d.Read(into); err != nil {
		return d.InputOffset(), err
	}
	if size = d.InputOffset(); into.Type != "" && (into.Payload.Type != "" || bytes.Contains(line[:size], []byte(`"payload":`))) {
		return size, nil
	}
	d.ResetTo(line)
	*into = record{}
	if err = d.Read(&into.Payload); err == nil && !into.envelop() {
		err = errNoRecord
	}
	return d.InputOffset(), err
}

var errNoRecord = errors.New("no record of a rollout")

// envelop gives a record without an envelope the type that it would have in one.
func (r *record) envelop() bool {
	d := &r.Payload
	switch {
	case d.RecordType != "":
		r.Type = "state"
	case d.Type != "":
		r.Type = "response_item"
	case d.Role != "": // of the CLI in TypeScript
		r.Type, d.Type = "response_item", "message"
	case d.ID != "" && d.Began != "":
		r.Type = "session_meta"
	default:
		return false
	}
	r.bare = true
	return true
}
