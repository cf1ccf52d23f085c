package statedb

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// maxMetadata bounds copilotcli.session.metadata.json, which has a few hundred
// bytes for each session.
const maxMetadata = 64 << 20

// Metadata reads copilotcli.session.metadata.json: what VS Code remembers of the
// sessions of Copilot CLI it started, by id. They hold a place and a title the user
// gave; those without either are left out.
func Metadata(path string) (map[string]*sources.Session, error) {
	text, err := files.ReadText(path, maxMetadata)
	if err == nil && text.Left != "" {
		err = fmt.Errorf("it is %s", text.Left)
	}
	var said decode.Table[metadata]
	if err == nil && strings.TrimSpace(text.Body) != "" {
		err = decode.Text(text.Body, &said)
	}
	if err != nil {
		return nil, fmt.Errorf("read metadata %q: %w", path, err)
	}
	all := map[string]*sources.Session{}
	for id, m := range said.All() {
		if s := m.session(); s != nil && !strings.HasPrefix(id, "untitled") { // not begun
			s.ID = plainID(id)
			all[s.ID] = s
		}
	}
	return all, nil
}

// metadata is what is remembered of one session.
type metadata struct {
	CustomTitle     string `json:"customTitle"`
	WorkspaceFolder struct {
		FolderPath string `json:"folderPath"`
	} `json:"workspaceFolder"`
	Worktree   repository `json:"worktreeProperties"`
	Repository repository `json:"repositoryProperties"`
}

type repository struct {
	WorktreePath   string `json:"worktreePath"`
	RepositoryPath string `json:"repositoryPath"`
	BranchName     string `json:"branchName"`
	BaseBranchName string `json:"baseBranchName"`
}

// session is nil for one of which nothing is known. A worktree that was made for
// the session is where it works, its repository is the one it was made of.
func (m metadata) session() *sources.Session {
	s := &sources.Session{
		Title: clean(m.CustomTitle),
		Place: sources.Place{
			Cwd:        cmp.Or(m.Worktree.WorktreePath, m.WorkspaceFolder.FolderPath),
			GitRoot:    cmp.Or(m.Worktree.RepositoryPath, m.Repository.RepositoryPath),
			Branch:     cmp.Or(m.Worktree.BranchName, m.Repository.BranchName),
			BaseBranch: cmp.Or(m.Worktree.BaseBranchName, m.Repository.BaseBranchName),
		},
	}
	if s.Title != "" {
		s.TitleFrom = sources.TrustCustom
	}
	if s.Title == "" && s.Place.Cwd == "" && s.Place.GitRoot == "" && s.Place.Branch == "" {
		return nil
	}
	return s
}
