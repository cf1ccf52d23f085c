package copilotcli

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// newProblem tells of something that was not read.
func newProblem(item, path string, err error) sources.Problem {
	return files.Problem(agentName, "the CLI", item, path, err)
}
