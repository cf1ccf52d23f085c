package copilotcli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/lines"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
)

// logCursorVersion is raised when the state of the parser changes its meaning:
// older cursors are then not used.
const logCursorVersion = 2

// logCursor says where to read on and how to know that the log is still the one
// it was.
type logCursor struct {
	Version int
	Offset  int64  // behind the last complete line
	Size    int64  // of the file, then
	MTime   int64  // nanoseconds since 1970
	CTime   int64  // likewise, of the last change of any kind, which nobody can set; 0 unknown
	Inode   uint64 // 0 unknown
	Head    []byte // hash of the first bytes, at most probeSize
	Tail    []byte // hash of the last bytes before Offset
	State   logState
}

// newLogCursor describes the log as it was read up to offset.
func newLogCursor(src io.ReaderAt, info os.FileInfo, offset int64, st logState) ([]byte, error) {
	head, tail, err := lines.Probes(src, offset)
	if err != nil {
		return nil, err
	}
	seen := stamp.Of(info)
	return json.Marshal(logCursor{
		Version: logCursorVersion, Offset: offset,
		Size: seen.Size, MTime: seen.MTime, CTime: seen.CTime, Inode: seen.Inode,
		Head: head, Tail: tail, State: st,
	})
}

// parseLogCursor returns nil where there is no cursor of this version.
func parseLogCursor(b []byte) *logCursor {
	var cur logCursor
	if len(b) == 0 || json.Unmarshal(b, &cur) != nil || cur.Version != logCursorVersion || cur.Offset < 0 {
		return nil
	}
	return &cur
}

// unmoved reports whether nobody touched the file since.
func (c *logCursor) unmoved(info os.FileInfo) bool {
	return c != nil && info.Mode().IsRegular() &&
		stamp.Of(info) == sources.Stamp{Size: c.Size, MTime: c.MTime, CTime: c.CTime, Inode: c.Inode}
}

// holds reports whether the log is the one that was read, at most with more
// behind it. One of equal size that was written anew may hold other bytes
// anywhere and is not trusted.
func (c *logCursor) holds(src io.ReaderAt, info os.FileInfo) bool {
	if c == nil || info.Size() < c.Offset || c.Inode != stamp.Of(info).Inode || info.Size() == c.Size {
		return false
	}
	head, tail, err := lines.Probes(src, c.Offset)
	return err == nil && bytes.Equal(head, c.Head) && bytes.Equal(tail, c.Tail)
}
