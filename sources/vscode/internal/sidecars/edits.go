package sidecars

import (
	"bufio"
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
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
	f, _, err := files.OpenText(path)
	if err != nil {
		return EditsFile{}, fmt.Errorf("open editing session: %w", err)
	}
	defer f.Close()
	src := &countedFile{file: f}
	e := &editing{d: decode.New(bufio.NewReaderSize(src, 64<<10)),
		at: map[editKey]bool{}, known: map[fileKey]bool{}, verdicts: map[fileKey]sources.Verdict{}}
	e.file.Unknown = map[string]int{}
	if err := e.state(); src.failed != nil {
		return EditsFile{}, fmt.Errorf("read editing session %q: %w", path, src.failed)
	} else if err != nil {
		e.file.Damage = append(e.file.Damage, "the editing session could not be read to its end")
	}
	e.judge()
	e.d.Unknown(e.file.Unknown)
	e.file.BytesRead = src.read
	return e.file, nil
}

type editKey struct{ request, path, kind string }
type fileKey struct{ request, path string }

// editing gathers the touches of one file.
type editing struct {
	d    *decode.Decoder
	file EditsFile

	at    map[editKey]bool
	known map[fileKey]bool

	epochs   []int64 // by touch: the first epoch of it, -1 where it has none
	current  *int64  // epoch the files stand at, where it is known
	verdicts map[fileKey]sources.Verdict
}

// state reads the whole value.
func (e *editing) state() error {
	return e.d.Members(func(name string) error {
		switch name {
		case "sessionId":
			return e.d.Read(&e.file.SessionID)
		case "version":
			var v *int64
			err := e.d.Read(&v)
			if err == nil && v != nil && *v != 1 && *v != 2 {
				count(e.file.Unknown, fmt.Sprintf("editing session of version %d", *v))
			}
			return err
		case "timeline":
			return e.timeline()
		case "linearHistory":
			return e.d.Elements(e.history)
		case "recentSnapshot", "pendingSnapshot":
			var s fileStates
			err := e.d.Read(&s)
			if err == nil {
				e.entries(s.Entries, s.RequestID, true)
			}
			return err
		}
		return e.d.SkipValue()
	})
}

// timeline reads operations in the order they were made.
func (e *editing) timeline() error {
	return e.d.Members(func(name string) error {
		switch name {
		case "operations":
			return e.d.Elements(func() error {
				var o *editOperation
				err := e.d.Read(&o)
				if err == nil && o != nil {
					e.operation(o)
				}
				return err
			})
		case "currentEpoch":
			return e.d.Read(&e.current)
		}
		return e.d.SkipValue()
	})
}

// editOperation is a change of a file.
type editOperation struct {
	Type      string     `json:"type"`
	RequestID string     `json:"requestId"`
	URI       places.URI `json:"uri"`
	OldURI    places.URI `json:"oldUri"`
	NewURI    places.URI `json:"newUri"`
	Epoch     *int64     `json:"epoch"`
}

func (e *editing) operation(o *editOperation) {
	epoch := int64(-1)
	if o.Epoch != nil {
		epoch = *o.Epoch
	}
	switch o.Type {
	case "create":
		e.add(o.RequestID, o.URI.File(), sources.Created, epoch)
	case "delete":
		e.add(o.RequestID, o.URI.File(), sources.Deleted, epoch)
	case "textEdit", "notebookEdit":
		e.add(o.RequestID, o.URI.File(), sources.Edited, epoch)
	case "rename":
		e.add(o.RequestID, o.OldURI.File(), sources.Deleted, epoch)
		e.add(o.RequestID, o.NewURI.File(), sources.Renamed, epoch)
	default:
		count(e.file.Unknown, "edit operation "+o.Type)
	}
}

// fileStates lists files with their states.
type fileStates struct {
	RequestID string      `json:"requestId"`
	Entries   []fileState `json:"entries"`
}

// fileState is the state of one file.
type fileState struct {
	Resource      places.URI `json:"resource"`
	State         int64      `json:"state"`
	IsDeleted     bool       `json:"isDeleted"`
	TelemetryInfo struct {
		RequestID string `json:"requestId"`
	} `json:"telemetryInfo"`
}

// history reads what was kept of one request before there was a timeline. Its
// snapshots list all files of the session so far; each file tells which request
// changed it.
func (e *editing) history() error {
	var turn struct {
		fileStates
		Stops    []fileStates `json:"stops"`
		PostEdit []fileState  `json:"postEdit"`
	}
	if err := e.d.Read(&turn); err != nil {
		return err
	}
	e.entries(turn.Entries, turn.RequestID, false)
	for _, stop := range turn.Stops {
		e.entries(stop.Entries, turn.RequestID, false)
	}
	e.entries(turn.PostEdit, turn.RequestID, false)
	return nil
}

func (e *editing) entries(list []fileState, request string, final bool) {
	for _, f := range list {
		e.entry(f, request, final)
	}
}

// entry reads the state of one file; in the newest snapshot it tells what became
// of the change.
func (e *editing) entry(f fileState, request string, final bool) {
	request = cmp.Or(f.TelemetryInfo.RequestID, request)
	path := f.Resource.File()
	if path == "" {
		return
	}
	if f.IsDeleted {
		e.add(request, path, sources.Deleted, -1)
	} else if !e.known[fileKey{request, path}] {
		e.add(request, path, sources.Edited, -1)
	}
	if !final {
		return
	}
	switch f.State {
	case 1:
		e.verdicts[fileKey{request, path}] = sources.Accepted
	case 2:
		e.verdicts[fileKey{request, path}] = sources.Rejected
	}
}

// add notes a touch once per request, path and kind.
func (e *editing) add(request, path, kind string, epoch int64) {
	key := editKey{request, path, kind}
	if path == "" || e.at[key] {
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
		if e.current != nil && e.epochs[i] >= *e.current {
			t.Touch.Verdict = sources.Rejected
		}
	}
}
