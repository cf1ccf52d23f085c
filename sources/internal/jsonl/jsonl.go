// Package jsonl reads logs with a JSON object in each line. Damage is counted, and the rest is read.
package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Log reads a log. R holds a record.
type Log[R any] struct {
	// Pass reports, by the beginning of a line (see [files.Lines.Head]), whether to skip it without
	// holding or decoding it. unknown is its type if unknown. May be nil.
	Pass func(head []byte) (unknown string, pass bool)
	// Take handles a record, valid until it returns; ok is false for an invalid one.
	Take func(*R) (unknown string, ok bool)
	// Heads are the beginnings of records, see [Log.records]. May be nil.
	Heads []string
	// Light returns a line without unneeded text, valid until the next line. May be nil.
	Light func(line []byte) []byte
	// Most limits the bytes read of a file; 0: all.
	Most int64

	Decoder decode.Decoder
	Line    int            // number of the current line, from 0
	Records int            // number of records, known, skipped or damaged
	Bad     int            // lines that could not be read
	Unknown map[string]int // unknown types
	Begun   bool           // there was a record, or a damaged one

	skipped []int64 // sizes of the records that were not held
	record  R
	torn    torn
	cut     bool // the last record has no end
}

// ReadFile reads a log from a file.
func (l *Log[R]) ReadFile(ctx context.Context, path string) error {
	f, _, err := files.OpenLog(path)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	defer f.Close()
	src := io.Reader(f)
	if l.Most > 0 {
		src = io.LimitReader(f, l.Most)
	}
	if err := l.Read(ctx, src, 0); err != nil {
		return fmt.Errorf("read log %q: %w", path, err)
	}
	return nil
}

// ReadPart reads a log that is a part of an item and no session. It reports damage, and the sessions count as read.
func (l *Log[R]) ReadPart(ctx context.Context, r *files.Reading, part string) error {
	p, _ := r.Item.Part(part)
	path := r.Item.File(p)
	if err := l.ReadFile(ctx, path); err != nil {
		return err
	}
	r.Out.Records += l.Records
	r.Unknown(l.Unknown)
	for _, what := range l.Damage() {
		r.Damaged(path, errors.New(what))
	}
	return nil
}

// Read reads the lines. Records of more than limit bytes are not held; 0 means [files.MaxLine]. A last
// line without its end counts if it is a whole record.
func (l *Log[R]) Read(ctx context.Context, src io.Reader, limit int) error {
	lines := files.NewLines(src, limit)
	defer lines.Release()
	if l.Unknown == nil {
		l.Unknown = map[string]int{}
	}
	defer func() {
		l.giveUp()
		l.Decoder.Unknown(l.Unknown)
		l.Decoder.Misfits = nil
	}()
	for l.Line = 0; lines.Next(); l.Line++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.Pass != nil && l.torn.parts == nil {
			if unknown, pass := l.Pass(lines.Head()); pass {
				if lines.Skip() == nil {
					l.count(unknown)
				}
				continue
			}
		}
		line, err := lines.Bytes()
		switch {
		case err == nil:
			l.line(line)
		case errors.Is(err, files.ErrTooLong):
			l.giveUp()
			l.Records, l.Begun = l.Records+1, true
			l.skipped = append(l.skipped, lines.Done()-lines.Start())
		case errors.Is(err, files.ErrTorn):
			if l.whole(l.light(line)) {
				l.take(true)
			}
			return lines.Err()
		default:
			return err
		}
	}
	return lines.Err()
}

// count counts a record, by its type if unknown.
func (l *Log[R]) count(unknown string) {
	const most = 100
	l.Records, l.Begun = l.Records+1, true
	if _, met := l.Unknown[unknown]; unknown != "" && (met || len(l.Unknown) < most) {
		l.Unknown[words.OneLine(unknown, 64)]++
	}
}

func (l *Log[R]) light(line []byte) []byte {
	if l.Light == nil {
		return line
	}
	return l.Light(line)
}

// read decodes the record at the beginning of a text, and returns its size.
func (l *Log[R]) read(text []byte) (size int, ok bool) {
	l.Decoder.ResetTo(text)
	if l.cut = false; l.Decoder.PeekKind() == '{' {
		err := l.Decoder.Read(&l.record)
		ok, l.cut = err == nil, errors.Is(err, io.ErrUnexpectedEOF)
	}
	return int(l.Decoder.InputOffset()), ok
}

func (l *Log[R]) whole(text []byte) bool {
	size, ok := l.read(text)
	return ok && len(bytes.TrimLeft(text[size:], blank)) == 0
}

// line handles the records of a line. A record without an end may go on in the next line.
func (l *Log[R]) line(line []byte) {
	if l.torn.parts != nil {
		if l.goOn(line) {
			return
		}
		if l.Pass != nil { // it was not examined
			if unknown, pass := l.Pass(line); pass {
				l.count(unknown)
				return
			}
		}
	}
	l.records(l.light(line))
}

// take passes a record on; ok says that it could be read.
func (l *Log[R]) take(ok bool) {
	unknown := ""
	if ok {
		unknown, ok = l.Take(&l.record)
	}
	if l.count(unknown); !ok {
		l.Bad++
	}
}

// blank may separate two records of a line: a power failure leaves NUL bytes.
const blank = " \t\r\n\x00"

// records handles the records of a line. It has several if two writers met, as the next process continues
// after a torn line. Everything that could not be read counts as one. After a torn record, the next is found
// by the beginnings of records.
func (l *Log[R]) records(line []byte) {
	size, ok := l.read(line)
	if !ok { // a byte order mark
		line = bytes.ReplaceAll(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), []byte{0}, nil)
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return
		}
		size, ok = l.read(line)
	}
	if l.cut && l.next(line[1:]) == nil && l.hold(line) {
		return
	}
	l.take(ok)
	for tries := 64; tries > 0; { // limit of beginnings tried after a torn record
		behind, follows := line[1:], false
		if ok {
			if behind = bytes.TrimLeft(line[size:], blank); len(behind) == 0 {
				return
			}
			follows = behind[0] == '{'
		}
		if !follows {
			if behind = l.next(behind); behind == nil {
				break
			}
		}
		was := ok
		line = behind
		if size, ok = l.read(line); ok { // else it belongs to the torn one
			rest := bytes.TrimLeft(line[size:], blank)
			ok = len(rest) == 0 || rest[0] == '{'
		}
		if ok || was && follows {
			l.take(ok)
		}
		if !ok {
			tries--
		}
	}
	if ok { // the rest is not a record
		l.take(false)
	}
}

// next returns a text from the first of these beginnings on, or nil.
func (l *Log[R]) next(text []byte) []byte {
	at := -1
	for _, h := range l.Heads {
		if i := bytes.Index(text, []byte(h)); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	return text[at:]
}

// Word returns the plain text after a mark in a line, up to a quote, or "". Quotes in texts are escaped, so
// that a mark with one is not part of a text.
func Word(line []byte, mark string) string {
	_, rest, _ := bytes.Cut(line, []byte(mark))
	word, _, ended := bytes.Cut(rest, []byte{'"'})
	if !ended || bytes.IndexByte(word, '\\') >= 0 || !utf8.Valid(word) {
		return ""
	}
	return string(word)
}

// Add handles a record from elsewhere; nil stands for an unreadable one.
func (l *Log[R]) Add(r *R) {
	if l.Unknown == nil {
		l.Unknown = map[string]int{}
	}
	unknown := ""
	if r != nil {
		unknown, _ = l.Take(r)
	} else {
		l.Bad++
	}
	l.count(unknown)
	l.Line++
}

// Damage says in words what could not be read.
func (l *Log[R]) Damage() (all []string) {
	if l.Bad > 0 {
		all = append(all, words.Count(l.Bad, "line")+" could not be read")
	}
	for _, size := range l.skipped {
		all = append(all, fmt.Sprintf("a record of %d MB was skipped", size/1e6))
	}
	return all
}

// torn is a record without an end on its line, as a program wrote line ends in texts unescaped. The
// following lines continue it until one begins a record.
type torn struct {
	parts [][]byte
	size  int
	tries int
}

// Limits of a joined record.
const (
	maxTorn  = 1 << 20 // bytes
	maxTries = 64
)

func (l *Log[R]) hold(line []byte) bool {
	if len(line) > maxTorn || !bytes.HasPrefix(bytes.TrimLeft(line, blank), []byte("{")) {
		return false
	}
	l.torn = torn{parts: [][]byte{bytes.Clone(line)}, size: len(line)}
	return true
}

// goOn adds a line that may continue a record, and reports whether it does.
func (l *Log[R]) goOn(line []byte) bool {
	t := &l.torn
	if t.size += len(line); t.size > maxTorn || t.tries > maxTries || l.begins(line) {
		l.giveUp()
		return false
	}
	t.parts = append(t.parts, bytes.Clone(line))
	if pretty := len(t.parts[0]) == 1; !ends(line) && (!pretty || !bytes.Equal(line, []byte("}"))) {
		return true
	}
	t.tries++
	for _, between := range []string{`\n`, "\n"} { // within a text, or between tokens
		if whole := bytes.Join(t.parts, []byte(between)); l.whole(whole) {
			l.torn = torn{}
			l.take(true)
			return true
		}
	}
	return true
}

func (l *Log[R]) begins(line []byte) bool {
	for _, h := range l.Heads {
		if bytes.HasPrefix(line, []byte(h)) {
			return true
		}
	}
	counted := l.Decoder.Misfits
	l.Decoder.Misfits = nil
	defer func() { l.Decoder.Misfits = counted }()
	size, ok := l.read(line)
	return ok && size > 0 && bytes.HasPrefix(line, []byte("{")) && len(line) > 2
}

func ends(line []byte) bool {
	line = bytes.TrimRight(line, blank)
	n := len(line)
	return n > 1 && line[n-1] == '}' && bytes.IndexByte([]byte(`"}]0123456789el`), line[n-2]) >= 0
}

// giveUp counts a record whose end was not found. The lines after its beginning may hold others.
func (l *Log[R]) giveUp() {
	parts := l.torn.parts
	if l.torn = (torn{}); parts == nil {
		return
	}
	l.take(false)
	for _, line := range parts[1:] {
		if l.records(line); l.torn.parts != nil { // it has no end either
			l.torn = torn{}
			l.take(false)
		}
	}
}

// Shorten appends a line to a buffer. Of a text of more than longest bytes, only the end from mark on is
// kept, if mark is among its last bytes: it begins what a program appends to a long output.
func Shorten(to, line []byte, longest int, mark byte) []byte {
	const last = 100
	for {
		begin := bytes.IndexByte(line, '"') + 1
		if begin == 0 {
			return append(to, line...)
		}
		end := begin + textEnd(line[begin:])
		if kept := line[max(begin, end-last):end]; end-begin <= longest {
			to = append(to, line[:end]...)
		} else if to = append(to, line[:begin]...); bytes.LastIndexByte(kept, mark) >= 0 {
			to = append(to, kept[bytes.LastIndexByte(kept, mark):]...)
		}
		if end == len(line) {
			return to
		}
		to, line = append(to, '"'), line[end+1:]
	}
}

// textEnd returns the index of the quote that ends a text, or the length of the line.
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
