package mcpserver

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sessionloom/sessionloom/extract/catalog"
)

const noteURI = "sessionloom://note/"

func (a *asker) addResources(s *mcp.Server) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "note", Title: "A note of the vault", MIMEType: "text/markdown", URITemplate: noteURI + "{+id}",
		Description: "A note by its id, secrets masked; search_history names those of sessions, the list those of projects.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		id, ok := strings.CutPrefix(req.Params.URI, noteURI)
		if plain, err := url.PathUnescape(id); err == nil {
			id = plain
		}
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

func (k known) note(id string) (string, error) {
	all, err := k.notesSeen()
	if err != nil {
		return "", err
	}
	for _, e := range all {
		if e.ID != id {
			continue
		}
		text, err := k.Read(e.Path)
		if err != nil {
			return "", err
		}
		return quoted + "\n" + quote(cutTo(text, mostTokens)), nil
	}
	return "", &catalog.NameError{Name: id, Of: "note"}
}

// notesSeen returns the visible notes, without pages of all projects, which show others.
func (k known) notesSeen() ([]catalog.Entry, error) {
	f, err := k.Filter()
	if err != nil {
		return nil, err
	}
	all := f.Of(k.Catalog, k.Notes())
	if len(f.Projects)+len(f.Excluded)+len(f.Sources) > 0 {
		all = slices.DeleteFunc(all, func(e catalog.Entry) bool { return e.Project == "" })
	}
	return all, nil
}

const (
	listedProjects = 50
	listedSessions = 20
)

// listResources answers resources/list: pages of projects and the latest sessions.
func (a *asker) listResources(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != "resources/list" {
			return next(ctx, method, req)
		}
		out := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, Cacheable: mcp.Cacheable{CacheScope: "private"}}
		_, err := a.ask(ctx, func(k known) (string, error) {
			all, err := k.notesSeen()
			slices.SortStableFunc(all, func(a, b catalog.Entry) int { return b.Updated.Compare(a.Updated) })
			left := map[string]int{"project": listedProjects, "session": listedSessions}
			for _, e := range all {
				if left[e.Type] > 0 {
					left[e.Type]--
					out.Resources = append(out.Resources, &mcp.Resource{URI: noteURI + e.ID, Name: oneLine(e.Title), MIMEType: "text/markdown", Description: e.Type + " " + oneLine(e.Name)})
				}
			}
			return "", err
		})
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: wrong(err)}
		}
		return out, nil
	}
}

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
		history, err := k.History(a.cmd, cmp.Or(args["since"], "yesterday"), "now", time.Now())
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
