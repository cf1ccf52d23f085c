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

// failure tells what ended the reading apart: a damaged archive is damage, not a failure.
func (r *rolloutFile) failure(err error) error {
	switch {
	case r.unpack != nil && err != nil:
		return fmt.Errorf("%w: %w", errDamaged, err)
	case r.unpack != nil && r.left.N <= 0:
		return fmt.Errorf("%w: it unpacks to too much", errDamaged)
	}
	return err
}

// leading finds what a record is without decoding it, in the order in which Codex writes:
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

// word is what stands behind a mark up to the next quote, where it is a plain name.
func word(text []byte, mark string) (name string, rest []byte, ok bool) {
	_, rest, ok = bytes.Cut(text, []byte(mark))
	end := bytes.IndexByte(rest, '"')
	if !ok || end <= 0 || end > maxKind {
		return "", nil, false
	}
	if bytes.IndexByte(rest[:end], '\\') >= 0 || !utf8.Valid(rest[:end]) {
		return "", nil, false
	}
	return string(rest[:end]), rest[end+1:], true
}

// maxKind is the longest name of a type, in bytes.
const maxKind = 64

// key is what a decoded record is, see leading. A record without an envelope is a response
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

// run gives each line of a rollout to the parser. A line whose type is of no use is passed
// over without being held or decoded.
func (p *parser) run(ctx context.Context, lines *files.Lines) error {
	p.style = ""
	for p.line = 0; lines.Next(); p.line++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		head := lines.Head()
		key := leading(head)
		if key != "" && !p.wants(key, head) {
			if lines.Skip() == nil {
				p.pass(key)
			}
			continue
		}
		p.decoder.Large = (key == "" || key == "item/CommandExecution" || key == "event_msg/exec_command_end") && tellsRefs(head)
		line, err := lines.Bytes()
		switch {
		case err == nil:
			p.take(line, key)
		case errors.Is(err, files.ErrTooLong):
			p.begun, p.records = true, p.records+1
			p.skipped = append(p.skipped, lines.Done()-lines.Start())
		case errors.Is(err, files.ErrTorn):
			if jsonl.Whole(line, func(text []byte) (int64, bool) { return p.parse(text, false) }) {
				p.record("", true)
			}
			return lines.Err()
		default:
			return err
		}
	}
	return lines.Err()
}

// tellsRefs says that what a command gave is worth reading.
func tellsRefs(head []byte) bool {
	command, _, _ := bytes.Cut(head, []byte(`"aggregated_output":`))
	return bytes.Contains(command, []byte("git")) || bytes.Contains(command, []byte("gh "))
}

// wants says that a record is worth decoding.
func (p *parser) wants(key string, head []byte) bool {
	switch key {
	case "response_item/message":
		return false // its event or item tells what was seen of it
	case "event_msg/token_count":
		if t := p.turn(); t != nil && p.recorded == t.Index { // told by answer
			p.passedCount = true
			return false
		}
		_, sum, _ := bytes.Cut(head, []byte(`"total_token_usage":{`))
		sum, _, _ = bytes.Cut(sum, []byte{'}'})
		known := bytes.Equal(sum, p.lastSum) // none, or told again
		p.lastSum = append(p.lastSum[:0], sum...)
		return !known
	case "response_item/function_call_output", "response_item/custom_tool_call_output":
		id, _, ok := word(head, `"call_id":"`)
		c := p.calls[id]
		return !ok || c != nil && !c.told
	}
	return handlers[key] != nil
}

// pass counts a record that is not decoded.
func (p *parser) pass(key string) {
	p.begun, p.records = true, p.records+1
	if handlers[key] != nil || passed[key] {
		return
	}
	if _, ok := p.unknown[key]; ok || len(p.unknown) < 100 {
		p.unknown[key]++
	}
}

// heads are how records begin.
var heads = []string{`{"timestamp":"`}

// take decodes the records of a line. What is no record is
// counted and left out. The key is empty where the line did not tell it.
func (p *parser) take(line []byte, key string) {
	jsonl.Records(line, heads, func(text []byte) (int64, bool) { return p.parse(text, key != "") }, func(ok bool) {
		p.record(key, ok)
		key = ""
	})
}

// parse reads a line into p.rec: a record in its envelope, which may be known to be there,
// else a bare one.
func (p *parser) parse(line []byte, enveloped bool) (size int64, ok bool) {
	p.decoder.ResetTo(line)
	if p.decoder.Read(&p.rec) != nil {
		return 0, false
	}
	if size = p.decoder.InputOffset(); enveloped || p.rec.Type != "" && bytes.Contains(line[:size], []byte(`"payload":`)) {
		return size, true
	}
	p.decoder.ResetTo(line)
	p.rec = record{}
	ok = p.decoder.Read(&p.rec.Payload) == nil && p.bareType(&p.rec)
	return p.decoder.InputOffset(), ok
}

// bareType gives a record without an envelope the type that it would have in one.
func (p *parser) bareType(r *record) bool {
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
	p.bare = true
	return true
}
