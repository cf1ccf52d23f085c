package homepath

import (
	"os"
	"path/filepath"
	"strings"
)

// InVault makes the path of a file that the user typed one from the vault's root. Other names
// stay.
func InVault(arg, vault string) string {
	if _, err := os.Lstat(arg); err != nil && !strings.ContainsAny(arg, `/\`) {
		return arg
	}
	abs, err := filepath.Abs(arg)
	if err != nil {
		return arg
	}
	rel, err := filepath.Rel(vault, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(arg)
	}
	return filepath.ToSlash(rel)
}
