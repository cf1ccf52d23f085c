package discover

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/sessionloom/sessionloom/sources/all"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/vscode"
	"github.com/sessionloom/sessionloom/testdata"
)

// sampleRoots writes the built-in history below dir and says where it lies. All
// files have one modification time, and dir stands for the home folder, so that
// one unpacking is like the other.
func sampleRoots(dir string) (all.Config, error) {
	home, user := filepath.Join(dir, "sample", "copilot-home"), filepath.Join(dir, "sample", "vscode-user")
	at := time.Date(2026, 11, 14, 0, 0, 0, 0, time.UTC)
	err := errors.Join(testdata.WriteCopilotHome(home), testdata.WriteVSCodeUser(user))
	if err == nil {
		err = filepath.WalkDir(filepath.Join(dir, "sample"), func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Chtimes(path, at, at))
		})
	}
	if err != nil {
		return all.Config{}, fmt.Errorf("unpack the sample history: %w", err)
	}
	return all.Config{
		CopilotCLI: copilotcli.Config{Homes: []string{home}, Home: dir, GOOS: runtime.GOOS},
		VSCode:     vscode.Config{UserDirs: []string{user}, Home: dir, GOOS: runtime.GOOS},
	}, nil
}
