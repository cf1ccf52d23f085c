package mcpserver

import (
	"context"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sessionloom/sessionloom/extract/catalog"
)

// noteURI begins the address of a note.
const noteURI = "sessionloom://note/"

func (a *asker) addResources(s *mcp.Server) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "note", Title: "A note of the vault", MIMEType: "text/markdown", URITemplate: noteURI + "{+id}",
		Description: "A session, project, day or other note by its id, as search_history names it.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		id, ok := strings.CutPrefix(req.Params.URI, noteURI)
		if !ok {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		text, err := a.ask(ctx, func(k known) (string, error) { return k.note(id) })
		if err != nil {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/markdown", Text: text}}}, nil
	})
}

// note is the text of a note that may be seen, cut where it is long.
func (k known) note(id string) (string, error) {
	f, err := k.Filter()
	if err != nil {
		return "", err
	}
	narrow := len(f.Projects)+len(f.Excluded)+len(f.Sources) > 0
	for _, e := range f.Of(k.Catalog, k.Notes()) {
		if e.ID != id || narrow && e.Project == "" { // pages of all projects tell of the others
			continue
		}
		text, err := k.Read(e.Path)
		if err != nil {
			return "", err
		}
		return quoted + "\n" + cutTo(text, mostTokens), nil
	}
	return "", &catalog.NameError{Name: id, Of: "note"}
}

func (a *asker) addPrompts(s *mcp.Server) {
	s.AddPrompt(&mcp.Prompt{
		Name: "continue_work", Title: "Go on where the last session ended",
		Description: "What matters of a project, with its last session, to go on from.",
		Arguments:   []*mcp.PromptArgument{{Name: "project", Description: "name of a project; empty: that of the current folder"}},
	}, a.prompt("Go on with the work in this project. First say in a few lines where it stands and what you would do next.", func(k known, args map[string]string) (string, error) {
		return a.projectBrief(k, projectIn{Project: args["project"]})
	}))
	s.AddPrompt(&mcp.Prompt{
		Name: "standup", Title: "What was done",
		Description: "What was done since yesterday, by project.",
		Arguments:   []*mcp.PromptArgument{{Name: "since", Description: "yesterday, a date or an age such as 7d"}},
	}, a.prompt("Write a short report of the work below, by project.", func(k known, args map[string]string) (string, error) {
		since := args["since"]
		if since == "" {
			since = "yesterday"
		}
		history, err := k.History(a.cmd, since, "now", time.Now())
		if err != nil {
			return "", err
		}
		return quoted + "\n" + strings.Join(history.Standup().Lines(usualTokens), "\n"), nil
	}))
}

// prompt is a handler that puts an instruction in front of what it quotes.
func (a *asker) prompt(instruction string, use func(known, map[string]string) (string, error)) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text, err := a.ask(ctx, func(k known) (string, error) { return use(k, req.Params.Arguments) })
		if err != nil {
			text = wrong(err)
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: instruction + "\n\n" + text}}}}, nil
	}
}
