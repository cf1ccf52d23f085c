package statedb

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// row is an entry of any list of VS Code, of any version.
type row struct {
	SessionID        string     `json:"sessionId"`
	Title            string     `json:"title"`
	Label            string     `json:"label"`
	Resource         editor.URI `json:"resource"`
	WorkingDirectory editor.URI `json:"workingDirectory"`
	LastMessageDate  int64      `json:"lastMessageDate"` // the one date the index always had
	Timing           struct {
		Created            int64 `json:"created"`
		StartTime          int64 `json:"startTime"`
		LastRequestStarted int64 `json:"lastRequestStarted"`
		LastRequestEnded   int64 `json:"lastRequestEnded"`
		EndTime            int64 `json:"endTime"`
	} `json:"timing"`
	Stats             changes `json:"stats"`
	Changes           changes `json:"changes"`
	LastResponseState *int64  `json:"lastResponseState"`
	Status            *int64  `json:"status"`
	StatusKnown       *bool   `json:"statusKnown"`
	IsEmpty           bool    `json:"isEmpty"`
	IsExternal        bool    `json:"isExternal"`
	Archived          *bool   `json:"archived"`
	Pinned            bool    `json:"pinned"`
	Metadata          struct {
		WorkingDirectoryPath string `json:"workingDirectoryPath"`
		WorktreePath         string `json:"worktreePath"`
	} `json:"metadata"`
}

// status is how the session stands, by the enumerations of the index and of the cache; empty: that is
// not told, or not known.
func (n *row) status() sources.Status {
	responses := []sources.Status{sources.Pending, sources.Complete, sources.Cancelled, sources.Failed, sources.Pending}
	providers := []sources.Status{sources.Failed, sources.Complete, sources.Pending, sources.Pending}
	switch state, status := n.LastResponseState, n.Status; {
	case state != nil && *state >= 0 && *state < int64(len(responses)):
		return responses[*state]
	case status != nil && *status >= 0 && *status < int64(len(providers)) && (n.StatusKnown == nil || *n.StatusKnown):
		return providers[*status]
	}
	return ""
}

// changes are numbers of files and lines, or a list of files with theirs.
type changes struct {
	FileCount  int64     `json:"fileCount"` // the first three in the index, the others in the cache
	Added      int64     `json:"added"`
	Removed    int64     `json:"removed"`
	Files      int64     `json:"files"`
	Insertions int64     `json:"insertions"`
	Deletions  int64     `json:"deletions"`
	List       []changes `as:"list"`
}

// words are empty where nothing changed, or what cannot be.
func (c changes) words() string {
	files, added, removed := c.FileCount+c.Files, c.Added+c.Insertions, c.Removed+c.Deletions
	for _, f := range c.List {
		files, added, removed = files+1, added+f.Added+f.Insertions, removed+f.Removed+f.Deletions
	}
	if min(files, added, removed) < 0 || max(files, added, removed) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, +%d -%d", words.Count(int(files), "file"), added, removed)
}

// maxMetadata bounds copilotcli.session.metadata.json, which has a few hundred bytes for each session.
const maxMetadata = 64 << 20

// Metadata reads copilotcli.session.metadata.json: what VS Code remembers of the sessions of Copilot CLI it started,
// by id. They hold a place and a title the user gave; those without either are left out.
func Metadata(path string) (map[string]*sources.Session, error) {
	text, err := files.ReadText(path, maxMetadata)
	if err == nil && text.Left != "" {
		err = fmt.Errorf("it is %s", text.Left)
	}
	var said decode.Table[words.Metadata]
	if err == nil && strings.TrimSpace(text.Body) != "" {
		err = decode.Text(text.Body, &said)
	}
	if err != nil {
		return nil, fmt.Errorf("read metadata %q: %w", path, err)
	}
	all := map[string]*sources.Session{}
	for id, m := range said.All() {
		s := &sources.Session{ID: plainID(id), Title: clean(m.CustomTitle), Place: m.Place()}
		if s.Title != "" {
			s.TitleFrom = sources.TrustCustom
		}
		known := s.Title != "" || s.Place.Cwd != "" || s.Place.GitRoot != "" || s.Place.Branch != ""
		if known && !strings.HasPrefix(id, "untitled") { // not begun
			all[s.ID] = s
		}
	}
	return all, nil
}
