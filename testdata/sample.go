// Package testdata holds the sample history that is embedded in the program, and
// the fixtures of tests that span packages.
//
// The sample is synthetic. Its Copilot home was written by the genuine GitHub
// Copilot CLI against a scripted model, those of Claude Code, Codex, opencode and Gemini CLI by these, its VS
// Code user folder by hand, true to what VS Code 1.106 to 1.137 writes; people, projects
// and tokens in it are invented.
package testdata

import (
	"embed"
	"io/fs"
	"os"
)

//go:embed all:sample
var sample embed.FS

// Session is the id of one of its sessions.
const Session = "7524f8de-6567-42a5-9569-07102f5d4c6c"

// CopilotHome is a home of GitHub Copilot CLI, laid out like ~/.copilot. Its
// store lies there as a killed process left it, the newest rows in the -wal.
func CopilotHome() (fs.FS, error) { return fs.Sub(sample, "sample/copilot-home") }

// VSCodeUser is a user folder of VS Code, laid out like ~/.config/Code/User,
// with chats of the same projects. One session is of the CLI, run from VS Code.
func VSCodeUser() (fs.FS, error) { return fs.Sub(sample, "sample/vscode-user") }

// WriteCopilotHome copies the sample home into dir, which is made.
func WriteCopilotHome(dir string) error { return write(dir, CopilotHome) }

// WriteVSCodeUser copies the sample user folder into dir, which is made.
func WriteVSCodeUser(dir string) error { return write(dir, VSCodeUser) }

// WriteHome copies the sample home of an agent into dir, which is made. name is that of the flag
// by which such a home is given: "claude-home".
func WriteHome(name, dir string) error {
	return write(dir, func() (fs.FS, error) { return fs.Sub(sample, "sample/"+name) })
}

// HasHome reports whether there is a sample home of an agent.
func HasHome(name string) bool {
	_, err := fs.Stat(sample, "sample/"+name)
	return err == nil
}

func write(dir string, folder func() (fs.FS, error)) error {
	from, err := folder()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.CopyFS(dir, from)
}
