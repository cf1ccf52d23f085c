package system

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// OwnPath is where this program lies, by the name it was called: a package
// manager may move what that leads to.
func OwnPath() (string, error) {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			return path, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return path, nil
}
