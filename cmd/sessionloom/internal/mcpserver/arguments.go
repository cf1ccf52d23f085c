package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// argument is an argument of a tool, from its type.
type argument struct {
	name, says string
	required   bool
	isNumber   bool
}

func argumentsOf(in reflect.Type) (list []argument) {
	for i := range in.NumField() {
		f := in.Field(i)
		name, optional, _ := strings.Cut(f.Tag.Get("json"), ",")
		list = append(list, argument{name, f.Tag.Get("jsonschema"), optional == "", f.Type.Kind() == reflect.Int})
	}
	return list
}

// checkArguments reports what is wrong with a call's arguments in a sentence, before the SDK rejects them.
// Null arguments, which some agents send, are dropped.
func (a *asker) checkArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.GetParams().(*mcp.CallToolParamsRaw)
		if !ok || call == nil {
			return next(ctx, method, req)
		}
		takes, known := a.tools[call.Name]
		if !known {
			return next(ctx, method, req)
		}
		wrong, args := "", map[string]json.RawMessage{}
		if len(call.Arguments) > 0 && json.Unmarshal(call.Arguments, &args) != nil {
			wrong = fmt.Sprintf("the arguments must be an object such as {%q: …}", takes[0].name)
		}
		maps.DeleteFunc(args, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
		if wrong = cmp.Or(wrong, wrongArgument(takes, args)); wrong != "" {
			return failed("error: " + call.Name + ": " + wrong), nil
		}
		call.Arguments = json.RawMessage("{}")
		if len(args) > 0 {
			call.Arguments, _ = json.Marshal(args) // it was JSON
		}
		return next(ctx, method, req)
	}
}

// wrongArgument says what is wrong with the arguments, or returns "".
func wrongArgument(takes []argument, args map[string]json.RawMessage) string {
	var names []string
	for _, t := range takes {
		names = append(names, t.name)
		value, given := args[t.name]
		var number int
		var text string
		switch {
		case !given && t.required:
			return fmt.Sprintf("the argument %q is missing: %s", t.name, t.says)
		case given && t.isNumber && json.Unmarshal(value, &number) != nil:
			return fmt.Sprintf("the argument %q must be a whole number: %s", t.name, t.says)
		case given && !t.isNumber && json.Unmarshal(value, &text) != nil:
			return fmt.Sprintf("the argument %q must be a text in quotes: %s", t.name, t.says)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !slices.Contains(names, name) {
			return fmt.Sprintf("there is no argument %q: it takes %s", short(name), strings.Join(names, ", "))
		}
	}
	return ""
}
