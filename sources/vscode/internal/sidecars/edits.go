package sidecars

import (
	"bufio"
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/textfile"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/uri"
)

// EditsFile is what an editing session tells of files.
type EditsFile struct {
	SessionID string // as stored, empty in most; the folder's name tells it then
	Touches   []Edit // in order of their first mention
	Unknown   map[string]int
	BytesRead int64
	Damage    []string // what could not be read, in plain words
}

// Edit is what one request did with a file.
type Edit struct {
	Request string            // requestId; empty: unknown
	Touch   sources.FileTouch // Turn is -1
}

// EditKey is the name of the folder below chatEditingSessions of a session that is
// not local, by its resource string. That of a local session is its id.
func EditKey(resource string) string {
	sum := sha1.Sum([]byte(resource))
	return hex.EncodeToString(sum[:])
}

// Edits reads chatEditingSessions/<key>/state.json of any age while it streams by:
// what holds the contents of files is passed over
// (formats/vscode-copilot-chat.md, section 4). A file that breaks off gives what
// stood before, and Damage; the error is for one that cannot be read at all.
func Edits(path string) (EditsFile, error) {
	f, _, err := textfile.Open(path)
	if err != nil {
		return EditsFile{}, fmt.Errorf("open editing session: %w", err)
	}
	defer f.Close()
	src := &countedFile{file: f}
	e := &editing{d: tree.NewDecoder(bufio.NewReaderSize(src, 64<<10)),
		at: map[editKey]bool{}, known: map[fileKey]bool{}, verdicts: map[fileKey]sources.Verdict{}}
	e.file.Unknown = map[string]int{}
	if err := e.state(); src.failed != nil {
		return EditsFile{}, fmt.Errorf("read editing session %q: %w", path, src.failed)
	} else if err != nil {
		e.file.Damage = append(e.file.Damage, "the editing session could not be read to its end")
	}
	e.judge()
	e.file.BytesRead = src.read
	return e.file, nil
}

type editKey struct{ request, path, kind string }
type fileKey struct{ request, path string }

// editing gathers the touches of one file.
type editing struct {
	d    *jsontext.Decoder
	file EditsFile

	at    map[editKey]bool
	known map[fileKey]bool

	epochs   []int64 // by touch: the first epoch of it, -1 where it has none
	current  int64   // epoch the files stand at
	placed   bool    // current is known
	verdicts map[fileKey]sources.Verdict
}

// state reads the whole value.
func (e *editing) state() error {
	return members(e.d, func(name string) error {
		switch name {
		case "sessionId":
			return e.value(nil, func(n *tree.Node) { e.file.SessionID = n.Text() })
		case "version":
			return e.value(nil, func(n *tree.Node) {
				if v, _ := n.Int(); v != 1 && v != 2 {
					count(e.file.Unknown, "editing session of version "+strconv.FormatInt(v, 10))
				}
			})
		case "timeline":
			return e.timeline()
		case "linearHistory":
			return elements(e.d, e.history)
		case "recentSnapshot", "pendingSnapshot":
			return e.value(snapshotKeep(), func(n *tree.Node) { e.snapshot(n, n.Get("requestId").Text(), true) })
		}
		return e.d.SkipValue()
	})
}

// timeline reads operations in the order they were made.
func (e *editing) timeline() error {
	keep := fields("type", "uri", "requestId", "epoch", "oldUri", "newUri")
	return members(e.d, func(name string) error {
		switch name {
		case "operations":
			return elements(e.d, func() error { return e.value(keep, e.operation) })
		case "currentEpoch":
			return e.value(nil, func(n *tree.Node) { e.current, e.placed = n.Int() })
		}
		return e.d.SkipValue()
	})
}

func (e *editing) operation(n *tree.Node) {
	request := n.Get("requestId").Text()
	epoch, ok := n.Get("epoch").Int()
	if !ok {
		epoch = -1
	}
	switch kind := n.Get("type").Text(); kind {
	case "create":
		e.touch(request, n.Get("uri"), sources.Created, epoch)
	case "delete":
		e.touch(request, n.Get("uri"), sources.Deleted, epoch)
	case "textEdit", "notebookEdit":
		e.touch(request, n.Get("uri"), sources.Edited, epoch)
	case "rename":
		e.touch(request, n.Get("oldUri"), sources.Deleted, epoch)
		e.touch(request, n.Get("newUri"), sources.Renamed, epoch)
	default:
		count(e.file.Unknown, "edit operation "+kind)
	}
}

// history reads what was kept of one request before there was a timeline. Its
// snapshots list all files of the session so far; each file tells which request
// changed it.
func (e *editing) history() error {
	keep := snapshotKeep()
	keep.Fields["stops"] = &tree.Keep{Each: snapshotKeep()}
	keep.Fields["postEdit"] = keep.Fields["entries"]
	return e.value(keep, func(n *tree.Node) {
		request := n.Get("requestId").Text()
		e.snapshot(n, request, false)
		for _, stop := range n.Get("stops").Items() {
			e.snapshot(stop, request, false)
		}
		for _, entry := range n.Get("postEdit").Items() {
			e.entry(entry, request, false)
		}
	})
}

func (e *editing) snapshot(n *tree.Node, request string, final bool) {
	for _, entry := range n.Get("entries").Items() {
		e.entry(entry, request, final)
	}
}

// entry reads the state of one file; in the newest snapshot it tells what became
// of the change.
func (e *editing) entry(n *tree.Node, request string, final bool) {
	request = cmp.Or(n.Get("telemetryInfo").Get("requestId").Text(), request)
	u, _ := uri.Of(n.Get("resource"))
	path := u.File()
	if path == "" {
		return
	}
	if deleted, _ := n.Get("isDeleted").Bool(); deleted {
		e.add(request, path, sources.Deleted, -1)
	} else if !e.known[fileKey{request, path}] {
		e.add(request, path, sources.Edited, -1)
	}
	if !final {
		return
	}
	switch state, _ := n.Get("state").Int(); state {
	case 1:
		e.verdicts[fileKey{request, path}] = sources.Accepted
	case 2:
		e.verdicts[fileKey{request, path}] = sources.Rejected
	}
}

func (e *editing) touch(request string, address *tree.Node, kind string, epoch int64) {
	if u, _ := uri.Of(address); u.File() != "" {
		e.add(request, u.File(), kind, epoch)
	}
}

// add notes a touch once per request, path and kind.
func (e *editing) add(request, path, kind string, epoch int64) {
	key := editKey{request, path, kind}
	if e.at[key] {
		return
	}
	e.at[key], e.known[fileKey{request, path}] = true, true
	e.file.Touches = append(e.file.Touches, Edit{Request: request, Touch: sources.FileTouch{Path: path, Kind: kind, Turn: -1}})
	e.epochs = append(e.epochs, epoch)
}

// judge gives each touch its verdict: what the snapshot says of the file, and
// rejected where the person went back to before it (an operation is in force
// while its epoch is below the current one).
func (e *editing) judge() {
	for i := range e.file.Touches {
		t := &e.file.Touches[i]
		t.Touch.Verdict = e.verdicts[fileKey{t.Request, t.Touch.Path}]
		if e.placed && e.epochs[i] >= e.current {
			t.Touch.Verdict = sources.Rejected
		}
	}
}
