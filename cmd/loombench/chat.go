package main

import (
	"context"
	"crypto/md5"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Shape of the chats: bytes of a request, and the percentage of hidden ones in result.metadata.
const (
	smallRequest = 8 << 10
	largeRequest = 56 << 10
	hiddenShare  = 60
	talk         = 9 << 10 // bytes of prompt, answer and calls
)

// writeChats writes a user folder of VS Code. Half of the chats are one object, as
// before 1.109, half are a log of mutations.
func writeChats(ctx context.Context, home string, all []*session, lex *lexicon) error {
	opened := map[*project][]*chatWriter{}
	for i, s := range all {
		c := &chatWriter{words: s.words(lex), s: s, now: s.start}
		if s.title == "" { // the editor gives each chat one
			s.title = c.task()
		}
		c.write()
		f := &folder{dir: s.project.storage(home), at: c.now}
		if i%2 == 0 {
			f.putJSON("chatSessions/"+s.id+".json", c.document(), jsontext.WithIndent("  "))
		} else {
			f.put("chatSessions/"+s.id+".jsonl", c.mutations(f))
		}
		if f.err != nil {
			return fmt.Errorf("write chat %s: %w", s.id, f.err)
		}
		c.requests = nil
		opened[s.project] = append(opened[s.project], c)
	}
	for p, of := range opened {
		if err := writeStorage(ctx, p.storage(home), p, of); err != nil {
			return err
		}
	}
	return nil
}

// storage returns VS Code's folder for a project.
func (p *project) storage(home string) string {
	return filepath.Join(home, "workspaceStorage", fmt.Sprintf("%x", md5.Sum([]byte(p.folder))))
}

// writeStorage writes the files beside the chats of a project: its place, and the index of the chats.
func writeStorage(ctx context.Context, dir string, p *project, all []*chatWriter) error {
	entries := object{}
	for _, c := range all {
		entries = append(entries, c.s.id, object{"sessionId", c.s.id, "title", c.s.title, "lastMessageDate", c.now.UnixMilli(),
			"timing", object{"created", c.s.start.UnixMilli()}, "isEmpty", false})
	}
	index, err := json.Marshal(object{"version", 1, "entries", entries})
	f := &folder{dir: dir, at: all[len(all)-1].now, err: err}
	f.putJSON("workspace.json", object{"folder", "file://" + p.folder})
	f.putDatabase(ctx, "state.vscdb", func(i *inserts) {
		i.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
		i.exec("INSERT INTO ItemTable VALUES ('chat.ChatSessionStore.index', ?)", string(index))
	})
	return f.err
}

// chatWriter makes a chat of VS Code.
type chatWriter struct {
	words
	s        *session
	now      time.Time
	requests []request
	calls    int // number made so far
}

// request is a request of a chat, in the pieces that a log pushes one after the other.
type request struct {
	head, tail    object
	parts         []object // parts of the response
	result, state object
}

// write makes requests until the chat has its size.
func (c *chatWriter) write() {
	for left := int(c.s.size); left > smallRequest/2 || len(c.requests) == 0; {
		size := max(smallRequest/2, min(left, c.between(smallRequest, largeRequest)))
		c.requests = append(c.requests, c.request(size))
		left -= size
	}
}

// document returns the chat as one object.
func (c *chatWriter) document() object {
	requests := make([]object, len(c.requests))
	for i, q := range c.requests {
		requests[i] = slices.Concat(q.head, object{"response", q.parts}, q.tail, object{"result", q.result, "modelState", q.state})
	}
	return slices.Concat(c.head(), object{"requests", requests}, c.foot(), object{"customTitle", c.s.title})
}

// mutations returns the chat as a log of its growth: a request comes without an answer, and unfinished parts
// of its response are taken back.
func (c *chatWriter) mutations(f *folder) (log []byte) {
	add := func(fields ...any) {
		line, err := json.Marshal(object(fields))
		if f.err == nil {
			f.err = err
		}
		log = append(append(log, line...), '\n')
	}
	add("kind", 0, "v", slices.Concat(c.head(), object{"requests", []object{}}, c.foot()))
	for i, q := range c.requests {
		opened := slices.Concat(q.head, object{"response", []object{}}, q.tail, object{"modelState", object{"value", 0}})
		add("kind", 2, "k", []any{"requests"}, "v", []object{opened})
		half := len(q.parts) / 2
		add("kind", 2, "k", []any{"requests", i, "response"}, "v", q.parts[:half+1])
		add("kind", 2, "k", []any{"requests", i, "response"}, "v", q.parts[half:], "i", half)
		add("kind", 1, "k", []any{"requests", i, "result"}, "v", q.result)
		add("kind", 1, "k", []any{"requests", i, "modelState"}, "v", q.state)
	}
	add("kind", 1, "k", []any{"customTitle"}, "v", c.s.title)
	return log
}

func (c *chatWriter) head() object {
	o := object{"version", 3, "creationDate", c.s.start.UnixMilli(), "initialLocation", "panel", "responderUsername", "GitHub Copilot",
		"sessionId", c.s.id, "hasPendingEdits", false}
	if p := c.s.project; p.repository != "" {
		o = append(o, "repoData", object{"workspaceType", "remote-git", "remoteUrl", "https://github.com/" + p.repository + ".git",
			"remoteVendor", "github", "localBranch", c.s.branch, "diffs", []any{}})
	}
	return o
}

func (c *chatWriter) foot() object {
	return object{"pendingRequests", []any{}, "inputState", object{"attachments", []any{}, "mode", object{"id", "agent", "kind", "agent"},
		"inputText", "", "selections", []any{}}}
}

// request makes the next request, about size bytes of JSON.
func (c *chatWriter) request(size int) request {
	c.now = c.now.Add(time.Duration(c.between(60, 1800)) * time.Second)
	prompt := c.prompt(c.s.project.file(c.words))
	q := request{head: object{"requestId", "request_" + c.uuid(), "timestamp", c.now.UnixMilli(),
		"message", object{"text", prompt, "parts", []object{{"kind", "text", "text", prompt}}}, "variableData", object{"variables", []any{}}}}
	calls := make([]chatCall, 1+min(11, size/(14<<10)))
	edits := 0
	for i := range calls {
		if calls[i] = c.newCall(); calls[i].edits != "" {
			edits++
		}
	}
	q.parts = []object{{"kind", "thinking", "value", c.paragraph(3), "id", "t"}}
	for i, k := range calls {
		if i%3 == 0 {
			q.parts = append(q.parts, markdown(c.sentence()+" "))
		}
		q.parts = append(q.parts, c.part(k))
		if k.edits != "" {
			q.parts = append(q.parts, c.edit(k.edits, max(200, size*(100-hiddenShare)/100-talk)/edits)...)
		}
	}
	q.parts = append(q.parts, c.reply()...)
	c.now = c.now.Add(time.Duration(c.between(2, 240)) * time.Second)
	q.state = object{"value", 1, "completedAt", c.now.UnixMilli()}
	q.tail = object{"responseId", "response_" + c.uuid(), "agent", object{"extensionId", object{"value", "GitHub.copilot-chat"},
		"id", "github.copilot.editsAgent", "name", "agent", "fullName", "GitHub Copilot"}, "modelId", "copilot/" + model,
		"modeInfo", object{"kind", "agent", "isBuiltin", true}, "contentReferences", []any{}, "codeCitations", []any{},
		"promptTokens", c.IntN(90000), "completionTokens", c.IntN(2000)}
	q.result = c.result(calls, size*hiddenShare/100)
	return q
}

// reply returns markdown with a reference in the middle of its first sentence.
func (c *chatWriter) reply() []object {
	text := c.answer()
	at := strings.IndexByte(text, ' ') + 1
	path := c.s.project.folder + "/" + c.s.project.file(c.words)
	return []object{markdown(text[:at]), {"kind", "inlineReference", "inlineReference", uri(path)}, markdown(" " + text[at:])}
}

func markdown(text string) object {
	return object{"value", text, "supportThemeIcons", false, "supportHtml", false, "uris", object{}}
}

func uri(path string) object {
	return object{"$mid", 1, "fsPath", path, "external", "file://" + path, "path", path, "scheme", "file"}
}

// edit returns a change of about size bytes as the chat shows it.
func (c *chatWriter) edit(path string, size int) []object {
	change := object{"text", c.output(size), "range", object{"startLineNumber", 1, "endLineNumber", 9}}
	fence := markdown("\n```\n")
	return []object{fence, {"kind", "codeblockUri", "uri", uri(path), "isEdit", true},
		{"kind", "textEditGroup", "uri", uri(path), "edits", [][]object{{change}}, "done", true}, fence}
}

// result returns what the chat does not show: the calls with their parameters, which are nowhere else, and
// their outputs, which nobody needs.
func (c *chatWriter) result(calls []chatCall, hidden int) object {
	asked := make([]object, len(calls))
	gave := object{}
	for i, k := range calls {
		asked[i] = object{"id", k.id + "__vscode-1", "name", k.name, "arguments", k.args}
		text := c.output(hidden * 4 / 5 / len(calls))
		content := object{"value", text}
		if i%4 == 3 { // as a tree of the prompt
			content = object{"value", object{"node", object{"type", 1, "children", []object{{"type", 2, "text", text, "lineBreakBefore", true}}}}}
		}
		gave = append(gave, k.id, object{"$mid", 20, "content", []object{content}})
	}
	rounds := []object{{"response", c.sentence(), "toolCalls", asked, "toolInputRetry", 0, "id", c.uuid()}}
	return object{"timings", object{"firstProgress", c.IntN(3000), "totalElapsed", c.IntN(240000)}, "details", model + " • 1x",
		"metadata", object{"sessionId", c.s.id, "toolCallRounds", rounds, "toolCallResults", gave,
			"renderedUserMessage", []object{{"type", 1, "text", c.output(hidden / 5)}}, "modelMessageId", c.uuid()}}
}

// chatCall is a call of a tool.
type chatCall struct {
	id, tool, name string
	args           string // JSON
	past           string // the chat's text about it
	edits, command string
}

func (c *chatWriter) newCall() chatCall {
	c.calls++
	k := chatCall{id: fmt.Sprintf("call_%s_%d", c.s.id[:8], c.calls)}
	path := c.s.project.folder + "/" + c.s.project.file(c.words)
	var args object
	switch c.IntN(5) {
	case 0:
		k.tool, k.name, k.edits, k.past = "copilot_replaceString", "replace_string_in_file", path, "Edited [](file://"+path+")"
		args = object{"filePath", path, "oldString", lines(2, c.codeLine), "newString", lines(6, c.codeLine)}
	case 1:
		k.tool, k.name, k.past = "copilot_findTextInFiles", "grep_search", "Searched for text, 12 results"
		args = object{"query", c.name()}
	case 2:
		k.tool, k.name, k.command = "run_in_terminal", "run_in_terminal", "go test ./..."
		args = object{"command", k.command}
	default:
		k.tool, k.name, k.past = "copilot_readFile", "read_file", "Read [](file://"+path+")"
		args = object{"filePath", path, "startLine", 1, "endLine", 200}
	}
	text, _ := json.Marshal(args) // strings of words and numbers
	k.args = string(text)
	return k
}

// part returns the call as in the chat: without parameters.
func (c *chatWriter) part(k chatCall) object {
	o := object{"kind", "toolInvocationSerialized", "invocationMessage", object{"value", k.past}, "isConfirmed", object{"type", 1}, "isComplete", true,
		"source", object{"type", "internal", "label", "Built-In"}, "toolCallId", k.id, "toolId", k.tool}
	if k.command == "" {
		return slices.Concat(o, object{"pastTenseMessage", object{"value", k.past}})
	}
	return slices.Concat(o, object{"toolSpecificData", object{"kind", "terminal", "commandLine", object{"original", k.command}, "language", "sh",
		"terminalCommandOutput", object{"text", c.output(900)}, "terminalCommandState", object{"exitCode", 0}}})
}
