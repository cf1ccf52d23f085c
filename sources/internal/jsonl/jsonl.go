// Package jsonl reads logs with a JSON object in each line. What is damaged is counted, and
// the rest is read.
package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Log is a log on its way. R is what is kept of a record.
type Log[R any] struct {
	// Pass tells by the beginning of a line, see [files.Lines.Head], whether it is passed over
	// without being held or decoded. unknown is its type where nobody knows it. May be nil.
	Pass func(head []byte) (unknown string, pass bool)
	// Take takes in a record, which is only valid until it returns. It is no record where ok
	// is false.
	Take func(*R) (unknown string, ok bool)
	// Heads are how records begin, see [Records]. May be nil.
	Heads []string

	Records int            // how many there were, known, passed over or damaged
	Bad     int            // lines that could not be read
	Unknown map[string]int // types that nobody knows

	skipped []int64 // sizes of the records that were not held
	decoder decode.Decoder
	record  R
}

// ReadFile reads a log from a file.
func (l *Log[R]) ReadFile(ctx context.Context, path string) error {
	f, _, err := files.OpenLog(path)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	defer f.Close()
	if err := l.Read(ctx, f, 0); err != nil {
		return fmt.Errorf("read log %q: %w", path, err)
	}
	return nil
}

// Read goes through the lines. Records of more than limit bytes are not held; 0 means
// [files.MaxLine]. A last line without its end counts where it is a whole record.
func (l *Log[R]) Read(ctx context.Context, src io.ReaderAt, limit int) error {
	l.Unknown = map[string]int{}
	defer func() { l.decoder.Unknown(l.Unknown) }()
	lines := files.NewLines(src, limit)
	defer lines.Release()
	for lines.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.Pass != nil {
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
			l.Records++
			l.skipped = append(l.skipped, lines.Done()-lines.Start())
		case errors.Is(err, files.ErrTorn):
			if Whole(line, l.read) {
				l.take(true)
			}
			return nil
		default:
			return err
		}
	}
	return lines.Err()
}

// count counts a record, by its type where nobody knows it.
func (l *Log[R]) count(unknown string) {
	const most = 100
	l.Records++
	if _, met := l.Unknown[unknown]; unknown != "" && (met || len(l.Unknown) < most) {
		l.Unknown[words.OneLine(unknown, 64)]++
	}
}

// line decodes the records of a line.
func (l *Log[R]) line(line []byte) { Records(line, l.Heads, l.read, l.take) }

func (l *Log[R]) read(line []byte) (size int64, ok bool) {
	l.decoder.ResetTo(line)
	ok = l.decoder.PeekKind() == '{' && l.decoder.Read(&l.record) == nil
	return l.decoder.InputOffset(), ok
}

// take gives a record; ok says that it could be read.
func (l *Log[R]) take(ok bool) {
	unknown := ""
	if ok {
		unknown, ok = l.Take(&l.record)
	}
	if l.count(unknown); !ok {
		l.Bad++
	}
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
