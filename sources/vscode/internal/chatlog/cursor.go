package chatlog

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/lines"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// cursorVersion is raised when what is kept of a session, or what a restart
// means, changes: older cursors are then not used.
const cursorVersion = 1

const (
	probeSize   = 4 << 10 // bytes of the beginning and before the offset that are hashed
	maxRestarts = 16      // that are kept, the last ones
)

// cursor says how to know that a log is the one it was, and where it may be
// read on.
type cursor struct {
	Version  int
	Images   bool // as in Options
	Size     int64
	MTime    int64     // nanoseconds since 1970
	CTime    int64     // likewise, of the last change of any kind, which nobody can set; 0 unknown
	Inode    uint64    // 0 unknown
	Offset   int64     // behind the last complete line
	Pending  bool      // entries behind the offset were applied
	End      int64     // of what was read: the offset, or if pending the size then
	Head     []byte    // hash of the first bytes
	Tail     []byte    // hash of the bytes before the end
	Rewound  bool      // as in File
	Restarts []restart // the last ones
}

// parseCursor returns nil where there is no cursor that can be used.
func parseCursor(b []byte, opt Options) *cursor {
	var c cursor
	if len(b) == 0 || json.Unmarshal(b, &c) != nil || c.Version != cursorVersion || c.Images != opt.Images || c.Offset < 0 {
		return nil
	}
	return &c
}

// moved describes the file as it is now.
func (c *cursor) moved(info os.FileInfo) []byte {
	seen := stamp.Of(info)
	c.Size, c.MTime, c.CTime, c.Inode = seen.Size, seen.MTime, seen.CTime, seen.Inode
	b, err := json.Marshal(c)
	if err != nil {
		return nil // numbers and bytes: cannot happen
	}
	return b
}

// unmoved reports whether nobody touched the file since.
func (c *cursor) unmoved(info os.FileInfo) bool {
	return c != nil && stamp.Of(info) == sources.Stamp{Size: c.Size, MTime: c.MTime, CTime: c.CTime, Inode: c.Inode}
}

// holds reports whether the log is the one that was read, at most with more
// behind it. VS Code writes it anew from time to time; one of equal size that
// moved may hold other bytes anywhere and is not trusted.
func (c *cursor) holds(src io.ReaderAt, info os.FileInfo) bool {
	if c == nil || c.Offset == 0 || info.Size() < c.End || info.Size() == c.Size {
		return false
	}
	head, tail, err := lines.Probes(src, c.End)
	return err == nil && bytes.Equal(head, c.Head) && bytes.Equal(tail, c.Tail)
}

// keep notes the last restarts.
func (c *cursor) keep(all []restart) {
	c.Restarts = slices.Clone(all[max(0, len(all)-maxRestarts):])
}

// restart is the last place from which on all can be read but the sealed
// requests.
func (c *cursor) restart(sealed int) (restart, bool) {
	for _, at := range slices.Backward(c.Restarts) {
		if at.Requests <= sealed && at.Requests > 0 && at.Offset <= c.Offset && at.Offset > 0 {
			return at, true
		}
	}
	return restart{}, false
}

// upTo are the restarts up to one of them.
func (c *cursor) upTo(at restart) []restart {
	return slices.Clone(c.Restarts[:slices.Index(c.Restarts, at)+1])
}

// more tells whether there is a new line behind the offset, or the whole of an
// entry whose line has no end yet.
func (in *input) more(offset int64) bool {
	l := lines.New(in, offset, 0)
	if !l.Next() {
		return false
	}
	d := tree.NewDecoder(&blank{src: l.Body()})
	return d.SkipValue() == nil || l.Skip() == nil
}
