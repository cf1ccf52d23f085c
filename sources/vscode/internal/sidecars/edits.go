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
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// editing is what is kept of a chatEditingSessions/<key>/state.json of any age. What holds the
// contents of files is passed over.
type editing struct {
	Timeline struct {
		Operations []struct {
			Type      string     `json:"type"`
			RequestID string     `json:"requestId"`
			URI       editor.URI `json:"uri"`
			OldURI    editor.URI `json:"oldUri"`
			NewURI    editor.URI `json:"newUri"`
			Epoch     int64      `json:"epoch"`
		} `json:"operations"`
		CurrentEpoch *int64 `json:"currentEpoch"`
	} `json:"timeline"`
	Recent  snapshot `json:"recentSnapshot"`
	Pending snapshot `json:"pendingSnapshot"`
}

// snapshot lists all files of the session so far; each tells which request changed it, and what became of that.
type snapshot struct {
	RequestID string `json:"requestId"`
	Entries   []struct {
		Resource      editor.URI `json:"resource"`
		State         int64      `json:"state"`
		IsDeleted     bool       `json:"isDeleted"`
		TelemetryInfo struct {
			RequestID string `json:"requestId"`
		} `json:"telemetryInfo"`
	} `json:"entries"`
}

// Edits reads which files the editor saw changed, with the TurnID of their request. A file that
// breaks off gives what stood before, and Damage; the error is for one that cannot be read at all.
func Edits(path string) (*sources.Session, error) {
	f, _, err := files.OpenText(path)
	if err != nil {
		return nil, fmt.Errorf("open editing session: %w", err)
	}
	defer f.Close()
	var e editing
	err = decode.New(bufio.NewReaderSize(f, 64<<10)).Read(&e)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("read editing session %q: %w", path, err)
	}
	var t touches
	t.takeTimeline(&e)
	verdicts := map[requestFile]sources.Verdict{}
	for _, of := range []snapshot{e.Recent, e.Pending} {
		for _, f := range of.Entries {
			at := requestFile{cmp.Or(f.TelemetryInfo.RequestID, of.RequestID), f.Resource.File()}
			if f.IsDeleted {
				t.add(at.request, at.path, sources.Deleted, "")
			} else if len(t.kinds[at]) == 0 {
				t.add(at.request, at.path, sources.Edited, "")
			}
			verdicts[at] = cmp.Or(map[int64]sources.Verdict{1: sources.Accepted, 2: sources.Rejected}[f.State], verdicts[at])
		}
	}
	s := &sources.Session{Files: t.files}
	for i, f := range s.Files {
		s.Files[i].Verdict = cmp.Or(f.Verdict, verdicts[requestFile{f.TurnID, f.Path}])
	}
	if err != nil {
		s.Damage = []string{"the editing session could not be read to its end"}
	}
	return s, nil
}

// requestFile is a file that a request changed.
type requestFile struct{ request, path string }

// touches are what is known to have been done.
type touches struct {
	files []sources.FileTouch
	kinds map[requestFile][]string
}

// takeTimeline takes in operations in the order they were made. One is in force while its epoch is
// below the current one: the person went back to before the others.
func (t *touches) takeTimeline(e *editing) {
	for _, o := range e.Timeline.Operations {
		var verdict sources.Verdict
		if now := e.Timeline.CurrentEpoch; now != nil && o.Epoch >= *now {
			verdict = sources.Rejected
		}
		switch o.Type {
		case "create", "delete", "textEdit", "notebookEdit":
			t.add(o.RequestID, o.URI.File(), tools.ChangeKind(o.Type), verdict)
		case "rename":
			t.add(o.RequestID, o.OldURI.File(), sources.Deleted, verdict)
			t.add(o.RequestID, o.NewURI.File(), sources.Renamed, verdict)
		}
	}
}

// add notes a touch once per request, path and kind.
func (t *touches) add(request, path, kind string, verdict sources.Verdict) {
	at := requestFile{request, path}
	if path == "" || slices.Contains(t.kinds[at], kind) {
		return
	}
	if t.kinds == nil {
		t.kinds = map[requestFile][]string{}
	}
	t.kinds[at] = append(t.kinds[at], kind)
	t.files = append(t.files, sources.FileTouch{Path: path, Kind: kind, Turn: -1, TurnID: request, Verdict: verdict})
}
