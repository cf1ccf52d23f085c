package mcpserver

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (a *asker) addPrompts(s *mcp.Server) {
	s.AddPrompt(&mcp.Prompt{
		Name: "continue_work", Title: "Go on where the last session ended",
		Description: "What matters of a project, with its last session, to go on from.",
		Arguments:   []*mcp.PromptArgument{{Name: "project", Description: "name or key of a project; empty: that of the current folder"}},
	}, a.prompt("Go on with the work in this project. First say in a few lines where it stands and what you would do next.", func(k known, args map[string]string) (string, error) {
		return a.projectBrief(k, projectIn{Project: args["project"]})
	}))
	s.AddPrompt(&mcp.Prompt{
		Name: "standup", Title: "What was done",
		Description: "What was done since yesterday, by project.",
		Arguments:   []*mcp.PromptArgument{{Name: "since", Description: "yesterday, a date or an age such as 7d"}},
	}, a.prompt("Write a short report of the work below, by project.", func(k known, args map[string]string) (string, error) {
		since := cmp.Or(args["since"], "yesterday")
		if _, err := k.moment(since); err != nil {
			return "", err
		}
		history, err := k.History(a.cmd, since, "now", time.Now())
		if err != nil {
			return "", err
		}
		return quoted + "\n" + quote(strings.Join(history.Standup().Lines(usualTokens), "\n")), nil
	}))
}

func (a *asker) prompt(instruction string, use func(known, map[string]string) (string, error)) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text, err := a.ask(ctx, func(k known) (string, error) { return use(k, req.Params.Arguments) })
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: wrong(err)}
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: instruction + "\n\n" + text}}}}, nil
	}
}
