package askagent

import "encoding/json"

// toolless is a catalog of Codex in which no model is offered a tool: which ones it is
// offered stands there, and no setting takes them all away.
func toolless(printed []byte) ([]byte, error) {
	var all struct {
		Models []map[string]any `json:"models"`
	}
	if err := json.Unmarshal(printed, &all); err != nil {
		return nil, err
	}
	for _, m := range all.Models {
		m["shell_type"] = "disabled"
		m["supports_search_tool"] = false
		m["experimental_supported_tools"] = []string{}
		for _, tools := range []string{"apply_patch_tool_type", "tool_mode", "multi_agent_version"} {
			m[tools] = nil
		}
	}
	return json.Marshal(all)
}
