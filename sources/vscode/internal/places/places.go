// Package places knows where VS Code, its forks and their servers keep chats:
// user folders, the storages in them, and which folder or workspace a storage
// belongs to (formats/vscode-copilot-chat.md, sections 3.2 and 3.3).
package places

// Config says where to look. The zero value looks nowhere.
type Config struct {
	// Users are folders named by the user: a user folder ("…/Code/User"), the
	// folder above it, a server's ("~/.vscode-server") or a portable install.
	Users    []string
	Defaults bool // also look at the user folder of every edition

	Env  func(string) string // looks up environment variables; nil: none is set
	Home string              // the user's home folder
	GOOS string              // operating system the default places are those of: linux, darwin, windows

	// Drives is where WSL mounts the drives of Windows; empty means /mnt.
	Drives string
}

// Root is one user folder: it holds workspaceStorage and globalStorage.
type Root struct {
	Path    string // …/User
	Tag     string // stands for it in keys: "~/.config/Code/User", elsewhere a name and a hash of the path
	Edition string // Code, Code - Insiders, VSCodium, vscode-server, code-server, …
	Found   bool
	Why     string // why it is not found; empty otherwise
	Err     error  // the same, where it may be there and cannot be looked at
}

// Storage is one folder that may hold chats. Storages of one id in two editions
// are two storages.
type Storage struct {
	Root Root
	// Name is unique within the root: the id below workspaceStorage ("no-workspace"
	// among them), "empty-window" or "transferred"; of a profile
	// "profiles/<profile>/<name>".
	Name string
	Path string // workspaceStorage/<id> or globalStorage

	Chats     string // folder of chat sessions; it may not exist
	Edits     string // chatEditingSessions; it may not exist; empty in a globalStorage, which has none
	Copilot   string // folder of the Copilot Chat extension; empty: there is none, or "empty-window" tells it
	StateDB   string // state.vscdb; empty: there is none, or "empty-window" tells it
	Workspace string // workspace.json, its own or that of a storage with the same id; empty: nothing tells the folder
	Global    bool   // Path is a globalStorage
}
