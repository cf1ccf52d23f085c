package extract

import "strings"

// inFolder is where something lies in the managed folder, false for what lies
// elsewhere in the vault.
func inFolder(folder, at string) (string, bool) {
	if folder == "." {
		return at, true
	}
	return strings.CutPrefix(at, folder+"/")
}
