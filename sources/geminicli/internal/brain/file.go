package brain

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// joined reads files as if they were one: the chunks of a transcript are cut in the middle of
// lines.
type joined struct {
	parts []*os.File
	sizes []int64
}

// open opens the files of a transcript, in order.
func open(paths []string) (*joined, error) {
	j := &joined{}
	for _, path := range paths {
		f, info, err := files.OpenLog(path)
		if err != nil {
			j.close()
			return nil, fmt.Errorf("open transcript: %w", err)
		}
		j.parts, j.sizes = append(j.parts, f), append(j.sizes, info.Size())
	}
	return j, nil
}

func (j *joined) close() {
	for _, f := range j.parts {
		f.Close()
	}
}

// ReadAt implements io.ReaderAt.
func (j *joined) ReadAt(b []byte, at int64) (n int, err error) {
	for i, f := range j.parts {
		last := i == len(j.parts)-1
		if at >= j.sizes[i] && !last {
			at -= j.sizes[i]
			continue
		}
		to := b[n:]
		if left := j.sizes[i] - at; !last && int64(len(to)) > left {
			to = to[:left]
		}
		got, err := f.ReadAt(to, at)
		n, at = n+got, 0
		if n == len(b) || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		if got < len(to) && !last {
			return n, io.ErrUnexpectedEOF // it shrank
		}
	}
	return n, io.EOF
}
