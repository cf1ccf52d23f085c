package mcpserver

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// checkArguments drops null arguments, which some agents send, and names the tool in the SDK's errors about
// others.
func checkArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.GetParams().(*mcp.CallToolParamsRaw)
		if !ok || call == nil {
			return next(ctx, method, req)
		}
		var args map[string]json.RawMessage
		if json.Unmarshal(call.Arguments, &args) == nil && args != nil {
			maps.DeleteFunc(args, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
			call.Arguments, _ = json.Marshal(args) // it was JSON
		}
		result, err := next(ctx, method, req)
		if refused, ok := result.(*mcp.CallToolResult); ok && refused.GetError() != nil {
			result = failed("error: " + call.Name + ": " + short(refused.GetError().Error()) + "\nhint: the schema of the tool lists its arguments")
		}
		return result, err
	}
}
