package statedb

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/textfile"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// maxMetadata bounds copilotcli.session.metadata.json, which has a few hundred
// bytes for each session.
const maxMetadata = 64 << 20

// Metadata reads copilotcli.session.metadata.json: what VS Code remembers of the
// sessions of Copilot CLI it started, by id, and the number of bytes read. The
// sessions hold a place and a title the user gave; those without either are left
// out. Beside an error stands what was read before it.
func Metadata(path string) (map[string]*sources.Session, int64, error) {
	text, err := textfile.Read(path, maxMetadata)
	if err == nil && text.Left != "" {
		err = fmt.Errorf("it is %s", text.Left)
	}
	if err != nil {
		return nil, text.Read, fmt.Errorf("read metadata %q: %w", path, err)
	}
	all, err := decodeMetadata(text.Body)
	if err != nil {
		err = fmt.Errorf("read metadata %q: %w", path, err)
	}
	return all, text.Read, err
}

func decodeMetadata(body string) (map[string]*sources.Session, error) {
	all := map[string]*sources.Session{}
	if strings.TrimSpace(body) == "" {
		return all, nil
	}
	keep := only("workspaceFolder", "worktreeProperties", "repositoryProperties", "customTitle")
	d := tree.NewDecoder(strings.NewReader(body))
	err := members(d, func(id string) error {
		n, err := tree.Read(d, keep)
		if err != nil {
			return err
		}
		if s := metadataSession(n); s != nil && !strings.HasPrefix(id, "untitled") { // not begun
			s.ID = plainID(id)
			all[s.ID] = s
		}
		return nil
	})
	return all, err
}

// metadataSession reads one member. A worktree that was made for the session is
// where it works, its repository is the one it was made of.
func metadataSession(n *tree.Node) *sources.Session {
	tree, repo := n.Get("worktreeProperties"), n.Get("repositoryProperties")
	either := func(name string) string { return cmp.Or(tree.Get(name).Text(), repo.Get(name).Text()) }
	s := &sources.Session{
		Title: clean(n.Get("customTitle")),
		Place: sources.Place{
			Cwd:        cmp.Or(tree.Get("worktreePath").Text(), n.Get("workspaceFolder").Get("folderPath").Text()),
			GitRoot:    either("repositoryPath"),
			Branch:     either("branchName"),
			BaseBranch: either("baseBranchName"),
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
