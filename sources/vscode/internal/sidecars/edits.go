package sidecars

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Edits reads chatEditingSessions/<key>/state.json of any age while it streams by:
// what holds the contents of files is passed over.
// Files have the TurnID of their
// request. A file that breaks off gives what stood before, and Damage; the error is
// for one that cannot be read at all.
func Edits(path string) (*sources.Session, error) {
	f, _, err := files.OpenText(path)
	if err != nil {
		return nil, fmt.Errorf("open editing session: %w", err)
	}
	defer f.Close()
	e := &editing{
		d: decode.New(bufio.NewReaderSize(f, 64<<10)), kinds: map[requestFile][]string{}, verdicts: map[requestFile]sources.Verdict{},
	}
	err = e.state()
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("read editing session %q: %w", path, err)
	}
	s := &sources.Session{Files: e.files}
	for i := range s.Files {
		t := &s.Files[i]
		t.Verdict = cmp.Or(t.Verdict, e.verdicts[requestFile{t.TurnID, t.Path}])
	}
	if err != nil {
		s.Damage = []string{"the editing session could not be read to its end"}
	}
	return s, nil
}

// requestFile is a file that a request changed.
type requestFile struct{ request, path string }

// editing gathers the touches of one file.
type editing struct {
	d        *decode.Decoder
	files    []sources.FileTouch
	kinds    map[requestFile][]string        // what is known to have been done
	verdicts map[requestFile]sources.Verdict // of the newest snapshot
}

// state reads the whole value.
func (e *editing) state() error {
	return e.d.Members(func(name string) error {
		switch name {
		case "timeline":
			return e.timeline()
		case "linearHistory":
			return e.d.Elements(e.history)
		case "recentSnapshot", "pendingSnapshot":
			var s snapshot
			err := e.d.Read(&s)
			e.snapshot(s.Entries, s.RequestID, true)
			return err
		}
		return e.d.SkipValue()
	})
}

// timeline reads operations in the order they were made. One is in force while
// its epoch is below the current one: the person went back to before the others.
func (e *editing) timeline() error {
	var t struct {
		Operations []struct {
			Type      string     `json:"type"`
			RequestID string     `json:"requestId"`
			URI       editor.URI `json:"uri"`
			OldURI    editor.URI `json:"oldUri"`
			NewURI    editor.URI `json:"newUri"`
			Epoch     int64      `json:"epoch"`
		} `json:"operations"`
		CurrentEpoch *int64 `json:"currentEpoch"`
	}
	err := e.d.Read(&t)
	for _, o := range t.Operations {
		var verdict sources.Verdict
		if t.CurrentEpoch != nil && o.Epoch >= *t.CurrentEpoch {
			verdict = sources.Rejected
		}
		switch o.Type {
		case "create", "delete", "textEdit", "notebookEdit":
			e.add(o.RequestID, o.URI, words.ChangeKind(o.Type), verdict)
		case "rename":
			e.add(o.RequestID, o.OldURI, sources.Deleted, verdict)
			e.add(o.RequestID, o.NewURI, sources.Renamed, verdict)
		}
	}
	return err
}

// snapshot lists files with their states.
type snapshot struct {
	RequestID string      `json:"requestId"`
	Entries   []fileState `json:"entries"`
}

// fileState is the state of one file.
type fileState struct {
	Resource      editor.URI `json:"resource"`
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
		snapshot
		Stops    []snapshot  `json:"stops"`
		PostEdit []fileState `json:"postEdit"`
	}
	err := e.d.Read(&turn)
	e.snapshot(turn.Entries, turn.RequestID, false)
	for _, stop := range turn.Stops {
		e.snapshot(stop.Entries, turn.RequestID, false)
	}
	e.snapshot(turn.PostEdit, turn.RequestID, false)
	return err
}

// snapshot takes in the states of files; the newest ones tell what became of the
// change.
func (e *editing) snapshot(list []fileState, request string, newest bool) {
	for _, f := range list {
		at := requestFile{cmp.Or(f.TelemetryInfo.RequestID, request), f.Resource.File()}
		if f.IsDeleted {
			e.add(at.request, f.Resource, sources.Deleted, "")
		} else if len(e.kinds[at]) == 0 {
			e.add(at.request, f.Resource, sources.Edited, "")
		}
		switch {
		case newest && f.State == 1:
			e.verdicts[at] = sources.Accepted
		case newest && f.State == 2:
			e.verdicts[at] = sources.Rejected
		}
	}
}

// add notes a touch once per request, path and kind.
func (e *editing) add(request string, file editor.URI, kind string, verdict sources.Verdict) {
	at := requestFile{request, file.File()}
	if at.path == "" || slices.Contains(e.kinds[at], kind) {
		return
	}
	e.kinds[at] = append(e.kinds[at], kind)
	e.files = append(e.files, sources.FileTouch{Path: at.path, Kind: kind, Turn: -1, TurnID: request, Verdict: verdict})
}
