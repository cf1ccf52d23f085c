package vscode

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// What the extension keeps (formats/vscode-copilot-chat.md, sections 5.1 and 5.2).
const (
	memoryKept      = 14 * 24 * time.Hour // memory of a session, since it was last used
	transcriptsKept = 20                  // transcripts of a workspace, the newest ones
)

// expireMemory tells when the memory of a session is deleted: when the oldest of
// its files was not used for two weeks. A look at it may count as a use, of which
// no file tells, so it may last longer.
func (c *candidate) expireMemory(folder string, list []sources.Part) {
	list = slices.DeleteFunc(slices.Clone(list), files.IsMore)
	if len(list) == 0 {
		return
	}
	first := slices.MinFunc(list, func(a, b sources.Part) int { return cmp.Compare(a.Stamp.MTime, b.Stamp.MTime) })
	used := time.Unix(0, first.Stamp.MTime)
	c.expires = append(c.expires, sources.Expiry{What: "memory", Path: folder, Used: used, At: used.Add(memoryKept)})
}

// transcript is one of a workspace, on its way to be told when it goes.
type transcript struct {
	of   *candidate
	path string
	used int64 // modification time in nanoseconds
}

// expireTranscripts tells after how many newer ones each transcript of a workspace
// is deleted.
func expireTranscripts(all []transcript) {
	slices.SortFunc(all, func(a, b transcript) int {
		return cmp.Or(cmp.Compare(b.used, a.used), strings.Compare(a.path, b.path))
	})
	for newer, t := range all {
		t.of.expires = append(t.of.expires, sources.Expiry{
			What: "transcript", Path: t.path, Used: time.Unix(0, t.used), After: max(0, transcriptsKept-newer),
		})
	}
}
