package copilotcli

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// partRewind is the index of what can be rewound. The backups beside it are
// whole files of the user and never read. The index of older versions, in
// rewind-snapshots/, lists what git called dirty when a prompt was typed, whoever
// changed it: it tells of no edit and is not read.
const (
	rewindFolder = "rewind-file-snapshots"
	partRewind   = rewindFolder + "/index.json"
)

// rewindIndex is index.json (formats/copilot-cli.md, section 2.3): each file with
// its image before and after the prompt.
type rewindIndex struct {
	Snapshots []struct {
		Timestamp string                   `json:"timestamp"`
		Files     decode.Table[rewindFile] `json:"files"`
	} `json:"snapshots"`
}

type rewindFile struct {
	Path string      `json:"path"`
	Pre  rewindImage `json:"preimage"`
	Post rewindImage `json:"postimage"`
}

type rewindImage struct {
	Kind string `json:"kind"`
	Hash string `json:"contentHash"`
}

// rewindTouches lists the files of each snapshot, by path within one snapshot.
// It reports false for what is no such index.
func rewindTouches(text string) (touches []sources.FileTouch, ok bool) {
	var index *rewindIndex
	if decode.Text(text, &index) != nil || index == nil {
		return nil, false
	}
	for _, snapshot := range index.Snapshots {
		start := len(touches)
		for _, f := range snapshot.Files.All() {
			if kind := f.kind(); kind != "" && f.Path != "" && !eventlog.InStateFolder(f.Path) {
				touches = append(touches, sources.FileTouch{Path: f.Path, Kind: kind, Turn: -1, At: words.Time(snapshot.Timestamp)})
			}
		}
		slices.SortFunc(touches[start:], func(a, b sources.FileTouch) int { return strings.Compare(a.Path, b.Path) })
	}
	return touches, true
}

// kind is what the images tell of a file, empty where they are equal or not there.
func (f rewindFile) kind() string {
	switch {
	case f.Pre.Kind == "" || f.Post.Kind == "" || f.Pre == f.Post && (f.Pre.Hash != "" || f.Pre.Kind == "absent"):
		return ""
	case f.Post.Kind == "absent":
		return sources.Deleted
	case f.Pre.Kind == "absent":
		return sources.Created
	default:
		return sources.Edited
	}
}
