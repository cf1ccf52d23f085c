package copilotcli

import (
	"encoding/json"

	"github.com/sessionloom/sessionloom/sources"
)

// readCommands reads the command history, newest first as the file has it.
func readCommands(item sources.Item) (sources.Reading, error) {
	var out sources.Reading
	text, err := readText(item.Path, maxSidecar)
	out.BytesRead = text.Read
	if err != nil {
		return out, err
	}
	var file struct {
		CommandHistory []any `json:"commandHistory"`
	}
	if err := json.Unmarshal([]byte(text.Body), &file); err != nil && text.Body != "" {
		out.Problems = append(out.Problems, newProblem(item.Key, item.Path, err))
	}
	for _, c := range file.CommandHistory {
		if s, ok := c.(string); ok {
			out.Commands = append(out.Commands, s)
		}
	}
	return out, nil
}
