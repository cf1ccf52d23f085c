package copilotcli

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// programName is what people call the program.
const programName = "the CLI"

// newProblem tells of something that was not read.
func newProblem(item, path string, err error) sources.Problem {
	return files.Problem(agentName, programName, item, path, err)
}
