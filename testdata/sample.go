// Package testdata holds the sample history that is embedded in the program, and the fixtures of tests that
// span packages.
//
// The sample is synthetic. The genuine GitHub Copilot CLI wrote its Copilot home against a scripted model,
// and so did Claude Code, Codex, opencode and Gemini CLI theirs; its VS Code user folder is handmade in the
// format of VS Code 1.106 to 1.137. People, projects and tokens are invented.
package testdata

import (
	"embed"
	"io/fs"
	"os"
)

//go:embed all:sample
var sample embed.FS

// Session is the id of one of the sample's sessions.
const Session = "7524f8de-6567-42a5-9569-07102f5d4c6c"

// CopilotHome returns a home of GitHub Copilot CLI, laid out like ~/.copilot. Its store is as a killed
// process left it, with the newest rows in the -wal.
func CopilotHome() (fs.FS, error) { return fs.Sub(sample, "sample/copilot-home") }

// VSCodeUser returns a user folder of VS Code, laid out like ~/.config/Code/User, with chats of the same
// projects. One session is of the CLI, run from VS Code.
func VSCodeUser() (fs.FS, error) { return fs.Sub(sample, "sample/vscode-user") }

// WriteCopilotHome copies the sample home into dir, which it makes.
func WriteCopilotHome(dir string) error { return write(dir, CopilotHome) }

// WriteVSCodeUser copies the sample user folder into dir, which it makes.
func WriteVSCodeUser(dir string) error { return write(dir, VSCodeUser) }

// WriteHome copies the sample home of an agent into dir, which it makes. name is the flag for such a home:
// "claude-home".
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
