package claudecode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// transcript goes through the lines of a log and gives those that tell something to a
// taker.
type transcript struct {
	take func(r *record)
	root func() // told of a line without a parent that is not decoded

	records int
	bad     int            // lines that could not be read
	skipped []int64        // sizes of the lines that were not held
	unknown map[string]int // types this reader does not know

	decoder decode.Decoder
	record  record
}

// readFile reads a log from a file.
func (t *transcript) readFile(ctx context.Context, path string) error {
	f, _, err := files.OpenLog(path)
	if err != nil {
		return fmt.Errorf("open transcript: %w", err)
	}
	defer f.Close()
	if err := t.read(ctx, f, files.MaxLine); err != nil {
		return fmt.Errorf("read transcript %q: %w", path, err)
	}
	return nil
}

// read goes through the lines. One whose type is of no use is passed over without being
// held or decoded. A last line without its end is no line yet.
func (t *transcript) read(ctx context.Context, src io.ReaderAt, limit int) error {
	t.unknown = map[string]int{}
	lines := files.NewLines(src, limit)
	defer lines.Release()
	for lines.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		head := lines.Head()
		if kind, known, pass := passable(head); pass {
			name, root := "", bytes.HasPrefix(head, rootMark)
			if !known {
				name = words.OneLine(string(kind), 64)
			}
			if lines.Skip() == nil {
				t.pass(name, root)
			}
			continue
		}
		line, err := lines.Bytes()
		switch {
		case err == nil:
			t.line(line)
		case errors.Is(err, files.ErrTooLong):
			t.records++
			t.skipped = append(t.skipped, lines.Done()-lines.Start())
		case errors.Is(err, files.ErrTorn):
			return nil
		default:
			return err
		}
	}
	return lines.Err()
}

// pass counts a line that is not decoded; unknown is its type where nobody here knows it.
func (t *transcript) pass(unknown string, root bool) {
	t.records++
	if root && t.root != nil {
		t.root()
	}
	if unknown == "" {
		return
	}
	if _, ok := t.unknown[unknown]; ok || len(t.unknown) < 100 {
		t.unknown[unknown]++
	}
}

// line decodes a line, or several records where two writers met. A torn line stays in the
// file for ever, and the next process begins a new one behind it (seen with 2.1.330).
func (t *transcript) line(line []byte) {
	ok := t.parse(line)
	if !ok { // the NUL bytes of a power failure, a byte order mark
		line = bytes.ReplaceAll(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), []byte{0}, nil)
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return
		}
		ok = t.parse(line)
	}
	t.give(ok)
	for ok && t.decoder.PeekKind() == '{' {
		ok = t.decoder.Read(&t.record) == nil && t.record.Type != ""
		t.give(ok)
	}
}

func (t *transcript) parse(line []byte) bool {
	t.decoder.ResetTo(line)
	return t.decoder.Read(&t.record) == nil && t.record.Type != ""
}

func (t *transcript) give(ok bool) {
	if !ok {
		t.bad++
		t.records++
		return
	}
	r := &t.record
	unknown := ""
	switch {
	case r.Type == "system" && r.Subtype != "" && !subtypes[r.Subtype]:
		unknown = words.OneLine("system "+r.Subtype, 64)
	case !taken[r.Type] && !known[r.Type]:
		unknown = words.OneLine(r.Type, 64)
	}
	t.pass(unknown, false)
	t.take(r)
}

// damage says in words what could not be read.
func (t *transcript) damage() (all []string) {
	if t.bad > 0 {
		all = append(all, words.Count(t.bad, "line")+" could not be read")
	}
	for _, size := range t.skipped {
		all = append(all, fmt.Sprintf("a record of %d MB was skipped", size/1e6))
	}
	return all
}

var (
	// taken are the types of lines that are decoded.
	taken = setOf(`user assistant system attachment summary custom-title ai-title queue-operation pr-link
		worktree-state bridge-session`)
	// known are the others, which say nothing that a note shows. The lines api-request* hold
	// whole requests again, three quarters of the bytes of 2.1.330.
	known = setOf(`progress agent-name last-prompt mode permission-mode file-history-snapshot file-history-delta
		cost-state tools-used api-request api-request-shape api-request-blob atis-latch tag agent-setting
		continued-in content-replacement`)
	// subtypes are those of system lines.
	subtypes = setOf(`compact_boundary microcompact_boundary turn_duration local_command stop_hook_summary api_error
		away_summary informational bridge_status`)
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

var (
	typeMark       = []byte(`{"type":"`)
	rootMark       = []byte(`{"parentUuid":null,`)
	attachmentMark = []byte(`,"attachment":{"type":"`)
	progressMark   = []byte(`,"type":"progress","data":{`)
	messageMark    = []byte(`,"message":{`)
)

// passable tells by the beginning of a line whether it is passed over: its type stands
// first, or where the program writes it in lines of the tree. A quote within a text is
// escaped, so none of the marks is one of a text; within the message or the data of a line
// they are not looked for.
func passable(head []byte) (kind []byte, isKnownKind, pass bool) {
	if rest, ok := bytes.CutPrefix(head, typeMark); ok {
		kind = upToQuote(rest)
		if kind == nil || taken[string(kind)] {
			return nil, false, false
		}
		return kind, known[string(kind)], true
	}
	if !bytes.HasPrefix(head, []byte(`{"parentUuid":`)) {
		return nil, false, false
	}
	if i := bytes.Index(head, messageMark); i >= 0 {
		head = head[:i]
	}
	if i := bytes.Index(head, attachmentMark); i >= 0 {
		kind = upToQuote(head[i+len(attachmentMark):])
		return kind, true, kind != nil && string(kind) != queuedCommand
	}
	return nil, true, bytes.Contains(head, progressMark)
}

// upToQuote is a plain word, nil where it is none or has no end.
func upToQuote(text []byte) []byte {
	word, _, ended := bytes.Cut(text, []byte{'"'})
	if !ended || bytes.IndexByte(word, '\\') >= 0 || !utf8.Valid(word) {
		return nil
	}
	return word
}

const queuedCommand = "queued_command"
