package vscode

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// programName is what people call the program.
const programName = "VS Code"

// newProblem tells of something that was not read.
func newProblem(item, path string, err error) sources.Problem {
	return files.Problem(sourceName, programName, item, path, err)
}
