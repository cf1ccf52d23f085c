package copilotcli

import (
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// metadata is what VS Code keeps of a CLI session it started: beside the log in
// vscode.metadata.json, and of all sessions in one file of the home.
type metadata struct {
	CustomTitle          string `json:"customTitle"`
	RepositoryProperties struct {
		RepositoryPath string `json:"repositoryPath"`
		BranchName     string `json:"branchName"`
		BaseBranchName string `json:"baseBranchName"`
	} `json:"repositoryProperties"`
	WorkspaceFolder struct {
		FolderPath string `json:"folderPath"`
	} `json:"workspaceFolder"`
}

// decodeMetadata is lenient: what does not fit stays empty.
func decodeMetadata(text string) metadata {
	var m metadata
	_ = decode.Text(text, &m) // what was understood before an error stays
	return m
}

// apply fills what the session's own files left open.
func (m metadata) apply(s *sources.Session) {
	offer(s, m.CustomTitle, sources.TrustCustom)
	p := &s.Place
	for _, fill := range []struct {
		to   *string
		from string
	}{
		{&p.Cwd, m.WorkspaceFolder.FolderPath},
		{&p.GitRoot, m.RepositoryProperties.RepositoryPath},
		{&p.Branch, m.RepositoryProperties.BranchName},
		{&p.BaseBranch, m.RepositoryProperties.BaseBranchName},
	} {
		if *fill.to == "" {
			*fill.to = fill.from
		}
	}
}

// metaCache is the bulk copy, read once a pass.
type metaCache struct {
	path string
	once sync.Once
	all  decode.Table[metadata]
}

func (s *Source) cache(path string) *metaCache {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.caches[path]
	if c == nil {
		c = &metaCache{path: path}
		s.caches[path] = c
	}
	return c
}

// load reads the file; one that cannot be read or understood says nothing, for
// it is a copy of what lies beside the logs.
func (c *metaCache) load() {
	c.once.Do(func() {
		text, err := readText(c.path, maxSidecar)
		if err != nil || decode.Text(text.Body, &c.all) != nil {
			c.all = decode.Table[metadata]{}
		}
	})
}

func (c *metaCache) entry(item sources.Item) metadata {
	c.load()
	return c.all.Get(sessionName(item))
}

// digest is empty where the file says nothing of use about the item.
func (c *metaCache) digest(item sources.Item) string {
	m := c.entry(item)
	if m == (metadata{}) {
		return ""
	}
	return digestOf(m)
}

// sessionName is the name of a session's folder or file, as the store and the
// metadata know it.
func sessionName(item sources.Item) string {
	return item.Key[strings.LastIndexByte(item.Key, '/')+1:]
}
