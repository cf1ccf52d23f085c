package sources

import (
	"path"
	"regexp"
	"strings"
)

// The tool kinds of all sources.
const (
	ToolRead   = "read"
	ToolEdit   = "edit"
	ToolCreate = "create"
	ToolSearch = "search"
	ToolList   = "list"
	ToolRun    = "run"
	ToolWeb    = "web"
	ToolPlan   = "plan"
	ToolAsk    = "ask"
	ToolTask   = "task"
	ToolMCP    = "mcp"
	ToolOther  = "other"
)

// ShortenFiles makes file paths in tool calls relative to the folder of the session. A reader calls it
// unless the Place is Guessed: then the folder is known only after the stored layers were asked.
func (s *Session) ShortenFiles() {
	folder := s.Place.Cwd
	if folder == "" && s.Place.Workspace != "" {
		folder = path.Dir(s.Place.Workspace) // its folders mostly lie beside it
	}
	root := Tilde(strings.TrimRight(strings.ReplaceAll(folder, `\`, "/"), "/"))
	if root == "" {
		return
	}
	for i := range s.Turns {
		for j := range s.Turns[i].Tools {
			s.Turns[i].Tools[j].shorten(root)
		}
	}
}

func (t *Tool) shorten(root string) {
	switch t.Kind {
	case ToolRead, ToolEdit, ToolCreate, ToolList:
	default:
		return
	}
	paths := strings.Split(t.Detail, ", ")
	for i, p := range paths {
		p = Tilde(p)
		if p == root {
			p = "."
		} else if below, ok := strings.CutPrefix(p, root+"/"); ok && below != "" {
			p = below
		}
		paths[i] = p
	}
	t.Detail = strings.Join(paths, ", ")
}

// homes matches home folders in paths of any system.
var homes = regexp.MustCompile(`(^|[\s"'=:(,])(?:/home/[^/\s"']+|/Users/[^/\s"']+|/root|(?i:[a-z]:[\\/]Users[\\/])[^\\/\s"']+)($|[\\/\s"':;,)])`)

// Tilde replaces home folders of any system in a text by ~.
func Tilde(text string) string {
	if !hasDriveOfUsers(text) && !strings.Contains(text, "/home/") && !strings.Contains(text, "/Users/") && !strings.Contains(text, "/root") {
		return text
	}
	return homes.ReplaceAllString(text, "${1}~${2}")
}

// hasDriveOfUsers reports whether a text may contain a home of Windows: it looks for ":/U".
func hasDriveOfUsers(text string) bool {
	for i := strings.IndexByte(text, ':'); i >= 0 && i+2 < len(text); {
		if (text[i+1] == '/' || text[i+1] == '\\') && text[i+2]|0x20 == 'u' {
			return true
		}
		next := strings.IndexByte(text[i+1:], ':')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}
