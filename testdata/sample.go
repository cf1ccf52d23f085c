// Package testdata holds the sample history that is embedded in the program, and
// the fixtures of tests that span packages.
//
// The sample is synthetic: it was written by the genuine GitHub Copilot CLI
// against a scripted model; people, projects and tokens in it are invented.
package testdata

import (
	"embed"
	"io/fs"
	"os"
)

//go:embed all:sample
var sample embed.FS

// CopilotHome is a home of GitHub Copilot CLI, laid out like ~/.copilot. Its
// store lies there as a killed process left it, the newest rows in the -wal.
func CopilotHome() (fs.FS, error) { return fs.Sub(sample, "sample/copilot-home") }

// WriteCopilotHome copies the sample home into dir, which is made.
func WriteCopilotHome(dir string) error {
	home, err := CopilotHome()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.CopyFS(dir, home)
}
