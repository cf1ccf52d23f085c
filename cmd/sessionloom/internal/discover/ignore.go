package discover

import (
	"os"
	"path/filepath"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

// Ignored tells whether a folder holds that file.
func Ignored(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, present.IgnoreFile))
	return err == nil
}
