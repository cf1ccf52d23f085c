package words

import "strings"

// PlainTool is a tool's name as a model knows it: without what an editor puts around
// it and in snake case. Both copilot_readFile and read_file are read_file.
func PlainTool(name string) string {
	for _, prefix := range []string{"copilot_", "vscode_"} {
		if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			name = name[len(prefix):]
			break
		}
	}
	name = strings.TrimSuffix(name, "_internal")
	name = strings.TrimRight(name, "0123456789") // of a later version of the tool
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			if i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}
