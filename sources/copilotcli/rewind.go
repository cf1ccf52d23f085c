package copilotcli

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/moment"
)

// rewindFolders hold the index of what could be rewound, newer layout first. The
// backups beside it are whole files of the user and never read.
var rewindFolders = [...]string{"rewind-file-snapshots", "rewind-snapshots"}

// rewindIndex is both shapes of index.json (formats/copilot-cli.md, section 2.3):
// with "schema" the files carry path and images, with "version" they are keyed by
// a hash that filePathMap resolves.
type rewindIndex struct {
	Snapshots []struct {
		Timestamp string                `json:"timestamp"`
		Files     map[string]rewindFile `json:"files"`
	} `json:"snapshots"`
	FilePathMap map[string]string `json:"filePathMap"`
}

type rewindFile struct {
	Path      string      `json:"path"`
	GitStatus string      `json:"gitStatus"`
	Pre       rewindImage `json:"preimage"`
	Post      rewindImage `json:"postimage"`
}

type rewindImage struct {
	Kind string `json:"kind"`
}

// rewindTouches lists the files of each snapshot, by path within one snapshot.
// It reports false for what is no such index.
func rewindTouches(text string) ([]sources.FileTouch, bool) {
	var index rewindIndex
	if text == "" || json.Unmarshal([]byte(text), &index) != nil {
		return nil, false
	}
	var touches []sources.FileTouch
	for _, snapshot := range index.Snapshots {
		start := len(touches)
		for key, f := range snapshot.Files {
			path := f.Path
			if path == "" {
				path = index.FilePathMap[key]
			}
			if path != "" {
				touches = append(touches, sources.FileTouch{
					Path: path, Kind: f.kind(), Turn: -1, At: moment.Parse(snapshot.Timestamp),
				})
			}
		}
		slices.SortFunc(touches[start:], func(a, b sources.FileTouch) int { return strings.Compare(a.Path, b.Path) })
	}
	return touches, true
}

func (f rewindFile) kind() string {
	switch {
	case f.Post.Kind == "absent" || strings.HasPrefix(f.GitStatus, "D"):
		return sources.Deleted
	case f.Pre.Kind == "absent" || f.GitStatus == "??" || strings.HasPrefix(f.GitStatus, "A"):
		return sources.Created
	default:
		return sources.Edited
	}
}
