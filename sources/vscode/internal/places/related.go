package places

import (
	"encoding/hex"
	"path"
	"path/filepath"
	"strings"
)

// tellWorkspaces gives storages without a workspace.json that of a storage with
// the same id. An id is a digest of what is open in the window: of a remote
// folder's address, the same on client and server, or of a folder on this
// machine, the same in all editions (formats/vscode-copilot-chat.md, section
// 3.2). A server's own meta.json names no folder and is the last resort.
func tellWorkspaces(all []Storage) {
	told := map[string][]*Storage{}
	for i := range all {
		if id, ok := digest(all[i].Name); ok && tellsFolder(all[i].Workspace) {
			told[id] = append(told[id], &all[i])
		}
	}
	for i := range all {
		st := &all[i]
		id, ok := digest(st.Name)
		if !ok || tellsFolder(st.Workspace) {
			continue
		}
		var best *Storage
		for _, other := range told[id] {
			if best == nil || nearness(st.Root, other.Root) > nearness(st.Root, best.Root) {
				best = other
			}
		}
		if best != nil {
			st.Workspace = best.Workspace
		}
	}
}

// nearness orders storages with one id by how likely they are of the same window.
func nearness(of, other Root) int {
	switch {
	case of.Path == other.Path:
		return 2
	case of.Server && other.Edition == clientOf(of.Edition):
		return 1
	}
	return 0
}

func tellsFolder(file string) bool { return filepath.Base(file) == "workspace.json" }

// digest is the id in a storage's name; ok is false for empty windows, whose ids
// are the time at which they were opened. A second extension host of one
// workspace works in "<id>-1".
func digest(name string) (id string, ok bool) {
	id, attempt, numbered := strings.Cut(path.Base(name), "-")
	if numbered && strings.Trim(attempt, "0123456789") != "" {
		return "", false
	}
	_, err := hex.DecodeString(id)
	return id, err == nil && len(id) == 32
}
